/*
 * check_suite_run.c - what becomes of a suite whose step files cannot be
 * written.  The instrument, its script and the saver are replaced here (the
 * linker takes these): one step begins and ends, and that is the run.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/app.h"
#include "src/result.h"
#include "src/script.h"
#include "src/snapshot.h"
#include "src/suite.h"

/* ---- the instrument ---- */

static struct model model;
static const struct frontend *front;
static struct script_watch watch;
static struct step_result step_result;
static bool without_memory;

struct app *app_new(struct options *o, const struct frontend *f, struct why *why)
{
	(void)o;
	(void)why;
	front = f;
	return (struct app *)&model;
}

int app_start(struct app *app, struct why *why)
{
	void *self;

	return front->open(app, &self, why);
}

int app_run(struct app *app)
{
	(void)app;
	watch.begins(watch.ctx, 0);
	watch.ends(watch.ctx, 0);
	return EXIT_OK;
}

void app_free(struct app *app) { (void)app; }
void app_drop_output(struct app *app) { (void)app; }
void app_do(struct app *app, const struct order *order) { (void)app; (void)order; }
bool app_ending(const struct app *app) { (void)app; return false; }
struct model *app_model(struct app *app) { (void)app; return &model; }
const struct frontend *app_frontend(const struct app *app) { (void)app; return front; }

/* ---- its script ---- */

struct script *script_new(struct app *app, const struct step *steps, unsigned n,
			  const struct own_job *own, const struct script_watch *w)
{
	(void)app;
	(void)steps;
	(void)n;
	(void)own;
	watch = *w;
	step_result.outcome = STEP_DONE;
	return (struct script *)&watch;
}

void script_free(struct script *s) { (void)s; }
int script_choose(struct script *s, const char *list, struct why *why) { (void)s; (void)list; (void)why; return 0; }
int64_t script_turn(struct script *s, int64_t now_ns) { (void)s; (void)now_ns; return 0; }
void script_cut(struct script *s, int64_t now_ns) { (void)s; (void)now_ns; }
void script_close(struct script *s, int64_t now_ns) { (void)s; (void)now_ns; }
const struct step_result *script_results(const struct script *s) { (void)s; return &step_result; }
int64_t script_left_ns(const struct script *s, int64_t now_ns) { (void)s; (void)now_ns; return 0; }
int script_percent(const struct script *s, int64_t now_ns) { (void)s; (void)now_ns; return 0; }
void script_progress(const struct script *s, int64_t now_ns, char *buf, size_t size)
{
	(void)s;
	(void)now_ns;
	snprintf(buf, size, "a step");
}

/* ---- files ---- */

static unsigned takes, memory_for;	/* this one finds none */

struct snapshot *snapshot_take(const struct model *m, char *const *argv, struct why *why)
{
	(void)m;
	(void)argv;
	takes++;
	if (!without_memory || takes != memory_for)
		return snapshot_new();
	why_set(why, -ENOMEM, "snapshot: no memory; stop a load");
	return NULL;
}

static int refused, waited;
static struct saver_result result;
static unsigned results;

struct saver *saver_new(int event_fd) { (void)event_fd; return (struct saver *)&result; }
void saver_free(struct saver *s) { (void)s; }
int saver_wait(struct saver *s, int wait_ms) { (void)s; (void)wait_ms; return waited; }

int saver_save(struct saver *s, struct snapshot *snap, const char *stem, const char *suffixes,
	       struct why *why)
{
	(void)s;
	(void)stem;
	(void)suffixes;
	snapshot_free(snap);
	return refused ? why_set(why, refused, "snapshot: no thread; stop a load") : 0;
}

int saver_result(struct saver *s, struct saver_result *out)
{
	(void)s;
	*out = result;
	return results ? (int)results-- : 0;
}

int result_check(const struct options *o, const char *otherwise, const char *tables,
		 struct why *why)
{
	(void)o;
	(void)otherwise;
	(void)tables;
	(void)why;
	return 0;
}

const struct format *result_format(const struct options *o, const char *otherwise,
				   struct why *why)
{
	static const struct format f;

	(void)o;
	(void)otherwise;
	(void)why;
	return &f;
}

bool result_grows(const struct options *o) { (void)o; return false; }
bool result_wanted(const struct options *o) { (void)o; return true; }

int result_write(const struct options *o, const struct format *f, const struct snapshot *s,
		 struct why *why)
{
	(void)o;
	(void)f;
	(void)s;
	(void)why;
	return 0;
}

/* ---- tests ---- */

static int no_figures(void *ctx, const struct step_result *r, struct snapshot *s)
{
	(void)ctx;
	(void)r;
	(void)s;
	return 0;
}

static int no_tables(void *ctx, FILE *out, const struct snapshot *s, struct why *why)
{
	(void)ctx;
	(void)out;
	(void)s;
	(void)why;
	return 0;
}

static int played(void)
{
	static const struct step steps[] = { { .name = "1.1" } };
	const struct suite_plan plan = { .name = "ladder", .steps = steps, .nr = 1,
					 .step_files = true, .figures = no_figures,
					 .print = no_tables };
	struct options o = { .output = "l.json" };
	struct why why = { 0, "" };

	return suite_run(&o, &plan, &why);
}

START_TEST(step_files_that_are_written_fail_nothing)
{
	results = 1;
	ck_assert_int_eq(played(), EXIT_OK);
}
END_TEST

START_TEST(a_step_file_that_takes_too_long_fails_the_run)
{
	waited = -ETIMEDOUT;
	ck_assert_int_eq(played(), EXIT_FAILED);
}
END_TEST

START_TEST(a_step_file_that_ends_badly_fails_the_run)
{
	results = 1;
	result.err = -ENOSPC;
	ck_assert_int_eq(played(), EXIT_FAILED);
}
END_TEST

START_TEST(a_step_file_that_is_refused_fails_the_run)
{
	refused = -EAGAIN;
	ck_assert_int_eq(played(), EXIT_FAILED);
}
END_TEST

/* At its begin, and at its end. */
START_TEST(a_step_that_cannot_be_copied_fails_the_run)
{
	without_memory = true;
	memory_for = (unsigned)_i;
	ck_assert_int_eq(played(), EXIT_FAILED);
}
END_TEST

Suite *suite_run_suite(void);
Suite *suite_run_suite(void)
{
	Suite *s = suite_create("suite_run");
	TCase *tc = tcase_create("step files");

	tcase_add_test(tc, step_files_that_are_written_fail_nothing);
	tcase_add_test(tc, a_step_file_that_takes_too_long_fails_the_run);
	tcase_add_test(tc, a_step_file_that_ends_badly_fails_the_run);
	tcase_add_test(tc, a_step_file_that_is_refused_fails_the_run);
	tcase_add_loop_test(tc, a_step_that_cannot_be_copied_fails_the_run, 1, 3);
	suite_add_tcase(s, tc);
	return s;
}
