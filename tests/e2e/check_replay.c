/*
 * check_replay.c - `jitterscope replay FILE` on a terminal: the same screen and
 * the same keys; a file that was cut, one of 4096 CPUs, and files whose every
 * text would drive the terminal.
 */
#include <check.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/clock.h"
#include "src/format.h"
#include "src/hist.h"
#include "src/snapshot_build.h"
#include "tests/fake_snapshot.h"
#include "tests/hostile.h"
#include "tests/loop_assert.h"
#include "tests/seat.h"
#include "ui/outgoing.h"

static struct seat seat;
static char path[200];

static void teardown(void)
{
	seat_leave(&seat);
}

/* A terminal, and the bytes as a file in its folder. */
static void sit_down(int w, int h, const char *name, const char *bytes, size_t n)
{
	seat_open(&seat, w, h);
	snprintf(path, sizeof(path), "%s/%s", seat.run.scratch, name);
	FILE *f = fopen(path, "w");

	ck_assert(f && fwrite(bytes, 1, n, f) == n && fclose(f) == 0);
}

static void replay(void)
{
	const char *env[8];

	seat_environment(&seat, env);
	pty_spawn(seat.pty, (const char *const[]){ seat.binary, "replay", path, NULL }, env);
}

static void replay_snapshot(int w, int h, const struct snapshot *s, const char *format, double part)
{
	char name[40];
	size_t n;
	char *bytes = fake_write(format_by_name(format), s, &n);

	snprintf(name, sizeof(name), "a%s", format_by_name(format)->suffix);
	sit_down(w, h, name, bytes, (size_t)((double)n * part));
	free(bytes);
	replay();
}

/* ---- keys -------------------------------------------------------------------- */
static const struct { const char *key, *shows; } keys[] = {
	{ "-", "2s a column" }, { "+", "1s a column" }, { "\033[D", "PAUSED|REPLAY -|all there is" },
	{ "\033[1~", "the oldest|all there is" }, { "\033[4~", "the end of the recording" },
	{ "n", "spike 1 of 1: 8.90ms, kworker/1:1" }, { "p", "spike 1 of 1" },
	{ "\033[4~", "the end" }, { "w", "waterfall: time runs down" }, { "w", "map" },
	{ "b", "this run is the baseline" }, { "u", "baseline" }, { "a", "figures of cpu[01] alone" },
	{ "a", "all CPUs" }, { "2", "wakeup-other" }, { "1", "wakeup-fifo" }, { "y", "what was seen" },
	{ "y", "fixed" }, { "t", "corrected" }, { "t", "as measured" }, { "c", "theme: " },
	{ " ", "a recording stands still" }, { "F", "a recording starts no loads" },
	{ "r", "acts on a measurement" }, { "/>1ms\r", "filter: >1ms" }, { "m", "acts on a measurement" },
	{ "/\r", "no filter" }, { "d5ms\r", "deadline 5.00ms" },
	{ "?", "save a snapshot set" }, { "\033", "HISTOGRAM" }, { "l", "ALL LOADS" },
	{ "\033", "HISTOGRAM" }, { "\t", "e shows it alone" }, { "s", "a recording is a file already" },
};

START_TEST(the_keys_of_the_screen_work)
{
	struct snapshot *s = fake_snapshot(1);

	replay_snapshot(120, 40, s, "json", 1);
	snapshot_free(s);
	ck_assert(pty_wait_text(seat.pty, "REPLAY", SEAT_MS));
	ck_assert(pty_wait_regex(seat.pty, "F fork +×8", SEAT_MS));
	ck_assert(pty_wait_text(seat.pty, "isolated 1", SEAT_MS));
	ck_assert(pty_wait_regex(seat.pty, "cpu0 +p99.*cpu1i +p99", SEAT_MS));
	for (unsigned i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		pty_send(seat.pty, keys[i].key);
		if (!pty_wait_regex(seat.pty, keys[i].shows, SEAT_MS))
			ck_abort_msg("key %u, %s, does not show %s:\n%s", i, keys[i].key, keys[i].shows,
				     pty_screen(seat.pty));
	}
	seat_ends_well(&seat, "q");
}
END_TEST

START_TEST(a_cut_recording_says_so_and_how_many_cpus)
{
	struct snapshot *s = fake_snapshot(2);

	replay_snapshot(120, 40, s, "recording", 0.7);
	snapshot_free(s);
	ck_assert(pty_wait_text(seat.pty, "REPLAY", SEAT_MS));
	ck_assert(pty_wait_text(seat.pty, " 2 CPUs ", SEAT_MS));
	ck_assert(pty_wait_text(seat.pty, "!note", SEAT_MS));
	ck_assert(pty_wait_text(seat.pty, "the recording was cut off", SEAT_MS));
	seat_ends_well(&seat, "q");
}
END_TEST

/* ---- many CPUs ---------------------------------------------------------------- */
/* The first three in check, all in the full suite. */
static const struct { unsigned cpus, step; int w, h; } machines[] = {
	{ 4096, 1, 120, 40 }, { 300, 13, 200, 60 }, { 1, 1, 80, 24 },
	{ 4096, 1, 80, 24 }, { 4096, 1, 200, 60 }, { 300, 13, 80, 24 }, { 300, 13, 120, 40 },
	{ 1, 1, 120, 40 }, { 1, 1, 200, 60 },
};
#define IN_CHECK 3

/* Every CPU is a little later than the one before it; the last one hurts. */
static void add_cpus(struct snapshot *s, const char *probe, unsigned cpus, unsigned step)
{
	for (unsigned i = 0; i < cpus; i++) {
		int64_t ns[8];

		for (unsigned k = 0; k < 8; k++)
			ns[k] = 4000 + 2000 * k + 10 * i + (i + 1 == cpus && k == 7 ? 6000000 : 0);
		struct snapshot_series *one = fake_series(s, probe, (int)(i * step), ns, 8);

		snprintf(one->policy, sizeof(one->policy), "SCHED_FIFO");
		one->priority = 80;
	}
}

static struct snapshot *machine_of(unsigned cpus, unsigned step)
{
	struct snapshot *s = fake_snapshot(3);

	for (unsigned i = 0; i < s->nr_series; i++)
		free(s->series[i].histogram);
	s->nr_series = 0;
	add_cpus(s, "wakeup-fifo", cpus, step);
	add_cpus(s, "wakeup-other", cpus, step);
	s->cpus_online = s->cpus_measured = cpus;
	return s;
}

#define OPEN_MS (4 * SEAT_MS)	/* 4096 CPUs under a sanitizer on a busy machine */

START_TEST(any_number_of_cpus_is_legible)
{
	int w = machines[_i].w, h = machines[_i].h;
	unsigned cpus = machines[_i].cpus, worst = (cpus - 1) * machines[_i].step;
	struct snapshot *s = machine_of(cpus, machines[_i].step);
	char text[64];

	replay_snapshot(w, h, s, "json", 1);
	snapshot_free(s);
	int64_t began_ns = clock_now_ns();

	snprintf(text, sizeof(text), " %u CPU", cpus);
	ck_assert(pty_wait_text(seat.pty, "REPLAY", OPEN_MS) && pty_wait_text(seat.pty, text, OPEN_MS));
	int64_t took_ns = clock_now_ns() - began_ns;

	if (h >= 40 && cpus > 300)
		ck_assert(pty_wait_regex(seat.pty, "worst [0-9]+ of 4096", SEAT_MS));
	snprintf(text, sizeof(text), "cpu%u +p99 +~?[0-9.]*[a-z]* +6\\.", worst);
	if (h >= 40 && !pty_wait_regex(seat.pty, text, SEAT_MS))
		ck_abort_msg("the worst CPU is not shown:\n%s", pty_screen(seat.pty));
	pty_send(seat.pty, "a");	/* the worst one */
	snprintf(text, sizeof(text), "figures of cpu%u alone", worst);
	ck_assert(pty_wait_text(seat.pty, text, SEAT_MS));
	pty_send(seat.pty, "w");
	ck_assert(pty_wait_text(seat.pty, "waterfall", SEAT_MS));
	seat_ends_well(&seat, "q");
	printf("replay of %u CPUs at %dx%d: first frame after %.2f s\n", cpus, w, h,
	       (double)took_ns / 1e9);
}
END_TEST

/* ---- hostile files -------------------------------------------------------------- */
static uint64_t state;
static unsigned spoiled;

/* Names that occur twice must stay the same name, or nothing belongs together. */
static const char *name_for(const char *from)
{
	static struct { char from[40], to[40]; } known[16];
	static unsigned n;

	for (unsigned i = 0; i < n; i++)
		if (!strcmp(known[i].from, from))
			return known[i].to;
	if (!strncmp(from, "wakeup", 6) && n < 16) {
		snprintf(known[n].from, sizeof(known[n].from), "%s", from);
		hostile_utf8(known[n].to, sizeof(known[n].to), &state);
		return known[n++].to;
	}
	return NULL;
}

static json_t *spoilt(const json_t *v);

static json_t *spoilt_text(const char *text)
{
	const char *name = name_for(text);
	char bad[200];

	if (!name && hostile_next(&state) % 4 == 0)
		return json_string(text);
	hostile_utf8(bad, sizeof(bad), &state);
	spoiled++;
	return json_string(name ? name : bad);
}

static json_t *spoilt_object(const json_t *o)
{
	json_t *out = json_object(), *v;
	const char *key;

	json_object_foreach((json_t *)o, key, v) {
		const char *name = name_for(key);

		/* Not free texts: such a file would be refused. */
		if (!strcmp(key, "format") || !strcmp(key, "created") ||
		    !strcmp(key, "cpus_isolated"))
			json_object_set(out, key, v);
		else
			json_object_set_new(out, name ? name : key, spoilt(v));
	}
	return out;
}

static json_t *spoilt(const json_t *v)
{
	if (json_is_string(v))
		return spoilt_text(json_string_value(v));
	if (json_is_object(v))
		return spoilt_object(v);
	if (!json_is_array(v))
		return json_incref((json_t *)v);
	json_t *out = json_array(), *one;
	size_t i;

	json_array_foreach((json_t *)v, i, one)
		json_array_append_new(out, spoilt(one));
	return out;
}

/* Everything the terminal got was on the list. */
static void expect_clean(const char *what)
{
	size_t n;
	const char *bytes = pty_output(seat.pty, &n);
	size_t good = outgoing_check(bytes, n);

	ck_assert_msg(good == n, "%s: byte 0x%02x went out", what,
		      (unsigned char)bytes[good < n ? good : 0]);
}

/* It is on the screen; false: it was refused. */
static bool is_shown(void)
{
	int64_t until_ns = clock_now_ns() + SEAT_MS * NS_PER_MS;
	int status;

	while (!pty_wait_text(seat.pty, "REPLAY", 100)) {
		if (pty_wait_exit(seat.pty, 0, &status))
			return false;
		ck_assert_msg(clock_now_ns() < until_ns, "neither a screen nor an end");
	}
	return true;
}

/* Looks at all panels of it. */
static bool look_round(void)
{
	static const char *const looks[] = { "n", "w", "w", "l", "\033", "a", "2", "\te", "\te", "\te", "\te",
					     "\te", "\te", "\033" };

	if (!is_shown())
		return false;
	for (unsigned i = 0; i < sizeof(looks) / sizeof(looks[0]); i++) {
		pty_send(seat.pty, looks[i]);
		pty_pump(seat.pty, 40);
	}
	seat_ends_well(&seat, "q");
	return true;
}

/* F46, P13: names of a file on a real terminal. */
START_TEST(hostile_files_drive_no_terminal)
{
	int files = getenv("JS_LONG") ? 200 : 3, opened = 0;
	size_t n;

	state = 0x1234567;
	for (int i = 0; i < files; i++) {
		struct snapshot *s = fake_snapshot((uint64_t)i + 1);
		char *bytes = fake_write(format_by_name("json"), s, &n);
		json_t *root = json_loadb(bytes, n, 0, NULL), *bad = spoilt(root);
		char *text = json_dumps(bad, JSON_COMPACT), name[80];

		/* The name of the file is hostile, too: any bytes but the slash. */
		do
			hostile_text(name, sizeof(name), &state);
		while (strchr(name, '/') || name[0] == '-' || !name[0]);
		snapshot_free(s);
		free(bytes);
		sit_down(120, 40, name, text, strlen(text));
		replay();
		opened += look_round();
		expect_clean("a hostile file");
		seat_leave(&seat);
		free(text);
		json_decref(root);
		json_decref(bad);
	}
	printf("hostile files: %u texts in %d files, %d opened, 0 bytes beyond the list\n",
	       spoiled, files, opened);
	ck_assert_int_gt(opened, files / 2);
}
END_TEST

Suite *replay_suite(void);

Suite *replay_suite(void)
{
	Suite *s = suite_create("replay");
	TCase *tc = tcase_create("files");

	tcase_set_timeout(tc, 600);
	tcase_add_checked_fixture(tc, NULL, teardown);
	tcase_add_test(tc, the_keys_of_the_screen_work);
	tcase_add_test(tc, a_cut_recording_says_so_and_how_many_cpus);
	tcase_add_loop_test(tc, any_number_of_cpus_is_legible, 0,
			    getenv("JS_LONG") ? (int)(sizeof(machines) / sizeof(machines[0])) : IN_CHECK);
	tcase_add_test(tc, hostile_files_drive_no_terminal);
	suite_add_tcase(s, tc);
	return s;
}
