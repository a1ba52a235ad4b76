/* check_outgoing.c - what may go to a terminal and what may not. */
#include "ui/outgoing.h"

#include <check.h>
#include <string.h>

#define BYTES(text) { text, sizeof(text) - 1 }

static const struct { const char *bytes; size_t n; } allowed[] = {
	BYTES("plain text, \xc3\xa9 \xe2\x94\x80 \xf0\x9f\x98\x80\r\n\b"),
	BYTES("\033[0;1;38;5;203;48;5;17mx"),
	BYTES("\033[2J\033[H\033[10;5H\033[K\033[5X\033[3P\033[2@\033[12b"),
	BYTES("\033[?1049h\033[22;0;0t\033[?1l\033>"),
	BYTES("\033[?1049l\033[23;0;0t\033[?25h\033[?12l"),
	BYTES("\033(B\033)0\017\016"),
	BYTES("\0337\0338\033M\033D"),
	BYTES("\033[1;24r\033[4S\033[?1000h\033[?1006h"),
	BYTES("\033[!p"),
	BYTES("\033[?25l\033[?1c"),
	BYTES(""),
};

static const struct { const char *bytes; size_t n, at; } refused[] = {
	{ "ab\033]0;title\007", 11, 2 },
	{ "\033]52;c;AAAA\007", 12, 0 },
	{ "\033P1$q\033\\", 7, 0 },
	{ "a\007", 2, 1 },
	{ "a\0", 2, 1 },
	{ "a\x9b" "2J", 4, 1 },
	{ "a\xc2\x9b" "2J", 5, 1 },
	{ "\xe2\x80\xae", 3, 0 },
	{ "\xe2\x80\x8b", 3, 0 },
	{ "\xf3\xa0\x81\x81", 4, 0 },
	{ "\xee\x80\x80", 3, 0 },
	{ "\xc0\x80", 2, 0 },
	{ "\xed\xa0\x80", 3, 0 },
	{ "a\x7f", 2, 1 },
	{ "\033[", 2, 0 },
	{ "\033", 1, 0 },
	{ "\033c", 2, 0 },
	{ "\033[5n", 4, 0 },
	{ "\033[0c", 4, 0 },
	{ "\033[8;10;10t", 10, 0 },
	{ "\xf4\x90\x80\x80", 4, 0 },
	{ "\xe2\x94", 2, 0 },
	{ "\033[\0m", 4, 0 },
};

START_TEST(what_we_use_passes)
{
	ck_assert_uint_eq(outgoing_check(allowed[_i].bytes, allowed[_i].n), allowed[_i].n);
}
END_TEST

START_TEST(anything_else_is_stopped_where_it_begins)
{
	ck_assert_uint_eq(outgoing_check(refused[_i].bytes, refused[_i].n), refused[_i].at);
}
END_TEST

Suite *outgoing_suite(void);

Suite *outgoing_suite(void)
{
	Suite *s = suite_create("outgoing");
	TCase *tc = tcase_create("bytes");

	tcase_add_loop_test(tc, what_we_use_passes, 0, sizeof(allowed) / sizeof(allowed[0]));
	tcase_add_loop_test(tc, anything_else_is_stopped_where_it_begins, 0,
			    sizeof(refused) / sizeof(refused[0]));
	suite_add_tcase(s, tc);
	return s;
}
