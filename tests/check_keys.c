/*
 * check_keys.c - every key that is listed acts, every key that acts is listed,
 * and a key that cannot act says why.
 */
#include "ui/journey.h"
#include "ui/keys.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/clock.h"
#include "ui/term.h"

/* The instrument as the keys see it: a model, and a list of what was asked. */
struct app {
	struct model *m;
	struct order orders[64];
	char texts[64][80];
	unsigned nr;
};

static struct app app;
static struct view view;

struct model *app_model(struct app *a)
{
	return a->m;
}

void app_do(struct app *a, const struct order *order)
{
	snprintf(a->texts[a->nr], sizeof(a->texts[0]), "%s", order->text ? order->text : "");
	a->orders[a->nr++] = *order;
	if (order->what == CMD_LOAD_START ||
	    (order->what == CMD_LOAD_TOGGLE && a->m->loads[order->arg].state == LOAD_OFF)) {
		a->m->loads[order->arg].state = LOAD_RUN;
		if (order->workers)
			a->m->loads[order->arg].workers = order->workers;
	} else if (order->what == CMD_LOAD_STOP) {
		a->m->loads[order->arg].state = LOAD_OFF;
	}
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

static uint64_t memory_bytes = 500000000;	/* that "hard" takes */

uint64_t app_load_memory(const struct app *a, unsigned load)
{
	(void)a;
	return load == 1 ? memory_bytes : 0;
}

void app_refresh(struct app *a)
{
	(void)a;
}

static const struct load mild = {
	.name = "mild", .key = 'F', .max_workers = 16, .summary = "mild"
};
static const struct load hard = {
	.name = "hard", .key = 'M', .max_workers = 4, .flags = LOAD_ASKS, .summary = "hard",
};
static const struct load rungs = {
	.name = "rungs", .key = 'D', .max_workers = 128, .flags = LOAD_LADDER, .summary = "rungs"
};
static const struct load *const some_loads[] = { &mild, &hard, &rungs };

static void make_groups(struct model *m)
{
	static const char *const names[] = { "first", "second", "third" };

	for (unsigned i = 0; i < 3; i++) {
		struct group *g = &m->groups[i];

		snprintf(g->name, sizeof(g->name), "%s", names[i]);
		g->on = i < 2;
		g->first = i ? i + 1 : 0;
		g->nr = i ? 1 : 2;
	}
	for (unsigned i = 0; i < 4; i++)
		m->series[i].cpu = i < 2 ? (int)i : -1;
	hist_record(m->series[1].total, 5000000);
}

static void setup(void)
{
	struct model_spec spec = {
		.groups = 3, .series = 4, .loads = 3, .digits = 3, .start_ns = NS_PER_S
	};

	memset(&app, 0, sizeof(app));
	app.m = model_new(&spec);
	make_groups(app.m);
	model_zero(app.m, 2 * NS_PER_S);
	app.m->now_ns = 602 * NS_PER_S;
	for (unsigned i = 0; i < 3; i++) {
		app.m->loads[i].load = some_loads[i];
		app.m->loads[i].key = some_loads[i]->key;
		app.m->loads[i].workers = 4;
		snprintf(app.m->loads[i].name, sizeof(app.m->loads[i].name), "%s",
			 some_loads[i]->name);
	}
	for (int i = 0; i < 3; i++)
		model_spike(app.m, &(struct spike){ .t_ns = (100 + 100 * i) * NS_PER_S,
						    .late_ns = (9 - i) * NS_PER_MS,
						    .cpu = i,
						    .group = 0 });
	for (int64_t t = 2 * NS_PER_S; t < 602 * NS_PER_S; t += NS_PER_S / 4) {
		history_add(app.m->groups[0].history, t, 5000);
		history_advance(app.m->groups[0].history, t);
	}
	view_init(&view);
	view.now_ns = app.m->now_ns;
	view.theme = *theme_find(NULL);
}

static void teardown(void)
{
	ladder_drop(&view);
	model_free(app.m);
}

static void press(int key)
{
	app.m->status[0] = '\0';
	app.nr = 0;
	keys_handle(&app, &view, key);
}

static void type(const char *text)
{
	for (; *text; text++)
		keys_handle(&app, &view, *text);
}

static void says(const char *part)
{
	ck_assert_msg(strstr(app.m->status, part), "status \"%s\" lacks \"%s\"", app.m->status,
		      part);
}

/* ---- the two tables ------------------------------------------------------------ */
static const struct { const char *name; int key; } named[] = {
	{ "Space", ' ' },     { "Left", UI_LEFT }, { "Right", UI_RIGHT }, { "PgUp", UI_PGUP },
	{ "PgDn", UI_PGDN },  { "Home", UI_HOME }, { "End", UI_END },	  { "Tab", UI_TAB },
	{ "S-Tab", UI_BTAB }, { "Up", UI_UP },	   { "Down", UI_DOWN },	  { "Enter", UI_ENTER },
	{ "Esc", UI_ESC },    { "F1", UI_F1 },	   { "F2", UI_F2 },	  { "F3", UI_F3 },
	{ "F5", UI_F5 },      { "F6", UI_F6 },	   { "F7", UI_F7 },	  { "F8", UI_F8 },
	{ "F10", UI_F10 },    { "^L", 12 },	   { "^C", 3 },		  { "^Z", 26 },
	{ "1..9", '1' },      { "A..Z", 'F' },
};

static int key_named(const char *name)
{
	for (unsigned i = 0; i < sizeof(named) / sizeof(named[0]); i++)
		if (!strcmp(named[i].name, name))
			return named[i].key;
	ck_assert_msg(strlen(name) == 1, "unknown key name %s", name);
	return name[0];
}

static bool acts(int key)
{
	teardown();
	setup();
	if (key == UI_ESC)
		view.help_page = 0;
	struct view before = view;

	press(key);
	if (strstr(app.m->status, "does nothing"))
		return false;
	return app.nr || app.m->status[0] || memcmp(&before, &view, sizeof(view));
}

static bool listed(int key)
{
	for (const struct key_binding *k = key_bindings; k->keys; k++) {
		char keys[64], *save, *name;

		snprintf(keys, sizeof(keys), "%s", k->keys);
		for (name = strtok_r(keys, " ", &save); name; name = strtok_r(NULL, " ", &save)) {
			if (key_named(name) == key)
				return true;
			if (!strcmp(name, "1..9") && key >= '1' && key <= '9')
				return true;
			if (!strcmp(name, "A..Z") && key >= 'A' && key <= 'Z')
				return true;
		}
	}
	return false;
}

START_TEST(every_listed_key_acts)
{
	for (const struct key_binding *k = key_bindings; k->keys; k++) {
		char keys[64], *save, *name;

		ck_assert(k->does[0] && k->section[0]);
		snprintf(keys, sizeof(keys), "%s", k->keys);
		for (name = strtok_r(keys, " ", &save); name; name = strtok_r(NULL, " ", &save))
			if (strcmp(name, "^Z"))		/* the line discipline's */
				ck_assert_msg(acts(key_named(name)), "%s does nothing", name);
	}
}
END_TEST

START_TEST(every_key_that_acts_is_listed)
{
	for (int key = 1; key < 127; key++)
		ck_assert_msg(!acts(key) || listed(key), "key %d (%c) acts but is not listed", key,
			      key);
	for (int key = UI_KEY_BASE + 1; key <= UI_F10; key++)
		ck_assert_msg(!acts(key) || listed(key), "key F%d.. acts but is not listed",
			      key - UI_KEY_BASE);
}
END_TEST

START_TEST(the_help_fits_its_columns)
{
	for (const struct key_binding *k = key_bindings; k->keys; k++) {
		ck_assert_uint_le(strlen(k->keys), 12);
		ck_assert_msg(strlen(k->does) <= 36, "%s: %zu columns", k->does, strlen(k->does));
	}
}
END_TEST

START_TEST(nothing_ever_breaks_whatever_is_typed)
{
	uint64_t r = 88172645463325252u;

	for (int i = 0; i < 20000; i++) {
		r ^= r << 13;
		r ^= r >> 7;
		r ^= r << 17;
		int key = r & 1 ? (int)(r >> 8) % 128
				: UI_KEY_BASE + 1 + (int)(r >> 8) % (UI_DELETE - UI_KEY_BASE);

		app.nr = 0;
		if (key > 0)
			keys_handle(&app, &view, key);
		ck_assert(view.focus < 100 && panels[view.focus] && panels[view.focus]->focusable);
		ck_assert(view.zoom >= 0 && view_zooms[view.zoom] && view.fps >= 1 &&
			  view.fps <= 60);
		ck_assert(view.group < app.m->nr_groups && view.load < app.m->nr_loads);
		ck_assert(view.end_ns >= 0 && view.end_ns <= app.m->now_ns);
	}
}
END_TEST

START_TEST(a_model_with_nothing_in_it_breaks_no_key)
{
	struct model_spec spec = { .digits = 3, .start_ns = NS_PER_S };

	model_free(app.m);
	app.m = model_new(&spec);
	ck_assert_ptr_nonnull(app.m);
	for (int key = 1; key < 127; key++) {
		press(key);
		view.ask = ASK_NONE;
	}
	for (int key = UI_KEY_BASE + 1; key <= UI_DELETE; key++) {
		press(key);
		view.ask = ASK_NONE;
	}
}
END_TEST

/* ---- loads ------------------------------------------------------------------------ */
START_TEST(a_letter_toggles_its_load_and_selects_it)
{
	press('D');
	ck_assert_uint_eq(app.nr, 1);
	ck_assert(app.orders[0].what == CMD_LOAD_TOGGLE && app.orders[0].arg == 2 &&
		  view.load == 2);
	press('Q');
	ck_assert_uint_eq(app.nr, 0);
	says("no load has the key Q");
}
END_TEST

START_TEST(a_load_that_can_hurt_asks_and_names_itself)
{
	press('M');
	ck_assert(app.nr == 0 && view.ask == ASK_LOAD);
	ck_assert_ptr_nonnull(strstr(view.ask_text, "hard takes 500MB of memory"));
	ck_assert_ptr_nonnull(strstr(view.ask_text, "[y/N]"));
	press('n');
	ck_assert(app.nr == 0 && view.ask == ASK_NONE);
	says("hard is not started");
	press('M');
	press(UI_ENTER);	/* the default is no */
	ck_assert(app.nr == 0 && view.ask == ASK_NONE);
	press('M');
	press('y');
	ck_assert(app.nr == 1 && app.orders[0].what == CMD_LOAD_START && app.orders[0].arg == 1);
	press('M');		/* stopping needs no question */
	ck_assert(app.nr == 1 && app.orders[0].what == CMD_LOAD_TOGGLE && view.ask == ASK_NONE);
}
END_TEST

START_TEST(brackets_halve_and_double_within_the_load_s_own_limits)
{
	press('F');
	press(']');
	ck_assert(app.nr == 1 && app.orders[0].what == CMD_LOAD_WORKERS &&
		  app.orders[0].workers == 8);
	app.m->loads[0].workers = 16;
	press(']');
	ck_assert_uint_eq(app.nr, 0);
	says("16 workers are the most");
	app.m->loads[0].workers = 9;
	press(']');
	ck_assert_uint_eq(app.orders[0].workers, 16);
	app.m->loads[0].workers = 1;
	press('[');
	ck_assert_uint_eq(app.nr, 0);
	says("1 worker is the least");
}
END_TEST

START_TEST(brackets_change_no_load_that_nobody_selected)
{
	press(']');
	ck_assert_uint_eq(app.nr, 0);
	says("mild does not run");
	view.loads_open = true;	/* there one sees which it is */
	press(']');
	ck_assert(app.nr == 1 && app.orders[0].workers == 8);
}
END_TEST

START_TEST(zero_stops_everything_without_a_question)
{
	press(_i ? 'x' : '0');
	ck_assert(app.nr == 1 && app.orders[0].what == CMD_LOADS_STOP && view.ask == ASK_NONE);
}
END_TEST

/* P6: whatever is asked, or the probes are listed. */
START_TEST(stop_all_waits_for_no_answer)
{
	press(_i < 2 ? 'J' : 'M');
	ck_assert_int_eq(view.ask, ASK_LOAD);
	press(_i % 2 ? 'x' : '0');
	ck_assert(app.nr == 1 && app.orders[0].what == CMD_LOADS_STOP);
	ck_assert(view.ask == ASK_NONE && !view.ladder.on);
	view.ask = ASK_PROBES;
	press(_i % 2 ? 'x' : '0');
	ck_assert(app.nr == 1 && app.orders[0].what == CMD_LOADS_STOP && view.ask == ASK_NONE);
	press('d');		/* a line of text: it is text */
	press('0');
	ck_assert(app.nr == 0 && view.ask == ASK_DEADLINE);
	ck_assert_str_eq(view.input, "0");
}
END_TEST

START_TEST(the_question_of_the_ladder_fits_80_columns)
{
	snprintf(app.m->loads[2].name, sizeof(app.m->loads[2].name), "%s", "churn");
	press('J');
	ck_assert_uint_le(strlen(view.ask_text), 78);
	ck_assert_ptr_nonnull(strstr(view.ask_text, "saved here"));
	ck_assert_ptr_nonnull(strstr(view.ask_text, "[y/N]"));
}
END_TEST

START_TEST(the_ladder_climbs_1_2_4_to_128_three_times_each)
{
	unsigned starts = 0, saves = 0, marks = 0;

	press('J');
	ck_assert(view.ask == ASK_LOAD && strstr(view.ask_text, "rungs"));
	press('y');
	int64_t began_ns = app.m->now_ns;

	for (int frame = 0; frame < 200 && app.nr + view.ladder.on > 0; frame++) {
		for (unsigned i = 0; i < app.nr; i++) {
			if (app.orders[i].what == CMD_LOAD_START) {
				ck_assert_uint_eq(app.orders[i].workers, 1u << starts / 3);
				starts++;
			}
			saves += app.orders[i].what == CMD_SNAPSHOT;
			marks += app.orders[i].what == CMD_MARK;
		}
		app.nr = 0;
		app.m->now_ns += 5 * NS_PER_S;
		ladder_tick(&app, &view);
	}
	ck_assert_int_ge(app.m->now_ns - began_ns, 240 * NS_PER_S);
	ck_assert_int_le(app.m->now_ns - began_ns, 250 * NS_PER_S);
	ck_assert_uint_eq(starts, 24);
	ck_assert_uint_eq(saves, 24);
	ck_assert_uint_eq(marks, 24);
	says("the ladder is done");
}
END_TEST

START_TEST(the_ladder_ends_by_its_key_and_by_stop_all)
{
	press('J');
	press('y');
	ck_assert(view.ladder.on);
	ck_assert_uint_eq(view.ladder.step, 1);
	ck_assert_uint_eq(view.ladder.steps, 24);
	ck_assert_int_gt(view.ladder.left_ns, 23 * 10 * NS_PER_S);
	press('J');
	ck_assert(!view.ladder.on && app.orders[app.nr - 1].what == CMD_LOAD_STOP);
	says("after 0 of 24 steps");
	press('J');
	press('y');
	press('0');
	ck_assert(!view.ladder.on && app.orders[0].what == CMD_LOADS_STOP);
}
END_TEST

/* The user's own loads are none of the ladder's business. */
START_TEST(the_ladder_climbs_beside_another_load)
{
	press('F');
	press('J');
	press('y');
	ck_assert(app.orders[0].what == CMD_LOAD_START && app.orders[0].arg == 2);
	app.m->loads[2].state = LOAD_FAILED;	/* it goes on with the next step */
	app.nr = 0;
	ladder_tick(&app, &view);
	ck_assert(app.orders[app.nr - 1].what == CMD_LOAD_START && view.ladder.on);
}
END_TEST

START_TEST(a_recording_starts_nothing_and_says_so)
{
	static const int keys[] = { 'F', 'M', 'J', ']' };

	app.m->replay = true;
	press(keys[_i]);
	ck_assert(app.nr == 0 && view.ask == ASK_NONE && app.m->status_bad);
	says("recording");
}
END_TEST

START_TEST(without_loads_nothing_is_asked_and_the_reason_is_told)
{
	static const int keys[] = { 'F', 'M', 'J', ']', '[' };

	snprintf(app.m->supervisor_why, sizeof(app.m->supervisor_why),
		 "loads are off; start without --no-loads");
	press(keys[_i]);
	ck_assert(app.nr == 0 && view.ask == ASK_NONE && app.m->status_bad);
	says("loads are off");
}
END_TEST

/* ---- dialogs ------------------------------------------------------------------------ */
START_TEST(a_mark_takes_any_text_and_letters_start_nothing_meanwhile)
{
	press('m');
	ck_assert_int_eq(view.ask, ASK_MARK);
	app.nr = 0;
	type("FqD hello");
	keys_handle(&app, &view, 0xe9);
	keys_handle(&app, &view, 0x1f600);
	keys_handle(&app, &view, UI_BACKSPACE);
	ck_assert_uint_eq(app.nr, 0);
	ck_assert_str_eq(view.input, "FqD hello\xc3\xa9");
	keys_handle(&app, &view, UI_ENTER);
	ck_assert(app.nr == 1 && app.orders[0].what == CMD_MARK && view.ask == ASK_NONE);
	ck_assert_str_eq(app.texts[0], "FqD hello\xc3\xa9");
}
END_TEST

START_TEST(escape_leaves_a_dialog_at_once)
{
	static const int opens[] = { 'm', '/', 'd', 'M', 'J' };

	press(opens[_i]);
	ck_assert(view.ask != ASK_NONE);
	press(UI_ESC);
	ck_assert(view.ask == ASK_NONE && app.nr == 0);
}
END_TEST

START_TEST(a_line_never_overflows)
{
	press('m');
	for (int i = 0; i < 1000; i++)
		keys_handle(&app, &view, i % 2 ? 0x4e16 : 'x');
	ck_assert_uint_lt(strlen(view.input), sizeof(view.input));
	for (int i = 0; i < 1000; i++)
		keys_handle(&app, &view, UI_BACKSPACE);
	ck_assert_str_eq(view.input, "");
}
END_TEST

static const struct { const char *text; int64_t ns; const char *says; } deadlines[] = {
	{ "5ms", 5000000, NULL }, { "256@48000", 5333333, NULL },
	{ "", 0, NULL },	  { "5", -1, "unit" },
	{ "0@48000", -1, "" },	  { "256@", -1, "" },
	{ "x@y", -1, "" },	  { "99999999999999999999@1", -1, "" },
};

START_TEST(a_deadline_is_a_time_or_a_sound_buffer)
{
	press('d');
	type(deadlines[_i].text);
	keys_handle(&app, &view, UI_ENTER);
	if (deadlines[_i].ns < 0) {
		ck_assert(app.nr == 0 && view.ask == ASK_DEADLINE && app.m->status_bad);
		says(deadlines[_i].says);
		return;
	}
	ck_assert(app.nr == 1 && app.orders[0].what == CMD_DEADLINE);
	ck_assert_int_eq(app.orders[0].value_ns, deadlines[_i].ns);
}
END_TEST

/* Nobody sees the picture or the focus move under it. */
START_TEST(the_list_of_loads_has_the_keys_while_it_is_open)
{
	const unsigned focus = view.focus;

	press('l');
	press(UI_PGDN);
	ck_assert(view.load == 2 && !view.end_ns);
	press(UI_PGUP);
	ck_assert(view.load == 0 && !view.end_ns);
	press(UI_END);
	ck_assert_uint_eq(view.load, 2);
	press(UI_HOME);
	ck_assert(view.load == 0 && !view.end_ns);
	press(UI_TAB);
	press(UI_BTAB);
	ck_assert_uint_eq(view.focus, focus);
	says("Esc closes the list");
	press(UI_ESC);
	press(UI_PGUP);
	ck_assert(view.end_ns);
}
END_TEST

/* What takes little memory hurts for another reason. */
START_TEST(a_load_of_little_memory_tells_why_it_can_hurt)
{
	memory_bytes = 8200000;
	press('M');
	ck_assert_ptr_nonnull(strstr(view.ask_text, "hard (hard) can hurt this machine"));
	memory_bytes = 500000000;
}
END_TEST

START_TEST(a_filter_for_a_cpu_that_is_not_measured_says_so)
{
	press('/');
	type("cpu:5");
	keys_handle(&app, &view, UI_ENTER);
	says("nothing is measured on that CPU");
	press('/');
	type("cpu:1");
	keys_handle(&app, &view, UI_ENTER);
	says("filter: cpu:1");
	ck_assert(!app.m->status_bad);
}
END_TEST

START_TEST(half_a_sound_buffer_is_no_deadline)
{
	press('d');
	type(_i ? "@48000" : "256@");
	keys_handle(&app, &view, UI_ENTER);
	says("write it as 256@48000");
	ck_assert_int_eq(view.ask, ASK_DEADLINE);
}
END_TEST

START_TEST(a_step_of_time_is_called_as_it_lies)
{
	press('+');
	says("a column");
	view.kind = VIEW_WATERFALL;
	press('-');
	says("a row");
}
END_TEST

START_TEST(a_wrong_filter_keeps_the_question_and_the_old_filter)
{
	press('/');
	type("cpu:1");
	keys_handle(&app, &view, UI_ENTER);
	ck_assert_str_eq(view.filter, "cpu:1");
	press('/');
	type("nonsense");
	keys_handle(&app, &view, UI_ENTER);
	ck_assert(view.ask == ASK_FILTER && app.m->status_bad);
	ck_assert_str_eq(view.filter, "cpu:1");
	keys_handle(&app, &view, UI_ESC);
	press('/');
	keys_handle(&app, &view, UI_ENTER);	/* empty: everything */
	ck_assert_str_eq(view.filter, "");
}
END_TEST

/* ---- time ------------------------------------------------------------------------------ */
START_TEST(there_and_back_again_is_live)
{
	press(UI_LEFT);
	ck_assert_int_eq(view.end_ns, app.m->now_ns - NS_PER_S);
	press(UI_PGUP);
	ck_assert_int_eq(view.end_ns, app.m->now_ns - 61 * NS_PER_S);
	press(UI_PGDN);
	press(UI_RIGHT);
	ck_assert_int_eq(view.end_ns, 0);
	press(UI_RIGHT);
	says("this is now");
	press(UI_HOME);
	ck_assert_int_eq(view.end_ns, 62 * NS_PER_S);
	press(UI_END);
	ck_assert(view.end_ns == 0 && !view.paused);
}
END_TEST

START_TEST(the_oldest_is_the_end_of_the_way_back)
{
	for (int i = 0; i < 100; i++)
		press(UI_PGUP);
	/* A whole screen of it, the oldest at the left. */
	ck_assert_int_eq(view.end_ns, 62 * NS_PER_S);
	says("oldest");
	press('-');
	ck_assert_int_eq(view.end_ns, 122 * NS_PER_S);
}
END_TEST

START_TEST(what_fits_on_the_screen_does_not_move)
{
	view.now_ns = app.m->now_ns = 40 * NS_PER_S;
	press(UI_LEFT);
	ck_assert_int_eq(view.end_ns, 0);
	says("fits on the screen");
}
END_TEST

START_TEST(a_recording_keeps_its_run_and_says_why)
{
	static const int live[] = { 'r', UI_F8, 'z', 'o', '0', 'x', 'm', 'J', ' ' };

	app.m->replay = true;
	for (unsigned i = 0; i < sizeof(live) / sizeof(live[0]); i++) {
		press(live[i]);
		ck_assert_uint_eq(app.nr, 0);
		ck_assert(!view.ask && !view.paused);
		says("recording");
	}
}
END_TEST

START_TEST(a_recording_opens_as_a_whole)
{
	view.now_ns = app.m->now_ns = 14 * NS_PER_S;
	journey_fit(app.m, &view);
	ck_assert_int_eq(view_column_ns(&view), 250 * NS_PER_MS);
	app.m->now_ns = 500 * NS_PER_S;
	journey_fit(app.m, &view);
	ck_assert_int_eq(view_column_ns(&view), 10 * NS_PER_S);
	app.m->now_ns = 500000 * NS_PER_S;
	journey_fit(app.m, &view);
	ck_assert_int_eq(view_column_ns(&view), 60 * NS_PER_S);
}
END_TEST

START_TEST(a_frozen_view_stays_where_it_was)
{
	press(' ');
	ck_assert(view.paused && view.frozen_ns == 602 * NS_PER_S);
	view.now_ns = app.m->now_ns = 700 * NS_PER_S;
	press(UI_LEFT);
	ck_assert_int_eq(view.end_ns, 601 * NS_PER_S);
	press(UI_RIGHT);
	ck_assert(view.end_ns == 0 && view.paused);
	press(' ');
	ck_assert(!view.paused && view.end_ns == 0);
}
END_TEST

START_TEST(zoom_ends_where_it_ends)
{
	for (int i = 0; i < 20; i++)
		press('+');
	ck_assert_int_eq(view_column_ns(&view), 250 * NS_PER_MS);
	says("finest");
	for (int i = 0; i < 20; i++)
		press('-');
	ck_assert_int_eq(view_column_ns(&view), 60 * NS_PER_S);
	says("coarsest");
	press('=');
	ck_assert_int_eq(view_column_ns(&view), NS_PER_S);
}
END_TEST

START_TEST(spikes_come_to_the_middle_in_the_order_of_the_list)
{
	press('n');		/* the worst one first */
	ck_assert(view.spike.cpu == 0 && view.end_ns == 130 * NS_PER_S);
	press('n');
	ck_assert(view.spike.cpu == 1 && view.end_ns == 230 * NS_PER_S);
	press('p');
	press('p');
	ck_assert_int_eq(view.spike.cpu, 2);	/* round the list */
	snprintf(view.filter, sizeof(view.filter), "cpu:1");
	press('n');
	says("of 1 (filtered)");
	ck_assert_int_eq(view.spike.cpu, 1);
	snprintf(view.filter, sizeof(view.filter), "cpu:7");
	press('n');
	says("no spike passes the filter cpu:7");
}
END_TEST

static void worse_spike(int64_t late_ns, int cpu)
{
	model_spike(app.m, &(struct spike){ .t_ns = 450 * NS_PER_S + late_ns, .late_ns = late_ns,
					    .cpu = cpu });
}

/* A worse one comes while one is looked at: that changes its place, not the choice. */
START_TEST(the_chosen_spike_stays_chosen_when_a_worse_one_comes)
{
	press('n');
	press('n');
	ck_assert_int_eq(view.spike.cpu, 1);
	worse_spike(20 * NS_PER_MS, 5);
	worse_spike(30 * NS_PER_MS, 6);
	ck_assert_int_eq(view.spike.cpu, 1);
	press('n');
	says("spike 5 of 5");
	ck_assert_int_eq(view.spike.cpu, 2);
	press('p');
	press('p');
	says("spike 3 of 5");
	ck_assert_int_eq(view.spike.cpu, 0);
}
END_TEST

/* Frozen, where nothing was chosen yet, the first press shows the worst. */
START_TEST(the_first_press_leads_to_the_worst_in_a_frozen_view_too)
{
	press(' ');
	press('n');
	says("spike 1 of 3");
	ck_assert_int_eq(view.spike.cpu, 0);
}
END_TEST

START_TEST(the_list_of_the_latest_goes_on_from_the_chosen_one)
{
	press('n');
	press('g');
	ck_assert_uint_eq(view.spikes, SPIKES_LATEST);
	worse_spike(NS_PER_MS, 7);
	press('n');		/* newest first: after the oldest comes the newest */
	says("spike 1 of 4");
	ck_assert_int_eq(view.spike.cpu, 7);
}
END_TEST

START_TEST(a_probe_that_is_off_or_absent_says_so)
{
	press('2');
	ck_assert_uint_eq(view.group, 1);
	press('3');
	ck_assert_uint_eq(view.group, 1);
	says("there is no probe 3; Tab to the probes");
	press('a');
	says("second is not measured CPU by CPU");
	press('1');
	press('a');
	ck_assert_int_eq(view.cpu, 1);	/* the worst */
	press('a');
	ck_assert_int_eq(view.cpu, -1);
}
END_TEST

/* As the probes panel numbers them: an off one has no number. */
START_TEST(digits_are_those_of_the_probes_that_are_on)
{
	app.m->groups[1].on = false;
	app.m->groups[2].on = true;
	press('2');
	ck_assert_uint_eq(view.group, 2);
	press('1');
	ck_assert_uint_eq(view.group, 0);
}
END_TEST

START_TEST(up_and_down_reach_every_probe_that_is_on)
{
	app.m->groups[2].on = true;
	press(UI_DOWN);
	press('j');
	ck_assert_uint_eq(view.group, 2);
	app.m->groups[1].on = false;
	press(UI_UP);
	ck_assert_uint_eq(view.group, 0);
	press('k');
	ck_assert_uint_eq(view.group, 2);
}
END_TEST

static unsigned number_of(const char *name)
{
	unsigned i = 0;

	while (panels[i] != panel_by_name(name))
		i++;
	return i;
}

START_TEST(the_list_of_spikes_opens_where_it_is_not_on_the_screen)
{
	view.shown = UINT64_C(1) << number_of("map");
	view.loads_open = true;
	press('g');
	ck_assert(view.expanded && !view.loads_open && view.spikes == SPIKES_WORST);
	ck_assert_uint_eq(view.focus, number_of("spikes"));
	says("the worst spikes");
	press('g');		/* from then on the next list */
	ck_assert(view.expanded && view.spikes == SPIKES_LATEST);
	press('e');
	ck_assert(!view.expanded);
}
END_TEST

/* What its title promises acts after the key that it names. */
START_TEST(the_key_of_the_spikes_gives_them_the_keys)
{
	ck_assert_uint_ne(view.focus, number_of("spikes"));
	press('g');
	ck_assert(view.spikes == SPIKES_LATEST && view.focus == number_of("spikes"));
	ck_assert(!view.expanded);
	press('g');
	press('g');
	ck_assert_uint_eq(view.spikes, SPIKES_WORST);
	press(UI_DOWN);
	ck_assert_uint_eq(view.group, 0);	/* no other probe */
	press(UI_ENTER);
	says("spike ");
	ck_assert(!view.expanded && view.end_ns);
}
END_TEST

START_TEST(a_spike_chosen_in_its_list_alone_is_seen_in_the_map)
{
	view.shown = UINT64_C(1) << number_of("map");
	press('g');
	ck_assert(view.expanded);
	snprintf(view.filter, sizeof(view.filter), "cpu:7");
	press(UI_ENTER);
	says("no spike passes");
	ck_assert(view.expanded);	/* there is nothing to see elsewhere */
	view.filter[0] = '\0';
	press(UI_ENTER);
	says("spike 1 of ");
	ck_assert(!view.expanded && view.end_ns);
}
END_TEST

START_TEST(a_panel_that_is_not_seen_takes_no_keys)
{
	view.shown = UINT64_C(1) << number_of("map");
	while (view.focus != number_of("cpus"))
		press(UI_TAB);
	says("not on this screen; e shows it alone");
	press(UI_DOWN);
	ck_assert(view.cpu == -1 && view.group == 1);	/* the next probe, as elsewhere */
	press('e');
	press(UI_DOWN);
	says("not measured CPU by CPU");
}
END_TEST

static const struct { bool ascii, unicode; const char *theme, *says; } cells[] = {
	{ true, false, NULL, "ASCII cells only: --ascii" },
	{ false, false, NULL, "ASCII cells only: this terminal has no UTF-8" },
	{ false, true, "mono", "ASCII cells only: this theme has no colours" },
	{ false, true, NULL, "cells: full" },
};

START_TEST(why_there_are_only_ascii_cells)
{
	view.ascii = cells[_i].ascii;
	view.theme_name = cells[_i].theme;
	view.theme = theme_adapt(theme_find(cells[_i].theme), 256, cells[_i].unicode);
	press('v');
	says(cells[_i].says);
	view.theme = theme_adapt(theme_find(NULL), 0, true);
	view.ascii = false;
	view.theme_name = NULL;
	press('v');
	says("this terminal has no colours");
}
END_TEST

START_TEST(a_key_without_a_meaning_says_so)
{
	static const int keys[] = { UI_F4, UI_F9, 'i', '#' };

	press(keys[_i]);
	says("that key does nothing");
}
END_TEST

static const struct { int from, key, to; } rates[] = {
	{ 4, '.', 8 }, { 4, ',', 2 }, { 30, '.', 60 }, { 60, ',', 30 }, { 60, '.', 60 },
	{ 1, ',', 1 }, { 20, '.', 30 }, { 20, ',', 15 }, { 45, ',', 30 },
};

START_TEST(frames_go_as_far_as_the_option_in_steps)
{
	view.fps = rates[_i].from;
	press(rates[_i].key);
	ck_assert_int_eq(view.fps, rates[_i].to);
	if (view.fps == 60 && rates[_i].from == 60)
		says("60 frames a second are the most");
	if (rates[_i].from == 1)
		says("1 frame a second is the least");
}
END_TEST

START_TEST(the_front_end_is_asked_to_save_and_to_repaint)
{
	press('s');
	ck_assert(view.save && !view.repaint);
	press(12);
	ck_assert(view.repaint);
	press('q');
	ck_assert(app.nr == 1 && app.orders[0].what == CMD_QUIT);
}
END_TEST

START_TEST(focus_goes_round_all_panels_that_take_it)
{
	unsigned first = view.focus, seen = 0;

	do {
		press(UI_TAB);
		ck_assert(panels[view.focus]->focusable);
		ck_assert_str_ne(panels[view.focus]->name, "waterfall");
		seen++;
	} while (view.focus != first && seen < 50);
	ck_assert(seen > 5 && seen < 50);
	press(UI_TAB);
	press(UI_BTAB);
	ck_assert_uint_eq(view.focus, first);
}
END_TEST

static void add_tables(Suite *s)
{
	TCase *tc = tcase_create("tables");

	tcase_set_timeout(tc, 120);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, every_listed_key_acts);
	tcase_add_test(tc, every_key_that_acts_is_listed);
	tcase_add_test(tc, the_help_fits_its_columns);
	tcase_add_test(tc, nothing_ever_breaks_whatever_is_typed);
	tcase_add_test(tc, a_model_with_nothing_in_it_breaks_no_key);
	suite_add_tcase(s, tc);
}

static void add_loads(Suite *s)
{
	TCase *tc = tcase_create("loads");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, a_letter_toggles_its_load_and_selects_it);
	tcase_add_test(tc, a_load_that_can_hurt_asks_and_names_itself);
	tcase_add_test(tc, brackets_halve_and_double_within_the_load_s_own_limits);
	tcase_add_test(tc, brackets_change_no_load_that_nobody_selected);
	tcase_add_loop_test(tc, zero_stops_everything_without_a_question, 0, 2);
	tcase_add_loop_test(tc, stop_all_waits_for_no_answer, 0, 4);
	tcase_add_test(tc, the_question_of_the_ladder_fits_80_columns);
	tcase_add_test(tc, the_ladder_climbs_1_2_4_to_128_three_times_each);
	tcase_add_test(tc, the_ladder_ends_by_its_key_and_by_stop_all);
	tcase_add_test(tc, the_ladder_climbs_beside_another_load);
	tcase_add_loop_test(tc, without_loads_nothing_is_asked_and_the_reason_is_told, 0, 5);
	tcase_add_loop_test(tc, a_recording_starts_nothing_and_says_so, 0, 4);
	suite_add_tcase(s, tc);
}

static void add_dialogs(Suite *s)
{
	TCase *tc = tcase_create("dialogs");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, a_mark_takes_any_text_and_letters_start_nothing_meanwhile);
	tcase_add_loop_test(tc, escape_leaves_a_dialog_at_once, 0, 5);
	tcase_add_test(tc, a_line_never_overflows);
	tcase_add_loop_test(tc, a_deadline_is_a_time_or_a_sound_buffer, 0,
			    sizeof(deadlines) / sizeof(deadlines[0]));
	tcase_add_test(tc, the_list_of_loads_has_the_keys_while_it_is_open);
	tcase_add_test(tc, a_load_of_little_memory_tells_why_it_can_hurt);
	tcase_add_test(tc, a_filter_for_a_cpu_that_is_not_measured_says_so);
	tcase_add_loop_test(tc, half_a_sound_buffer_is_no_deadline, 0, 2);
	tcase_add_test(tc, a_step_of_time_is_called_as_it_lies);
	tcase_add_test(tc, a_wrong_filter_keeps_the_question_and_the_old_filter);
	suite_add_tcase(s, tc);
}

static void add_view(Suite *s)
{
	TCase *tc = tcase_create("view");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, there_and_back_again_is_live);
	tcase_add_test(tc, the_oldest_is_the_end_of_the_way_back);
	tcase_add_test(tc, what_fits_on_the_screen_does_not_move);
	tcase_add_test(tc, a_recording_keeps_its_run_and_says_why);
	tcase_add_test(tc, a_recording_opens_as_a_whole);
	tcase_add_test(tc, a_frozen_view_stays_where_it_was);
	tcase_add_test(tc, zoom_ends_where_it_ends);
	tcase_add_test(tc, spikes_come_to_the_middle_in_the_order_of_the_list);
	tcase_add_test(tc, the_chosen_spike_stays_chosen_when_a_worse_one_comes);
	tcase_add_test(tc, the_first_press_leads_to_the_worst_in_a_frozen_view_too);
	tcase_add_test(tc, the_list_of_the_latest_goes_on_from_the_chosen_one);
	tcase_add_test(tc, a_probe_that_is_off_or_absent_says_so);
	tcase_add_test(tc, digits_are_those_of_the_probes_that_are_on);
	tcase_add_test(tc, up_and_down_reach_every_probe_that_is_on);
	tcase_add_test(tc, the_list_of_spikes_opens_where_it_is_not_on_the_screen);
	tcase_add_test(tc, the_key_of_the_spikes_gives_them_the_keys);
	tcase_add_test(tc, a_spike_chosen_in_its_list_alone_is_seen_in_the_map);
	tcase_add_test(tc, a_panel_that_is_not_seen_takes_no_keys);
	tcase_add_loop_test(tc, why_there_are_only_ascii_cells, 0,
			    sizeof(cells) / sizeof(cells[0]));
	tcase_add_loop_test(tc, a_key_without_a_meaning_says_so, 0, 4);
	tcase_add_loop_test(tc, frames_go_as_far_as_the_option_in_steps, 0,
			    sizeof(rates) / sizeof(rates[0]));
	tcase_add_test(tc, the_front_end_is_asked_to_save_and_to_repaint);
	tcase_add_test(tc, focus_goes_round_all_panels_that_take_it);
	suite_add_tcase(s, tc);
}

Suite *keys_suite(void);

Suite *keys_suite(void)
{
	Suite *s = suite_create("keys");

	add_tables(s);
	add_loads(s);
	add_dialogs(s);
	add_view(s);
	return s;
}
