/*
 * check_hostile.c - names that would drive the terminal, in every place of a
 * model and a view that holds text, drawn and sent to a terminal: what goes
 * out is on the list of what we send, and what an independent emulator shows
 * is the canvas, cell by cell.
 *
 * The cleaner at the edge is not in the way here: were it missing somewhere,
 * the canvas has to hold.  It has tests of its own below.
 */
#include <check.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/clock.h"
#include "src/text.h"
#include "tests/fake_model.h"
#include "tests/hostile.h"
#include "tests/loop_assert.h"
#include "tests/pty.h"
#include "ui/layout.h"
#include "ui/outgoing.h"
#include "ui/spikelist.h"
#include "ui/term.h"

#define W 120
#define H 40

static struct pty *pty;
static struct term *term;
static struct model *model;
static uint64_t state, names;

static void spoil(char *text, size_t size)
{
	hostile_text(text, size, &state);
	names++;
}

#define SPOIL(array) spoil((array), sizeof(array))

static void spoil_machine(struct model *m)
{
	struct sysinfo *y = &m->system;

	SPOIL(m->label);
	SPOIL(m->program);
	SPOIL(m->created);
	SPOIL(m->status);
	SPOIL(m->supervisor_why);
	SPOIL(m->tiers.blame);
	SPOIL(m->tiers.cstates);
	SPOIL(y->host);
	SPOIL(y->kernel);
	SPOIL(y->version);
	SPOIL(y->preempt);
	SPOIL(y->clocksource);
	SPOIL(y->cpu_model);
	SPOIL(y->governor);
	SPOIL(y->virtualization);
	SPOIL(y->cmdline);
	m->status_ns = m->now_ns;
	for (unsigned i = 0; i < m->nr_badges; i++) {
		SPOIL(m->badges[i].name);
		SPOIL(m->badges[i].text);
	}
}

static void spoil_probes(struct model *m)
{
	for (unsigned i = 0; i < m->nr_groups; i++) {
		SPOIL(m->groups[i].name);
		SPOIL(m->groups[i].summary);
		if (hostile_next(&state) % 4 == 0)
			SPOIL(m->groups[i].error);
	}
	for (unsigned i = 0; i < m->nr_series; i++) {
		SPOIL(m->series[i].policy);
		SPOIL(m->series[i].error);
	}
}

static void spoil_loads(struct model *m)
{
	static const enum load_state states[] = { LOAD_OFF, LOAD_STARTING, LOAD_RUN, LOAD_STOPPING,
						  LOAD_FAILED };

	for (unsigned i = 0; i < m->nr_loads; i++) {
		struct load_view *l = &m->loads[i];

		SPOIL(l->name);
		SPOIL(l->unit);
		SPOIL(l->rate_unit);
		SPOIL(l->why);
		l->state = states[hostile_next(&state) % 5];
	}
	for (unsigned i = 0; i < m->nr_runs; i++)
		SPOIL(m->runs[i].why);
}

static void spoil_spike(struct spike *s)
{
	for (unsigned k = 0; k < s->nr; k++)
		SPOIL(s->culprit[k].comm);
	SPOIL(s->loads);
	SPOIL(s->note);
}

static void spoil_blamed(struct blamed *b)
{
	SPOIL(b->loads);
	b->parts = (unsigned)(hostile_next(&state) % (BLAMED_NAMES + 1));
	for (unsigned i = 0; i < b->parts; i++) {
		SPOIL(b->part[i].comm);
		b->part[i].ns = (int64_t)(hostile_next(&state) >> 1);
	}
}

static void spoil_moments(struct model *m)
{
	for (unsigned i = 0; i < m->nr_events; i++)
		SPOIL(m->events[i].text);
	for (unsigned i = 0; i < m->nr_spikes; i++)
		spoil_spike(&m->spikes[i]);
	for (unsigned i = 0; i < MODEL_LATEST && i < m->latest_seen; i++)
		spoil_spike(&m->latest[i]);
	SPOIL(m->tiers.blame_how);
	for (unsigned i = 0; i < BLAMED_TABLES; i++)
		spoil_blamed(&m->blamed[i]);
	m->nr_blamed = BLAMED_TABLES;
}

/* Any panel alone, any dialog, or the whole. */
static void turn_view(struct view *v)
{
	unsigned n = 0;

	while (panels[n])
		n++;
	fake_view(v, model, NULL);
	v->theme = theme_adapt(theme_find(NULL), term_colours(term), term_unicode(term));
	v->focus = (unsigned)(hostile_next(&state) % n);
	v->expanded = hostile_next(&state) % 3 == 0;
	v->kind = hostile_next(&state) % 4 ? VIEW_MAP : VIEW_WATERFALL;
	v->loads_open = hostile_next(&state) % 4 == 0;
	v->spikes = (unsigned)(hostile_next(&state) % SPIKE_LISTS);
	v->load = (unsigned)(hostile_next(&state) % (model->nr_loads ? model->nr_loads : 1));
	v->group = (unsigned)(hostile_next(&state) % (model->nr_groups ? model->nr_groups : 1));
	if (model->nr_spikes)
		spikelist_choose(v, &model->spikes[hostile_next(&state) % model->nr_spikes]);
	v->spikes = (int)(hostile_next(&state) % (SPIKES_CULPRITS + 1));
	v->blame_row = (unsigned)(hostile_next(&state) % 8);
	if (hostile_next(&state) % 4 == 0) {
		v->ask = (int)(hostile_next(&state) % (ASK_PROBES + 1));
		SPOIL(v->ask_text);
		SPOIL(v->input);
	}
	if (hostile_next(&state) % 4 == 0)
		SPOIL(v->filter);
}

static void draw(struct canvas *c, const struct view *v)
{
	struct layout l;

	layout_make(&l, c->r.w, c->r.h, model, v);
	for (unsigned i = 0; i < l.n; i++) {
		struct canvas in = canvas_view(c, l.at[i].r);

		l.at[i].panel->draw(model, v, &in);
	}
	ck_assert_int_ge(term_draw(term, c, false), 0);
	while (term_flush(term) == 1)
		pty_pump(pty, 10);
	while (pty_pump(pty, 0) > 0)
		;
}

static uint64_t as_they_are, as_questions;

/* Shown as it is, or as a question mark each column; the most are to be. */
static bool shown(const struct cell *row, int x, uint32_t got)
{
	uint32_t ch = row[x].ch ? row[x].ch : row[x - 1].ch;

	if (got == row[x].ch) {
		as_they_are += ch >= 0xa0 && (ch < 0x2500 || ch >= 0x25a0);
		return true;
	}
	as_questions++;
	return got == '?' && ch >= 0x80 && term_unicode(term);
}

static void expect_clean(const struct canvas *c)
{
	size_t n, good;
	const char *bytes = pty_output(pty, &n);

	good = outgoing_check(bytes, n);
	loop_assert_msg(good == n, "byte 0x%02x went out", (unsigned char)bytes[good]);
	pty_forget(pty);
	for (int i = 0; i < c->r.w * c->r.h; i++) {
		int x = i % c->r.w, y = i / c->r.w;
		uint32_t got = pty_cell(pty, x, y).ch;

		loop_assert_msg(shown(c->cells + y * c->stride, x, got), "%d,%d: U+%04X, not U+%04X", x, y,
				got, c->cells[i].ch);
	}
}

static const char *const terminals[] = { "xterm-256color", "tmux-256color", "linux" };

static void teardown(void)
{
	term_close(term);
	pty_free(pty);
	model_free(model);
}

/* F46, P13: every field of the screen. */
START_TEST(any_text_anywhere_is_clean_cells)
{
	static const enum fake_kind kinds[] = { FAKE_STORM, FAKE_TROUBLE, FAKE_PLAIN };
	int frames = getenv("JS_LONG") ? 2000 : 40;
	struct canvas *c = canvas_new(W, H);
	struct why why;
	struct view v;

	setenv("TERM", terminals[_i], 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	unsetenv("NO_COLOR");
	setlocale(LC_CTYPE, "C.UTF-8");
	model = fake_model(kinds[_i]);
	model->nr_badges = model->nr_badges ? model->nr_badges : 3;
	pty = pty_open(W, H);
	pty_adopt(pty);
	term = term_open(&(struct term_config){ 0 }, &why);
	ck_assert(term && term_enter(term, &why) == 0);
	state = 0x9e3779b97f4a7c15u + (uint64_t)_i;
	for (int i = 0; i < frames; i++) {
		spoil_machine(model);
		spoil_probes(model);
		spoil_loads(model);
		spoil_moments(model);
		turn_view(&v);
		draw(c, &v);
		expect_clean(c);
	}
	/* What every terminal can show is shown. */
	ck_assert_uint_gt(as_they_are, 4 * as_questions);
	printf("hostile TERM=%s: %llu names in %d frames, 0 bytes beyond the list, 0 cells wrong\n",
	       terminals[_i], (unsigned long long)names, frames);
	canvas_free(c);
}
END_TEST

/* ---- the doors, where it is cleaned ------------------------------------------ */
static void expect_cleaned(const char *text)
{
	char again[512];

	text_clean(again, sizeof(again), text, strlen(text), sizeof(again));
	loop_assert_msg(!strcmp(text, again), "not clean: %s", again);
	names++;
}

START_TEST(what_a_model_keeps_is_clean)
{
	int n = getenv("JS_LONG") ? 200000 : 2000;
	char text[300];

	model = fake_model(FAKE_IDLE);
	state = 77;
	for (int i = 0; i < n; i++) {
		hostile_text(text, sizeof(text), &state);
		model_status(model, false, "cannot save: %s: no", text);
		expect_cleaned(model->status);
		model_event(model, model->now_ns, "mark", "%s", text);
		expect_cleaned(model->events[model->nr_events - 1].text);
		model_badge(model, "vm", "info", "%s", text);
		expect_cleaned(model->badges[0].text);
	}
}
END_TEST

Suite *hostile_suite(void);

Suite *hostile_suite(void)
{
	Suite *s = suite_create("hostile");
	TCase *tc = tcase_create("names");

	tcase_set_timeout(tc, 600);
	tcase_add_checked_fixture(tc, NULL, teardown);
	tcase_add_loop_test(tc, any_text_anywhere_is_clean_cells, 0, 3);
	tcase_add_test(tc, what_a_model_keeps_is_clean);
	suite_add_tcase(s, tc);
	return s;
}
