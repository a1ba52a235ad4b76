/* check_scratch.c - what is ours goes, what is not ours stays. */
#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/scratch.h"
#include "tests/skip.h"

static char folder[] = "/tmp/js-check-XXXXXX";
static int parent = -1;
static struct scratch scratch;
static struct why why;

static void bench(void)
{
	ck_assert_ptr_nonnull(mkdtemp(folder));
	parent = scratch_open_parent(folder, &why);
	ck_assert_int_ge(parent, 0);
	scratch_init(&scratch, dup(parent), geteuid(), getegid());
}

static void dismantle(void)
{
	char command[64];

	scratch_destroy(&scratch, NULL);
	close(parent);
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	ck_assert_int_eq(system(command), 0);
}

static unsigned entries(int fd)
{
	DIR *dir = fdopendir(openat(fd, ".", O_RDONLY | O_DIRECTORY));
	unsigned n = 0;

	ck_assert_ptr_nonnull(dir);
	for (struct dirent *e; (e = readdir(dir));)
		n += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
	closedir(dir);
	return n;
}

static void write_into(int at, const char *name)
{
	int fd = openat(at, name, O_CREAT | O_WRONLY, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, "text", 4), 4);
	close(fd);
}

static bool exists(int at, const char *name)
{
	struct stat st;

	return !fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW);
}

START_TEST(it_is_made_private_marked_and_locked)
{
	struct stat st;
	int other;

	ck_assert_int_eq(scratch_make(&scratch, &why), 0);
	ck_assert_int_eq(scratch_make(&scratch, &why), 0);
	ck_assert_uint_eq(entries(parent), 1);
	ck_assert_int_eq(fstatat(parent, scratch.name, &st, AT_SYMLINK_NOFOLLOW), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0700);
	ck_assert(exists(scratch.fd, SCRATCH_MARKER));
	other = openat(parent, scratch.name, O_RDONLY | O_DIRECTORY);
	ck_assert_int_eq(flock(other, LOCK_EX | LOCK_NB), -1);
	close(other);
}
END_TEST

START_TEST(a_folder_goes_with_all_that_is_in_it)
{
	int fd = scratch_folder(&scratch, "load", &why);

	ck_assert_int_ge(fd, 0);
	write_into(fd, "file");
	ck_assert_int_eq(mkdirat(fd, "sub", 0700), 0);
	int sub = openat(fd, "sub", O_RDONLY | O_DIRECTORY);

	write_into(sub, "file");
	ck_assert_int_eq(mkdirat(sub, "locked", 0500), 0);
	ck_assert_int_eq(symlinkat("/etc", fd, "link"), 0);
	ck_assert_int_eq(scratch_remove_folder(&scratch, "load", &why), 0);
	ck_assert(!exists(scratch.fd, "load"));
	ck_assert(exists(scratch.fd, SCRATCH_MARKER));
	ck_assert(exists(AT_FDCWD, "/etc/passwd"));
	close(sub);
	close(fd);
}
END_TEST

/* F17: a name that exists is no failure. */
START_TEST(an_old_folder_of_the_name_is_emptied_first)
{
	int fd = scratch_folder(&scratch, "load", &why);

	write_into(fd, "old");
	close(fd);
	fd = scratch_folder(&scratch, "load", &why);
	ck_assert_int_ge(fd, 0);
	ck_assert_uint_eq(entries(fd), 0);
	close(fd);
}
END_TEST

START_TEST(destroying_leaves_nothing)
{
	int fd = scratch_folder(&scratch, "load", &why);

	write_into(fd, "file");
	close(fd);
	ck_assert_int_eq(scratch_destroy(&scratch, &why), 0);
	ck_assert_uint_eq(entries(parent), 0);
}
END_TEST

/* F18: only what we made is deleted. */
START_TEST(a_stranger_that_took_the_name_survives)
{
	ck_assert_int_eq(scratch_make(&scratch, &why), 0);
	ck_assert_int_eq(renameat(parent, scratch.name, parent, "moved"), 0);
	ck_assert_int_eq(mkdirat(parent, scratch.name, 0700), 0);
	char name[SCRATCH_NAME_MAX];

	memcpy(name, scratch.name, sizeof(name));
	scratch_destroy(&scratch, &why);
	ck_assert(exists(parent, name));
}
END_TEST

/* The owner is killed in the middle of its life. */
static void die_with_scratch(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		int fd = scratch_folder(&scratch, "load", &why);

		write_into(fd, "file");
		kill(getpid(), SIGKILL);
	}
	waitpid(pid, NULL, 0);
}

/* F17: the lock has died with its owner. */
START_TEST(what_a_dead_owner_left_is_swept)
{
	die_with_scratch();
	die_with_scratch();
	ck_assert_uint_eq(entries(parent), 2);
	ck_assert_uint_eq(scratch_sweep(parent, geteuid()), 2);
	ck_assert_uint_eq(entries(parent), 0);
}
END_TEST

START_TEST(what_a_living_owner_has_is_not_swept)
{
	ck_assert_int_eq(scratch_make(&scratch, &why), 0);
	ck_assert_uint_eq(scratch_sweep(parent, geteuid()), 0);
	ck_assert(exists(scratch.fd, SCRATCH_MARKER));
}
END_TEST

START_TEST(another_uid_is_left_alone)
{
	die_with_scratch();
	ck_assert_uint_eq(scratch_sweep(parent, geteuid() + 1), 0);
	ck_assert_uint_eq(entries(parent), 1);
}
END_TEST

START_TEST(half_made_ones_are_swept_when_empty)
{
	ck_assert_int_eq(mkdirat(parent, ".jitterscope-abcdef.new", 0700), 0);
	ck_assert_int_eq(mkdirat(parent, ".jitterscope-ghijkl.new", 0700), 0);
	int full = openat(parent, ".jitterscope-ghijkl.new", O_RDONLY | O_DIRECTORY);

	write_into(full, "precious");
	close(full);
	ck_assert_uint_eq(scratch_sweep(parent, geteuid()), 1);
	ck_assert_uint_eq(entries(parent), 1);
}
END_TEST

/* F18: the name alone makes nothing ours. */
START_TEST(foreign_things_with_our_prefix_survive)
{
	static const char *const names[] = {
		"jitterscope-abcdef", "jitterscope-", "jitterscope-backups-of-2001", "jitterscope-file",
	};

	ck_assert_int_eq(mkdirat(parent, names[0], 0700), 0);
	ck_assert_int_eq(mkdirat(parent, names[1], 0700), 0);
	ck_assert_int_eq(mkdirat(parent, names[2], 0700), 0);
	write_into(parent, names[3]);
	/* A marker of the right name and the wrong contents is no marker. */
	int fd = openat(parent, names[0], O_RDONLY | O_DIRECTORY);

	write_into(fd, SCRATCH_MARKER);
	close(fd);
	ck_assert_int_eq(symlinkat("/", parent, "jitterscope-linked"), 0);
	ck_assert_uint_eq(scratch_sweep(parent, geteuid()), 0);
	ck_assert_uint_eq(entries(parent), 5);
}
END_TEST

/* F18: what a link leads to stays. */
START_TEST(links_out_of_a_left_over_are_not_followed)
{
	write_into(parent, "precious");
	ck_assert_int_eq(mkdirat(parent, "treasure", 0700), 0);
	int fd = openat(parent, "treasure", O_RDONLY | O_DIRECTORY);

	write_into(fd, "gold");
	die_with_scratch();
	DIR *dir = opendir(folder);

	for (struct dirent *e; (e = readdir(dir));)
		if (!strncmp(e->d_name, SCRATCH_PREFIX, strlen(SCRATCH_PREFIX))) {
			int below = openat(parent, e->d_name, O_RDONLY | O_DIRECTORY);

			ck_assert_int_eq(symlinkat("../treasure", below, "a"), 0);
			ck_assert_int_eq(symlinkat("../precious", below, "b"), 0);
			close(below);
		}
	closedir(dir);
	ck_assert_uint_eq(scratch_sweep(parent, geteuid()), 1);
	ck_assert(exists(fd, "gold"));
	ck_assert(exists(parent, "precious"));
	close(fd);
}
END_TEST

/* F18: bind mounts have the same device number, and must be left all the same. */
START_TEST(a_mount_in_the_way_survives_and_is_named)
{
	char target[128], source[64];

	if (geteuid() || unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL)) {
		SKIP("may not mount");
		return;
	}
	snprintf(source, sizeof(source), "%s/treasure", folder);
	ck_assert_int_eq(mkdir(source, 0700), 0);
	int fd = open(source, O_RDONLY | O_DIRECTORY);

	write_into(fd, "gold");
	int load = scratch_folder(&scratch, "load", &why);

	ck_assert_int_eq(mkdirat(load, "mounted", 0700), 0);
	snprintf(target, sizeof(target), "%s/%s/load/mounted", folder, scratch.name);
	ck_assert_int_eq(mount(source, target, NULL, MS_BIND, NULL), 0);
	ck_assert_int_lt(scratch_destroy(&scratch, &why), 0);
	ck_assert_ptr_nonnull(strstr(why.text, "mounted"));
	ck_assert(exists(fd, "gold"));
	ck_assert_int_eq(umount(target), 0);
	close(load);
	close(fd);
}
END_TEST

/* Inodes there are, the root's among them; which step then fails. */
static const struct { const char *options; bool fill; const char *says; } full[] = {
	{ "size=16k,nr_inodes=1", false, "scratch: mkdir: " }, { "size=16k,nr_inodes=2", false, "scratch: mkdir: " },
	{ "size=16k,nr_inodes=9", true, "scratch: mkdir: " }, { "size=16k,nr_inodes=3", false, "scratch: mkdir one: " },
};

/* No half of it is left for the next start to wonder about. */
START_TEST(a_full_disk_has_no_half_made_directory)
{
	if (geteuid() || unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", folder, "tmpfs", 0, full[_i].options)) {
		SKIP("may not mount");
		return;
	}
	struct scratch tight;
	int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	static const char block[4096];

	scratch_init(&tight, dup(at), geteuid(), getegid());
	if (full[_i].fill) {
		int fd = openat(at, "rest", O_CREAT | O_WRONLY, 0600);

		while (write(fd, block, sizeof(block)) > 0)
			;
		close(fd);
	}
	ck_assert_int_eq(scratch_folder(&tight, "one", &why), -ENOSPC);
	ck_assert_msg(strstr(why.text, full[_i].says) != NULL, "%s", why.text);
	scratch_destroy(&tight, NULL);
	ck_assert_uint_eq(entries(at), full[_i].fill ? 1 : 0);
	close(at);
	umount(folder);
}
END_TEST

START_TEST(without_a_parent_there_is_nothing_to_make)
{
	struct scratch none;

	scratch_init(&none, -1, geteuid(), getegid());
	ck_assert_int_eq(scratch_folder(&none, "one", &why), -ENOENT);
	ck_assert_ptr_nonnull(strstr(why.text, "--scratch"));
}
END_TEST

START_TEST(a_missing_parent_is_explained)
{
	ck_assert_int_eq(scratch_open_parent("/no/such/place", &why), -ENOENT);
	ck_assert_ptr_nonnull(strstr(why.text, "/no/such/place"));
	ck_assert_ptr_nonnull(strstr(why.text, "--scratch"));
}
END_TEST

START_TEST(the_parent_is_tmpdir_unless_told)
{
	struct stat want, got;

	setenv("TMPDIR", folder, 1);
	int fd = scratch_open_parent(NULL, &why);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(stat(folder, &want), 0);
	ck_assert_int_eq(fstat(fd, &got), 0);
	ck_assert_uint_eq(want.st_ino, got.st_ino);
	close(fd);
}
END_TEST

START_TEST(memory_is_told_from_disk)
{
	int shm = open("/dev/shm", O_RDONLY | O_DIRECTORY);

	if (shm >= 0)
		ck_assert(scratch_in_memory(shm));
	int sys = open("/sys", O_RDONLY | O_DIRECTORY);

	ck_assert(!scratch_in_memory(sys));
	close(shm);
	close(sys);
}
END_TEST

Suite *scratch_suite(void);

Suite *scratch_suite(void)
{
	Suite *s = suite_create("scratch");
	TCase *tc = tcase_create("scratch");

	tcase_add_checked_fixture(tc, bench, dismantle);
	tcase_add_test(tc, it_is_made_private_marked_and_locked);
	tcase_add_test(tc, a_folder_goes_with_all_that_is_in_it);
	tcase_add_test(tc, an_old_folder_of_the_name_is_emptied_first);
	tcase_add_test(tc, destroying_leaves_nothing);
	tcase_add_test(tc, a_stranger_that_took_the_name_survives);
	tcase_add_test(tc, what_a_dead_owner_left_is_swept);
	tcase_add_test(tc, what_a_living_owner_has_is_not_swept);
	tcase_add_test(tc, another_uid_is_left_alone);
	tcase_add_test(tc, half_made_ones_are_swept_when_empty);
	tcase_add_test(tc, foreign_things_with_our_prefix_survive);
	tcase_add_test(tc, links_out_of_a_left_over_are_not_followed);
	tcase_add_test(tc, a_mount_in_the_way_survives_and_is_named);
	tcase_add_loop_test(tc, a_full_disk_has_no_half_made_directory, 0, (int)(sizeof(full) / sizeof(full[0])));
	tcase_add_test(tc, without_a_parent_there_is_nothing_to_make);
	tcase_add_test(tc, a_missing_parent_is_explained);
	tcase_add_test(tc, the_parent_is_tmpdir_unless_told);
	tcase_add_test(tc, memory_is_told_from_disk);
	suite_add_tcase(s, tc);
	return s;
}
