/*
 * check_loads_lacking.c - every load where something is refused in the middle:
 * files may not grow, descriptors or memory run out, its folder is gone.  It
 * works all the same or says why not; it never hangs, crashes or is silent.
 */
#include <check.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "src/load.h"
#include "tests/load_harness.h"

#define MIB (UINT64_C(1) << 20)
#define BUDGET_BYTES (256 * MIB)

enum lack { FILE_SIZE, DESCRIPTORS, MEMORY, FOLDER, LACKS };
static const char *const lack_name[] = { "files may not grow", "no descriptors", "no memory", "no folder" };

/* As little as there is, so that it is soon done where nothing stops it. */
static void make_small(struct load_worker *w, const struct load *l)
{
	for (unsigned i = 0; l->knobs[i].name; i++)
		if (!strcmp(l->knobs[i].name, "size") || !strcmp(l->knobs[i].name, "units"))
			w->knob[i] = l->knobs[i].least ? l->knobs[i].least : 16;
	w->disk_budget_bytes = BUDGET_BYTES;
	w->memory_budget_bytes = BUDGET_BYTES;
}

static rlim_t address_space(void)
{
	FILE *in = fopen("/proc/self/statm", "r");
	unsigned long pages = 0;

	ck_assert(in && fscanf(in, "%lu", &pages) == 1);
	fclose(in);
	return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static rlim_t next_descriptor(void)
{
	int fd = dup(0);

	close(fd);
	return (rlim_t)fd;
}

/* Which limit, and what to; RLIMIT_NLIMITS: none. */
static int limit_of(enum lack lack, rlim_t *to)
{
	switch (lack) {
	case FILE_SIZE:
		*to = 4096;
		return RLIMIT_FSIZE;
	case DESCRIPTORS:
		*to = next_descriptor() + 1;
		return RLIMIT_NOFILE;
	case MEMORY:
		*to = address_space() + MIB;
		return RLIMIT_AS;
	default:
		return RLIMIT_NLIMITS;
	}
}

static int run_lacking(struct harness *h, enum lack lack, struct why *why)
{
	struct rlimit was, now;
	int which = limit_of(lack, &now.rlim_cur);

	signal(SIGXFSZ, SIG_IGN);
	if (lack == FOLDER)
		rmdir(harness_scratch(h));
	if (which == (int)RLIMIT_NLIMITS)
		return harness_run(h, 0, 1, why);
	getrlimit(which, &was);
	now.rlim_max = was.rlim_max;
	setrlimit(which, &now);
	int err = harness_run(h, 0, 1, why);

	setrlimit(which, &was);
	return err;
}

/* A sanitizer needs memory of its own; those that ask first take it all; who
 * has no files misses none. */
static bool can_be(const struct load *l, enum lack lack)
{
#if defined(JS_ASAN) || defined(JS_TSAN)
	bool sanitized = true;
#else
	bool sanitized = false;
#endif
	if (!(l->flags & LOAD_SCRATCH) && (lack == FILE_SIZE || lack == FOLDER))
		return false;
	return !(l->flags & LOAD_ASKS) && !(sanitized && lack == MEMORY);
}

/* The reason is the one there is: nothing is blamed that is as it should be. */
static void check_reason(const struct load *l, enum lack lack, int err, const char *said)
{
	static const int reasons[LACKS][3] = {
		[FILE_SIZE] = { -EFBIG, -ENOSPC, -EIO }, [DESCRIPTORS] = { -EMFILE, -EIO },
		[MEMORY] = { -ENOMEM, -EAGAIN }, [FOLDER] = { -ENOENT },
	};
	bool known = !err;

	for (int i = 0; i < 3; i++)
		known |= err == reasons[lack][i];
	ck_assert_msg(known, "%s, %s: %s (%d)", l->name, lack_name[lack], said, err);
}

START_TEST(a_load_that_lacks_something_works_or_says_why_not)
{
	const struct load *l = loads[_i / LACKS];
	enum lack lack = (enum lack)(_i % LACKS);
	struct why why = { 0 };

	if (!can_be(l, lack))
		return;
	struct harness *h = harness_new(l, l->max_workers > 1 ? 2 : 1, 11);

	make_small(harness_worker(h, 0), l);
	harness_sum_lines(h);
	if (l->flags & LOAD_FINITE)
		harness_finish(h);
	int err = run_lacking(h, lack, &why);

	ck_assert_msg(err != -ETIME && err != -ECHILD, "%s, %s: %s", l->name, lack_name[lack],
		      err == -ETIME ? "hangs" : "crashes");
	ck_assert_msg(!err || why.text[0], "%s, %s: fails without a word", l->name, lack_name[lack]);
	ck_assert_ptr_null(strchr(why.text, '\n'));
	check_reason(l, lack, err, why.text);
	if (getenv("JS_LONG"))
		printf("%-10s %-20s %s\n", l->name, lack_name[lack], err ? why.text : "works");
	harness_free(h);
}
END_TEST

Suite *loads_lacking_suite(void);

Suite *loads_lacking_suite(void)
{
	Suite *s = suite_create("loads_lacking");
	TCase *tc = tcase_create("loads_lacking");

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, a_load_that_lacks_something_works_or_says_why_not, 0, (int)load_count() * LACKS);
	suite_add_tcase(s, tc);
	return s;
}
