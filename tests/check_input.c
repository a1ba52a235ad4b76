/* check_input.c - bytes of a terminal become keys, whatever they are. */
#include "ui/input.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "ui/term.h"

static struct input *in;
static int64_t now_ns;

static void setup(void)
{
	in = input_new();
	now_ns = 1000000000;
}

static void teardown(void)
{
	input_free(in);
}

static void feed(const char *bytes)
{
	input_feed(in, bytes, strlen(bytes), now_ns);
}

static void expect(int key)
{
	ck_assert_int_eq(input_key(in, now_ns), key);
}

static const struct { const char *bytes; int key; } whole[] = {
	{ "a", 'a' },
	{ "J", 'J' },
	{ " ", ' ' },
	{ "\f", 12 },
	{ "\t", UI_TAB },
	{ "\r", UI_ENTER },
	{ "\n", UI_ENTER },
	{ "\x7f", UI_BACKSPACE },
	{ "\b", UI_BACKSPACE },
	{ "\xc3\xa9", 0xe9 },
	{ "\xe2\x94\x80", 0x2500 },
	{ "\xf0\x9f\x98\x80", 0x1f600 },
	{ "\033[A", UI_UP },
	{ "\033OA", UI_UP },
	{ "\033[1;5A", UI_UP },
	{ "\033[B", UI_DOWN },
	{ "\033[C", UI_RIGHT },
	{ "\033[D", UI_LEFT },
	{ "\033[H", UI_HOME },
	{ "\033OF", UI_END },
	{ "\033[1~", UI_HOME },
	{ "\033[4~", UI_END },
	{ "\033[5~", UI_PGUP },
	{ "\033[6~", UI_PGDN },
	{ "\033[Z", UI_BTAB },
	{ "\033[3~", UI_DELETE },
	{ "\033OP", UI_F1 },
	{ "\033[11~", UI_F1 },
	{ "\033[15~", UI_F5 },
	{ "\033[21~", UI_F10 },
	{ "\033[15;2~", UI_F5 },
	{ "\033OM", UI_ENTER },
	{ "\033[<0;5;7M", UI_MOUSE },
	{ "\033[<64;1;1M", UI_WHEEL_UP },
	{ "\033[<65;1;1M", UI_WHEEL_DOWN },
};
#define WHOLE (int)(sizeof(whole) / sizeof(whole[0]))

START_TEST(a_key_that_came_whole_acts_at_once)
{
	feed(whole[_i].bytes);
	expect(whole[_i].key);
	expect(0);
	ck_assert_int_eq(input_wait_ns(in, now_ns), -1);
}
END_TEST

START_TEST(a_key_that_came_byte_by_byte_is_the_same_key)
{
	size_t n = strlen(whole[_i].bytes);

	for (size_t i = 0; i < n; i++) {
		if (i) {
			expect(0);
			ck_assert_int_gt(input_wait_ns(in, now_ns), 0);
			now_ns += INPUT_ESC_NS / 100;
		}
		input_feed(in, whole[_i].bytes + i, 1, now_ns);
	}
	expect(whole[_i].key);
}
END_TEST

START_TEST(a_lone_escape_is_a_key_after_25_ms_and_not_before)
{
	feed("\033");
	expect(0);
	ck_assert_int_eq(input_wait_ns(in, now_ns), INPUT_ESC_NS);
	now_ns += INPUT_ESC_NS - 1;
	expect(0);
	now_ns += 1;
	ck_assert_int_eq(input_wait_ns(in, now_ns), 0);
	expect(UI_ESC);
	expect(0);
}
END_TEST

START_TEST(an_escape_before_a_letter_is_two_keys)
{
	feed("\033q");
	expect(UI_ESC);
	expect('q');
	feed("\033\033[A");
	expect(UI_ESC);
	expect(UI_UP);
}
END_TEST

START_TEST(unknown_sequences_are_swallowed_whole)
{
	feed("\033[?1;2cq");
	expect('q');
	feed("\033[99~q");
	expect('q');
	feed("\033[Iq");		/* focus report */
	expect('q');
	feed("\033[<0;5;7mq");		/* release of a button */
	expect('q');
	feed("\033Ozq");
	expect('q');
}
END_TEST

START_TEST(a_sequence_that_never_ends_does_not_stick)
{
	feed("\033[1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1");
	for (int i = 0; i < 100; i++)
		input_key(in, now_ns);
	now_ns += INPUT_ESC_NS;
	while (input_key(in, now_ns))
		;
	ck_assert_int_eq(input_wait_ns(in, now_ns), -1);
	feed("q");
	expect('q');
}
END_TEST

START_TEST(bytes_that_are_not_utf8_are_dropped)
{
	feed("\xff\xc0\x80q\xe2\x28w");
	expect('q');
	expect('(');
	expect('w');
	feed("\xe2\x94");
	expect(0);
	now_ns += INPUT_ESC_NS;
	expect(0);
	feed("q");
	expect('q');
}
END_TEST

START_TEST(sequences_of_the_terminal_come_first)
{
	input_learn(in, "\033[[A", UI_F1);	/* the console's F1 */
	input_learn(in, "x", UI_F2);		/* one byte would shadow a letter */
	feed("\033[[A");
	expect(UI_F1);
	feed("\033[[");
	expect(0);
	feed("A");
	expect(UI_F1);
	feed("x");
	expect('x');
}
END_TEST

START_TEST(the_mouse_says_where)
{
	int x, y;

	feed("\033[<0;120;40M");
	expect(UI_MOUSE);
	input_mouse(in, &x, &y);
	ck_assert(x == 119 && y == 39);
	feed("\033[<0;0;7M\033[<;;M\033[<0;99999999999;1M");	/* nonsense is nothing */
	expect(0);
	input_mouse(in, &x, &y);
	ck_assert(x == 119 && y == 39);
}
END_TEST

/* Only the letters of a report would be keys: q ends the program. */
START_TEST(a_mouse_of_old_is_not_read_as_keys)
{
	feed("\033[M !qw");
	expect('w');
	for (const char *b = "\033[M q\xe9"; *b; b++) {
		input_feed(in, b, 1, now_ns);
		expect(0);
	}
	ck_assert_int_eq(input_wait_ns(in, now_ns), -1);
	feed("\033[M\033[Aw");
	expect('w');
	expect(0);
}
END_TEST

START_TEST(any_bytes_at_all_end_in_a_quiet_decoder)
{
	uint64_t r = 88172645463325252u;

	for (int round = 0; round < 20000; round++) {
		char bytes[16];

		for (unsigned i = 0; i < sizeof(bytes); i++) {
			r ^= r << 13;
			r ^= r >> 7;
			r ^= r << 17;
			bytes[i] = r % 3 ? (char)(r >> 8) : "\033[<;0O~M"[r >> 8 & 7];
		}
		input_feed(in, bytes,
			   input_room(in) < sizeof(bytes) ? input_room(in) : sizeof(bytes), now_ns);
		while (input_key(in, now_ns))
			;
		now_ns += INPUT_ESC_NS;
	}
	now_ns += INPUT_ESC_NS;
	while (input_key(in, now_ns))
		;
	for (int i = 0; i < 40 && input_wait_ns(in, now_ns) >= 0; i++) {
		now_ns += INPUT_ESC_NS;
		input_key(in, now_ns);
	}
	ck_assert_int_eq(input_wait_ns(in, now_ns), -1);
}
END_TEST

Suite *input_suite(void);

Suite *input_suite(void)
{
	Suite *s = suite_create("input");
	TCase *tc = tcase_create("keys");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, a_key_that_came_whole_acts_at_once, 0, WHOLE);
	tcase_add_loop_test(tc, a_key_that_came_byte_by_byte_is_the_same_key, 0, WHOLE);
	tcase_add_test(tc, a_lone_escape_is_a_key_after_25_ms_and_not_before);
	tcase_add_test(tc, an_escape_before_a_letter_is_two_keys);
	tcase_add_test(tc, unknown_sequences_are_swallowed_whole);
	tcase_add_test(tc, a_sequence_that_never_ends_does_not_stick);
	tcase_add_test(tc, bytes_that_are_not_utf8_are_dropped);
	tcase_add_test(tc, sequences_of_the_terminal_come_first);
	tcase_add_test(tc, the_mouse_says_where);
	tcase_add_test(tc, a_mouse_of_old_is_not_read_as_keys);
	tcase_add_test(tc, any_bytes_at_all_end_in_a_quiet_decoder);
	suite_add_tcase(s, tc);
	return s;
}
