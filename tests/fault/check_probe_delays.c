/*
 * check_probe_delays.c - a delay injected into the call that a probe times
 * appears in its series and in no other of that program.
 *
 * strace counts calls per thread and follows children.  Each row runs the
 * program with one probe, operations at a short period; where a probe has no
 * other series, one that makes no such call runs beside it.  Only a lower bound
 * is asserted.
 */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "src/probe.h"
#include "tests/prog.h"

#define DELAY_US 300000
#define DELAY_NS (DELAY_US * INT64_C(1000))
#define BATCH 9			/* programs side by side */
#define TRIES 2			/* more, alone */

/* How often the delay of a try is that of the first: a machine that is late by
 * itself has to be outdone.  The run leaves time for it. */
static const struct { int times; const char *length; } tries_at[1 + TRIES] = {
	{ 1, "2s" }, { 3, "4s" }, { 3, "6s" },
};

/* `when` lies after the first call of each variant, which is not recorded, and
 * after the warm-up of a sampler. */
static const struct row {
	const char *probe, *call, *when;
	const char *series;	/* NULL: what the probe does around the timed part, in none */
	int64_t least_ns;
	const char *beside;	/* another probe; NULL: none */
	const char *length;	/* NULL: 2 s */
	bool on_exit;		/* late to return, not to begin: what a sleep is */
} rows[] = {
	{ "fork", "clone,clone3,fork,vfork", "6", "fork", DELAY_NS },
	/* Each child's first. */
	{ "exec", "execve", "1", "exec", DELAY_NS },
	{ "sh", "execve", "1", "sh", DELAY_NS },
	{ "terminal", "execve", "1", "terminal", DELAY_NS, .length = "3s" },
	{ "create", "openat", "8+6", "create-", DELAY_NS },
	{ "delete", "unlinkat", "6+6", "delete-", DELAY_NS },
	{ "fsync", "fdatasync", "3+2", "fsync", DELAY_NS },
	{ "mmap", "munmap", "10+10", "mmap", DELAY_NS },
	{ "pipe", "write", "12", "pipe", DELAY_NS },
	{ "unix", "write", "12", "unix", DELAY_NS },
	{ "udp", "write", "12", "udp", DELAY_NS },
	{ "tcp", "write", "12", "tcp", DELAY_NS },
	{ "connect", "connect", "3+2", "connect", DELAY_NS },
	{ "signal", "tgkill", "10+10", "signal", DELAY_NS },
	{ "syscall", "getppid", "150", "syscall-null", DELAY_NS / 100 },
	/* What the calls cost alone, which tracing makes dear, is taken away. */
	{ "ctxsw", "write", "460", "ctxsw-2p-0k", DELAY_NS / 200 },
	/* A turn is one wake and one wait: each is hit in its turn. */
	{ "futex", "futex", "12+3", "futex", DELAY_NS, "pipe,period=50", .on_exit = true },
	/* A touch is no call: its own delay is scripted, in check_probe_fault. */
	{ "fault", "madvise,mprotect", "10+10", NULL, DELAY_NS },
	{ "wakeup-fifo", "clock_nanosleep", "400", "wakeup-fifo", DELAY_NS, "timerfd", .on_exit = true },
	{ "wakeup-other", "clock_nanosleep", "400", "wakeup-other", DELAY_NS, "timerfd", .on_exit = true },
	{ "wakeup-deadline", "clock_nanosleep", "400", "wakeup-deadline", DELAY_NS, "timerfd", .on_exit = true },
	/* A read may tell of expiries that were missed already: less than a period. */
	{ "timerfd", "read", "400", "timerfd", DELAY_NS - NS_PER_MS, "wakeup-fifo", .on_exit = true },
	/* Emulated, it sleeps; a device is read.  As late as the read before was, so
	 * much earlier it is. */
	{ "rtc", "clock_nanosleep,read", "200", "rtc", DELAY_NS * 9 / 10, "pipe,period=50", .on_exit = true },
	{ "audio", "clock_nanosleep", "40", "audio", DELAY_NS, "timerfd", .on_exit = true },
	{ "audio-fifo", "clock_nanosleep", "40", "audio-fifo", DELAY_NS, "timerfd", .on_exit = true },
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

static bool has_period(const char *probe)
{
	for (unsigned i = 0; probes[i]; i++)
		if (!strcmp(probes[i]->name, probe))
			return (probes[i]->flags & (PROBE_HELPER | PROBE_ONESHOT)) == PROBE_HELPER;
	ck_abort_msg("no probe %s", probe);
	return false;
}

static void start(struct prog *p, const struct row *r, unsigned try)
{
	char trace[80], inject[120], probe[40];
	const char *argv[] = { "strace", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", "-e", trace,
			       "-e", inject, prog_path(), "record", "-P", probe, "-D",
			       !try && r->length ? r->length : tries_at[try].length, "--json",
			       r->beside ? "-P" : NULL, r->beside, NULL };

	snprintf(trace, sizeof(trace), "trace=%s", r->call);
	snprintf(inject, sizeof(inject), "inject=%s:delay_%s=%d:when=%s", r->call,
		 r->on_exit ? "exit" : "enter", DELAY_US * tries_at[try].times, r->when);
	snprintf(probe, sizeof(probe), "%s%s", r->probe, has_period(r->probe) ? ",period=50" : "");
	prog_start(p, argv);
}

static bool is_hit(const struct row *r, const char *series)
{
	/* signal-inst makes no such call. */
	return r->series && !strncmp(series, r->series, strlen(r->series)) &&
	       strcmp(series, "signal-inst") &&
	       (strcmp(r->probe, "audio") || !strcmp(series, "audio"));
}

/* Where the machine does not grant what a probe needs. */
static bool skipped(const struct row *r, const json_t *root)
{
	const json_t *one = prog_series(root, r->probe, -1);

	if (strcmp(r->probe, "wakeup-deadline") || (one && json_integer_value(json_object_get(one, "count"))))
		return false;
	printf("SKIP delay in %s: the machine grants no SCHED_DEADLINE\n", r->probe);
	return true;
}

/* A delay that a buffer cannot bridge is heard.  Four periods of 50 ms are
 * buffered and one passes before the next fill; as late as the last fill was,
 * so much later it runs empty. */
static bool skipped_enough(const struct row *r, const json_t *root, int times)
{
	const json_t *counters = json_object_get(prog_series(root, r->probe, -1), "counters");

	return json_integer_value(json_object_get(counters, "skips")) >= 1 &&
	       json_integer_value(json_object_get(counters, "longest_skip_ns")) >=
		       times * DELAY_NS - 4 * 50 * NS_PER_MS;
}

static json_int_t most_of(const struct row *r, const json_t *root, bool hit)
{
	json_int_t found = 0;
	json_t *one;
	size_t i;

	json_array_foreach(json_object_get(root, "series"), i, one) {
		json_int_t most = json_integer_value(json_object_get(one, "max_ns"));

		if (is_hit(r, json_string_value(json_object_get(one, "probe"))) == hit && most > found)
			found = most;
	}
	return found;
}

/* NULL, or what is wrong with what the row found. */
static const char *fault_of(const struct row *r, const json_t *root, int times, json_int_t hit,
			    json_int_t other)
{
	if (r->series && hit < times * r->least_ns)
		return "the delay is not seen";
	if (other >= times * r->least_ns)
		return "the delay is in another series";
	if (!strncmp(r->probe, "audio", 5) && !skipped_enough(r, root, times))
		return "no skip, or too short a one";
	return NULL;
}

/* What the machine or the tracer did to the run, and the program says by right:
 * it proves nothing.  NULL: nothing of the kind. */
static const char *hindrance(const struct prog *p)
{
	if (prog_strace_gave_up(p))
		return "strace gave up";
	if (p->exit_code == 1 && strstr(p->err, "loads do not end: "))
		return "a process was held by the tracer at the end";
	if (p->exit_code == 1 && strstr(p->err, "the main thread was held up"))
		return "the main thread was held up";
	return NULL;
}

/* NULL: it is as it must be. */
static const char *check(struct prog *p, const struct row *r, unsigned try)
{
	const char *fault = NULL;
	int times = tries_at[try].times;

	prog_end(p, 120000);
	fault = hindrance(p);
	if (fault) {
		prog_free(p);
		return fault;
	}
	if (p->exit_code == 1 && strstr(p->err, "wakeup-deadline: needs ")) {
		printf("SKIP delay in %s: %s", r->probe, p->err);
		prog_free(p);
		return NULL;
	}
	ck_assert_msg(p->exit_code == 0, "%s: exit %d: %s", r->probe, p->exit_code, p->err);
	json_t *root = prog_json(p);

	prog_check_sums(root);
	if (!skipped(r, root)) {
		json_int_t hit = most_of(r, root, true), other = most_of(r, root, false);

		fault = fault_of(r, root, times, hit, other);
		printf("delay of %d ms in %-24s %-16s max %8.3f ms, any other %8.3f ms %s\n", times * DELAY_US / 1000,
		       r->call, r->series ? r->series : "(none)", (double)hit / 1e6, (double)other / 1e6,
		       fault ? fault : "ok");
		fflush(stdout);
	}
	json_decref(root);
	prog_free(p);
	return fault;
}

/* Others on the machine can hold up a thread, or the tracer, as long; not each time. */
static void check_again(const struct row *r, const char *fault)
{
	for (unsigned try = 1; fault && try <= TRIES; try++) {
		struct prog p;

		printf("RETRY %u of %u: %s, %s: %s\n", try, TRIES, r->probe, r->call, fault);
		start(&p, r, try);
		fault = check(&p, r, try);
	}
	ck_assert_msg(!fault, "%s, %s: %s", r->probe, r->call, fault);
}

/* `_i` is the batch. */
START_TEST(a_delay_appears_in_its_own_series)
{
	struct prog p[BATCH];
	const char *fault[BATCH];
	unsigned from = (unsigned)_i * BATCH, to = from + BATCH < ROWS ? from + BATCH : ROWS;

	if (!prog_have("strace", "probe_delays"))
		return;
	for (unsigned i = from; i < to; i++)
		start(&p[i - from], &rows[i], 0);
	for (unsigned i = from; i < to; i++)
		fault[i - from] = check(&p[i - from], &rows[i], 0);
	for (unsigned i = from; i < to; i++)
		check_again(&rows[i], fault[i - from]);
}
END_TEST

static bool is_marked(const json_t *root)
{
	json_t *event;
	size_t i;

	json_array_foreach(json_object_get(root, "events"), i, event) {
		if (!strcmp(json_string_value(json_object_get(event, "kind")), "freezes"))
			return true;
	}
	return false;
}

/* The freezes that were counted; one is the injected delay, if the loop came to
 * it.  -1: nobody knows. */
static json_int_t freezes_of_one_delay(const char *length)
{
	struct prog p;
	const char *argv[] = { "strace", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", "-e",
			       "trace=clock_nanosleep", "-e",
			       "inject=clock_nanosleep:delay_exit=1200000:when=130", prog_path(),
			       "record", "-P", "stall", "-D", length, "--no-loads", "--json", NULL };

	prog_run(&p, 120000, argv);
	if (prog_strace_gave_up(&p)) {
		prog_free(&p);
		return -1;
	}
	ck_assert_msg(p.exit_code == 0, "exit %d: %s", p.exit_code, p.err);
	json_t *root = prog_json(&p);
	json_t *counters = json_object_get(prog_series(root, "stall", -1), "counters");
	json_int_t freezes = json_integer_value(json_object_get(counters, "freezes"));
	json_int_t longest_ns = json_integer_value(json_object_get(counters, "longest_gap_ns"));

	prog_check_sums(root);
	ck_assert(is_marked(root) == (freezes > 0));
	ck_assert(!freezes || longest_ns >= NS_PER_S);
	json_decref(root);
	prog_free(&p);
	return longest_ns >= 1200000000 ? freezes : 0;
}

/* A machine that gives nobody a CPU for a second is frozen, too, or does not come
 * to the delay; not each time. */
START_TEST(a_held_up_loop_is_one_freeze_with_a_mark)
{
	static const char *const lengths[1 + TRIES] = { "4s", "6s", "20s" };
	json_int_t freezes = -1;

	if (!prog_have("strace", "a_held_up_loop"))
		return;
	for (unsigned try = 0; try <= TRIES && freezes != 1; try++) {
		if (try)
			printf("RETRY %u of %u: %lld freezes\n", try, TRIES, (long long)freezes);
		freezes = freezes_of_one_delay(lengths[try]);
	}
	ck_assert_int_eq(freezes, 1);
}
END_TEST

Suite *probe_delays_suite(void);
Suite *probe_delays_suite(void)
{
	Suite *s = suite_create("probe_delays");
	TCase *tc = tcase_create("injected");

	tcase_set_timeout(tc, 400);
	tcase_add_loop_test(tc, a_delay_appears_in_its_own_series, 0, (ROWS + BATCH - 1) / BATCH);
	tcase_add_test(tc, a_held_up_loop_is_one_freeze_with_a_mark);
	suite_add_tcase(s, tc);
	return s;
}
