/* check_guardian.c - the terminal is given back, and only when it is ours. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "src/clock.h"
#include "src/guardian.h"
#include "src/wire.h"

static int master, slave;
static struct termios cooked, raw;
static struct guardian guardian;

static void open_terminal(void)
{
	ck_assert_int_eq(openpty(&master, &slave, NULL, NULL, NULL), 0);
	ck_assert_int_eq(tcgetattr(slave, &cooked), 0);
	raw = cooked;
	cfmakeraw(&raw);
	guardian_init(&guardian, slave);
	fcntl(master, F_SETFL, O_NONBLOCK);
}

static void close_terminal(void)
{
	close(master);
	close(slave);
}

static void set(const struct termios *t)
{
	ck_assert_int_eq(tcsetattr(slave, TCSANOW, t), 0);
}

static bool is(const struct termios *t)
{
	struct termios now;

	ck_assert_int_eq(tcgetattr(slave, &now), 0);
	return guardian_same(&now, t);
}

static const char *seen(void)
{
	static char buf[4096];
	ssize_t n = read(master, buf, sizeof(buf) - 1);

	buf[n > 0 ? n : 0] = '\0';
	return buf;
}

/* What came when `end` has come; bytes of several writes come one by one. */
static const char *seen_to(const char *end)
{
	static char buf[4096];
	struct pollfd p = { .fd = master, .events = POLLIN };
	size_t used = 0;
	ssize_t n = 0;

	buf[0] = '\0';
	while (!strstr(buf, end) && used + 1 < sizeof(buf) && poll(&p, 1, 20000) > 0) {
		n = read(master, buf + used, sizeof(buf) - 1 - used);
		if (n <= 0)
			break;
		used += (size_t)n;
		buf[used] = '\0';
	}
	return buf;
}

START_TEST(a_raw_terminal_becomes_cooked_and_gets_bytes_and_a_line)
{
	guardian_arm(&guardian, &cooked, &raw);
	set(&raw);
	ck_assert(guardian_restore(&guardian, "last words"));
	ck_assert(is(&cooked));
	const char *text = seen_to("\nlast words\r");

	ck_assert_ptr_nonnull(strstr(text, GUARDIAN_RESET_BYTES));
	ck_assert_ptr_nonnull(strstr(text, "\nlast words\r"));
}
END_TEST

START_TEST(a_line_of_any_length_has_its_end)
{
	char line[200] = "", end[sizeof(line) + 8];

	memset(line, 'x', (size_t)_i);
	cooked.c_oflag &= ~(tcflag_t)OPOST;
	guardian_arm(&guardian, &cooked, &raw);
	set(&raw);
	ck_assert(guardian_restore(&guardian, line));
	snprintf(end, sizeof(end), "\r\n%s\r\n", line);
	const char *text = seen_to(end);

	ck_assert_uint_gt(strlen(text), strlen(end));
	ck_assert_str_eq(text + strlen(text) - strlen(end), end);
}
END_TEST

/* The shell was faster: its settings stay, the screen is reset all the same. */
START_TEST(settings_of_somebody_else_are_kept)
{
	struct termios shell = cooked;

	shell.c_lflag &= ~(tcflag_t)ECHO;
	guardian_arm(&guardian, &cooked, &raw);
	set(&shell);
	ck_assert(guardian_restore(&guardian, "last words"));
	ck_assert(is(&shell));
	ck_assert_ptr_nonnull(strstr(seen_to(GUARDIAN_RESET_BYTES), GUARDIAN_RESET_BYTES));
}
END_TEST

START_TEST(a_terminal_that_was_given_back_is_not_touched)
{
	guardian_arm(&guardian, &cooked, &raw);
	guardian_disarm(&guardian);
	set(&raw);
	ck_assert(!guardian_restore(&guardian, "last words"));
	ck_assert(is(&raw));
	ck_assert_str_eq(seen(), "");
}
END_TEST

START_TEST(nothing_happens_twice_or_without_a_terminal)
{
	guardian_arm(&guardian, &cooked, &raw);
	ck_assert(guardian_restore(&guardian, "last words"));
	ck_assert(!guardian_restore(&guardian, "last words"));
	guardian_init(&guardian, -1);
	guardian_arm(&guardian, &cooked, &raw);
	ck_assert(!guardian_restore(&guardian, "last words"));
}
END_TEST

/* Nobody reads, and the queue is full of half a frame. */
START_TEST(a_stalled_terminal_holds_up_nothing)
{
	char frame[4096];

	memset(frame, 'x', sizeof(frame));
	set(&raw);
	fcntl(slave, F_SETFL, O_NONBLOCK);
	while (write(slave, frame, sizeof(frame)) > 0)
		;
	guardian_arm(&guardian, &cooked, &raw);
	int64_t begun_ns = clock_now_ns();

	guardian_restore(&guardian, "last words");
	ck_assert(is(&cooked));
	ck_assert_int_lt(clock_now_ns() - begun_ns, 5 * NS_PER_S);
}
END_TEST

START_TEST(a_terminal_that_is_gone_is_no_error)
{
	guardian_arm(&guardian, &cooked, &raw);
	close(master);
	ck_assert(guardian_restore(&guardian, "last words"));
	master = open("/dev/null", O_RDONLY);
}
END_TEST

/* F03: one string undoes all. */
START_TEST(every_mode_that_is_set_is_reset)
{
	static const char *const parts[] = {
		"\033[?1000l", "\033[?1002l", "\033[?1003l", "\033[?1006l", "\033[?25h", "\033[0m",
		"\033[?1049l", "\033[r", "\033[?1l", "\033>", "\033[?7h", "\033[4l", "\033(B",
	};

	for (unsigned i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		ck_assert_msg(strstr(GUARDIAN_RESET_BYTES, parts[i]) != NULL, "part %u", i);
}
END_TEST

/* ---- records ---- */

static int pair[2];

static void open_pair(void)
{
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
}

static void close_pair(void)
{
	close(pair[0]);
	close(pair[1]);
}

START_TEST(records_arrive_as_they_were_sent)
{
	struct wire out = { .version = WIRE_VERSION, .kind = WIRE_START, .sequence = 9, .id = 3,
			    .number = -4, .wide = INT64_MIN, .arg = { 1, 2, 3, 4, 5, 6, 7, 8 } };
	struct wire in;

	ck_assert_int_eq(wire_receive(pair[1], &in), 0);
	ck_assert_int_eq(wire_send(pair[0], &out), 0);
	ck_assert_int_eq(wire_receive(pair[1], &in), 1);
	ck_assert_int_eq(memcmp(&in, &out, sizeof(in)), 0);
}
END_TEST

START_TEST(settings_survive_the_trip)
{
	struct wire r = { 0 };
	struct termios t, back;

	open_terminal();
	t = cooked;
	t.c_cc[VMIN] = 3;
	t.c_cc[VEOF] = 7;
	cfsetospeed(&t, B9600);
	wire_put_termios(&r, &t);
	wire_get_termios(&r, &back);
	ck_assert(guardian_same(&t, &back));
	ck_assert_uint_eq(back.c_cflag, t.c_cflag);
	ck_assert_uint_eq(cfgetospeed(&back), B9600);
	close_terminal();
}
END_TEST

static const struct { size_t bytes; uint16_t version; } bad[] = {
	{ 1, WIRE_VERSION }, { 63, WIRE_VERSION }, { 65, WIRE_VERSION }, { 128, WIRE_VERSION },
	{ 64, WIRE_VERSION + 1 }, { 64, 0 },
};

START_TEST(records_of_another_size_or_version_are_refused)
{
	char room[128] = { 0 };
	struct wire in;

	memcpy(room, &bad[_i].version, sizeof(bad[_i].version));
	ck_assert_int_eq(send(pair[0], room, bad[_i].bytes, 0), (int)bad[_i].bytes);
	ck_assert_int_eq(wire_receive(pair[1], &in), -EBADMSG);
	ck_assert_int_eq(wire_receive(pair[1], &in), 0);
}
END_TEST

START_TEST(a_full_queue_and_a_dead_end_are_told_apart)
{
	struct wire r = { .version = WIRE_VERSION };
	int err = 0;

	for (int i = 0; i < 100000 && !err; i++)
		err = wire_send(pair[0], &r);
	ck_assert_int_eq(err, -EAGAIN);
	close(pair[1]);
	ck_assert_int_eq(wire_send(pair[0], &r), -EPIPE);
	ck_assert_int_eq(wire_receive(pair[0], &r), -EPIPE);
	pair[1] = dup(pair[0]);
}
END_TEST

START_TEST(what_a_dead_peer_had_sent_still_arrives)
{
	struct wire r = { .version = WIRE_VERSION, .kind = WIRE_TTY_RAW };

	ck_assert_int_eq(wire_send(pair[1], &r), 0);
	ck_assert_int_eq(wire_send(pair[0], &r), 0);
	close(pair[0]);		/* with one unread */
	ck_assert_int_eq(wire_receive(pair[1], &r), 1);
	ck_assert_int_eq(r.kind, WIRE_TTY_RAW);
	ck_assert_int_eq(wire_receive(pair[1], &r), -EPIPE);
	pair[0] = dup(pair[1]);
}
END_TEST

Suite *guardian_suite(void);

Suite *guardian_suite(void)
{
	Suite *s = suite_create("guardian");
	TCase *tty = tcase_create("terminal"), *records = tcase_create("records");

	tcase_add_checked_fixture(tty, open_terminal, close_terminal);
	tcase_add_test(tty, a_raw_terminal_becomes_cooked_and_gets_bytes_and_a_line);
	tcase_add_loop_test(tty, a_line_of_any_length_has_its_end, 60, 70);
	tcase_add_test(tty, settings_of_somebody_else_are_kept);
	tcase_add_test(tty, a_terminal_that_was_given_back_is_not_touched);
	tcase_add_test(tty, nothing_happens_twice_or_without_a_terminal);
	tcase_add_test(tty, a_stalled_terminal_holds_up_nothing);
	tcase_add_test(tty, a_terminal_that_is_gone_is_no_error);
	tcase_add_test(tty, every_mode_that_is_set_is_reset);
	suite_add_tcase(s, tty);
	tcase_add_checked_fixture(records, open_pair, close_pair);
	tcase_add_test(records, records_arrive_as_they_were_sent);
	tcase_add_test(records, settings_survive_the_trip);
	tcase_add_loop_test(records, records_of_another_size_or_version_are_refused, 0,
			    sizeof(bad) / sizeof(bad[0]));
	tcase_add_test(records, what_a_dead_peer_had_sent_still_arrives);
	tcase_add_test(records, a_full_queue_and_a_dead_end_are_told_apart);
	suite_add_tcase(s, records);
	return s;
}
