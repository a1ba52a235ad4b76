/* check_hdr_codec.c - HdrHistogram's V2: exact, and deaf to lies. */
#include "src/hdr_codec.h"

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/loop_assert.h"

/* The worked example of the published form: 3x 1000, 1500, 2x 1501, 40960 ns. */
static const char example[] =
	"HISTFAAAACt42pNpmSzMwMDAxQABzFCaEch0M9ixgMH+A0TgPD/bU3YmlsM+TACNDAc8";

static struct hist *example_hist(void)
{
	struct hist *h = hist_new(3);

	hist_record_n(h, 1000, 3);
	hist_record(h, 1500);
	hist_record_n(h, 1501, 2);
	hist_record(h, 40960);
	return h;
}

static void same(const struct hist *a, const struct hist *b)
{
	ck_assert_uint_eq(a->count, b->count);
	for (unsigned i = 0; i < a->slots; i++)
		loop_assert_msg(a->counts[i] == b->counts[i], "slot %u", i);
}

START_TEST(the_example_is_decoded)
{
	struct why why = { 0 };
	struct hist *h = hdr_decode(example, strlen(example), &why), *want = example_hist();

	ck_assert_msg(h != NULL, "%s", why.text);
	same(h, want);
	ck_assert_int_eq(h->max_ns, 40991);
	ck_assert_int_eq(h->min_ns, 1000);
	ck_assert_int_eq(hist_percentile(h, 50), 1500);
	hist_free(h);
	hist_free(want);
}
END_TEST

START_TEST(the_example_payload_is_byte_exact)
{
	static const uint8_t counts[] = { 0xcf, 0x0f, 0x06, 0xe5, 0x07, 0x02, 0x04, 0xc3, 0x4c, 0x02 };
	struct hist *h = example_hist();
	size_t n;
	uint8_t *p = hdr_payload(h, &n);

	ck_assert_uint_eq(n, 50);
	ck_assert_int_eq(memcmp(p + 40, counts, sizeof(counts)), 0);
	ck_assert_int_eq(memcmp(p, "\x1c\x84\x93\x13\0\0\0\x0a\0\0\0\0\0\0\0\3", 16), 0);
	ck_assert_int_eq(memcmp(p + 24, "\0\0\x03\x46\x30\xb8\xa0\0\x3f\xf0", 10), 0);
	free(p);
	hist_free(h);
}
END_TEST

static const struct { int64_t v; size_t n; uint8_t bytes[9]; } numbers[] = {
	{ 0, 1, { 0x00 } }, { 1, 1, { 0x02 } }, { -1, 1, { 0x01 } }, { -82, 2, { 0xa3, 0x01 } },
	{ INT64_C(1) << 55, 9, { 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01 } },
	{ INT64_MAX, 9, { 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff } },
	{ INT64_MIN, 9, { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff } },
};

START_TEST(numbers_are_those_of_the_form)
{
	uint8_t out[9];
	int64_t v = 0;

	ck_assert_uint_eq(hdr_put_number(out, numbers[_i].v), numbers[_i].n);
	ck_assert_int_eq(memcmp(out, numbers[_i].bytes, numbers[_i].n), 0);
	ck_assert_uint_eq(hdr_get_number(out, numbers[_i].n, &v), numbers[_i].n);
	ck_assert_int_eq(v, numbers[_i].v);
	for (size_t i = 0; i < numbers[_i].n; i++)
		ck_assert_uint_eq(hdr_get_number(out, i, &v), 0);
}
END_TEST

static uint64_t next(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

/* Whatever was recorded comes back slot for slot. */
START_TEST(any_histogram_survives_the_way_there_and_back)
{
	uint64_t state = (uint64_t)_i + 1;

	for (int round = 0; round < 20; round++) {
		struct hist *h = hist_new(3);
		unsigned n = (unsigned)(next(&state) % 200);

		for (unsigned i = 0; i < n; i++)
			hist_record_n(h, (int64_t)(next(&state) << next(&state) % 11),
				      1 + (next(&state) << next(&state) % 14));
		char *text = hdr_encode(h);
		struct why why = { 0 };
		struct hist *back = hdr_decode(text, strlen(text), &why);

		ck_assert_msg(back != NULL, "%s", why.text);
		ck_assert_int_eq(strncmp(text, "HISTFAAA", 8), 0);
		same(h, back);
		free(text);
		hist_free(h);
		hist_free(back);
	}
}
END_TEST

START_TEST(two_digits_and_the_limit_survive_too)
{
	struct hist *h = hist_new(2);

	hist_record(h, HIST_HIGHEST_NS + 5);
	hist_record(h, 0);
	char *text = hdr_encode(h);
	struct hist *back = hdr_decode(text, strlen(text), NULL);

	ck_assert_ptr_nonnull(back);
	ck_assert_uint_eq(back->count, 2);
	ck_assert_uint_eq(back->over, 0);
	free(text);
	hist_free(h);
	hist_free(back);
}
END_TEST

/* ---- lies ------------------------------------------------------------------ */

struct lie { size_t at, n; uint8_t bytes[12]; };

static const struct lie lies[] = {
	{ 0, 4, { 0x1c, 0x84, 0x93, 0x12 } },			/* cookie of another version */
	{ 4, 4, { 0xff, 0xff, 0xff, 0xff } },			/* counts length negative */
	{ 4, 4, { 0, 0, 0, 9 } }, { 4, 4, { 0, 0, 0, 11 } },	/* too short, too long */
	{ 12, 4, { 0, 0, 0, 6 } }, { 12, 4, { 0xff, 0xff, 0xff, 0xff } },	/* digits */
	{ 16, 8, { 0 } },					/* lowest 0 */
	{ 16, 8, { 0x80 } },					/* lowest negative */
	{ 24, 8, { 0, 0, 0, 0, 0, 0, 0, 1 } },			/* highest below twice lowest */
	{ 16, 8, { 0x40 } },					/* lowest 2^62 */
	{ 40, 2, { 0xff, 0xff } },				/* a zero run cut into the next */
	{ 40, 9, { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff } },	/* -2^63 */
	{ 40, 9, { 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff } },	/* count 2^63-1 */
	{ 49, 1, { 0x80 } },					/* the last number is cut short */
};

START_TEST(a_lie_in_the_payload_is_refused)
{
	struct hist *h = example_hist();
	struct why why = { 0 };
	size_t n;
	uint8_t *p = hdr_payload(h, &n);

	memcpy(p + lies[_i].at, lies[_i].bytes, lies[_i].n);
	ck_assert_msg(hdr_from_payload(p, n, &why) == NULL, "lie %d", _i);
	ck_assert_int_eq(why.err, -EINVAL);
	free(p);
	hist_free(h);
}
END_TEST

static const char *const not_one[] = {
	"", "A", "AAA", "====", "HISTFAAA", "HISTFAAAACt42pNpmSzMwMDAxQABzFCaEch0M9ixgMH+A0TgPD/bU3YmlsM+TACNDAc",
	"HISTFAAAACt42pNpmSzMwMDAxQABzFCaEch0M9ixgMH+A0TgPD/bU3YmlsM+TACNDA==",
	"HISTFAAAACt42pNpmSzMwMDAxQABzFCaEch0M9ixgMH+A0TgPD/bU3YmlsM+TACNDAc8AAAA", "HIST FAA", "!!!!",
};

START_TEST(what_is_no_envelope_is_refused)
{
	struct why why = { 0 };

	ck_assert_ptr_null(hdr_decode(not_one[_i], strlen(not_one[_i]), &why));
	ck_assert_int_lt(why.err, 0);
}
END_TEST

/* Other histograms than ours: each slot at its highest value. */
START_TEST(other_geometries_are_taken_at_their_highest_values)
{
	uint8_t p[42] = { 0x1c, 0x84, 0x93, 0x13, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1 };

	p[22] = 0x10;	/* lowest 4096 */
	p[27] = 1;	/* highest 2^32 */
	p[40] = 0x03;	/* two empty slots */
	p[41] = 0x0a;	/* 5 in slot 2 */
	struct why why = { 0 };
	struct hist *h = hdr_from_payload(p, sizeof(p), &why);

	ck_assert_msg(h != NULL, "%s", why.text);
	ck_assert_uint_eq(h->count, 5);
	ck_assert_int_eq(h->max_ns, 3 * 4096 - 1);
	hist_free(h);
}
END_TEST

START_TEST(every_change_of_one_letter_is_survived)
{
	char text[sizeof(example)];

	memcpy(text, example, sizeof(example));
	for (size_t i = 0; i + 1 < sizeof(example); i++) {
		for (int c = 0; c < 256; c++) {
			text[i] = (char)c;
			hist_free(hdr_decode(text, sizeof(example) - 1, NULL));
		}
		text[i] = example[i];
	}
}
END_TEST

Suite *hdr_codec_suite(void);

Suite *hdr_codec_suite(void)
{
	Suite *s = suite_create("hdr_codec");
	TCase *tc = tcase_create("hdr_codec");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, the_example_is_decoded);
	tcase_add_test(tc, the_example_payload_is_byte_exact);
	tcase_add_loop_test(tc, numbers_are_those_of_the_form, 0, (int)(sizeof(numbers) / sizeof(numbers[0])));
	tcase_add_loop_test(tc, any_histogram_survives_the_way_there_and_back, 0, 4);
	tcase_add_test(tc, two_digits_and_the_limit_survive_too);
	tcase_add_loop_test(tc, a_lie_in_the_payload_is_refused, 0, (int)(sizeof(lies) / sizeof(lies[0])));
	tcase_add_loop_test(tc, what_is_no_envelope_is_refused, 0, (int)(sizeof(not_one) / sizeof(not_one[0])));
	tcase_add_test(tc, other_geometries_are_taken_at_their_highest_values);
	tcase_add_test(tc, every_change_of_one_letter_is_survived);
	suite_add_tcase(s, tc);
	return s;
}
