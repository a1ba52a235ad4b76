/* check_headless.c - what `record` says on standard error, and to whom. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/app.h"
#include "src/clock.h"
#include "tests/fake_plugins.h"

/* ---- the app as headless.c sees it ---- */

static struct model *model;
static unsigned quits, drops;

struct model *app_model(struct app *app)
{
	(void)app;
	return model;
}

void app_do(struct app *app, const struct order *order)
{
	(void)app;
	quits += order->what == CMD_QUIT;
}

static bool bell;

bool app_bell(struct app *app)
{
	bool rings = bell;

	(void)app;
	bell = false;
	return rings;
}

void app_drop_output(struct app *app)
{
	(void)app;
	drops++;
}

/* ---- standard error, caught ---- */

static int caught = -1, kept = -1;

static void catch(bool tty)
{
	int ends[2];

	if (tty)
		ck_assert_int_eq(openpty(&ends[0], &ends[1], NULL, NULL, NULL), 0);
	else
		ck_assert_int_eq(pipe(ends), 0);
	fflush(stderr);
	kept = dup(2);
	dup2(ends[1], 2);
	close(ends[1]);
	caught = ends[0];
	fcntl(caught, F_SETFL, O_NONBLOCK);
}

static const char *said(void)
{
	static char text[8192];
	size_t used = 0;
	ssize_t n;

	fflush(stderr);
	while ((n = read(caught, text + used, sizeof(text) - 1 - used)) > 0)
		used += (size_t)n;
	text[used] = '\0';
	return text;
}

static void let_go(void)
{
	dup2(kept, 2);
	close(kept);
	close(caught);
}

static void *open_front(bool tty)
{
	struct model_spec spec = { .groups = 1, .series = 1, .loads = 1, .digits = 3,
				   .start_ns = NS_PER_S };
	void *self = NULL;

	model = model_new(&spec);
	ck_assert_ptr_nonnull(model);
	snprintf(model->groups[0].name, sizeof(model->groups[0].name), "wakeup");
	model->groups[0].nr = 1;
	catch(tty);
	ck_assert_int_eq(headless_frontend.open(NULL, &self, NULL), 0);
	return self;
}

START_TEST(a_pipe_gets_no_progress_and_no_good_news)
{
	void *self = open_front(false);

	model_status(model, false, "churn: running");
	headless_frontend.frame(self, 0);
	headless_frontend.close(self);
	const char *text = said();

	let_go();
	ck_assert_str_eq(text, "");
}
END_TEST

/* Who sent SIGUSR1 from a script is told where the files are. */
START_TEST(an_answer_goes_to_a_pipe_too)
{
	void *self = open_front(false);

	model_status(model, false, "saved x.json");
	headless_frontend.answer(self);
	headless_frontend.frame(self, 0);
	headless_frontend.answer(self);
	headless_frontend.close(self);
	const char *text = said();

	let_go();
	ck_assert_str_eq(text, "jitterscope: saved x.json\njitterscope: saved x.json\n");
}
END_TEST

START_TEST(bad_news_goes_to_a_pipe_once_and_without_escapes)
{
	void *self = open_front(false);

	model_status(model, true, "fork: FAILED clone: EAGAIN");
	headless_frontend.frame(self, 0);
	headless_frontend.frame(self, 1);
	headless_frontend.close(self);
	const char *text = said();

	let_go();
	ck_assert_str_eq(text, "jitterscope: fork: FAILED clone: EAGAIN\n");
}
END_TEST

START_TEST(a_person_sees_progress_on_one_line_that_is_wiped_at_the_end)
{
	void *self = open_front(true);
	char copy[8192];

	model_zero(model, NS_PER_S);
	model->now_ns = 6 * NS_PER_S;
	hist_record(model->groups[0].run, 123456);
	headless_frontend.frame(self, 0);
	snprintf(copy, sizeof(copy), "%s", said());
	headless_frontend.close(self);
	const char *end = said();

	let_go();
	ck_assert_ptr_nonnull(strstr(copy, "00:00:05"));
	ck_assert_ptr_nonnull(strstr(copy, "wakeup"));
	ck_assert_ptr_nonnull(strstr(copy, "123us"));
	ck_assert_ptr_null(strchr(copy, '\n'));
	ck_assert_ptr_null(strchr(copy, '\033'));
	ck_assert_int_eq(end[0], '\r');
	ck_assert_int_eq(end[strlen(end) - 1], '\r');
	/* With what ^C left behind the line: the terminal shows it there. */
	ck_assert_uint_eq(strspn(end + 1, " "), strlen(strrchr(copy, '\r') ?
							strrchr(copy, '\r') + 1 : copy) + 4);
}
END_TEST

START_TEST(what_is_not_real_time_says_so_while_it_runs)
{
	void *self = open_front(true);

	model_zero(model, NS_PER_S);
	model->groups[0].want_rt = true;
	headless_frontend.frame(self, 0);
	headless_frontend.close(self);
	const char *text = said();

	let_go();
	ck_assert_ptr_nonnull(strstr(text, "NOT REALTIME"));
}
END_TEST

START_TEST(the_first_interrupt_ends_the_second_drops)
{
	void *self = open_front(false);

	headless_frontend.interrupt(self);
	ck_assert_uint_eq(quits, 1);
	ck_assert_uint_eq(drops, 0);
	headless_frontend.interrupt(self);
	let_go();
	ck_assert_uint_ge(quits, 2);
	ck_assert_uint_eq(drops, 1);
	headless_frontend.close(self);
}
END_TEST

START_TEST(an_output_whose_format_is_unknown_is_refused_before_the_run)
{
	static const struct { const char *output, *format; int want; } rows[] = {
		{ NULL, NULL, 0 }, { "a.json", NULL, 0 }, { "a.txt", NULL, 0 }, { "-", NULL, 0 },
		{ "a.bogus", NULL, -EINVAL }, { "a", NULL, -EINVAL }, { "a.raw", NULL, -EINVAL },
		{ "a.bogus", "json", 0 },
	};
	static struct options o;
	struct why why;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		o.output = rows[i].output;
		o.format = rows[i].format;
		ck_assert_int_eq(headless_frontend.check(&o, &why), rows[i].want);
	}
}
END_TEST

Suite *headless_suite(void);
Suite *headless_suite(void)
{
	Suite *s = suite_create("headless");
	TCase *tc = tcase_create("front");

	tcase_add_test(tc, a_pipe_gets_no_progress_and_no_good_news);
	tcase_add_test(tc, an_answer_goes_to_a_pipe_too);
	tcase_add_test(tc, bad_news_goes_to_a_pipe_once_and_without_escapes);
	tcase_add_test(tc, a_person_sees_progress_on_one_line_that_is_wiped_at_the_end);
	tcase_add_test(tc, what_is_not_real_time_says_so_while_it_runs);
	tcase_add_test(tc, the_first_interrupt_ends_the_second_drops);
	tcase_add_test(tc, an_output_whose_format_is_unknown_is_refused_before_the_run);
	suite_add_tcase(s, tc);
	return s;
}
