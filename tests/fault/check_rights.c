/*
 * check_rights.c - P18: with less than root it starts, measures, and says in
 * snapshot, header and doctor which step it is on and how to get up.
 *
 * Each case that this machine cannot set up is skipped with the reason.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/prog.h"
#include "tests/pty.h"
#include "tests/restore.h"

#define GROUP "JS_RIGHTS_GROUP"	/* in the environment: a cgroup of this process */
#define NOBODY "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"
#define ARGS 24

/* ---- what a case needs; NULL, or why it cannot be ---- */

static const char *needs_root(void)
{
	return geteuid() == 0 ? NULL : "needs root";
}

static char program[64];	/* a copy of it, where an ordinary user may run it from */

static const char *needs_file_caps(void)
{
	const char *argv[] = { "setcap", "cap_sys_nice,cap_ipc_lock,cap_perfmon=p", program, NULL };
	struct prog p;

	if (geteuid() != 0)
		return "needs root";
	if (!prog_have("setcap", "file caps ignored"))
		return "";
	prog_run(&p, 10000, argv);
	bool done = p.exit_code == 0;

	prog_free(&p);
	return done ? NULL : "the file system keeps no capabilities";
}

static const char *needs_locks(void)
{
#if defined(JS_ASAN) || defined(JS_TSAN)
	return "sanitizers pretend that memory is locked";
#else
	return needs_root();
#endif
}

static const char *needs_rtprio(void)
{
	struct rlimit was, want = { 50, 50 };

	if (geteuid() != 0)
		return "needs root";
	getrlimit(RLIMIT_RTPRIO, &was);
	if (setrlimit(RLIMIT_RTPRIO, &want))
		return "may not raise RLIMIT_RTPRIO (no CAP_SYS_RESOURCE)";
	setrlimit(RLIMIT_RTPRIO, &was);
	return NULL;
}

static char group[80];

/* What was in it is gone, or will be. */
static void leave_group(void)
{
	for (int i = 0; i < 2000 && rmdir(group) && errno == EBUSY; i++)
		usleep(10000);
}

static const char *needs_group(void)
{
	char runtime[24] = "", file[120];
	int fd;

	snprintf(group, sizeof(group), "/sys/fs/cgroup/cpu/jitterscope-rights-%d", (int)getpid());
	snprintf(file, sizeof(file), "%s/cpu.rt_runtime_us", group);
	setenv(GROUP, group, 1);
	if (mkdir(group, 0755))
		return "no cgroup v1 cpu controller that can be written to";
	fd = open(file, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, runtime, sizeof(runtime) - 1) < 1)
		runtime[0] = '\0';
	if (fd >= 0)
		close(fd);
	if (atoi(runtime) == 0 && runtime[0])
		return NULL;
	leave_group();
	return "the kernel has no RT_GROUP_SCHED";
}

static const char *needs_user_namespace(void)
{
	const char *argv[] = { "unshare", "-Ur", "true", NULL };
	struct prog p;

	prog_run(&p, 10000, argv);
	bool done = p.exit_code == 0;

	prog_free(&p);
	return done ? NULL : "no user namespace can be had";
}

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

static struct restore paranoid;

static void leave_paranoid(void)
{
	restore_end(&paranoid);
}

static const char *needs_paranoid(void)
{
	if (geteuid() != 0 || !restore_begin(&paranoid, PARANOID))
		return "needs root and " PARANOID;
	if (restore_write(&paranoid, "3"))
		return NULL;
	leave_paranoid();
	return PARANOID " cannot be written to";
}

static const char *needs_tracefs(void)
{
	const char *argv[] = { "unshare", "-m", "sh", "-c",
			       "mount -t tracefs none /sys/kernel/tracing", NULL };
	struct prog p;

	if (geteuid() != 0)
		return "needs root";
	prog_run(&p, 10000, argv);
	bool done = p.exit_code == 0;

	prog_free(&p);
	return done ? NULL : "no tracefs can be mounted";
}

/* ---- the cases ---- */

static const struct rights {
	const char *name;
	const char *wrapper[ARGS - 8];
	const char *(*needs)(void);
	void (*after)(void);
	const char *policy;
	int priority;
	const char *badge, *says;	/* of the snapshot */
	const char *header;		/* on the screen */
	int doctor;			/* exit code */
	const char *row, *fix;
	const char *blame, *next;	/* its level; what to do for the next one */
} cases[] = {
	{ "no rights", { NOBODY }, needs_root, NULL, "SCHED_OTHER", 0, "not-rt", "sudo setcap",
	  "NOT REAL-TIME", 1, "real time", "sudo setcap cap_sys_nice", "proc", "perf_event_paranoid" },
	{ "rtprio 50", { "prlimit", "--rtprio=50:50", NOBODY }, needs_rtprio, NULL, "SCHED_FIFO", 50,
	  "low-priority", "rtprio limit is 50", "FIFO 50", 0, "real time", "limits.d", "proc",
	  "perf_event_paranoid" },
	{ "memlock 64 kB", { "prlimit", "--memlock=65536:65536", NOBODY }, needs_locks, NULL,
	  "SCHED_OTHER", 0, "not-locked", "memlock", "not locked", 1, "memory", "cap_ipc_lock",
	  "proc", "perf_event_paranoid" },
	{ "perf_event_paranoid 3", { NOBODY }, needs_paranoid, leave_paranoid, "SCHED_OTHER", 0,
	  "not-rt", "sudo setcap", "NOT REAL-TIME", 1, "blame", "perf_event_paranoid=0", "proc",
	  "perf_event_paranoid" },
	{ "without tracefs",
	  { "unshare", "-m", "sh", "-c",
	    "umount -l /sys/kernel/tracing /sys/kernel/debug/tracing 2>/dev/null; exec \"$@\"", "sh" },
	  needs_root, NULL, "SCHED_FIFO", 80, NULL, NULL, "blame switch", 0, "blame",
	  "mount -t tracefs", "switch", "mount -t tracefs" },
	{ "with tracefs",
	  { "unshare", "-m", "sh", "-c",
	    "mount -t tracefs none /sys/kernel/tracing; exec \"$@\"", "sh" },
	  needs_tracefs, NULL, "SCHED_FIFO", 80, NULL, NULL, "blame tracepoints", 0, NULL, NULL,
	  "tracepoints", NULL },
	{ "rttime 0", { "prlimit", "--rttime=0:0" }, needs_root, NULL, "SCHED_OTHER", 0, "not-rt",
	  "RLIMIT_RTTIME", "NOT REAL-TIME", 1, "real time", "LimitRTTIME=infinity" },
	{ "rttime 200 ms", { "prlimit", "--rttime=200000:200000" }, needs_root, NULL, "SCHED_FIFO", 80,
	  NULL, NULL, "FIFO 80", 0, NULL, NULL },
	{ "cgroup without runtime",
	  { "sh", "-c", "echo $$ >$" GROUP "/cgroup.procs; exec \"$@\"", "sh" }, needs_group,
	  leave_group, "SCHED_OTHER", 0, "not-rt", "cpu.rt_runtime_us is 0", "NOT REAL-TIME", 1,
	  "real time", "cgroup.procs" },
	{ "no cap_sys_nice", { "setpriv", "--bounding-set=-sys_nice" }, needs_root, NULL,
	  "SCHED_OTHER", 0, "not-rt", "dropped CAP_SYS_NICE", "NOT REAL-TIME", 1, "real time",
	  "--cap-add=SYS_NICE" },
	{ "file caps ignored",
	  { NOBODY, "sh", "-c", "exec setpriv --no-new-privs \"$@\"", "sh" }, needs_file_caps, NULL,
	  "SCHED_OTHER", 0, "not-rt", "NoNewPrivs", "NOT REAL-TIME", 1, "memory",
	  "outside the sandbox", "proc", "perf_event_paranoid" },
	{ "user namespace", { "unshare", "-Ur" }, needs_user_namespace, NULL, "SCHED_OTHER", 0,
	  "not-rt", "user namespace", "NOT REAL-TIME", 1, "real time", "rootless container" },
	{ "one CPU", { "taskset", "-c", "0" }, needs_root, NULL, "SCHED_FIFO", 80, NULL, NULL, "1 CPU",
	  0, NULL, NULL },
	{ "64 descriptors", { "prlimit", "--nofile=64:64" }, needs_root, NULL, "SCHED_FIFO", 80, NULL,
	  NULL, "FIFO 80", 0, NULL, NULL },
};
#define CASES (sizeof(cases) / sizeof(cases[0]))

static char folder[] = "/var/tmp/jitterscope-rights-XXXXXX";

static void set_up(void)
{
	char copy[256];

	strcpy(folder + sizeof(folder) - 7, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert_int_eq(chmod(folder, 0755), 0);
	snprintf(program, sizeof(program), "%s/jitterscope", folder);
	snprintf(copy, sizeof(copy), "install -m 755 %s %s", prog_path(), program);
	ck_assert_int_eq(system(copy), 0);
}

static void tear_down(void)
{
	unlink(program);
	rmdir(folder);
}

static void command(const struct rights *r, const char *argv[ARGS], const char *const *args)
{
	unsigned n = 0;

	while (r->wrapper[n]) {
		argv[n] = r->wrapper[n];
		n++;
	}
	argv[n++] = program;
	while (*args)
		argv[n++] = *args++;
	argv[n] = NULL;
}

static const char *word(const json_t *o, const char *key)
{
	const char *value = json_string_value(json_object_get(o, key));

	return value ? value : "";
}

static const json_t *named(const json_t *list, const char *key, const char *name)
{
	size_t i;
	json_t *one;

	json_array_foreach(list, i, one) {
		if (!strcmp(word(one, key), name))
			return one;
	}
	return NULL;
}

/* ---- record ---- */

/* NULL, or what did not measure. */
static const char *idle_probe(const json_t *root)
{
	size_t i;
	json_t *s;

	json_array_foreach(json_object_get(root, "series"), i, s) {
		if (json_integer_value(json_object_get(s, "count")) <= 0)
			return word(s, "probe");
	}
	return NULL;
}

static void check_series(const struct rights *r, const json_t *root)
{
	size_t i;
	json_t *s;

	ck_assert_msg(!idle_probe(root), "%s: %s measured nothing", r->name, idle_probe(root));
	json_array_foreach(json_object_get(root, "series"), i, s) {
		if (strcmp(word(s, "probe"), "wakeup-fifo"))
			continue;
		ck_assert_msg(!strcmp(word(s, "policy"), r->policy), "%s: %s", r->name, word(s, "policy"));
		ck_assert_int_eq(json_integer_value(json_object_get(s, "priority")), r->priority);
	}
}

static void check_badge(const struct rights *r, const json_t *root)
{
	const json_t *badges = json_object_get(root, "validity");
	const json_t *badge = r->badge ? named(badges, "badge", r->badge) : NULL;

	if (!r->badge) {
		ck_assert_msg(!named(badges, "badge", "not-rt"), "%s: says not real-time", r->name);
		return;
	}
	ck_assert_msg(badge != NULL, "%s: no badge %s", r->name, r->badge);
	ck_assert_msg(strstr(word(badge, "text"), r->says), "%s: %s", r->name, word(badge, "text"));
}

/* Which step, and the way to the next. */
static void check_blame(const struct rights *r, const json_t *root, char *level, size_t size)
{
	const json_t *tiers = json_object_get(root, "tiers");

	snprintf(level, size, "%s", word(tiers, "blame"));
	if (r->blame)
		ck_assert_msg(!strcmp(level, r->blame), "%s: blame %s", r->name, level);
	if (r->next)
		ck_assert_msg(strstr(word(tiers, "blame_how"), r->next), "%s: %s", r->name,
			      word(tiers, "blame_how"));
}

static json_t *recorded(const struct rights *r, const char *length)
{
	const char *const args[] = { "record", "-D", length, "--json", "--require-rt", NULL };
	const char *argv[ARGS];
	struct prog p;
	bool fifo = !strcmp(r->policy, "SCHED_FIFO");

	command(r, argv, args);
	prog_run(&p, 60000, argv);
	ck_assert_msg(p.exit_code == (fifo ? 0 : 3), "%s: exit %d: %s", r->name, p.exit_code, p.err);
	json_t *root = prog_json(&p);

	prog_check_sums(root);
	prog_free(&p);
	return root;
}

/* As long as a machine that has time for it needs, or longer. */
static void check_record(const struct rights *r, char *level, size_t size)
{
	static const char *const lengths[] = { "300ms", "3s", "20s" };
	bool fifo = !strcmp(r->policy, "SCHED_FIFO");
	json_t *root = recorded(r, lengths[0]);

	for (unsigned i = 1; i < 3 && idle_probe(root); i++) {
		printf("RETRY rights, %s for %s: %s measured nothing\n", r->name, lengths[i], idle_probe(root));
		json_decref(root);
		root = recorded(r, lengths[i]);
	}
	check_series(r, root);
	check_badge(r, root);
	check_blame(r, root, level, size);
	ck_assert_str_eq(word(json_object_get(root, "tiers"), "rt"), fifo ? "fifo" : "other");
	json_decref(root);
}

/* ---- screen and doctor ---- */

static void check_screen(const struct rights *r)
{
	static const char *const args[] = { NULL };
	static const char *const env[] = { "TERM=xterm-256color", "LC_ALL=C.UTF-8", "-NO_COLOR", NULL };
	const char *argv[ARGS];
	struct pty *p = pty_open(160, 40);
	int status = -1;

	command(r, argv, args);
	pty_spawn(p, argv, env);
	if (!pty_wait_text(p, r->header, 20000))
		ck_abort_msg("%s: no \"%s\" on the screen:\n%s", r->name, r->header, pty_screen(p));
	pty_send(p, "q");
	ck_assert_msg(pty_wait_exit(p, 20000, &status), "%s: q does not end it", r->name);
	ck_assert_int_eq(status, 0);
	pty_free(p);
}

/* One line of a table: what it got, and what it was told to do. */
static void tell(const struct rights *r, const char *level, const json_t *row)
{
	printf("rights %-23s %-11s %2d  blame %-11s badge %-10s  doctor %d  %s%s%s\n", r->name,
	       r->policy, r->priority, level, r->badge ? r->badge : "-", r->doctor,
	       row ? word(row, "name") : "", row ? " -> " : "", row ? word(row, "fix") : "");
	fflush(stdout);
}

static void check_doctor(const struct rights *r, const char *level)
{
	static const char *const args[] = { "doctor", "--json", NULL };
	const char *argv[ARGS];
	struct prog p;

	command(r, argv, args);
	prog_run(&p, 30000, argv);
	ck_assert_msg(p.exit_code == r->doctor, "%s: doctor says %d: %s", r->name, p.exit_code, p.out);
	json_t *root = prog_json(&p);
	const json_t *row = r->row ? named(json_object_get(root, "rows"), "name", r->row) : NULL;

	ck_assert(json_is_true(json_object_get(root, "realtime")) == (r->doctor == 0));
	if (r->row) {
		ck_assert_msg(row != NULL, "%s: no row %s", r->name, r->row);
		ck_assert_msg(strstr(word(row, "fix"), r->fix), "%s: %s", r->name, word(row, "fix"));
	}
	tell(r, level, row);
	json_decref(root);
	prog_free(&p);
}

/* F26, F27, P18: in file, header and doctor. */
START_TEST(it_measures_and_says_which_step_it_is_on)
{
	const struct rights *r = &cases[_i];
	const char *missing = prog_have(r->wrapper[0], r->name) ? r->needs() : "";

	if (missing) {
		if (*missing)
			printf("SKIP rights, %s: %s\n", r->name, missing);
		return;
	}
	char level[16];

	check_record(r, level, sizeof(level));
	check_screen(r);
	check_doctor(r, level);
	if (r->after)
		r->after();
	printf("P18 rights, %s 0 unreported ok\n", r->name);
}
END_TEST

Suite *rights_suite(void);
Suite *rights_suite(void)
{
	Suite *s = suite_create("rights");
	TCase *tc = tcase_create("fewer");

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, it_measures_and_says_which_step_it_is_on, 0, CASES);
	suite_add_tcase(s, tc);
	return s;
}
