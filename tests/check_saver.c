/* check_saver.c - files are old or new, never half; names never collide. */
#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "src/format.h"
#include "src/newfile.h"
#include "src/snapshot_write.h"
#include "tests/fake_snapshot.h"
#include "tests/skip.h"

static char dir[64];

static void enter(void)
{
	snprintf(dir, sizeof(dir), "/tmp/jitterscope-saver.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	ck_assert_int_eq(chdir(dir), 0);
}

static void leave(void)
{
	char command[100];

	ck_assert_int_eq(chdir("/"), 0);
	snprintf(command, sizeof(command), "rm -r %s", dir);
	ck_assert_int_eq(system(command), 0);
}

/* How many names, hidden ones too, are in the folder. */
static unsigned names(void)
{
	DIR *d = opendir(".");
	unsigned n = 0;

	ck_assert_ptr_nonnull(d);
	for (struct dirent *e; (e = readdir(d));)
		n += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
	closedir(d);
	return n;
}

static bool there(const char *name)
{
	return access(name, F_OK) == 0;
}

static mode_t mode_of(const char *name)
{
	struct stat st;

	ck_assert_int_eq(lstat(name, &st), 0);
	return st.st_mode & 07777;
}

static struct saver_result saved(const char *stem, const char *suffixes)
{
	struct saver *s = saver_new(-1);
	struct saver_result r;
	struct why why = { 0 };

	ck_assert_msg(saver_save(s, fake_snapshot(1), stem, suffixes, &why) == 0, "%s", why.text);
	ck_assert_int_eq(saver_wait(s, 20000), 0);
	ck_assert(!saver_busy(s));
	ck_assert_int_eq(saver_result(s, &r), 1);
	ck_assert_int_eq(saver_result(s, &r), 0);
	saver_free(s);
	return r;
}

START_TEST(a_set_shares_one_stem_and_is_private)
{
	struct saver_result r = saved("x", "json svg txt");

	ck_assert_msg(r.err == 0, "%s", r.text);
	ck_assert_str_eq(r.path, "x.json");
	ck_assert(there("x.json") && there("x.svg") && there("x.txt"));
	ck_assert_uint_eq(names(), 3);
	ck_assert_int_eq(mode_of("x.json"), 0600);
	ck_assert_int_eq(mode_of("x.svg"), 0600);
}
END_TEST

START_TEST(a_name_that_exists_gets_a_number)
{
	fclose(fopen("x.svg", "w"));	/* any of the set takes the stem */
	ck_assert_str_eq(saved("x", "json svg").path, "x-2.json");
	ck_assert_str_eq(saved("x", "json svg").path, "x-3.json");
	ck_assert(!there("x.json"));
	ck_assert_uint_eq(names(), 5);
}
END_TEST

START_TEST(the_default_name_tells_when_where_and_what)
{
	struct saver_result r = saved(NULL, "json");

	ck_assert_msg(r.err == 0, "%s", r.text);
	ck_assert_ptr_nonnull(strstr(r.path, "jitterscope-2"));
	ck_assert_ptr_nonnull(strstr(r.path, "Z-kobold-churn+fork.json"));
	ck_assert(there(r.path));
}
END_TEST

/* Where the current directory cannot be written to, the user's data can. */
START_TEST(the_default_place_is_where_data_lives)
{
	char data[80], begin[200];

	ck_assert_int_eq(chmod(dir, 0777), 0);
	snprintf(data, sizeof(data), "%s/a/b", dir);
	setenv(_i ? "HOME" : "XDG_DATA_HOME", data, 1);
	unsetenv(_i ? "XDG_DATA_HOME" : "HOME");
	ck_assert_int_eq(chdir("/"), 0);
	ck_assert_int_eq(seteuid(geteuid() ? geteuid() : 65534), 0);
	struct saver_result r = saved(NULL, "json");

	ck_assert_int_eq(seteuid(getuid()), 0);
	snprintf(begin, sizeof(begin), "%s%s/jitterscope/snapshots/jitterscope-", data, _i ? "/.local/share" : "");
	ck_assert_int_eq(r.err, 0);
	ck_assert_msg(!strncmp(r.path, begin, strlen(begin)), "%s", r.path);
	ck_assert(there(r.path));
}
END_TEST

START_TEST(without_any_place_the_reason_is_told)
{
	unsetenv("HOME");
	setenv("XDG_DATA_HOME", "relative", 1);
	ck_assert_int_eq(chdir("/"), 0);
	ck_assert_int_eq(seteuid(geteuid() ? geteuid() : 65534), 0);
	struct saver_result r = saved(NULL, "json");

	ck_assert_int_eq(seteuid(getuid()), 0);
	ck_assert_int_eq(r.err, -EACCES);
	ck_assert_ptr_nonnull(strstr(r.text, "not allowed to write there"));
}
END_TEST

/* A file system that knows no exclusive rename; the filter goes with the process. */
START_TEST(without_exclusive_renames_no_file_is_replaced_either)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_renameat2, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = sizeof(code) / sizeof(code[0]), .filter = code };

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
		printf("SKIP without_exclusive_renames_no_file_is_replaced_either: %s\n", strerror(errno));
		return;
	}
	ck_assert_str_eq(saved("x", "json txt").path, "x.json");
	ck_assert_str_eq(saved("x", "json txt").path, "x-2.json");
	ck_assert(there("x.txt") && there("x-2.txt"));
	ck_assert_uint_eq(names(), 4);		/* and nothing under a random name */
}
END_TEST

START_TEST(a_screen_is_saved_only_when_there_was_one)
{
	struct saver_result r = saved("x", "json ans");

	ck_assert_int_eq(r.err, 0);
	ck_assert(there("x.json") && !there("x.ans"));
	struct saver *s = saver_new(-1);
	struct snapshot *snap = fake_snapshot(1);

	snap->screen = strdup("\x1b[0mhello\n");
	ck_assert_int_eq(saver_save(s, snap, "y", "ans", NULL), 0);
	ck_assert_int_eq(saver_wait(s, 20000), 0);
	saver_free(s);
	ck_assert(there("y.ans"));
}
END_TEST

START_TEST(main_is_told_through_the_event_descriptor)
{
	int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	struct saver *s = saver_new(fd);
	struct pollfd p = { .fd = fd, .events = POLLIN };

	ck_assert_int_eq(saver_save(s, fake_snapshot(1), "x", "txt", NULL), 0);
	ck_assert_int_eq(poll(&p, 1, 20000), 1);
	ck_assert_int_eq(saver_wait(s, 20000), 0);
	saver_free(s);
	close(fd);
}
END_TEST

START_TEST(an_unknown_type_is_refused_at_once)
{
	struct saver *s = saver_new(-1);
	struct why why = { 0 };

	ck_assert_int_eq(saver_save(s, fake_snapshot(1), "x", "json gif", &why), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.text, ".gif"));
	ck_assert_int_eq(saver_save(s, fake_snapshot(1), "x", "", &why), -EINVAL);
	saver_free(s);
	ck_assert_uint_eq(names(), 0);
}
END_TEST

START_TEST(many_sets_at_once_all_arrive)
{
	struct saver *s = saver_new(-1);
	struct saver_result r;
	unsigned got = 0;

	for (int i = 0; i < 8; i++)
		ck_assert_int_eq(saver_save(s, fake_snapshot((uint64_t)i), "x", "txt json", NULL), 0);
	ck_assert_int_eq(saver_wait(s, 30000), 0);
	while (saver_result(s, &r)) {
		ck_assert_msg(r.err == 0, "%s", r.text);
		got++;
	}
	saver_free(s);
	ck_assert_uint_eq(got, 8);
	ck_assert_uint_eq(names(), 16);
}
END_TEST

START_TEST(freed_while_a_thread_writes)
{
	struct saver *s = saver_new(-1);

	ck_assert_int_eq(saver_save(s, fake_snapshot(1), "x", "json", NULL), 0);
	saver_free(s);
	for (int i = 0; i < 2000 && !there("x.json"); i++)
		usleep(10000);
	ck_assert(there("x.json"));
	usleep(20000);	/* the thread lets go of its memory: a sanitizer looks here */
}
END_TEST

/* ---- one file ---------------------------------------------------------------- */

static int write_one(const char *path, struct why *why)
{
	struct snapshot *s = fake_snapshot(1);
	int err = snapshot_write(s, format_by_name("json"), path, why);

	snapshot_free(s);
	return err;
}

/* What is to be made, not the file that would be in it. */
START_TEST(a_directory_that_is_not_there_is_named)
{
	struct newfile f;
	struct why why;

	ck_assert_int_eq(newfile_open(&f, "no/such/x.json", &why), -ENOENT);
	ck_assert_str_eq(why.text, "no/such/x.json: no such directory; make no/such first");
}
END_TEST

START_TEST(a_named_file_is_replaced_in_one_step)
{
	struct why why = { 0 };
	FILE *old = fopen("x.json", "w");

	fputs("old", old);
	fclose(old);
	ck_assert_msg(write_one("x.json", &why) == 0, "%s", why.text);
	ck_assert_uint_eq(names(), 1);
	ck_assert_int_eq(mode_of("x.json"), 0600);
	struct snapshot *s = snapshot_read("x.json", &why);

	ck_assert_msg(s != NULL, "%s", why.text);
	snapshot_free(s);
}
END_TEST

/* F48: a planted link is replaced, never followed. */
START_TEST(f48_links_are_not_followed)
{
	FILE *victim = fopen("victim", "w");

	fputs("precious", victim);
	fclose(victim);
	ck_assert_int_eq(symlink("victim", "x.json"), 0);
	ck_assert_int_eq(write_one("x.json", NULL), 0);
	char text[16] = "";

	victim = fopen("victim", "r");
	ck_assert_ptr_nonnull(fgets(text, sizeof(text), victim));
	fclose(victim);
	ck_assert_str_eq(text, "precious");
	struct stat st;

	ck_assert_int_eq(lstat("x.json", &st), 0);
	ck_assert(S_ISREG(st.st_mode));
	/* In a set, a link takes the name as a file does. */
	ck_assert_int_eq(symlink("victim", "y.json"), 0);
	ck_assert_str_eq(saved("y", "json").path, "y-2.json");
}
END_TEST

/* What is written to a name, given the chance to go through it. */
static int write_to(const char *path, struct why *why)
{
	struct newfile f;
	int err = newfile_open(&f, path, why);

	if (err)
		return err;
	fputs("through", f.out);
	return newfile_commit(&f, true, why);
}

static void has_come(int fd, const char *want)
{
	char text[16] = "";
	ssize_t n = read(fd, text, sizeof(text) - 1);

	ck_assert_int_eq(n, *want ? (ssize_t)strlen(want) : -1);
	ck_assert_str_eq(text, want);
}

static mode_t kind_of(const char *path)
{
	struct stat st;

	ck_assert_int_eq(lstat(path, &st), 0);
	return st.st_mode & S_IFMT;
}

static int make_pipe(const char *name)
{
	ck_assert_int_eq(mkfifo(name, 0666), 0);
	ck_assert_int_eq(chmod(name, 0666), 0);
	int fd = open(name, O_RDWR | O_NONBLOCK);

	ck_assert_int_ge(fd, 0);
	return fd;
}

/* Whoever owns a folder may plant links in it: root writes through none. */
START_TEST(f48_root_follows_no_link_to_a_device_or_pipe)
{
	if (!SKIP_UNLESS_ROOT())
		return;
	int pipe = make_pipe("pipe");

	ck_assert_int_eq(symlink("pipe", "a.json"), 0);
	ck_assert_int_eq(lchown("a.json", 65534, 65534), 0);
	ck_assert_int_eq(symlink("/dev/full", "b.json"), 0);	/* its own */
	ck_assert_int_eq(write_to("a.json", NULL), 0);
	ck_assert_int_eq(write_to("b.json", NULL), 0);
	has_come(pipe, "");
	ck_assert_uint_eq(kind_of("a.json"), S_IFREG);
	ck_assert_uint_eq(kind_of("b.json"), S_IFREG);
	ck_assert_uint_eq(kind_of("pipe"), S_IFIFO);
	ck_assert_int_eq(write_to("pipe", NULL), 0);	/* the thing itself */
	has_come(pipe, "through");
	close(pipe);
}
END_TEST

START_TEST(f48_root_writes_to_a_device_but_through_no_link_to_it)
{
	if (!SKIP_UNLESS_ROOT())
		return;
	int fd = mknod("full", S_IFCHR | 0600, makedev(1, 7)) ? -1 : open("full", O_WRONLY);

	if (fd < 0) {
		SKIP("no device can be made in this folder");
		return;
	}
	close(fd);
	ck_assert_int_eq(write_to("full", NULL), -ENOSPC);
	ck_assert_int_eq(symlink("full", "c.json"), 0);
	ck_assert_int_eq(lchown("c.json", 65534, 65534), 0);
	ck_assert_int_eq(write_to("c.json", NULL), 0);
	ck_assert_uint_eq(kind_of("c.json"), S_IFREG);
	ck_assert_uint_eq(kind_of("full"), S_IFCHR);
}
END_TEST

/* Where links are everybody's way: their own, and those of root. */
START_TEST(a_user_s_own_link_to_a_pipe_is_followed)
{
	static const struct { uid_t owner; bool followed; } rows[] = {
		{ 65534, true }, { 0, true }, { 65533, false },
	};
	char name[16];

	if (!SKIP_UNLESS_ROOT())
		return;
	int pipe = make_pipe("pipe");

	ck_assert_int_eq(chmod(".", 0777), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(name, sizeof(name), "%zu.json", i);
		ck_assert_int_eq(symlink("pipe", name), 0);
		ck_assert_int_eq(lchown(name, rows[i].owner, 0), 0);
	}
	ck_assert_int_eq(seteuid(65534), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(name, sizeof(name), "%zu.json", i);
		ck_assert_int_eq(write_to(name, NULL), 0);
		has_come(pipe, rows[i].followed ? "through" : "");
		ck_assert_uint_eq(kind_of(name), rows[i].followed ? S_IFLNK : S_IFREG);
	}
	ck_assert_int_eq(seteuid(0), 0);
	close(pipe);
}
END_TEST

/* As root and as another: those of the system are its own. */
START_TEST(names_of_the_system_are_written_to)
{
	char name[40];
	int ends[2];

	if (_i && (!SKIP_UNLESS_ROOT() || seteuid(65534)))
		return;
	ck_assert_int_eq(pipe2(ends, O_NONBLOCK), 0);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", ends[1]);
	ck_assert_int_eq(write_to(name, NULL), 0);
	has_come(ends[0], "through");
	snprintf(name, sizeof(name), "/dev/fd/%d", ends[1]);
	ck_assert_int_eq(write_to(name, NULL), 0);
	has_come(ends[0], "through");
	fflush(stdout);
	int was = dup(1);

	ck_assert_int_ge(dup2(ends[1], 1), 0);
	int err = write_to("/dev/stdout", NULL);

	dup2(was, 1);
	close(was);
	ck_assert_int_eq(err, 0);
	has_come(ends[0], "through");
	ck_assert_int_eq(write_to("/dev/full", NULL), -ENOSPC);
	ck_assert_int_eq(write_to("/dev/null", NULL), 0);
	ck_assert_int_eq(write_to("/dev/no-such-thing", NULL), -ENODEV);
	close(ends[0]);
	close(ends[1]);
	if (_i)
		ck_assert_int_eq(seteuid(0), 0);
}
END_TEST

START_TEST(devices_and_pipes_are_written_to_not_replaced)
{
	struct stat before, after;

	ck_assert_int_eq(stat("/dev/null", &before), 0);
	ck_assert_int_eq(write_one("/dev/null", NULL), 0);
	ck_assert_int_eq(stat("/dev/null", &after), 0);
	ck_assert(S_ISCHR(after.st_mode) && before.st_ino == after.st_ino);
	ck_assert_int_eq(mkfifo("pipe", 0600), 0);
	int fd = open("pipe", O_RDWR | O_NONBLOCK);
	struct newfile f;

	ck_assert_int_eq(newfile_open(&f, "pipe", NULL), 0);
	fputs("through", f.out);
	ck_assert_int_eq(newfile_commit(&f, true, NULL), 0);
	char text[16] = "";

	ck_assert_int_eq(read(fd, text, 15), 7);
	close(fd);
	ck_assert_uint_eq(names(), 1);
}
END_TEST

/* A folder in memory, with files like any other. */
START_TEST(files_in_shared_memory_are_no_devices)
{
	struct newfile f;
	char path[] = "/dev/shm/js-saver-XXXXXX";
	int fd = mkstemp(path);

	if (fd < 0) {
		printf("SKIP files_in_shared_memory_are_no_devices: %s\n", strerror(errno));
		return;
	}
	close(fd);
	unlink(path);
	ck_assert_int_eq(newfile_open(&f, path, NULL), 0);
	fputs("x", f.out);
	ck_assert_int_eq(newfile_commit(&f, false, NULL), 0);
	ck_assert(there(path));
	ck_assert_int_eq(mode_of(path), 0600);
	unlink(path);
	ck_assert_int_eq(newfile_open(&f, "/dev/js-no-such-device", NULL), -ENODEV);
}
END_TEST

static void write_as(const char *path, const char *format)
{
	struct why why = { 0 };
	struct snapshot *s = fake_snapshot(1);

	ck_assert_msg(snapshot_write(s, format_by_name(format), path, &why) == 0, "%s", why.text);
	snapshot_free(s);
}

static void write_text(const char *path)
{
	write_as(path, "text");
}

START_TEST(what_is_handed_on_can_be_read_as_the_umask_says)
{
	mode_t old = umask(027);

	write_text("x.txt");
	ck_assert_int_eq(mode_of("x.txt"), 0640);
	ck_assert_int_eq(umask(old), 027);
	ck_assert_int_eq(write_one("x.json", NULL), 0);
	ck_assert_int_eq(mode_of("x.json"), 0600);
	write_as("x.jsr", "recording");
	ck_assert_int_eq(mode_of("x.jsr"), 0600);
}
END_TEST

START_TEST(what_is_handed_on_keeps_the_mode_of_the_user_s_own_file)
{
	fclose(fopen("x.txt", "w"));
	ck_assert_int_eq(chmod("x.txt", 04664), 0);
	write_text("x.txt");
	ck_assert_int_eq(mode_of("x.txt"), 0664);
	if (geteuid())
		return;		/* the rest needs a file of somebody else */
	umask(077);
	ck_assert_int_eq(chmod("x.txt", 0666), 0);
	ck_assert_int_eq(chown("x.txt", 65534, 65534), 0);
	write_text("x.txt");
	ck_assert_int_eq(mode_of("x.txt"), 0600);
}
END_TEST

static int chmod_errno;

int fchmod(int fd, mode_t mode)
{
	errno = chmod_errno;
	return chmod_errno ? -1 : (int)syscall(SYS_fchmod, fd, mode);
}

/* As on vfat that somebody else mounted: the data is there all the same. */
START_TEST(a_mode_that_cannot_be_set_loses_nothing)
{
	chmod_errno = EPERM;
	write_text("x.txt");
	chmod_errno = 0;
	ck_assert_int_eq(mode_of("x.txt"), 0600);
}
END_TEST

START_TEST(a_limit_that_is_reached_is_named)
{
	struct why why = { 0 };

	ck_assert_int_eq(newfile_failed("x.json", -EMFILE, &why), -EMFILE);
	ck_assert_str_eq(why.text, "x.json: too many files are open; raise ulimit -n");
}
END_TEST

static const struct { const char *path; int err; } refused[] = {
	{ "no/such/x.json", -ENOENT }, { ".", -EISDIR }, { "..", -EISDIR }, { "sub/", -EISDIR },
	{ "sub", -EISDIR }, { "", -EISDIR },
};

START_TEST(a_place_that_cannot_be_is_named)
{
	struct why why = { 0 };

	ck_assert_int_eq(mkdir("sub", 0700), 0);
	ck_assert_int_eq(write_one(refused[_i].path, &why), refused[_i].err);
	ck_assert_ptr_nonnull(strstr(why.text, "; "));
	ck_assert_uint_eq(names(), 1);
}
END_TEST

static void leave_behind(const char *name)
{
	FILE *out = fopen(name, "w");

	ck_assert_ptr_nonnull(out);
	fputs("half", out);
	fclose(out);
}

/* What a killed writer left goes with the next file; nothing else does. */
START_TEST(p10_left_overs_are_swept_and_nothing_else)
{
	static const char *const foreign[] = { ".x.json.0123456789abcdef", "x.json.jitterscope-0123456789abcdef",
		".x.json.jitterscope-0123456789abcde", ".x.json.jitterscope-0123456789abcdeg", ".jitterscope" };
	const unsigned kept = sizeof(foreign) / sizeof(foreign[0]);

	for (unsigned i = 0; i < kept; i++)
		leave_behind(foreign[i]);
	leave_behind("victim");
	ck_assert_int_eq(symlink("victim", ".y.svg.jitterscope-0123456789abcdef"), 0);
	leave_behind(".x.json.jitterscope-0123456789abcdef");
	leave_behind(".anything.jitterscope-00000000000000ff");
	ck_assert_int_eq(write_one("x.json", NULL), 0);
	ck_assert_uint_eq(names(), kept + 3);
	ck_assert(!there(".x.json.jitterscope-0123456789abcdef"));
	ck_assert(there("victim"));
}
END_TEST

START_TEST(p10_a_start_sweeps_where_it_will_write)
{
	struct saver *s = saver_new(-1);

	ck_assert_int_eq(mkdir("sub", 0700), 0);
	leave_behind(".x.json.jitterscope-0123456789abcdef");
	leave_behind("sub/.x.json.jitterscope-0123456789abcdef");
	saver_tidy(s, "sub/out.json");
	ck_assert_int_eq(saver_wait(s, 20000), 0);
	saver_free(s);
	ck_assert_uint_eq(names(), 1);
	ck_assert_int_eq(rmdir("sub"), 0);
	ck_assert_int_eq(mkdir("sub", 0700), 0);
}
END_TEST

/* A name that is still written to has a lock. */
START_TEST(p10_a_file_in_the_making_is_not_swept)
{
	struct newfile f;

	ck_assert_int_eq(newfile_open(&f, "x.json", NULL), 0);
	fputs("whole", f.out);
	ck_assert_int_eq(write_one("y.json", NULL), 0);
	ck_assert_uint_eq(names(), 2);
	ck_assert_int_eq(newfile_commit(&f, false, NULL), 0);
	ck_assert(there("x.json") && there("y.json"));
	ck_assert_uint_eq(names(), 2);
}
END_TEST

START_TEST(p10_a_stranger_s_file_is_not_swept)
{
	if (geteuid()) {
		printf("SKIP p10_a_stranger_s_file_is_not_swept: not root\n");
		return;
	}
	leave_behind(".x.json.jitterscope-0123456789abcdef");
	ck_assert_int_eq(chown(".x.json.jitterscope-0123456789abcdef", 65534, 65534), 0);
	ck_assert_int_eq(write_one("x.json", NULL), 0);
	ck_assert_uint_eq(names(), 2);
	setenv("SUDO_UID", "65534", 1);
	ck_assert_int_eq(write_one("x.json", NULL), 0);
	ck_assert_uint_eq(names(), 1);
}
END_TEST

/* P10: every write fails for ever from some byte on; no half file stays, and
 * an older one is untouched. */
START_TEST(p10_a_file_limit_leaves_nothing_half)
{
	struct rlimit limit = { .rlim_cur = (rlim_t)_i * 4096, .rlim_max = RLIM_INFINITY };
	struct why why = { 0 };
	struct snapshot *s = fake_snapshot(1);
	FILE *old = fopen("x.json", "w");

	fputs("old", old);
	fclose(old);
	signal(SIGXFSZ, SIG_IGN);
	/* No assertion in between: its own notes go into a file as well. */
	setrlimit(RLIMIT_FSIZE, &limit);
	int err = snapshot_write(s, format_by_name("json"), "x.json", &why);

	limit.rlim_cur = RLIM_INFINITY;
	setrlimit(RLIMIT_FSIZE, &limit);
	snapshot_free(s);
	ck_assert_int_eq(err, -EFBIG);
	ck_assert_ptr_nonnull(strstr(why.text, "ulimit"));
	ck_assert_uint_eq(names(), 1);
	char text[16] = "";

	old = fopen("x.json", "r");
	ck_assert_ptr_nonnull(fgets(text, sizeof(text), old));
	fclose(old);
	ck_assert_str_eq(text, "old");
}
END_TEST

START_TEST(a_failed_set_says_why)
{
	struct saver *s = saver_new(-1);
	struct saver_result r;

	ck_assert_int_eq(saver_save(s, fake_snapshot(1), "no/such/x", "json", NULL), 0);
	ck_assert_int_eq(saver_wait(s, 20000), 0);
	ck_assert_int_eq(saver_result(s, &r), 1);
	ck_assert_int_eq(r.err, -ENOENT);
	ck_assert_ptr_nonnull(strstr(r.text, "no/such/x.json"));
	saver_free(s);
}
END_TEST

START_TEST(under_sudo_the_file_belongs_to_the_user)
{
	struct stat st;

	if (!SKIP_UNLESS_ROOT())
		return;
	setenv("SUDO_UID", "65534", 1);
	setenv("SUDO_GID", "65534", 1);
	ck_assert_int_eq(write_one("x.json", NULL), 0);
	ck_assert_int_eq(stat("x.json", &st), 0);
	ck_assert_uint_eq(st.st_uid, 65534);
	setenv("SUDO_UID", "0; rm", 1);
	ck_assert_int_eq(write_one("y.json", NULL), 0);
	ck_assert_int_eq(stat("y.json", &st), 0);
	ck_assert_uint_eq(st.st_uid, 0);
}
END_TEST

/* ---- reading ------------------------------------------------------------------- */

START_TEST(what_cannot_be_read_is_named)
{
	struct why why = { 0 };

	ck_assert_ptr_null(snapshot_read("absent.json", &why));
	ck_assert_int_eq(why.err, -ENOENT);
	ck_assert_ptr_null(snapshot_read(".", &why));
	ck_assert_int_eq(why.err, -EISDIR);
	fclose(fopen("empty", "w"));
	ck_assert_ptr_null(snapshot_read("empty", &why));
	ck_assert_ptr_nonnull(strstr(why.text, "empty"));
	FILE *out = fopen("bad\x1b[2J", "w");

	fputs("whatever this is\n", out);
	fclose(out);
	ck_assert_ptr_null(snapshot_read("bad\x1b[2J", &why));
	ck_assert_ptr_null(strchr(why.text, 27));
}
END_TEST

/* Beyond what is read of a file; the memory for it is never asked for at once. */
START_TEST(a_file_that_is_too_large_is_refused)
{
	static const char head[] = "{\"format\": \"jitterscope-snapshot\", \"version\": 1,\n";
	struct why why = { 0 };
	FILE *out = fopen("large.json", "w");

	fputs(head, out);
	ck_assert_int_eq(fflush(out), 0);
	ck_assert_int_eq(ftruncate(fileno(out), FORMAT_FILE_MAX + 1), 0);
	fclose(out);
	ck_assert_ptr_null(snapshot_read("large.json", &why));
	ck_assert_int_eq(why.err, -EFBIG);
	ck_assert_int_eq(truncate("large.json", FORMAT_FILE_MAX), 0);
	ck_assert_ptr_null(snapshot_read("large.json", &why));
	ck_assert_int_eq(why.err, -EINVAL);	/* read, and not JSON */
}
END_TEST

START_TEST(what_may_not_or_cannot_be_read_names_the_reason)
{
	struct why why = { 0 };

	ck_assert_ptr_null(snapshot_read("/proc/self/mem", &why));	/* its beginning is not there */
	ck_assert_int_eq(why.err, -EIO);
	fclose(fopen("x.json", "w"));
	ck_assert_int_eq(chmod("x.json", 0), 0);
	if (!geteuid())
		ck_assert_int_eq(seteuid(65534), 0);
	chmod(".", 0755);
	struct snapshot *s = snapshot_read("x.json", &why);

	ck_assert_int_eq(seteuid(getuid()), 0);
	ck_assert_ptr_null(s);
	ck_assert_int_eq(why.err, -EACCES);
	ck_assert_ptr_nonnull(strstr(why.text, "ask its owner"));
	fclose(stdin);
	close(0);
	ck_assert_ptr_null(snapshot_read("-", &why));
	ck_assert_int_eq(why.err, -EBADF);
}
END_TEST

START_TEST(a_byte_order_mark_is_skipped_and_a_pipe_read)
{
	struct snapshot *s = fake_snapshot(1), *back;
	struct why why = { 0 };
	FILE *out = fopen("x.json", "w");

	fputs("\xef\xbb\xbf", out);
	ck_assert_int_eq(format_write(out, format_by_name("json"), s, &why), 0);
	fclose(out);
	back = snapshot_read("x.json", &why);
	ck_assert_msg(back != NULL, "%s", why.text);
	fake_same_series(s, back);
	snapshot_free(back);
	ck_assert_ptr_nonnull(freopen("x.json", "r", stdin));
	back = snapshot_read("-", &why);
	ck_assert_msg(back != NULL, "%s", why.text);
	fake_same_series(s, back);
	snapshot_free(back);
	snapshot_free(s);
}
END_TEST

Suite *saver_suite(void);

Suite *saver_suite(void)
{
	Suite *s = suite_create("saver");
	TCase *tc = tcase_create("saver");

	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, enter, leave);
	tcase_add_test(tc, a_set_shares_one_stem_and_is_private);
	tcase_add_test(tc, a_name_that_exists_gets_a_number);
	tcase_add_test(tc, the_default_name_tells_when_where_and_what);
	tcase_add_loop_test(tc, the_default_place_is_where_data_lives, 0, 2);
	tcase_add_test(tc, without_any_place_the_reason_is_told);
	tcase_add_test(tc, without_exclusive_renames_no_file_is_replaced_either);
	tcase_add_test(tc, a_screen_is_saved_only_when_there_was_one);
	tcase_add_test(tc, main_is_told_through_the_event_descriptor);
	tcase_add_test(tc, an_unknown_type_is_refused_at_once);
	tcase_add_test(tc, many_sets_at_once_all_arrive);
	tcase_add_test(tc, freed_while_a_thread_writes);
	tcase_add_test(tc, a_directory_that_is_not_there_is_named);
	tcase_add_test(tc, a_named_file_is_replaced_in_one_step);
	tcase_add_test(tc, a_limit_that_is_reached_is_named);
	tcase_add_test(tc, what_is_handed_on_can_be_read_as_the_umask_says);
	tcase_add_test(tc, a_mode_that_cannot_be_set_loses_nothing);
	tcase_add_test(tc, what_is_handed_on_keeps_the_mode_of_the_user_s_own_file);
	tcase_add_test(tc, f48_links_are_not_followed);
	tcase_add_test(tc, f48_root_follows_no_link_to_a_device_or_pipe);
	tcase_add_test(tc, f48_root_writes_to_a_device_but_through_no_link_to_it);
	tcase_add_test(tc, a_user_s_own_link_to_a_pipe_is_followed);
	tcase_add_loop_test(tc, names_of_the_system_are_written_to, 0, 2);
	tcase_add_test(tc, devices_and_pipes_are_written_to_not_replaced);
	tcase_add_test(tc, files_in_shared_memory_are_no_devices);
	tcase_add_loop_test(tc, a_place_that_cannot_be_is_named, 0,
			    (int)(sizeof(refused) / sizeof(refused[0])));
	tcase_add_test(tc, p10_left_overs_are_swept_and_nothing_else);
	tcase_add_test(tc, p10_a_start_sweeps_where_it_will_write);
	tcase_add_test(tc, p10_a_file_in_the_making_is_not_swept);
	tcase_add_test(tc, p10_a_stranger_s_file_is_not_swept);
	tcase_add_loop_test(tc, p10_a_file_limit_leaves_nothing_half, 0, 8);
	tcase_add_test(tc, a_failed_set_says_why);
	tcase_add_test(tc, under_sudo_the_file_belongs_to_the_user);
	tcase_add_test(tc, what_cannot_be_read_is_named);
	tcase_add_test(tc, a_file_that_is_too_large_is_refused);
	tcase_add_test(tc, what_may_not_or_cannot_be_read_names_the_reason);
	tcase_add_test(tc, a_byte_order_mark_is_skipped_and_a_pipe_read);
	suite_add_tcase(s, tc);
	return s;
}
