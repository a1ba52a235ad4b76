/*
 * check_cstates.c - idle states are held by option or by key, and by nothing
 * else: the kernel holds them for as long as its device is open.
 */
#include <check.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/clock.h"
#include "tests/prog.h"
#include "tests/seat.h"
#include "tests/skip.h"

#define DEVICE "/dev/cpu_dma_latency"

static struct seat seat;

static void teardown(void)
{
	seat_leave(&seat);
}

#define can_hold() (!access(DEVICE, W_OK) || SKIP(DEVICE " cannot be written to"))

/* Is it open in this process? */
static bool is_open(pid_t pid)
{
	char path[64], target[256];
	struct dirent *e;
	bool found = false;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	DIR *d = opendir(path);

	ck_assert_ptr_nonnull(d);
	while ((e = readdir(d))) {
		ssize_t n = readlinkat(dirfd(d), e->d_name, target, sizeof(target) - 1);

		target[n > 0 ? n : 0] = '\0';
		found |= !strcmp(target, DEVICE);
	}
	closedir(d);
	return found;
}

static void wait_until(bool open)
{
	int64_t until_ns = clock_now_ns() + SEAT_MS * NS_PER_MS;

	while (is_open(pty_pid(seat.pty)) != open) {
		ck_assert_msg(clock_now_ns() < until_ns, DEVICE " is %s", open ? "not opened" : "kept");
		pty_pump(seat.pty, 10);
	}
}

/* F40: the key holds and lets go, and the screen says which; death lets go too. */
START_TEST(a_key_holds_them_and_lets_go)
{
	if (!can_hold())
		return;
	seat_start(&seat, 200, 50, NULL);
	ck_assert(!is_open(pty_pid(seat.pty)));
	ck_assert(pty_wait_no_text(seat.pty, "C-states held", 0));
	pty_send(seat.pty, "z");
	ck_assert(pty_wait_text(seat.pty, "C-states held", SEAT_MS));
	wait_until(true);
	pty_send(seat.pty, "z");
	ck_assert(pty_wait_no_text(seat.pty, "C-states held", SEAT_MS));
	wait_until(false);
	if (_i == 0) {
		seat_ends_well(&seat, "q");
		return;
	}
	int status;

	pty_send(seat.pty, "z");
	wait_until(true);
	kill(pty_pid(seat.pty), SIGKILL);
	ck_assert(pty_wait_exit(seat.pty, SEAT_MS, &status));
	seat_nothing_left(&seat);	/* nobody else has it open */
}
END_TEST

/* One run under strace: how often the device was opened, and what the file says. */
static int opened(const char *option, char *state, size_t size)
{
	char file[] = "/tmp/js-cstates-XXXXXX", line[512];
	int fd = mkstemp(file), n = 0;
	const char *argv[] = { "strace", "-f", "-qq", "-e", "trace=open,openat", "-o", file, prog_path(),
			       "record", "-D", "200ms", "--json", option, NULL };
	struct prog p;

	ck_assert_int_ge(fd, 0);
	prog_run(&p, 60000, argv);
	ck_assert_msg(p.exit_code == 0, "exit %d: %s", p.exit_code, p.err);
	json_t *root = prog_json(&p);
	const json_t *tiers = json_object_get(root, "tiers");

	snprintf(state, size, "%s", json_string_value(json_object_get(tiers, "cstates")));
	FILE *f = fdopen(fd, "r");

	while (fgets(line, sizeof(line), f))
		n += strstr(line, DEVICE) != NULL;
	fclose(f);
	unlink(file);
	json_decref(root);
	prog_free(&p);
	return n;
}

/* F40: who does not ask leaves them alone: not even a glance at the device. */
START_TEST(only_who_asks_holds_them)
{
	char state[16];

	if (!prog_have("strace", __func__) || !can_hold())
		return;
	ck_assert_int_eq(opened(NULL, state, sizeof(state)), 0);
	ck_assert_str_eq(state, "free");
	ck_assert_int_eq(opened("--hold-cstates", state, sizeof(state)), 1);
	ck_assert_str_eq(state, "held");
}
END_TEST

/* F28: with nothing in /dev but null it measures, says so in one line, and the
 * file says that nothing is held. */
START_TEST(without_the_device_it_measures_and_says_so)
{
	static const char empty[] =
		"mount -t tmpfs none \"$TMPDIR\" && mkdir \"$TMPDIR/dev\" && : >\"$TMPDIR/dev/null\" &&"
		" mount --bind /dev/null \"$TMPDIR/dev/null\" && mount --rbind \"$TMPDIR/dev\" /dev || exit 77;"
		" exec \"$0\" record -D 300ms --json --hold-cstates";
	struct prog p;

	if (!SKIP_UNLESS_ROOT())
		return;
	prog_run(&p, 60000, (const char *const[]){ "unshare", "-m", "sh", "-c", empty, prog_path(), NULL });
	if (p.exit_code == 77 || strstr(p.err, "unshare:")) {
		SKIP("may not mount");
		prog_free(&p);
		return;
	}
	ck_assert_msg(p.exit_code == 0, "exit %d: %s", p.exit_code, p.err);
	const char *said = strstr(p.err, "C-states not held: " DEVICE);

	ck_assert_msg(said && !strstr(said + 1, "C-states not held"), "%s", p.err);
	json_t *root = prog_json(&p);

	prog_check_sums(root);
	ck_assert_str_eq(json_string_value(json_object_get(json_object_get(root, "tiers"), "cstates")), "free");
	json_decref(root);
	prog_free(&p);
}
END_TEST

Suite *cstates_suite(void);

Suite *cstates_suite(void)
{
	Suite *s = suite_create("cstates");
	TCase *tc = tcase_create("held");

	tcase_set_timeout(tc, 180);
	tcase_add_checked_fixture(tc, NULL, teardown);
	tcase_add_loop_test(tc, a_key_holds_them_and_lets_go, 0, 2);
	tcase_add_test(tc, only_who_asks_holds_them);
	tcase_add_test(tc, without_the_device_it_measures_and_says_so);
	suite_add_tcase(s, tc);
	return s;
}
