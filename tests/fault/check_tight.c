/*
 * check_tight.c - every load where there is little of something: a 16 MB
 * scratch, 64 tasks, 64 MB of memory, 64 descriptors.  A load runs smaller or
 * says why not; the instrument goes on measuring; nothing is left.
 *
 * Quick: all loads at once in each place.  JS_LONG=1: each load alone in each.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/load.h"
#include "tests/prog.h"
#include "tests/skip.h"

enum place { TMPFS, PIDS, MEMORY, NOFILE, PLACES };
static const char *const place_name[] = { "tmpfs-16M", "pids-64", "memory-64M", "nofile-64" };

struct tight { char dir[80]; bool mounted; };

static bool write_file(const char *dir, const char *file, const char *text)
{
	char path[160];

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	FILE *f = fopen(path, "w");
	bool ok = f && fputs(text, f) >= 0;

	return f ? fclose(f) == 0 && ok : false;
}

/* Makes the place; false: this machine cannot (said). */
static bool enter(struct tight *t, enum place place)
{
	static const char *const group[] = { [PIDS] = "/sys/fs/cgroup/pids", [MEMORY] = "/sys/fs/cgroup/memory" };

	memset(t, 0, sizeof(*t));
	if (place == NOFILE)
		return true;
#ifdef __SANITIZE_THREAD__
	if (place == MEMORY) {
		printf("SKIP tight %s: the thread sanitizer alone takes more\n", place_name[place]);
		return false;
	}
#endif
	if (place == TMPFS) {
		snprintf(t->dir, sizeof(t->dir), "/var/tmp/jstight-XXXXXX");
		if (!mkdtemp(t->dir) || mount("tmpfs", t->dir, "tmpfs", 0, "size=16m,mode=1777")) {
			printf("SKIP tight %s: %s\n", place_name[place], strerror(errno));
			rmdir(t->dir);
			return false;
		}
		return t->mounted = true;
	}
	snprintf(t->dir, sizeof(t->dir), "%s/jstight-%d", group[place], (int)getpid());
	if (mkdir(t->dir, 0755) || !write_file(t->dir, place == PIDS ? "pids.max" : "memory.limit_in_bytes", place == PIDS ? "64" : "67108864")) {
		printf("SKIP tight %s: no cgroup v1 of this kind\n", place_name[place]);
		rmdir(t->dir);
		return false;
	}
	return true;
}

static void leave(struct tight *t)
{
	if (t->mounted)
		umount2(t->dir, MNT_DETACH);
	if (t->dir[0])
		rmdir(t->dir);
}

/* Time for the work and not only for what comes before it. */
static bool slow_start(void)
{
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
	return true;
#else
	return getenv("JS_LONG");
#endif
}

static void run_there(struct prog *p, const struct tight *t, enum place place, const char *loads_text)
{
	char line[2048];
	const char *argv[] = { "sh", "-c", line, NULL };
	const char *before = "";

	if (place == NOFILE)
		before = "ulimit -n 64; ";
	snprintf(line, sizeof(line), "%s%s%s%s exec %s record -D %s --json %s %s %s", before, place == PIDS || place == MEMORY ? "echo $$ >" : "",
		 place == PIDS || place == MEMORY ? t->dir : "", place == PIDS || place == MEMORY ? "/cgroup.procs;" : "", prog_path(), slow_start() ? "5s" : "2500ms",
		 place == TMPFS ? "--scratch" : "", place == TMPFS ? t->dir : "", loads_text);
	prog_run(p, 60000, argv);
}

static void judge(const struct prog *p, enum place place, const char *which)
{
	json_t *root, *load;
	size_t i;

	ck_assert_msg(p->exit_code == 0 || p->exit_code == 1, "%s in %s: exit %d signal %d: %s", which, place_name[place], p->exit_code, p->signal, p->err);
	root = prog_json(p);
	prog_check_sums(root);
	ck_assert_msg(json_array_size(json_object_get(root, "loads")) > 0, "%s in %s: no load in the snapshot: %s", which,
		      place_name[place], p->err);
	json_array_foreach(json_object_get(root, "loads"), i, load) {
		const char *name = json_string_value(json_object_get(load, "name")), *why = json_string_value(json_object_get(load, "why"));
		const char *end = json_string_value(json_object_get(load, "end"));
		double rate = json_number_value(json_object_get(load, "rate")), done = json_number_value(json_object_get(load, "done"));

		ck_assert_msg(rate > 0 || done > 0 || (why && why[0]), "%s in %s: no work and no reason (end %s)", name, place_name[place], end);
		if (getenv("JS_LONG"))
			printf("tight %-10s %-10s %-8s %10.1f %-10s %s\n", place_name[place], name, end, rate,
			       json_string_value(json_object_get(load, "rate_unit")), why ? why : "");
	}
	fflush(stdout);
	json_decref(root);
}

/* F23, P14: in little memory, and on a small disk. */
START_TEST(a_load_runs_smaller_or_says_why_not)
{
	enum place place = (enum place)_i;
	struct tight t;
	struct prog p;
	char all[1024] = "";

	if (!SKIP_UNLESS_ROOT())
		return;
	if (!enter(&t, place))
		return;
	for (unsigned i = 0; loads[i]; i++) {
		char one[64];

		snprintf(one, sizeof(one), " -l %s", loads[i]->name);
		strncat(all, one, sizeof(all) - strlen(all) - 1);
		if (!getenv("JS_LONG"))
			continue;
		run_there(&p, &t, place, one);
		judge(&p, place, one);
		ck_assert_uint_eq(prog_left(&p, 2000, NULL), 0);
		prog_free(&p);
	}
	if (!getenv("JS_LONG")) {
		run_there(&p, &t, place, all);
		judge(&p, place, "all loads");
		ck_assert_uint_eq(prog_left(&p, 2000, NULL), 0);
		ck_assert_uint_eq(prog_scratch_left(&p), 0);
		prog_free(&p);
	}
	leave(&t);
}
END_TEST

Suite *tight_suite(void);

Suite *tight_suite(void)
{
	Suite *s = suite_create("tight");
	TCase *c = tcase_create("places");

	tcase_set_timeout(c, 600);
	tcase_add_loop_test(c, a_load_runs_smaller_or_says_why_not, 0, PLACES);
	suite_add_tcase(s, c);
	return s;
}
