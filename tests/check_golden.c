/*
 * check_golden.c - whole screens as text, compared with tests/golden/; some with
 * their colours, as an .ans that `cat` shows.
 *
 * After a wanted change: JS_GOLDEN=write makes the files anew; then look at
 * what git says has changed.
 */
#include <check.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/clock.h"
#include "tests/fake_model.h"
#include "ui/layout.h"
#include "ui/spikelist.h"

#define MONO (-1)

static const struct {
	const char *file;
	enum fake_kind kind;
	int w, h;
	bool ascii;
	int colours;		/* 0: text only; else as a terminal of so many shows it */
	struct view with;	/* what differs from the live view */
	const char *focus;
	unsigned spike;		/* place among the worst of the chosen one; 0: none is */
} screens[] = {
	{ "idle-80x24", FAKE_IDLE, 80, 24 },
	{ "churn-80x24", FAKE_CHURN, 80, 24 },
	{ "storm-80x24", FAKE_STORM, 80, 24 },
	{ "storm-120x40", FAKE_STORM, 120, 40 },
	{ "storm-200x60", FAKE_STORM, 200, 60 },
	{ "storm-60x20", FAKE_STORM, 60, 20 },
	{ "storm-40x10", FAKE_STORM, 40, 10 },
	{ "storm-30x3", FAKE_STORM, 30, 3 },
	{ "storm-80x1", FAKE_STORM, 80, 1 },
	{ "storm-ascii-80x24", FAKE_STORM, 80, 24, .ascii = true },
	{ "storm-ascii-120x40", FAKE_STORM, 120, 40, .ascii = true },
	{ "trouble-80x24", FAKE_TROUBLE, 80, 24 },
	{ "trouble-120x40", FAKE_TROUBLE, 120, 40 },
	{ "plain-80x24", FAKE_PLAIN, 80, 24 },
	{ "plain-120x40", FAKE_PLAIN, 120, 40 },
	{ "cpus-120x40", FAKE_CPUS, 120, 40 },
	{ "shared-80x24", FAKE_SHARED, 80, 24 },
	{ "shared-ascii-80x24", FAKE_SHARED, 80, 24, .ascii = true },
	{ "crowd-80x24", FAKE_CROWD, 80, 24 },
	{ "crowd-120x40", FAKE_CROWD, 120, 40 },
	{ "crowd-ascii-80x24", FAKE_CROWD, 80, 24, .ascii = true },
	{ "crowd-fall-80x24", FAKE_CROWD, 80, 24, .with = { .kind = VIEW_WATERFALL } },
	{ "warming-80x24", FAKE_WARMING, 80, 24 },
	{ "nothing-80x24", FAKE_NOTHING, 80, 24 },
	{ "waterfall-120x40", FAKE_STORM, 120, 40, .with = { .kind = VIEW_WATERFALL } },
	{ "waterfall-ascii-80x24", FAKE_STORM, 80, 24, .ascii = true,
	.with = { .kind = VIEW_WATERFALL } },
	{ "paused-80x24", FAKE_STORM, 80, 24, .with = { .paused = true, .end_ns = -12 } },
	{ "back-120x40", FAKE_STORM, 120, 40, .with = { .end_ns = -50 }, .spike = 4 },
	{ "corrected-120x40", FAKE_STORM, 120, 40, .with = { .corrected = true } },
	{ "one-cpu-80x24", FAKE_STORM, 80, 24, .with = { .cpu = 5 } },
	{ "other-80x24", FAKE_STORM, 80, 24, .with = { .group = 1, .zoom = 4 } },
	{ "help-80x24", FAKE_STORM, 80, 24, .with = { .help_page = 1 } },
	{ "help-40x10", FAKE_STORM, 40, 10, .with = { .help_page = 2 } },
	{ "loads-80x24", FAKE_TROUBLE, 80, 24, .with = { .loads_open = true, .load = 13 } },
	{ "loads-120x40", FAKE_STORM, 120, 40, .with = { .loads_open = true, .load = 1 } },
	{ "ask-80x24", FAKE_STORM, 80, 24,
	  .with = { .ask = ASK_LOAD,
	  .ask_text = "mlock can make this machine swap. Start 4 workers? [y/N]" } },
	{ "badges-80x24", FAKE_TROUBLE, 80, 24, .with = { .expanded = true }, .focus = "header" },
	{ "spikes-80x24", FAKE_STORM, 80, 24, .with = { .expanded = true, .filter = "cpu:5" },
	  .focus = "spikes" },
	{ "latest-80x24", FAKE_STORM, 80, 24,
	  .with = { .expanded = true, .spikes = SPIKES_LATEST }, .focus = "spikes" },
	{ "culprits-80x24", FAKE_STORM, 80, 24,
	  .with = { .expanded = true, .spikes = SPIKES_CULPRITS }, .focus = "spikes" },
	{ "histogram-80x24", FAKE_STORM, 80, 24, .with = { .expanded = true },
	.focus = "histogram" },
	{ "cpus-80x24", FAKE_CPUS, 80, 24, .with = { .expanded = true }, .focus = "cpus" },
	{ "system-40x20", FAKE_STORM, 40, 20, .with = { .expanded = true }, .focus = "system" },
	{ "storm-ascii-40x10", FAKE_STORM, 40, 10, .ascii = true },
	{ "storm-ascii-200x60", FAKE_STORM, 200, 60, .ascii = true },
	{ "storm-256-40x10.ans", FAKE_STORM, 40, 10, .colours = 256 },
	{ "storm-256-80x24.ans", FAKE_STORM, 80, 24, .colours = 256 },
	{ "storm-256-120x40.ans", FAKE_STORM, 120, 40, .colours = 256 },
	{ "storm-256-200x60.ans", FAKE_STORM, 200, 60, .colours = 256 },
	{ "storm-8-80x24.ans", FAKE_STORM, 80, 24, .colours = 8 },
	{ "storm-ascii-256-80x24.ans", FAKE_STORM, 80, 24, .ascii = true, .colours = 256 },
	{ "storm-mono-40x10.ans", FAKE_STORM, 40, 10, .colours = MONO },
	{ "storm-mono-80x24.ans", FAKE_STORM, 80, 24, .colours = MONO },
	{ "storm-mono-120x40.ans", FAKE_STORM, 120, 40, .colours = MONO },
	{ "storm-mono-200x60.ans", FAKE_STORM, 200, 60, .colours = MONO },
};
#define SCREENS (sizeof(screens) / sizeof(screens[0]))

/* A live view changed by what is not zero in `with`; help_page counts from 1,
 * end_ns in seconds from now. */
static void make_view(struct view *v, const struct model *m, unsigned i)
{
	const struct view *with = &screens[i].with;

	fake_view(v, m, NULL);
	v->cells = CELLS_ASCII;	/* colours are not seen in a text */
	if (screens[i].ascii)
		v->theme = theme_adapt(theme_find(NULL), 0, false);
	if (screens[i].colours) {
		v->cells = -1;
		v->theme = theme_adapt(theme_find(NULL), screens[i].colours == MONO ? 0 : screens[i].colours,
				       !screens[i].ascii);
	}
	v->kind = with->kind;
	v->paused = with->paused;
	v->frozen_ns = v->end_ns = with->end_ns ? m->now_ns + with->end_ns * NS_PER_S : 0;
	v->corrected = with->corrected;
	v->expanded = with->expanded;
	v->loads_open = with->loads_open;
	v->load = with->load;
	if (screens[i].spike)
		spikelist_choose(v, &m->spikes[screens[i].spike - 1]);
	v->spikes = with->spikes;
	v->group = with->group;
	v->ask = with->ask;
	v->cpu = with->cpu ? with->cpu : -1;
	v->zoom = with->zoom ? with->zoom : VIEW_ZOOM_DEFAULT;
	v->help_page = with->help_page - 1;
	snprintf(v->ask_text, sizeof(v->ask_text), "%s", with->ask_text);
	snprintf(v->filter, sizeof(v->filter), "%s", with->filter);
	for (unsigned k = 0; screens[i].focus && panels[k]; k++)
		if (panels[k] == panel_by_name(screens[i].focus))
			v->focus = k;
}

/* Made once; each test is a process of its own. */
static struct model *models[FAKE_KINDS];

static void make_models(void)
{
	for (int i = 0; i < FAKE_KINDS; i++)
		models[i] = fake_model((enum fake_kind)i);
}

static void free_models(void)
{
	for (int i = 0; i < FAKE_KINDS; i++)
		model_free(models[i]);
}

static char *screen_text(unsigned i)
{
	struct model *m = models[screens[i].kind];
	struct canvas *c = canvas_new(screens[i].w, screens[i].h);
	struct layout l;
	struct view v;
	char *text;

	make_view(&v, m, i);
	layout_make(&l, screens[i].w, screens[i].h, m, &v);
	for (unsigned k = 0; k < l.n; k++) {
		struct canvas in = canvas_view(c, l.at[k].r);

		l.at[k].panel->draw(m, &v, &in);
	}
	text = screens[i].colours ? canvas_as_ansi(c) : canvas_as_text(c);
	canvas_free(c);
	return text;
}

static char *read_text(const char *path)
{
	FILE *f = fopen(path, "r");
	size_t n = f ? fseek(f, 0, SEEK_END), (size_t)ftell(f) : 0;
	char *text = calloc(1, n + 1);

	if (f) {
		rewind(f);
		ck_assert_uint_eq(fread(text, 1, n, f), n);
		fclose(f);
	}
	return text;
}

static void write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	ck_assert_int_eq(fclose(f), 0);
}

START_TEST(the_screen_is_as_it_was)
{
	const char *write = getenv("JS_GOLDEN");
	char path[128], *want, *text;

	setlocale(LC_CTYPE, "C.UTF-8");
	snprintf(path, sizeof(path), "tests/golden/%s%s", screens[_i].file,
		 screens[_i].colours ? "" : ".txt");
	text = screen_text((unsigned)_i);
	if (write && !strcmp(write, "write"))
		write_text(path, text);
	want = read_text(path);
	ck_assert_msg(!strcmp(want, text), "%s differs.  Now:\n%s", path, text);
	free(want);
	free(text);
}
END_TEST

Suite *golden_suite(void);

Suite *golden_suite(void)
{
	Suite *s = suite_create("golden");
	TCase *tc = tcase_create("screens");

	tcase_set_timeout(tc, 30);
	tcase_add_unchecked_fixture(tc, make_models, free_models);
	tcase_add_loop_test(tc, the_screen_is_as_it_was, 0, SCREENS);
	suite_add_tcase(s, tc);
	return s;
}
