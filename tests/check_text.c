/* check_text.c - numbers as text and back, and the cleaner of foreign text. */
#include "src/text.h"

#include <check.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/text_width.h"
#include "tests/loop_assert.h"

static const struct { int64_t ns; const char *want; } times[] = {
	{ 0, "0ns" }, { 1, "1ns" }, { 999, "999ns" }, { 1000, "1.00us" }, { 5200, "5.20us" },
	{ 14099, "14.1us" }, { 411000, "411us" }, { 999499, "999us" }, { 999500, "1.00ms" },
	{ 2100000, "2.10ms" }, { 9995000, "10.0ms" }, { 8900000000, "8.90s" },
	{ 59940000000, "59.9s" }, { 59950000000, "1.00m" }, { 60000000000, "1.00m" },
	{ 720000000000, "12.0m" }, { 3599000000000, "1.00h" }, { 3600000000000, "1.00h" },
	{ 360000000000000, "100h" }, { 3600000000000000, "41.7d" }, { INT64_MAX, "292y" },
	{ -1, "<0ns" },
};

START_TEST(time_has_three_digits_and_a_unit)
{
	char buf[16];

	ck_assert_str_eq(text_time(buf, sizeof(buf), times[_i].ns), times[_i].want);
}
END_TEST

static const struct { int64_t ns; const char *want; } micros[] = {
	{ 0, "0" }, { 5, "0.005" }, { 420, "0.420" }, { 5200, "5.20" }, { 14100, "14.1" },
	{ 411000, "411" }, { 999499, "999" }, { 999500, "1.00ms" }, { 2100000, "2.10ms" },
	{ -7, "<0" },
};

START_TEST(column_of_microseconds_is_bare_below_a_millisecond)
{
	char buf[16];

	ck_assert_str_eq(text_us(buf, sizeof(buf), micros[_i].ns), micros[_i].want);
}
END_TEST

/* Reads text_time()'s result back. */
static double back_ns(const char *text)
{
	static const struct { const char *name; double ns; } names[] = {
		{ "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 }, { "m", 60e9 },
		{ "h", 3600e9 }, { "d", 86400e9 }, { "y", 365 * 86400e9 },
	};
	char *end;
	double v = strtod(text, &end);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(end, names[i].name))
			return v * names[i].ns;
	ck_abort_msg("no unit in %s", text);
	return 0;
}

START_TEST(any_time_fits_six_columns_and_is_right_to_half_a_percent)
{
	char buf[32];
	double before = -1;

	for (double x = 1; x < 9.2e18; x *= 1.0007) {
		double shown = back_ns(text_time(buf, sizeof(buf), (int64_t)x));

		loop_assert_msg(strlen(buf) <= 6, "%s", buf);
		loop_assert_msg(shown >= x * 0.99 - 1 && shown <= x * 1.01 + 1, "%s for %g", buf, x);
		loop_assert_msg(shown >= before, "%s falls", buf);
		loop_assert(strlen(text_us(buf, sizeof(buf), (int64_t)x)) <= 6);
		before = shown;
	}
}
END_TEST

static const struct { double value; const char *want; } rates[] = {
	{ 0, "0" }, { 0.001, "<0.01" }, { 0.04, "0.04" }, { 0.1, "0.1" }, { 9.8, "9.8" },
	{ 9.96, "10" }, { 812, "812" }, { 999.4, "999" }, { 999.6, "1.0k" }, { 9800, "9.8k" },
	{ 120000, "120k" }, { 1200000, "1.2M" }, { -1, "-" }, { 1e30, ">9999" },
	{ __builtin_nan(""), "-" }, { __builtin_inf(), "-" },
};

START_TEST(counts_fit_five_columns)
{
	char buf[16];

	ck_assert_str_eq(text_count(buf, sizeof(buf), rates[_i].value), rates[_i].want);
	for (double x = 1e-5; x < 1e25; x *= 1.003)
		loop_assert_msg(strlen(text_count(buf, sizeof(buf), x)) <= 5, "%s", buf);
}
END_TEST

static const struct { double value; const char *unit, *want; } amounts[] = {
	{ 9800, "forks/s", "9.8k forks/s" }, { 482, "MB/s", "482 MB/s" },
	{ 999.4, "MB/s", "999 MB/s" }, { 999.6, "MB/s", "1.0 GB/s" }, { 1400, "MB/s", "1.4 GB/s" },
	{ 53000, "MB", "53 GB" }, { 2.5e6, "MB", "2.5 TB" }, { 1e30, "MB", ">999 EB" },
	{ 0, "MB", "0 MB" }, { 0.04, "MB/s", "0.04 MB/s" }, { -1, "MB/s", "- MB/s" },
	{ __builtin_inf(), "MB/s", "- MB/s" }, { __builtin_nan(""), "MB", "- MB" },
	{ 5000, "Mails", "5.0k Mails" }, { 7, "M", "7.0 M" }, { 7, "", "7.0 " },
};

START_TEST(bytes_go_on_to_the_next_unit)
{
	char buf[32];

	ck_assert_str_eq(text_amount(buf, sizeof(buf), amounts[_i].value, amounts[_i].unit),
			 amounts[_i].want);
}
END_TEST

static const struct { int64_t s; const char *want; } spans[] = {
	{ 0, "00:00:00" }, { 59, "00:00:59" }, { 3661, "01:01:01" }, { 86399, "23:59:59" },
	{ 86400, "1+00:00:00" }, { 90061, "1+01:01:01" }, { -5, "-00:00:05" },
};

START_TEST(spans_read_like_a_clock)
{
	char buf[32];

	ck_assert_str_eq(text_span(buf, sizeof(buf), spans[_i].s * 1000000000), spans[_i].want);
	ck_assert_int_gt(strlen(text_span(buf, sizeof(buf), INT64_MIN)), 0);
}
END_TEST

static const struct { const char *text; int err; int64_t want; } parsed[] = {
	{ "10ms", 0, 10000000 }, { "1.5s", 0, 1500000000 }, { "2m", 0, 120000000000 },
	{ "1h", 0, 3600000000000 }, { "250us", 0, 250000 }, { "100ns", 0, 100 },
	{ "\xc2\xb5s", -EINVAL, 0 }, { "3\xc2\xb5s", 0, 3000 }, { "3\xce\xbcs", 0, 3000 },
	{ "0s", 0, 0 }, { ".5s", 0, 500000000 }, { "16.6666667ms", 0, 16666667 },
	{ "10", -EINVAL, 0 }, { "", -EINVAL, 0 }, { "ms", -EINVAL, 0 }, { "-1s", -EINVAL, 0 },
	{ "+1s", -EINVAL, 0 }, { " 1s", -EINVAL, 0 }, { "1s ", -EINVAL, 0 }, { "1,5s", -EINVAL, 0 },
	{ "1e3s", -EINVAL, 0 }, { "1.2.3s", -EINVAL, 0 }, { "5min", -EINVAL, 0 }, { ".s", -EINVAL, 0 },
	{ "nan", -EINVAL, 0 }, { "2562047h", 0, 9223369200000000000 }, { "2562048h", -ERANGE, 0 },
	{ "99999999999999999999s", -ERANGE, 0 }, { "9223372036854775807ns", 0, INT64_MAX },
	{ "9223372036854775808ns", -ERANGE, 0 },
};

START_TEST(times_are_a_number_and_a_unit)
{
	struct why why = { 0 };
	int64_t ns = 0;

	ck_assert_int_eq(text_parse_time(parsed[_i].text, &ns, &why), parsed[_i].err);
	ck_assert_int_eq(ns, parsed[_i].want);
	ck_assert(!parsed[_i].err || strstr(why.text, "; "));
}
END_TEST

START_TEST(a_time_printed_parses_to_what_it_said)
{
	char buf[16];
	int64_t ns;

	for (double x = 1; x < 3.6e15; x *= 1.01) {
		text_time(buf, sizeof(buf), (int64_t)x);
		if (strpbrk(buf, "dy"))
			continue;
		ck_assert_int_eq(text_parse_time(buf, &ns, NULL), 0);
		ck_assert_double_eq_tol((double)ns, back_ns(buf), 1);
	}
}
END_TEST

static const struct { const char *text; int err; long want; } ints[] = {
	{ "5", 0, 5 }, { "1", 0, 1 }, { "97", 0, 97 }, { "0", -ERANGE, 0 }, { "98", -ERANGE, 0 },
	{ "-1", -ERANGE, 0 }, { "", -EINVAL, 0 }, { "5x", -EINVAL, 0 }, { "0x5", -EINVAL, 0 },
	{ " 5", -EINVAL, 0 }, { "+5", -EINVAL, 0 }, { "2147483648", -ERANGE, 0 }, { "-", -EINVAL, 0 },
	{ "9223372036854775808", -ERANGE, 0 }, { "99999999999999999999999", -ERANGE, 0 },
	{ "007", 0, 7 },
};

START_TEST(integers_are_decimal_and_in_range)
{
	struct why why = { 0 };
	long value = 0;

	ck_assert_int_eq(text_parse_int(ints[_i].text, 1, 97, &value, &why), ints[_i].err);
	ck_assert_int_eq(value, ints[_i].want);
}
END_TEST

START_TEST(integers_reach_both_ends_of_long)
{
	long value;

	ck_assert_int_eq(text_parse_int("-9223372036854775808", INT64_MIN, INT64_MAX, &value, NULL), 0);
	ck_assert_int_eq(value, INT64_MIN);
	ck_assert_int_eq(text_parse_int("9223372036854775807", INT64_MIN, INT64_MAX, &value, NULL), 0);
	ck_assert_int_eq(value, INT64_MAX);
}
END_TEST

static const struct { const char *in; size_t n; unsigned columns; const char *want; unsigned at; } clean[] = {
	{ "kworker/0:1", 11, 80, "kworker/0:1", 11 },
	{ "\x1b]52;c;x\a", 9, 80, "?]52;c;x?", 9 },
	{ "a\rb\nc\td\be\x7f", 10, 80, "a?b?c?d?e?", 10 },
	{ "a\0b", 3, 80, "a?b", 3 },
	{ "\x9b" "1m", 3, 80, "?1m", 3 },			/* C1 as a raw byte */
	{ "\xc2\x9d" "x", 3, 80, "?x", 2 },			/* and as U+009D */
	{ "\xe2\x80\xae" "x", 4, 80, "?x", 2 },			/* U+202E */
	{ "\xe2\x80\x8b" "x", 4, 80, "?x", 2 },			/* zero width space */
	{ "\xef\xbb\xbf" "x", 4, 80, "?x", 2 },			/* U+FEFF */
	{ "\xe2\x80\xa8", 3, 80, "?", 1 },			/* line separator */
	{ "\xf3\xa0\x80\xa0", 4, 80, "?", 1 },			/* a tag */
	{ "\xee\x80\x80", 3, 80, "?", 1 },			/* private use */
	{ "\xc0\xaf", 2, 80, "??", 2 },				/* overlong */
	{ "\xed\xa0\x80", 3, 80, "???", 3 },			/* surrogate */
	{ "\xf4\x90\x80\x80", 4, 80, "????", 4 },		/* beyond the last */
	{ "\xe4\xb8", 2, 80, "??", 2 },				/* cut short */
	{ "gr\xc3\xbc\xc3\x9f", 6, 80, "gr\xc3\xbc\xc3\x9f", 4 },
	{ "\xe4\xb8\xad\xe6\x96\x87", 6, 3, "\xe4\xb8\xad", 2 },	/* wide: half does not fit */
	{ "e\xcc\x81\xcc\x82\xcc\x83x", 8, 80, "e\xcc\x81\xcc\x82?x", 3 },	/* a third mark */
	{ "\xcc\x81x", 3, 80, "?x", 2 },			/* a mark without a cell */
	{ "e\xcc\x81", 3, 1, "e\xcc\x81", 1 },			/* the mark belongs to the last cell */
	{ "abc", 3, 0, "", 0 },
	{ "", 0, 80, "", 0 },
};

START_TEST(foreign_text_is_made_safe)
{
	char out[64];

	ck_assert_uint_eq(text_clean(out, sizeof(out), clean[_i].in, clean[_i].n, clean[_i].columns),
			  clean[_i].at);
	ck_assert_str_eq(out, clean[_i].want);
}
END_TEST

START_TEST(bytes_cut_never_within_a_character)
{
	char out[4];

	ck_assert_uint_eq(text_clean(out, sizeof(out), "a\xe4\xb8\xad", 4, 80), 1);
	ck_assert_str_eq(out, "a");
	ck_assert_uint_eq(text_clean(out, 1, "a", 1, 80), 0);
	ck_assert_str_eq(out, "");
	ck_assert_uint_eq(text_clean(NULL, 0, "a", 1, 80), 0);
}
END_TEST

static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* The allow-list of the report, told a second time and independently. */
static bool forbidden(uint32_t p)
{
	return p < 0x20 || (p >= 0x7f && p < 0xa0) || p == 0x61c || (p >= 0x200b && p <= 0x200f) ||
	       (p >= 0x2028 && p <= 0x202e) || (p >= 0x2060 && p <= 0x206f) || p == 0xfeff ||
	       (p >= 0xd800 && p < 0xf900) || p >= 0xe0000;
}

static void check_clean(const char *out, unsigned columns, unsigned at)
{
	unsigned marks = 0, sum = 0;
	bool cell = false;

	for (size_t left = strlen(out), n; left; left -= n, out += n) {
		uint32_t point = 0;

		n = text_decode(out, left, &point);
		loop_assert(n > 0);
		loop_assert_msg(!forbidden(point), "U+%04X passed", point);
		int width = text_width(point);

		loop_assert(width >= 0);
		loop_assert(width || cell);
		marks = width ? 0 : marks + 1;
		cell = true;
		loop_assert(marks <= 2);
		sum += (unsigned)width;
	}
	loop_assert_msg(sum == at, "%u columns, said %u", sum, at);
	loop_assert_msg(sum <= columns, "%u columns, asked for %u", sum, columns);
}

/* P13: whatever comes in, only the allow-list comes out; cleaning twice
 * changes nothing. */
START_TEST(p13_no_foreign_byte_passes_raw)
{
	uint64_t state = 88172645463325252;
	char in[24], out[40], again[40];

	for (int round = 0; round < 200000; round++) {
		size_t n = next(&state) % sizeof(in);
		unsigned columns = (unsigned)(next(&state) % 24);
		size_t size = 1 + next(&state) % sizeof(out);

		for (size_t i = 0; i < n; i++) {
			static const unsigned char likely[] = { 0xe2, 0x80, 0xcc, 0x81, 0xf3, 0x1b };

			in[i] = (char)(next(&state) & 1 ? next(&state) :
				       likely[next(&state) % sizeof(likely)]);
		}
		unsigned at = text_clean(out, size, in, n, columns);

		loop_assert(strlen(out) < size);
		check_clean(out, columns, at);
		loop_assert(text_clean(again, sizeof(again), out, strlen(out), columns) == at);
		loop_assert_msg(!strcmp(again, out), "'%s' became '%s'", out, again);
	}
}
END_TEST

START_TEST(every_code_point_is_judged)
{
	for (uint32_t p = 0; p < 0x110000; p++)
		if (forbidden(p))
			loop_assert_msg(text_width(p) < 0, "U+%04X", p);
	ck_assert_int_eq(text_width('a'), 1);
	ck_assert_int_eq(text_width(0x4e2d), 2);
	ck_assert_int_eq(text_width(0x301), 0);
	ck_assert_int_eq(text_width(0x1f600), 2);
	ck_assert_int_eq(text_width(0xffffffff), -1);
}
END_TEST

#define ROWS(a) (int)(sizeof(a) / sizeof((a)[0]))

/* 0us would be as wrong where a time above 0 is wanted. */
START_TEST(a_bare_zero_is_told_no_example)
{
	struct why why = { 0, "" };
	int64_t ns;

	ck_assert_int_eq(text_parse_time("0", &ns, &why), -EINVAL);
	ck_assert_msg(strstr(why.text, "no unit; add one of") && !strstr(why.text, "0ms"), "%s", why.text);
	ck_assert_int_eq(text_parse_time("5", &ns, &why), -EINVAL);
	ck_assert_msg(strstr(why.text, "(5ms, 5s)") != NULL, "%s", why.text);
}
END_TEST

Suite *text_suite(void);

Suite *text_suite(void)
{
	Suite *s = suite_create("text");
	TCase *tc = tcase_create("text");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, a_bare_zero_is_told_no_example);
	tcase_add_loop_test(tc, time_has_three_digits_and_a_unit, 0, ROWS(times));
	tcase_add_loop_test(tc, column_of_microseconds_is_bare_below_a_millisecond, 0, ROWS(micros));
	tcase_add_test(tc, any_time_fits_six_columns_and_is_right_to_half_a_percent);
	tcase_add_loop_test(tc, bytes_go_on_to_the_next_unit, 0,
			    sizeof(amounts) / sizeof(amounts[0]));
	tcase_add_loop_test(tc, counts_fit_five_columns, 0, ROWS(rates));
	tcase_add_loop_test(tc, spans_read_like_a_clock, 0, ROWS(spans));
	tcase_add_loop_test(tc, times_are_a_number_and_a_unit, 0, ROWS(parsed));
	tcase_add_test(tc, a_time_printed_parses_to_what_it_said);
	tcase_add_loop_test(tc, integers_are_decimal_and_in_range, 0, ROWS(ints));
	tcase_add_test(tc, integers_reach_both_ends_of_long);
	tcase_add_loop_test(tc, foreign_text_is_made_safe, 0, ROWS(clean));
	tcase_add_test(tc, bytes_cut_never_within_a_character);
	tcase_add_test(tc, p13_no_foreign_byte_passes_raw);
	tcase_add_test(tc, every_code_point_is_judged);
	suite_add_tcase(s, tc);
	return s;
}
