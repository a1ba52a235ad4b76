/* check_confine.c - what a contained process has lost, seen from inside. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/confine.h"
#include "src/fds.h"
#include "src/kin.h"
#include "tests/skip.h"

static char folder[] = "/tmp/js-check-XXXXXX";
static int folder_fd;

static void bench(void)
{
	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert_int_eq(chmod(folder, 0777), 0);
	folder_fd = open(folder, O_RDONLY | O_DIRECTORY);
}

static void clear(void)
{
	unlinkat(folder_fd, "mine", 0);
	close(folder_fd);
	rmdir(folder);
}

/* Confines a child and lets it look around; the answer is its exit status:
 * 0 or the number of what was wrong. */
static int look(int (*what)(const struct confine *c), struct confine c)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		struct why why = { 0 };

		strcpy(c.name, "js-test");
		c.scratch[0] = folder_fd;
		c.scratch[1] = -1;
		c.keep[c.kept++] = folder_fd;
		c.file_bytes = 1000;
		confine_identity(&c.drop, &c.uid, &c.gid);
		_exit(confine_self(&c, &why) ? 99 : what(&c));
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

static int look_at_identity(const struct confine *c)
{
	cap_t caps = cap_get_proc(), none = cap_init();

	if (c->drop && (geteuid() == 0 || getegid() == 0 || getgroups(0, NULL)))
		return 1;
	if (getuid() != c->uid || getgid() != c->gid)
		return 2;
	if (cap_compare(caps, none))
		return 3;
	if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
		return 4;
	if (c->drop && syscall(SYS_setresuid, 0, 0, 0) == 0)	/* this thread's, as given up */
		return 5;
	return 0;
}

static int look_at_session(const struct confine *c)
{
	sigset_t blocked, none;
	int death = 0;

	(void)c;
	if (getsid(0) != getpid())
		return 1;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, NULL, &blocked);
	if (memcmp(&blocked, &none, sizeof(unsigned long)))
		return 2;
	prctl(PR_GET_PDEATHSIG, &death);
	if (death != SIGKILL)
		return 3;
	if (sched_getscheduler(0) != SCHED_OTHER || getpriority(PRIO_PROCESS, 0) != 0)
		return 4;
	if (signal(SIGUSR1, SIG_DFL) != SIG_DFL || signal(SIGXFSZ, SIG_DFL) != SIG_IGN)
		return 5;
	return 0;
}

static int look_at_limits(const struct confine *c)
{
	struct rlimit core, rtprio, files;
	char page[2000] = { 0 };
	int fd = openat(folder_fd, "mine", O_CREAT | O_RDWR, 0600);

	(void)c;
	getrlimit(RLIMIT_CORE, &core);
	getrlimit(RLIMIT_RTPRIO, &rtprio);
	getrlimit(RLIMIT_NOFILE, &files);
	if (core.rlim_max || rtprio.rlim_max || files.rlim_max != files.rlim_cur)
		return 1;
	if (fd < 0)
		return 2;
	if (write(fd, page, sizeof(page)) != 1000)
		return 3;
	if (write(fd, page, 1) != -1 || errno != EFBIG)
		return 4;
	return 0;
}

static int look_at_fds(const struct confine *c)
{
	struct stat null, own;
	int n = 0;

	(void)c;
	for (int fd = 0; fd < 1000; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	if (n != 4 || stat("/dev/null", &null))
		return 1;
	for (int fd = 0; fd < 3; fd++)
		if (fstat(fd, &own) || own.st_rdev != null.st_rdev || !S_ISCHR(own.st_mode))
			return 2;
	return 0;
}

static int can_read(const char *path)
{
	int fd = open(path, O_RDONLY);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static int look_at_disk(const struct confine *c)
{
	(void)c;
	if (can_read("/etc/hostname") || can_read("/tmp") || can_read("/usr/bin"))
		return 1;
	if (!can_read("/dev/null") || !can_read("/proc/meminfo"))
		return 2;
	if (open("/tmp/js-check-outside", O_CREAT | O_WRONLY, 0600) >= 0)
		return 3;
	if (openat(folder_fd, "mine", O_CREAT | O_RDWR, 0600) < 0)
		return 4;
	if (execl("/bin/true", "true", NULL) != -1)
		return 5;
	return 0;
}

static int run_true(const struct confine *c)
{
	(void)c;
	if (can_read("/tmp"))
		return 1;
	execl("/bin/true", "true", NULL);
	return 2;
}

static int read_all(const struct confine *c)
{
	(void)c;
	if (!can_read("/tmp") || !can_read("/etc"))
		return 1;
	return open("/tmp/js-check-outside", O_CREAT | O_WRONLY, 0600) >= 0 ? 2 : 0;
}

START_TEST(identity_and_capabilities_are_gone)
{
	ck_assert_int_eq(look(look_at_identity, (struct confine){ 0 }), 0);
}
END_TEST

static void *nothing(void *arg)
{
	return arg;
}

static void *make_threads(void *stop)
{
	pthread_t one;

	while (!atomic_load((_Atomic bool *)stop)) {
		if (!pthread_create(&one, NULL, nothing, NULL))
			pthread_join(one, NULL);
	}
	return NULL;
}

/* A bare clone knows of the parent's threads, which it does not have. */
START_TEST(a_thread_that_was_beginning_is_not_waited_for)
{
	static _Atomic bool stop;
	pthread_t maker;
	int status, wrong = 0;

#ifdef __SANITIZE_THREAD__
	SKIP("the sanitizer's own locks are held where a thread begins");
	return;
#endif
	ck_assert_int_eq(pthread_create(&maker, NULL, make_threads, (void *)&stop), 0);
	for (int i = 0; i < 200; i++) {
		pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

		if (pid == 0) {
			struct confine c = { .scratch = { -1, -1 }, .name = "js-test" };
			struct why why = { 0 };

			alarm(5);
			confine_identity(&c.drop, &c.uid, &c.gid);
			_exit(confine_self(&c, &why) ? 99 : 0);
		}
		ck_assert_int_eq(waitpid(pid, &status, 0), pid);
		wrong += status != 0;
	}
	atomic_store(&stop, true);
	pthread_join(maker, NULL);
	ck_assert_int_eq(wrong, 0);
}
END_TEST

START_TEST(sudo_names_the_user)
{
	bool drop;
	uid_t uid;
	gid_t gid;

	if (!SKIP_UNLESS_ROOT())
		return;
	setenv("SUDO_UID", "1234", 1);
	setenv("SUDO_GID", "1235", 1);
	confine_identity(&drop, &uid, &gid);
	ck_assert(drop && uid == 1234 && gid == 1235);
	ck_assert_int_eq(look(look_at_identity, (struct confine){ 0 }), 0);
}
END_TEST

static const char *const bad_uids[] = { "", "0", "-1", "abc", "12x", "99999999999", " 5", "4294967295" };

START_TEST(a_bad_sudo_uid_is_nobody)
{
	bool drop;
	uid_t uid;
	gid_t gid;

	if (!SKIP_UNLESS_ROOT())
		return;
	setenv("SUDO_UID", bad_uids[_i], 1);
	setenv("SUDO_GID", "1000", 1);
	confine_identity(&drop, &uid, &gid);
	ck_assert_uint_eq(uid, 65534);
	ck_assert_uint_eq(gid, 65534);
}
END_TEST

START_TEST(session_signals_and_scheduling_are_ordinary)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	signal(SIGUSR1, SIG_IGN);
	setpriority(PRIO_PROCESS, 0, -5);
	if (sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ .sched_priority = 1 }))
		SKIP("may not be real-time, and so not cease to be");
	ck_assert_int_eq(look(look_at_session, (struct confine){ 0 }), 0);
}
END_TEST

START_TEST(limits_hold)
{
	ck_assert_int_eq(look(look_at_limits, (struct confine){ 0 }), 0);
}
END_TEST

START_TEST(descriptors_are_closed)
{
	int pair[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	ck_assert_int_eq(dup2(pair[0], 700), 700);
	ck_assert_int_eq(look(look_at_fds, (struct confine){ 0 }), 0);
}
END_TEST

/* Only where the kernel has Landlock, which the first look tells. */
START_TEST(the_disk_is_closed_but_for_the_folder)
{
	int seen = look(look_at_disk, (struct confine){ 0 });

	if (seen == 1 && geteuid()) {
		SKIP("the kernel has no Landlock");
		return;
	}
	ck_assert_int_eq(seen, 0);
	ck_assert_int_eq(look(run_true, (struct confine){ .execs = true }), 0);
	ck_assert_int_eq(look(read_all, (struct confine){ .reads_all = true }), 0);
}
END_TEST

/* ---- fds and kin ---- */

START_TEST(kept_descriptors_are_kept_in_any_order)
{
	int keep[] = { 900, -1, 30, 31, 500 };
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		for (unsigned i = 0; i < 5; i++)
			if (keep[i] >= 0)
				dup2(0, keep[i]);
		dup2(0, 32);
		dup2(0, 899);
		if (fds_keep(keep, 5))
			_exit(1);
		for (int fd = 3; fd < 1000; fd++) {
			bool want = fd == 900 || fd == 30 || fd == 31 || fd == 500;

			if ((fcntl(fd, F_GETFD) >= 0) != want)
				_exit(2);
		}
		_exit(0);
	}
	waitpid(pid, &status, 0);
	ck_assert_int_eq(status, 0);
}
END_TEST

/* F07: a slot not yet filled is no process. */
START_TEST(numbers_below_two_are_no_target)
{
	ck_assert_int_eq(kin_pidfd(1), -EINVAL);
	ck_assert_int_eq(kin_pidfd(0), -EINVAL);
	ck_assert_int_eq(kin_pidfd(-1), -EINVAL);
	ck_assert_int_eq(kin_pidfd(-4000), -EINVAL);
}
END_TEST

static pid_t sleeper(void)
{
	pid_t pid = fork();

	if (pid == 0)
		for (;;)
			pause();
	return pid;
}

START_TEST(children_are_killed_but_the_spared)
{
	pid_t one = sleeper(), two = sleeper(), spared = sleeper();

	ck_assert_uint_eq(kin_kill_children(&spared, 1), 2);
	ck_assert_int_eq(waitpid(one, NULL, 0), one);
	ck_assert_int_eq(waitpid(two, NULL, 0), two);
	ck_assert_int_eq(waitpid(spared, NULL, WNOHANG), 0);
	/* It bears no mark of a load. */
	ck_assert_uint_eq(kin_kill_marked_children(), 0);
	ck_assert_uint_eq(kin_kill_children(NULL, 0), 1);
	ck_assert_int_eq(waitpid(spared, NULL, 0), spared);
}
END_TEST

START_TEST(everybody_below_is_found_and_named)
{
	int ready[2];
	char byte, text[200];
	pid_t below[8];

	ck_assert_int_eq(pipe(ready), 0);
	pid_t child = fork();

	if (child == 0) {
		prctl(PR_SET_NAME, "odd) (name", 0, 0, 0);
		sleeper();
		byte = 0;
		ck_assert_int_eq(write(ready[1], &byte, 1), 1);
		for (;;)
			pause();
	}
	ck_assert_int_eq(read(ready[0], &byte, 1), 1);
	ck_assert_uint_eq(kin_below(getpid(), below, 8), 2);
	ck_assert_uint_eq(kin_below(getpid(), below, 1), 1);
	ck_assert_uint_eq(kin_below(child, below, 8), 1);
	kin_text(&child, 1, text, sizeof(text));
	ck_assert_ptr_nonnull(strstr(text, "(odd) (name) "));
	kin_text(&child, 1, text, 5);
	ck_assert_uint_lt(strlen(text), 5);
	kill(below[0], SIGKILL);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}
END_TEST

#define CROWD 4200	/* more than any list of processes ever had room for */

/* Dead ones, which cost little and stay in /proc until they are waited for.
 * A sanitizer makes a fork of the vfork: dead is only what was seen dead. */
static pid_t dead_child(void)
{
	siginfo_t info;
	pid_t pid = vfork();

	if (pid == 0)
		_exit(0);
	if (pid > 0)
		ck_assert_int_eq(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	return pid;
}

START_TEST(a_child_behind_a_crowd_is_found)
{
	pid_t below[2];

	for (unsigned i = 0; i < CROWD && dead_child() > 0; i++)
		;
	pid_t last = sleeper();

	ck_assert_uint_eq(kin_below(getpid(), below, 2), 1);
	ck_assert_int_eq(below[0], last);
	ck_assert_uint_eq(kin_kill_children(NULL, 0), 1);
	while (wait(NULL) > 0)
		;
}
END_TEST

Suite *confine_suite(void);

Suite *confine_suite(void)
{
	Suite *s = suite_create("confine");
	TCase *tc = tcase_create("confine"), *kin = tcase_create("fds and kin");

	tcase_add_checked_fixture(tc, bench, clear);
	tcase_add_test(tc, identity_and_capabilities_are_gone);
	tcase_add_test(tc, a_thread_that_was_beginning_is_not_waited_for);
	tcase_add_test(tc, sudo_names_the_user);
	tcase_add_loop_test(tc, a_bad_sudo_uid_is_nobody, 0, sizeof(bad_uids) / sizeof(bad_uids[0]));
	tcase_add_test(tc, session_signals_and_scheduling_are_ordinary);
	tcase_add_test(tc, limits_hold);
	tcase_add_test(tc, descriptors_are_closed);
	tcase_add_test(tc, the_disk_is_closed_but_for_the_folder);
	suite_add_tcase(s, tc);
	tcase_add_test(kin, kept_descriptors_are_kept_in_any_order);
	tcase_add_test(kin, numbers_below_two_are_no_target);
	tcase_add_test(kin, children_are_killed_but_the_spared);
	tcase_add_test(kin, a_child_behind_a_crowd_is_found);
	tcase_add_test(kin, everybody_below_is_found_and_named);
	suite_add_tcase(s, kin);
	return s;
}
