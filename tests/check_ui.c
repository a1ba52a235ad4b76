/*
 * check_ui.c - the live screen as the loop drives it, on a terminal judged by
 * an independent emulator.  The time of frames is handed in.
 */
#include <check.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/app.h"
#include "src/clock.h"
#include "tests/fake_model.h"
#include "tests/pty.h"

/* The instrument as the screen sees it. */
struct app {
	struct options options;
	struct model *m;
	enum command last;
	unsigned last_arg, orders, tellings, cooked;
	bool gone, raw_before_told;
	char *screen;
	uint64_t wrote, skipped;
	bool bell;
	int64_t broke_ns;
	unsigned broke_group;
	struct termios raw;
};

static struct app app;
static struct pty *pty;
static void *self;
static int64_t now_ns;

const struct options *app_options(const struct app *a)
{
	return &a->options;
}

struct model *app_model(struct app *a)
{
	return a->m;
}

const struct counters *app_counters(const struct app *a)
{
	(void)a;
	return NULL;
}

bool app_ending(const struct app *a)
{
	(void)a;
	return false;
}

uint64_t app_load_memory(const struct app *a, unsigned load)
{
	(void)a, (void)load;
	return 0;
}

void app_refresh(struct app *a)
{
	(void)a;
}

void app_do(struct app *a, const struct order *order)
{
	a->last = order->what;
	a->last_arg = order->arg;
	a->orders++;
}

void app_screen_text(struct app *a, const char *text)
{
	free(a->screen);
	a->screen = text ? strdup(text) : NULL;
}

void app_terminal(struct app *a, int fd, const struct termios *saved, const struct termios *raw,
		  bool cooked)
{
	struct termios now;

	(void)saved;
	tcgetattr(fd, &now);
	if (!cooked && !(now.c_lflag & ICANON))
		a->raw_before_told = true;
	a->raw = *raw;
	a->cooked = cooked;
	a->tellings++;
}

void app_terminal_gone(struct app *a)
{
	a->gone = true;
}

void app_wrote(struct app *a, uint64_t bytes, uint64_t skipped_frames)
{
	a->wrote += bytes;
	a->skipped += skipped_frames;
}

bool app_bell(struct app *a)
{
	bool rings = a->bell;

	a->bell = false;
	return rings;
}

int64_t app_broke_ns(const struct app *a)
{
	return a->broke_ns;
}

unsigned app_broke_group(const struct app *a)
{
	return a->broke_group;
}

static void setup(void)
{
	struct model_spec spec = { .groups = 1, .series = 1, .digits = 3, .start_ns = NS_PER_S };
	struct why why;

	memset(&app, 0, sizeof(app));
	app.m = model_new(&spec);
	app.m->groups[0].on = true;
	app.m->groups[0].nr = 1;
	strcpy(app.m->groups[0].name, "under-test");
	model_zero(app.m, 2 * NS_PER_S);
	now_ns = 100 * NS_PER_S;
	app.m->now_ns = now_ns;
	setenv("TERM", "xterm-256color", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	unsetenv("NO_COLOR");
	pty = pty_open(100, 30);
	pty_adopt(pty);
	ck_assert_int_eq(ui_frontend.check(&app.options, &why), 0);
	ck_assert_int_eq(ui_frontend.open(&app, &self, &why), 0);
}

static void teardown(void)
{
	if (self)
		ui_frontend.close(self);
	self = NULL;
	pty_free(pty);
	model_free(app.m);
	free(app.screen);
}

static void drain(void)
{
	while (pty_pump(pty, 0) > 0)
		;
}

/* One turn of the loop at a time; what it draws arrives. */
static int64_t turn(int64_t later_ns)
{
	now_ns += later_ns;
	app.m->now_ns = now_ns;
	int64_t wait = ui_frontend.frame(self, now_ns);

	while (ui_frontend.output_fd(self) >= 0) {
		pty_pump(pty, 1);
		ui_frontend.frame(self, now_ns);
	}
	drain();
	return wait;
}

static void press(const char *keys)
{
	struct pollfd p = { .fd = ui_frontend.input_fd(self), .events = POLLIN };

	pty_send(pty, keys);
	poll(&p, 1, 20000);
	ui_frontend.input(self, p.revents);
}

START_TEST(the_first_frame_comes_with_the_first_turn)
{
	turn(0);
	ck_assert(pty_wait_text(pty, "under-test", 0));
	ck_assert(pty_alternate(pty) && !pty_cursor_shown(pty));
	ck_assert_uint_gt(app.wrote, 0);
	ck_assert_uint_eq(app.wrote, pty_bytes(pty));
}
END_TEST

START_TEST(the_view_begins_as_the_options_say)
{
	struct why why;

	ui_frontend.close(self);
	app.options.zoom_ns = 250 * NS_PER_MS;
	app.options.waterfall = true;
	app.options.cells = OPTION_CELLS_ASCII;
	ck_assert_int_eq(ui_frontend.open(&app, &self, &why), 0);
	turn(0);
	ck_assert(pty_wait_text(pty, "250ms/", 0));
	press("w");
	turn(NS_PER_S);
	ck_assert(pty_wait_text(pty, "map: time runs", 0) || strstr(app.m->status, "map: time runs"));
	snprintf(app.options.config_theme, sizeof(app.options.config_theme), "bogus");
	app.options.theme = app.options.config_theme;
	app.options.config_theme_line = 7;
	ck_assert_int_lt(ui_frontend.check(&app.options, &why), 0);
	ck_assert_ptr_nonnull(strstr(why.text, "config:7: theme bogus"));
}
END_TEST

static void two_probes(void)
{
	struct model_spec spec = { .groups = 2, .series = 2, .digits = 3, .start_ns = NS_PER_S };

	model_free(app.m);
	app.m = model_new(&spec);
	for (unsigned i = 0; i < 2; i++) {
		struct group *g = &app.m->groups[i];

		g->on = true;
		g->nr = 1;
		g->first = app.m->series[i].group = i;
		snprintf(g->name, sizeof(g->name), i ? "the-second" : "the-first");
	}
	model_zero(app.m, 2 * NS_PER_S);
	app.m->now_ns = now_ns;
}

START_TEST(a_break_is_seen_where_it_happened)
{
	two_probes();
	turn(0);
	ck_assert(pty_wait_text(pty, "LATENCY  the-first", 0));
	app.broke_ns = now_ns - NS_PER_S;
	app.broke_group = 1;
	turn(NS_PER_S);
	ck_assert(pty_wait_text(pty, "LATENCY  the-second", 0) && pty_wait_text(pty, "PAUSED", 0));
	press("1");		/* once: the person goes where he likes */
	turn(NS_PER_S);
	turn(NS_PER_S);
	ck_assert(pty_wait_text(pty, "LATENCY  the-first", 0));
}
END_TEST

/* Neither one that could not start nor one that was turned off. */
START_TEST(what_is_not_measured_is_not_plotted)
{
	two_probes();
	app.m->groups[0].on = false;
	turn(0);
	ck_assert(pty_wait_text(pty, "LATENCY  the-second", 0));
	app.m->groups[0].on = true;
	turn(NS_PER_S);
	ck_assert(pty_wait_text(pty, "LATENCY  the-second", 0));
	app.m->groups[1].on = false;
	turn(NS_PER_S);
	ck_assert(pty_wait_text(pty, "LATENCY  the-first", 0));
	app.m->groups[0].on = false;	/* none is: the picture stays */
	turn(NS_PER_S);
	ck_assert(pty_wait_text(pty, "LATENCY  the-first", 0));
}
END_TEST

START_TEST(a_bell_is_one_byte_with_the_next_frame)
{
	size_t n, bells = 0;

	turn(0);
	pty_forget(pty);
	app.bell = true;
	for (int i = 0; i < 3; i++)
		turn(NS_PER_S);
	const char *out = pty_output(pty, &n);

	for (size_t i = 0; i < n; i++)
		bells += out[i] == '\a';
	ck_assert_uint_eq(bells, 1);
}
END_TEST

START_TEST(frames_can_be_made_fewer_down_to_one_a_second)
{
	turn(0);
	ck_assert(ui_frontend.slower(self));
	ck_assert(ui_frontend.slower(self));
	ck_assert(!ui_frontend.slower(self));
	turn(NS_PER_S);
	ck_assert_int_gt(turn(0), NS_PER_S / 2);
}
END_TEST

START_TEST(the_guardian_knows_the_settings_before_the_terminal_has_them)
{
	struct termios t;

	pty_termios(pty, &t);
	ck_assert(app.tellings == 1 && !app.cooked && !app.raw_before_told);
	ck_assert_uint_eq(t.c_lflag, app.raw.c_lflag);
	ui_frontend.suspend(self);
	ck_assert(app.tellings == 2 && app.cooked);
	ui_frontend.resume(self);
	ck_assert(app.tellings == 3 && !app.cooked && !app.raw_before_told);
}
END_TEST

START_TEST(frames_come_at_their_rate_in_step_with_the_second)
{
	now_ns += 123456789;
	turn(0);
	for (int i = 0; i < 8; i++) {
		int64_t wait = turn(0);

		ck_assert_int_le(wait, NS_PER_S / 4);
		ck_assert_int_gt(wait, 0);
		turn(wait);
		ck_assert_int_eq(now_ns % (NS_PER_S / 4), 0);
	}
}
END_TEST

/* F13, P6: a key does not wait for the next frame. */
START_TEST(a_key_is_on_the_screen_at_once)
{
	turn(0);
	turn(NS_PER_S / 4 * 3 / 2);
	turn(30 * NS_PER_MS);
	press("?");
	turn(30 * NS_PER_MS);
	ck_assert(pty_wait_text(pty, "quit; loads are stopped first", 0));
	press("\033");
	while (pty_wait_text(pty, "quit; loads", 0))	/* 25 ms of real time decide it */
		turn(30 * NS_PER_MS);
	ck_assert(pty_wait_text(pty, "under-test", 0));
}
END_TEST

START_TEST(a_storm_of_keys_draws_no_storm_of_frames)
{
	turn(0);
	uint64_t before;
	unsigned frames = 0;

	turn(NS_PER_S);
	for (int i = 0; i < 100; i++) {
		press("y");
		model_status(app.m, false, "key %d", i);
		before = pty_bytes(pty);
		turn(NS_PER_MS);
		frames += pty_bytes(pty) != before;
	}
	ck_assert_uint_le(frames, 7);
	ck_assert_uint_ge(frames, 3);
}
END_TEST

START_TEST(a_terminal_that_is_behind_skips_frames_and_is_told_so)
{
	turn(0);
	/* What ^S does, but at once: typed, it would wait for a kernel thread. */
	ck_assert_int_eq(tcflow(STDIN_FILENO, TCOOFF), 0);
	int64_t wait = 0;

	for (int i = 0; i < 40; i++) {
		now_ns += wait;
		app.m->now_ns = now_ns;
		model_status(app.m, false, "message %d", i);
		wait = ui_frontend.frame(self, now_ns);
	}
	ck_assert_int_gt(wait, NS_PER_S / 4);		/* slower by now */
	ck_assert_int_eq(tcflow(STDIN_FILENO, TCOON), 0);
	drain();
	for (int i = 0; i < 2; i++)
		turn(2 * NS_PER_S);
	ck_assert(pty_wait_text(pty, "message 39", 0));
	ck_assert_uint_gt(app.skipped, 10);
	for (int i = 0; i < 200; i++)
		wait = turn(2 * NS_PER_S);
	ck_assert_int_le(wait, NS_PER_S / 4);		/* and at full rate again */
}
END_TEST

/* F11: of many sizes between two frames. */
START_TEST(the_last_size_is_always_drawn)
{
	static const int sizes[][2] = { { 1, 1 },   { 37, 9 }, { 200, 60 },
					{ 80, 24 }, { 24, 5 }, { 120, 40 } };

	for (int i = 0; i < 60; i++) {
		pty_resize(pty, sizes[i % 6][0], sizes[i % 6][1]);
		ui_frontend.resize(self);
		if (i % 7 == 0)
			turn(NS_PER_MS * 30);
	}
	turn(NS_PER_MS * 30);
	char *screen = pty_screen(pty);
	unsigned lines = 0;

	ck_assert_ptr_nonnull(strstr(screen, "under-test"));
	for (char *at = screen; *at; at++)
		lines += *at == '\n';
	ck_assert_uint_eq(lines, 40);
	free(screen);
}
END_TEST

/* ---- the mouse ---- */

static bool spelt_at(const char *text, int x, int y)
{
	for (; *text; text++, x++)
		if (pty_cell(pty, x, y).ch != (unsigned char)*text)
			return false;
	return true;
}

/* A click on the second letter of a text on the screen, which is ASCII. */
static void click_on(const char *text, int w, int h)
{
	char report[32];

	for (int y = 0; y < h; y++) {
		for (int x = 0; x + (int)strlen(text) <= w; x++) {
			if (!spelt_at(text, x, y))
				continue;
			snprintf(report, sizeof(report), "\033[<0;%d;%dM", x + 2, y + 1);
			press(report);
			return;
		}
	}
	ck_abort_msg("no \"%s\" to click on:\n%s", text, pty_screen(pty));
}

static const struct clicked {
	const char *before;	/* keys */
	const char *on, *after;
	const char *load;	/* that this toggles, */
	const char *says;	/* or what it says */
	int w, h;
} clicks[] = {
	{ "", "P process", "\r", .load = "process", .w = 80, .h = 24 },
	{ "", "R read", "\r", .load = "read", .w = 80, .h = 24 },
	{ "", "33s", "\r", .load = "fork", .w = 80, .h = 24 },
	{ "", "E exec", "\r", .load = "exec", .w = 120, .h = 40 },
	{ "l", "P process", "\r", .load = "process", .w = 80, .h = 24 },
	{ "l", "L list", "\r", .load = "list", .w = 120, .h = 40 },
	{ "g", "00:07:03.0", "\r", .says = "spike 5 of 14: 4.05ms", .w = 80, .h = 24 },
	{ "", "00:07:07.0", "\r", .says = "spike 3 of 14: 5.56ms", .w = 120, .h = 40 },
	{ "gg", "00:07:03.0", "\r", .says = "4.05ms", .w = 80, .h = 24 },
	{ "", "wakeup-other", "", .says = "wakeup-other: ", .w = 80, .h = 24 },
	{ "", "fsync", "", .says = "fsync: ", .w = 120, .h = 40 },
	{ "", "cpu5", "", .says = "cpu5 alone", .w = 120, .h = 40 },
};

START_TEST(a_click_selects_what_is_under_the_pointer)
{
	const struct clicked *k = &clicks[_i];

	model_free(app.m);
	app.m = fake_model(FAKE_STORM);
	now_ns = app.m->now_ns;
	pty_resize(pty, k->w, k->h);
	ui_frontend.resize(self);
	turn(0);
	if (k->before[0])
		press(k->before);
	turn(NS_PER_S / 4);
	click_on(k->on, k->w, k->h);
	turn(NS_PER_S / 4);
	if (k->after[0])
		press(k->after);
	turn(NS_PER_S / 4);
	if (k->load) {
		ck_assert_int_eq(app.last, CMD_LOAD_TOGGLE);
		ck_assert_str_eq(app.m->loads[app.last_arg].name, k->load);
	} else {
		ck_assert_msg(strstr(app.m->status, k->says), "says: %s", app.m->status);
	}
}
END_TEST

/* What it was asked for is answered first. */
START_TEST(a_click_beside_a_question_selects_nothing)
{
	model_free(app.m);
	app.m = fake_model(FAKE_STORM);
	now_ns = app.m->now_ns;
	pty_resize(pty, 80, 24);
	ui_frontend.resize(self);
	turn(0);
	press("m");
	turn(NS_PER_S / 4);
	click_on("wakeup-other", 80, 24);
	turn(NS_PER_S / 4);
	ck_assert_ptr_null(strstr(app.m->status, "wakeup-other: "));
	ck_assert(pty_wait_text(pty, "Mark this moment", 0));
}
END_TEST

START_TEST(saving_hands_in_the_screen_as_seen)
{
	turn(0);
	press("s");
	ck_assert(app.last == CMD_SNAPSHOT && app.screen);
	ck_assert_ptr_nonnull(strstr(app.screen, "under-test"));
	ck_assert_ptr_nonnull(strstr(app.screen, "\033["));
}
END_TEST

/* F05: every cell is drawn anew. */
START_TEST(suspended_the_line_is_as_it_was_and_after_it_all_is_painted)
{
	struct termios t;

	turn(0);
	ui_frontend.suspend(self);
	drain();
	pty_termios(pty, &t);
	ck_assert(!pty_alternate(pty) && pty_cursor_shown(pty) && (t.c_lflag & ICANON) &&
		  (t.c_lflag & ECHO));
	ui_frontend.resume(self);
	turn(NS_PER_S);
	pty_termios(pty, &t);
	ck_assert(pty_alternate(pty) && !(t.c_lflag & ICANON));
	ck_assert(pty_wait_text(pty, "under-test", 0));
}
END_TEST

START_TEST(a_hang_up_ends_it_and_nothing_is_written_after)
{
	turn(0);
	pty_hang_up(pty);
	struct pollfd p = { .fd = ui_frontend.input_fd(self), .events = POLLIN };

	ck_assert_int_eq(poll(&p, 1, 20000), 1);
	ui_frontend.input(self, p.revents);
	ck_assert(app.gone);
	ck_assert_int_eq(ui_frontend.input_fd(self), -1);
	ck_assert_int_eq(ui_frontend.output_fd(self), -1);
	ck_assert_int_eq(ui_frontend.frame(self, now_ns + NS_PER_S), INT64_MAX);
	unsigned tellings = app.tellings;

	ui_frontend.close(self);
	self = NULL;
	ck_assert_uint_eq(app.tellings, tellings);
}
END_TEST

START_TEST(an_unknown_theme_is_refused_before_anything_changes)
{
	struct options o = { .theme = "solarized" };
	struct why why;

	ck_assert_int_lt(ui_frontend.check(&o, &why), 0);
	ck_assert_ptr_nonnull(strstr(why.text, "solarized"));
}
END_TEST

Suite *ui_suite(void);

Suite *ui_suite(void)
{
	Suite *s = suite_create("ui");
	TCase *tc = tcase_create("screen");

	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, the_first_frame_comes_with_the_first_turn);
	tcase_add_test(tc, the_view_begins_as_the_options_say);
	tcase_add_test(tc, a_bell_is_one_byte_with_the_next_frame);
	tcase_add_test(tc, a_break_is_seen_where_it_happened);
	tcase_add_test(tc, what_is_not_measured_is_not_plotted);
	tcase_add_test(tc, frames_can_be_made_fewer_down_to_one_a_second);
	tcase_add_test(tc, the_guardian_knows_the_settings_before_the_terminal_has_them);
	tcase_add_test(tc, frames_come_at_their_rate_in_step_with_the_second);
	tcase_add_test(tc, a_key_is_on_the_screen_at_once);
	tcase_add_test(tc, a_storm_of_keys_draws_no_storm_of_frames);
	tcase_add_test(tc, a_terminal_that_is_behind_skips_frames_and_is_told_so);
	tcase_add_test(tc, the_last_size_is_always_drawn);
	tcase_add_loop_test(tc, a_click_selects_what_is_under_the_pointer, 0,
			    sizeof(clicks) / sizeof(clicks[0]));
	tcase_add_test(tc, a_click_beside_a_question_selects_nothing);
	tcase_add_test(tc, saving_hands_in_the_screen_as_seen);
	tcase_add_test(tc, suspended_the_line_is_as_it_was_and_after_it_all_is_painted);
	tcase_add_test(tc, a_hang_up_ends_it_and_nothing_is_written_after);
	tcase_add_test(tc, an_unknown_theme_is_refused_before_anything_changes);
	suite_add_tcase(s, tc);
	return s;
}
