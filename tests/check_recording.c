/* check_recording.c - a run written down as it goes on: exact at an orderly
 * end, good to the last second after any other. */
#include "src/recording.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/clock.h"
#include "src/format.h"
#include "src/hdr_codec.h"
#include "src/snapshot.h"
#include "tests/fake_run.h"
#include "tests/fake_snapshot.h"

extern const struct format format_recording;

static char dir[64];

static void enter(void)
{
	snprintf(dir, sizeof(dir), "/tmp/jitterscope-recording.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	ck_assert_int_eq(chdir(dir), 0);
}

static void leave(void)
{
	char command[100];

	ck_assert_int_eq(chdir("/"), 0);
	snprintf(command, sizeof(command), "rm -r %s", dir);
	ck_assert_int_eq(system(command), 0);
}

static char *argv_of[] = { "jitterscope", "record", NULL };

static void tick(struct recording *r, const struct model *m)
{
	struct why why = { 0 };

	ck_assert_msg(recording_tick(r, m, &why) == 0, "%s", why.text);
}

/* Runs for so many seconds with a tick each 250 ms. */
static struct recording *recorded(struct model *m, int seconds)
{
	struct why why = { 0 };
	struct recording *r = recording_open("x.jsr", m, argv_of, &why);

	ck_assert_msg(r != NULL, "%s", why.text);
	for (int64_t t = 0; t <= seconds * NS_PER_S; t += 250 * NS_PER_MS) {
		fake_run_until(m, t);
		tick(r, m);
	}
	return r;
}

static struct snapshot *reread(const char *path)
{
	struct why why = { 0 };
	struct snapshot *s = snapshot_read(path, &why);

	ck_assert_msg(s != NULL, "%s", why.text);
	return s;
}

static char *whole_file(size_t *n)
{
	FILE *in = fopen("x.jsr", "r");
	char *bytes = malloc((1 << 20) + 1);

	*n = fread(bytes, 1, 1 << 20, in);
	bytes[*n] = '\0';
	fclose(in);
	return bytes;
}

/* Is the line of this second there, and whole? */
static bool is_written(int second)
{
	char begin[32];
	size_t n;
	char *bytes = whole_file(&n), *line;

	snprintf(begin, sizeof(begin), "\n{\"t\":%d,", second);
	line = strstr(bytes, begin);
	bool whole = line && strchr(line + 1, '\n');

	free(bytes);
	return whole;
}

/* The thread that empties the pipe comes when it may. */
static void await_second(int second)
{
	for (int i = 0; i < 20000 && !is_written(second); i++)
		usleep(1000);
	ck_assert_msg(is_written(second), "second %d is not written", second);
}

/* Runs to the end of this second: once its line is there, so is all before it. */
static void write_to_second(struct recording *r, struct model *m, int second)
{
	fake_run_until(m, (second + 1) * NS_PER_S);
	tick(r, m);
	await_second(second);
}

static uint64_t cells_of(const struct snapshot *s, const char *group)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < s->nr_rows; i++)
		for (unsigned k = 0; !strcmp(s->group_name[s->rows[i].group], group) && k < s->rows[i].cells; k++)
			n += s->rows[i].cell[k].count;
	return n;
}

START_TEST(an_orderly_end_keeps_every_series_exactly)
{
	struct model *m = fake_run_new();
	struct recording *r = recorded(m, 130);
	struct why why = { 0 };

	model_event(m, m->now_ns, "mark", "the end");
	struct snapshot *a = snapshot_take(m, argv_of, &why);

	ck_assert_msg(recording_close(r, m, 10000, &why) == 0, "%s", why.text);
	struct snapshot *b = reread("x.jsr");

	fake_same_series(a, b);
	ck_assert_str_eq(b->source, "recording");
	ck_assert_double_eq_tol(b->duration_s, 130, 1e-6);
	ck_assert_uint_eq(cells_of(b, "wakeup-fifo"), 130 * 200);
	ck_assert_uint_eq(cells_of(b, "wakeup-other"), 130 * 200);
	ck_assert_str_eq(b->events[b->nr_events - 1].text, "the end");
	ck_assert_str_eq(b->command[1], "record");
	struct stat st;

	ck_assert_int_eq(stat("x.jsr", &st), 0);
	ck_assert_int_eq(st.st_mode & 07777, 0600);
	snapshot_free(a);
	snapshot_free(b);
	model_free(m);
}
END_TEST

/* The promise of the format: kill -9 costs at most the second under way. */
START_TEST(kill_costs_at_most_the_last_second)
{
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (!pid) {
		struct model *m = fake_run_new();

		recorded(m, 75);
		await_second(74);
		kill(getpid(), SIGKILL);
	}
	int status;

	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFSIGNALED(status));
	struct snapshot *s = reread("x.jsr");

	ck_assert_uint_eq(s->nr_series, 2);
	ck_assert_double_ge(s->duration_s, 74);
	ck_assert_uint_ge(s->series[0].counts.count, 74 * 200);
	ck_assert_uint_eq(cells_of(s, "wakeup-fifo"), 75 * 200);
	ck_assert_str_eq(s->series[0].policy, "SCHED_FIFO");
	ck_assert_int_eq(s->series[0].phase_ns, -1);	/* of CPUs that are summed */
	ck_assert_ptr_nonnull(strstr(s->note, "cut off"));
	snapshot_free(s);
}
END_TEST

/* A file cut at any byte is readable up to its last whole line, or says that
 * nothing is there. */
/* Quick: at every byte of the last lines, and here and there before. */
START_TEST(a_file_cut_anywhere_is_readable)
{
	size_t last = getenv("JS_LONG") ? SIZE_MAX : 700;
	struct model *m = fake_run_new();
	struct recording *r = recorded(m, 70);
	struct why why = { 0 };
	size_t n;

	ck_assert_int_eq(recording_close(r, m, 10000, &why), 0);
	char *bytes = whole_file(&n);
	size_t head = (size_t)((char *)memchr(bytes, '\n', n) - bytes) + 1;
	double before = 0;

	for (size_t cut = head; cut <= n; cut += n - cut > last ? 197 : 1) {
		struct snapshot *s = fake_read(&format_recording, bytes, cut, &why);

		ck_assert_msg(s != NULL, "cut at %zu of %zu: %s", cut, n, why.text);
		ck_assert_msg(snapshot_check(s, &why) == 0, "cut at %zu: %s", cut, why.text);
		ck_assert_double_ge(s->duration_s, before - 1e-9);
		before = s->duration_s;
		snapshot_free(s);
	}
	for (size_t cut = 0; cut < head; cut += 13)
		ck_assert_ptr_null(fake_read(&format_recording, bytes, cut, &why));
	free(bytes);
	model_free(m);
}
END_TEST

/* ---- what a file that was cut says adds up ------------------------------------ */

static uint64_t random_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* A run of so many seconds with a tick each quarter or so, never on the whole
 * second: the phase of the first is by chance.  Stalls of some seconds are told
 * when they end, periods are missed. */
static char *recorded_by_chance(uint64_t seed, int seconds, size_t *n)
{
	uint64_t state = seed * 0x9e3779b97f4a7c15u | 1;
	struct model *m = fake_run_new();
	struct why why = { 0 };
	struct recording *r = recording_open("x.jsr", m, argv_of, &why);
	int64_t t = (int64_t)(random_next(&state) % 25) * 10 * NS_PER_MS, late;

	ck_assert_msg(r != NULL, "%s", why.text);
	for (; t <= seconds * NS_PER_S; t += 250 * NS_PER_MS + (int64_t)(random_next(&state) % 3) * 10 * NS_PER_MS) {
		fake_run_until(m, t);
		if (t > 4 * NS_PER_S && random_next(&state) % 4 == 0) {
			late = (int64_t)(random_next(&state) % 3000) * NS_PER_MS;
			fake_run_sample(m, (unsigned)(random_next(&state) % 4), t - late, late + 5000);
			history_lost(m->groups[0].history, FAKE_ZERO_NS + t - late / 2, 3, 1);
			m->series[0].counts.due += 4;
			m->series[0].counts.missed += 3;
			m->series[0].counts.interrupted += 1;
		}
		tick(r, m);
	}
	fake_run_until(m, t + 10 * NS_PER_MS);
	ck_assert_int_eq(recording_close(r, m, 10000, &why), 0);
	model_free(m);
	char *bytes = whole_file(n);

	ck_assert_int_eq(unlink("x.jsr"), 0);
	char *end = strstr(bytes, "\n{\"series\"");

	if (end)
		*n = (size_t)(end + 1 - bytes);
	return bytes;
}

static void same_as_rows(const struct snapshot *s, const struct snapshot_series *one, const char *where)
{
	uint64_t count = 0, missed = 0, interrupted = 0;
	int64_t max_ns = 0;

	for (unsigned i = 0; i < s->nr_rows; i++) {
		const struct snapshot_row *row = &s->rows[i];

		if (strcmp(s->group_name[row->group], one->probe))
			continue;
		for (unsigned k = 0; k < row->cells; k++)
			count += row->cell[k].count;
		missed += row->missed;
		interrupted += row->interrupted;
		max_ns = row->max_ns > max_ns ? row->max_ns : max_ns;
	}
	ck_assert_msg(one->counts.count == count, "%s: %s has %llu samples, its rows %llu", where, one->probe,
		      (unsigned long long)one->counts.count, (unsigned long long)count);
	ck_assert_uint_eq(one->counts.missed, missed);
	ck_assert_uint_eq(one->counts.interrupted, interrupted);
	ck_assert_uint_eq(one->counts.due, count + missed + interrupted);
	ck_assert_int_eq(one->max_ns, max_ns);
}

/* The slot of the row that the percentile lies in is the series' too. */
static void percentile_of_rows(const struct snapshot *s, const struct snapshot_series *one, double percent)
{
	uint64_t slots[SLOTS] = { 0 }, rank, seen = 0;
	struct hist *h = snapshot_series_hist(one);
	unsigned slot = 0;

	for (unsigned i = 0; i < s->nr_rows; i++)
		for (unsigned k = 0; !strcmp(s->group_name[s->rows[i].group], one->probe) && k < s->rows[i].cells; k++)
			slots[s->rows[i].cell[k].slot] += s->rows[i].cell[k].count;
	rank = (uint64_t)ceil((double)h->count * percent / 100 - 1e-9);
	rank = rank ? rank : 1;
	while (slot + 1 < SLOTS && (seen += slots[slot]) < rank)
		slot++;
	/* An exact value may be shown a thousandth higher, in the next slot. */
	int64_t value = hist_percentile(h, percent);

	ck_assert_msg(value <= slot_highest_ns(slot) + slot_highest_ns(slot) / 500 &&
		      (!slot || value > slot_highest_ns(slot - 1)),
		      "p%g is %lld ns, the rows say at most %lld", percent, (long long)value,
		      (long long)slot_highest_ns(slot));
	hist_free(h);
}

static void adds_up(const char *bytes, size_t cut, bool percentiles)
{
	struct why why = { 0 };
	struct snapshot *s = fake_read(&format_recording, bytes, cut, &why);
	char where[32];

	snprintf(where, sizeof(where), "cut at %zu", cut);
	ck_assert_msg(s != NULL && snapshot_check(s, &why) == 0, "%s: %s", where, why.text);
	for (unsigned i = 0; i < s->nr_series; i++) {
		same_as_rows(s, &s->series[i], where);
		for (double p = 50; percentiles && p < 100; p += (100 - p) / 2 + 0.01)
			percentile_of_rows(s, &s->series[i], p);
	}
	snapshot_free(s);
}

/* Cut within a line says what the cut before it says. */
static void cut_at_each_line(uint64_t seed, int seconds, unsigned each)
{
	size_t n, cut = 0;
	char *bytes = recorded_by_chance(seed, seconds, &n);
	const char *line, *exact;

	for (unsigned i = 0; (line = memchr(bytes + cut, '\n', n - cut)) != NULL; i++) {
		cut = (size_t)(line + 1 - bytes);
		exact = cut < n && !strncmp(line + 1, "{\"exact\"", 8) ? line : NULL;
		if (i % each == 0 || exact || n - cut < 2000)
			adds_up(bytes, cut, i % 8 == 0);
	}
	free(bytes);
}

/* Quick: few runs, and not at each line. */
START_TEST(a_file_cut_anywhere_adds_up)
{
	bool all = getenv("JS_LONG") != NULL;

	for (uint64_t seed = 1; seed <= (all ? 40 : 3); seed++)
		cut_at_each_line(seed, 64 + (int)(seed % 3), all ? 1 : 7);
}
END_TEST

START_TEST(a_file_cut_at_any_byte_adds_up)
{
	bool all = getenv("JS_LONG") != NULL;
	size_t n;
	char *bytes = recorded_by_chance(99, 63, &n);
	size_t cut = (size_t)(strstr(bytes, "\n{\"exact\"") - bytes);

	for (; cut <= n; cut += all ? 1 : 509)
		adds_up(bytes, cut, false);
	free(bytes);
}
END_TEST

/* The second under way at the exact line is not told before it in files of
 * earlier programs: what is in both is not counted twice. */
START_TEST(an_old_file_counts_no_sample_twice)
{
	static const char head[] = "{\"format\": \"jitterscope-recording\", \"version\": 1}\n"
		"{\"t\":0,\"s\":{\"a\":[[98,7]]}}\n";
	static const char tail[] = "{\"t\":1,\"s\":{\"a\":[[98,5]]}}\n{\"t\":2,\"s\":{\"a\":[[98,4]]}}\n"
		"{\"t\":0,\"s\":{\"a\":[[98,8]]}}\n";
	struct hist *h = hist_new(3);
	char text[4096];
	struct why why = { 0 };

	hist_record_n(h, slot_highest_ns(98), 10);
	char *exact = hdr_encode(h);

	snprintf(text, sizeof(text), "%s{\"exact\": 1.6, \"s\": {\"a\": {\"hist\": \"%s\", \"max_ns\": %lld, "
		 "\"mean_ns\": %lld}}}\n%s", head, exact, (long long)slot_highest_ns(98),
		 (long long)slot_highest_ns(98), tail);
	struct snapshot *s = fake_read(&format_recording, text, strlen(text), &why);

	ck_assert_msg(s != NULL, "%s", why.text);
	ck_assert_uint_eq(s->nr_series, 1);
	/* 7 + 3 of the second under way, one that came late, 4 of the last second */
	ck_assert_uint_eq(s->series[0].counts.count, 10 + 1 + 4);
	snapshot_free(s);
	free(exact);
	hist_free(h);
}
END_TEST

/* The second under way is written at the end, as long as it was. */
START_TEST(a_file_cut_in_its_end_is_no_longer_than_the_run)
{
	struct model *m = fake_run_new();
	struct recording *r = recorded(m, 10);
	struct why why = { 0 };
	size_t n;

	m->loads[0].runs = 1;
	snprintf(m->loads[0].name, sizeof(m->loads[0].name), "churn");
	for (int64_t t = 10 * NS_PER_S; t < 10600 * NS_PER_MS; t += 250 * NS_PER_MS)
		load_history_add(m->load_history[0], FAKE_ZERO_NS + t, 3, true);
	fake_run_until(m, 10600 * NS_PER_MS);
	tick(r, m);
	ck_assert_int_eq(recording_close(r, m, 10000, &why), 0);
	char *bytes = whole_file(&n);

	for (size_t cut = n; cut > n - 700; cut--) {
		struct snapshot *s = fake_read(&format_recording, bytes, cut, &why);

		ck_assert_double_eq_tol(s->duration_s, 10.6, 1e-6);
		ck_assert_double_eq_tol(s->rows[s->nr_rows - 1].len_s, 0.6, 1e-6);
		ck_assert_double_eq(s->row_s, 1);
		ck_assert_uint_eq(cells_of(s, "wakeup-fifo"), 10600 / 5);
		ck_assert_double_eq_tol(s->load_rows[s->nr_load_rows - 1].rate, 12, 1e-6);
		snapshot_free(s);
	}
	free(bytes);
	model_free(m);
}
END_TEST

/* A stall ends after its second was written: that second is written again. */
START_TEST(late_samples_correct_their_second)
{
	struct model *m = fake_run_new();
	struct recording *r = recorded(m, 10);
	struct why why = { 0 };

	fake_run_sample(m, 0, 8500 * NS_PER_MS, 1700 * NS_PER_MS);
	for (int64_t t = 10250 * NS_PER_MS; t <= 12 * NS_PER_S; t += 250 * NS_PER_MS) {
		fake_run_until(m, t);
		tick(r, m);
	}
	ck_assert_int_eq(recording_close(r, m, 10000, &why), 0);
	struct snapshot *s = reread("x.jsr");

	ck_assert_uint_eq(cells_of(s, "wakeup-fifo"), 12 * 200 + 1);
	for (unsigned i = 0; i < s->nr_rows; i++)
		if (s->rows[i].t_s == 8 && !s->rows[i].group)
			ck_assert_int_eq(s->rows[i].max_ns, 1700 * NS_PER_MS);
	snapshot_free(s);
	model_free(m);
}
END_TEST

/* A head, ten seconds of which the last comes first, and so many lines that tell
 * of second 3, each with one sample more.  CPU time of reading it. */
static int64_t read_retold(unsigned times)
{
	FILE *f = fopen("retold.jsr", "w");
	struct timespec began, ended;

	ck_assert_ptr_nonnull(f);
	fputs("{\"format\": \"jitterscope-recording\", \"version\": 1}\n"
	      "{\"t\":9,\"s\":{\"wakeup-fifo\":[[98,7]]}}\n", f);
	for (unsigned i = 1; i <= times; i++)
		fprintf(f, "{\"t\":3,\"s\":{\"wakeup-fifo\":[[98,%u]]},\"l\":{\"churn\":%u}}\n", i, i);
	fclose(f);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &began);
	struct snapshot *s = reread("retold.jsr");

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ended);
	ck_assert_uint_eq(s->nr_rows, 2);
	ck_assert_uint_eq(cells_of(s, "wakeup-fifo"), 7 + times);
	ck_assert_uint_eq(s->nr_load_rows, 1);
	ck_assert_double_eq(s->load_rows[0].rate, times);
	snapshot_free(s);
	return (ended.tv_sec - began.tv_sec) * NS_PER_S + ended.tv_nsec - began.tv_nsec;
}

static int64_t least_retold(unsigned times)
{
	int64_t least_ns = INT64_MAX;

	for (int i = 0; i < 3; i++) {
		int64_t ns = read_retold(times);

		least_ns = ns < least_ns ? ns : least_ns;
	}
	return least_ns;
}

/* Of lines that tell of the same second the last holds; eight times as many
 * take eight times as long, not sixty-four.  Who shares the caches makes one
 * or the other dear, not each time. */
START_TEST(a_second_told_of_again_and_again_is_read_once)
{
	read_retold(1);
	read_retold(2);
	int64_t few_ns = least_retold(5000), many_ns = least_retold(40000);

	ck_assert_msg(many_ns < 24 * few_ns, "%.1f times as long", (double)many_ns / (double)few_ns);
}
END_TEST

START_TEST(loads_events_and_spikes_are_there_after_a_cut)
{
	struct model *m = fake_run_new();
	struct why why = { 0 };
	struct recording *r = recorded(m, 3);

	snprintf(m->loads[0].name, sizeof(m->loads[0].name), "churn");
	m->loads[0].runs = 1;
	m->runs[0] = (struct load_run){ .workers = 4, .start_ns = FAKE_ZERO_NS + 3 * NS_PER_S };
	m->nr_runs = 1;
	model_event(m, m->now_ns, "load-start", "churn 4");
	struct spike k = { .t_ns = m->now_ns, .late_ns = 5000000, .cpu = 1 };
	struct spike worse = { .t_ns = m->now_ns + NS_PER_S, .late_ns = 7000000 };

	model_spike(m, &k);
	model_spike(m, &worse);
	for (int64_t t = 3; t <= 6; t++) {
		load_history_add(m->load_history[0], FAKE_ZERO_NS + t * NS_PER_S, 10, true);
		fake_run_until(m, t * NS_PER_S);
		tick(r, m);
	}
	m->runs[0].stop_ns = m->now_ns;
	snprintf(m->runs[0].end, sizeof(m->runs[0].end), "stopped");
	fake_run_until(m, 8 * NS_PER_S);
	tick(r, m);
	write_to_second(r, m, 8);
	struct snapshot *s = reread("x.jsr");

	ck_assert_uint_eq(s->nr_loads, 1);
	ck_assert_str_eq(s->loads[0].end, "stopped");
	ck_assert_double_eq_tol(s->loads[0].stop_s, 6, 0.3);
	ck_assert_uint_eq(s->nr_events, 1);
	ck_assert_uint_eq(s->nr_spikes, 2);
	ck_assert_int_eq(s->spikes[0].late_ns, 7000000);	/* the worst first */
	ck_assert_uint_ge(s->nr_load_rows, 3);
	ck_assert_double_eq_tol(s->load_rows[0].rate, 10, 1e-6);
	snapshot_free(s);
	ck_assert_int_eq(recording_close(r, m, 10000, &why), 0);
	model_free(m);
}
END_TEST

/* Told by chance, up to five seconds late; each has the number that it was told
 * with.  The file holds each once, and is in order of time. */
START_TEST(each_event_is_there_once_and_in_order)
{
	struct model *m = fake_run_new();
	uint64_t state = 77 + (uint64_t)_i, told = 0;
	struct why why = { 0 };
	struct recording *r = recorded(m, 1);
	bool seen[4096] = { false };
	size_t n;

	for (int64_t t = 1250; t < 40000; t += 250) {
		for (uint64_t k = random_next(&state) % (_i == 2 ? 100 : 4); k && told < 4096; k--) {
			int64_t late_ms = (int64_t)(random_next(&state) % 5000);

			model_event(m, m->now_ns - late_ms * NS_PER_MS, "mark", "%u", (unsigned)told++);
		}
		fake_run_until(m, t * NS_PER_MS);
		tick(r, m);
	}
	ck_assert_int_eq(recording_close(r, m, 10000, &why), 0);
	char *bytes = whole_file(&n), *end = strstr(bytes, "\n{\"series\"");
	struct snapshot *s = fake_read(&format_recording, bytes, (size_t)(end + 1 - bytes), &why);

	ck_assert_msg(s != NULL, "%s", why.text);
	ck_assert_uint_eq(s->nr_events, told);
	for (unsigned i = 0; i < s->nr_events; i++) {
		unsigned long nth = strtoul(s->events[i].text, NULL, 10);

		ck_assert_uint_lt(nth, told);
		ck_assert_msg(!seen[nth], "event %lu twice", nth);
		seen[nth] = true;
		ck_assert(!i || s->events[i - 1].t_s <= s->events[i].t_s);
	}
	snapshot_free(s);
	free(bytes);
	model_free(m);
}
END_TEST

/* However many lines: the worst and the latest of them. */
START_TEST(of_very_many_spikes_the_worst_and_the_latest_are_kept)
{
	enum { N = 5 * MODEL_LATEST + 1 };
	char *text = malloc((N + 1) * 80);
	size_t used = (size_t)sprintf(text, "{\"format\":\"jitterscope-recording\",\"version\":1}\n");
	struct why why = { 0, "" };

	for (int i = 0; i < N; i++)
		used += (size_t)sprintf(text + used, "{\"spike\":{\"t_s\":%d,\"late_ns\":%d}}\n", i,
					i % 2500);
	struct snapshot *s = fake_read(&format_recording, text, used, &why);

	ck_assert_msg(s != NULL, "%s", why.text);
	ck_assert_uint_eq(s->nr_spikes, MODEL_SPIKES);
	for (int i = 0; i < MODEL_SPIKES; i++)
		ck_assert_int_eq(s->spikes[i].late_ns, 2499 - i / 2);
	ck_assert_uint_eq(s->nr_latest, MODEL_LATEST);
	for (int i = 0; i < MODEL_LATEST; i++)
		ck_assert_double_eq(s->latest[i].t_s, N - MODEL_LATEST + i);
	snapshot_free(s);
	free(text);
}
END_TEST

/* A probe of a longer period is told of later; a reset taken back brings the
 * same spikes again. */
START_TEST(a_spike_told_late_is_written_and_none_twice)
{
	struct model *m = fake_run_new();
	struct why why = { 0 };
	struct recording *r = recorded(m, 3);
	struct spike k = { .t_ns = m->now_ns, .late_ns = 5000000, .cpu = 1 };
	struct spike late = { .t_ns = m->now_ns - 100 * NS_PER_MS, .late_ns = 4000000 };

	model_spike(m, &k);
	fake_run_until(m, 4 * NS_PER_S);
	tick(r, m);
	model_spike(m, &late);
	fake_run_until(m, 5 * NS_PER_S);
	tick(r, m);
	model_reset(m, m->now_ns);
	fake_run_until(m, 6 * NS_PER_S);
	tick(r, m);
	ck_assert(model_reset_undo(m, m->now_ns));
	fake_run_until(m, 7 * NS_PER_S);
	tick(r, m);
	write_to_second(r, m, 7);
	struct snapshot *s = reread("x.jsr");

	ck_assert_uint_eq(s->nr_spikes, 2);
	snapshot_free(s);
	ck_assert_int_eq(recording_close(r, m, 10000, &why), 0);
	model_free(m);
}
END_TEST

static void toggle(struct model *m, unsigned n, int64_t t_ns)
{
	if (m->nr_runs == MODEL_RUNS) {
		memmove(m->runs, m->runs + 1, (MODEL_RUNS - 1) * sizeof(*m->runs));
		m->nr_runs--;
		m->lost_runs++;
	}
	m->runs[m->nr_runs] = (struct load_run){ .number = m->lost_runs + m->nr_runs, .workers = n + 1,
						 .start_ns = t_ns, .stop_ns = t_ns + NS_PER_MS };
	m->nr_runs++;
}

/* The model forgets the oldest runs of loads, the file does not. */
START_TEST(more_runs_than_the_model_holds)
{
	struct model *m = fake_run_new();
	struct why why = { 0 };
	struct recording *r = recorded(m, 2);
	unsigned n = 0;

	snprintf(m->loads[0].name, sizeof(m->loads[0].name), "churn");
	for (int64_t t = 3; t < 3 + 12; t++) {
		for (int i = 0; i < 100; i++)
			toggle(m, n++, FAKE_ZERO_NS + t * NS_PER_S);
		fake_run_until(m, t * NS_PER_S);
		tick(r, m);
	}
	ck_assert_uint_gt(m->lost_runs, 0);
	ck_assert_int_eq(recording_close(r, m, 10000, &why), 0);
	struct snapshot *s = reread("x.jsr");

	ck_assert_uint_eq(s->nr_loads, n);
	for (unsigned i = 0; i < n; i++)
		ck_assert_uint_eq(s->loads[i].workers, i + 1);
	snapshot_free(s);
	model_free(m);
}
END_TEST

/* The first run goes on while the model forgets those after it. */
START_TEST(a_run_that_goes_on_is_one_run_of_the_file)
{
	struct model *m = fake_run_new();
	struct why why = { 0 };
	struct recording *r = recorded(m, 2);
	const unsigned n = MODEL_RUNS + 200;

	snprintf(m->loads[0].name, sizeof(m->loads[0].name), "churn");
	for (unsigned i = 0; i < n; i++) {
		bool full = m->nr_runs == MODEL_RUNS;

		if (full) {
			memmove(m->runs + 1, m->runs + 2, (MODEL_RUNS - 2) * sizeof(*m->runs));
			m->nr_runs--;
			m->lost_runs++;
		}
		m->runs[m->nr_runs++] = (struct load_run){ .number = i, .workers = i + 1,
			.start_ns = m->now_ns, .stop_ns = i ? m->now_ns + NS_PER_MS : 0 };
		if (i % 100 == 0 || i > n - 10) {
			fake_run_until(m, m->now_ns - FAKE_ZERO_NS + NS_PER_S);
			tick(r, m);
		}
	}
	m->runs[0].stop_ns = m->now_ns;
	m->runs[0].done = 7;
	ck_assert_int_eq(recording_close(r, m, 10000, &why), 0);
	struct snapshot *s = reread("x.jsr");

	ck_assert_uint_eq(s->nr_loads, n);
	for (unsigned i = 0; i < n; i++)
		ck_assert_uint_eq(s->loads[i].workers, i + 1);
	ck_assert_double_eq(s->loads[0].done, 7);
	ck_assert_double_ge(s->loads[0].stop_s, 0);
	snapshot_free(s);
	model_free(m);
}
END_TEST

/* What casts doubt on a run is in a file that has no end, too. */
START_TEST(doubts_and_rights_are_there_after_a_cut)
{
	struct model *m = fake_run_new();
	struct why why = { 0 };
	struct recording *r = recorded(m, 3);

	m->nr_badges = 1;
	m->badges[0] = (struct badge){ .name = "steal", .level = "warn", .text = "taken: 1 s" };
	m->tiers.lock = RT_LOCK_ALL;
	m->deadline_ns = 300000;
	fake_run_until(m, 4 * NS_PER_S);
	tick(r, m);
	write_to_second(r, m, 4);
	struct snapshot *s = reread("x.jsr");

	ck_assert_uint_eq(s->nr_badges, 1);
	ck_assert_str_eq(s->badges[0].text, "taken: 1 s");
	ck_assert(s->locked);
	ck_assert_int_eq(s->deadline_ns, 300000);
	snapshot_free(s);
	m->deadline_ns = 0;	/* taken back by key */
	write_to_second(r, m, 6);
	s = reread("x.jsr");
	ck_assert_int_eq(s->deadline_ns, 0);
	snapshot_free(s);
	m->deadline_ns = 400000;
	ck_assert_int_eq(recording_close(r, m, 10000, &why), 0);
	s = reread("x.jsr");
	ck_assert_int_eq(s->deadline_ns, 400000);
	struct model *again = snapshot_model(s, &why);

	ck_assert_int_eq(again->deadline_ns, 400000);
	model_free(again);
	snapshot_free(s);
	model_free(m);
}
END_TEST

/* A day of two CPUs at 1 kHz is less than 50 MB. */
START_TEST(a_day_fits_into_50_mb)
{
	struct model *m = fake_run_new();
	struct why why = { 0 };
	struct recording *r = recording_open("x.jsr", m, argv_of, &why);
	uint64_t state = 1;
	struct stat head, end;

	ck_assert_ptr_nonnull(r);
	ck_assert_int_eq(stat("x.jsr", &head), 0);
	for (int64_t t = 0; t < 120 * NS_PER_S; t += NS_PER_MS) {
		for (unsigned i = 0; i < 4; i++) {
			state = state * 6364136223846793005u + 1442695040888963407u;
			double u = (double)((state >> 33) + 1) / 2147483649.0;

			/* A busy machine: a body over two octaves, a tail to 20 ms. */
			fake_run_sample(m, i, t, (int64_t)(5000 * (1 + i) * (u > 0.05 ? 1 + 3 * u : 0.2 / u)));
		}
		m->now_ns = FAKE_ZERO_NS + t;
		if (t % (250 * NS_PER_MS) == 0) {
			for (unsigned g = 0; g < 2; g++)
				history_advance(m->groups[g].history, m->now_ns);
			tick(r, m);
		}
	}
	await_second(118);
	ck_assert_int_eq(stat("x.jsr", &end), 0);
	double day_mb = (double)(end.st_size - head.st_size) / 119 * 86400 / 1e6;

	printf("recording: a day of 2 CPUs takes %.1f MB\n", day_mb);
	ck_assert_double_lt(day_mb, 50);
	ck_assert_int_eq(recording_close(r, m, 10000, &why), 0);
	model_free(m);
}
END_TEST

/* ---- when it cannot ---------------------------------------------------------------- */

START_TEST(an_existing_file_is_not_touched)
{
	struct model *m = fake_run_new();
	struct why why = { 0 };

	fclose(fopen("x.jsr", "w"));
	ck_assert_ptr_null(recording_open("x.jsr", m, argv_of, &why));
	ck_assert_int_eq(why.err, -EEXIST);
	ck_assert_ptr_null(recording_open("no/such/x.jsr", m, argv_of, &why));
	ck_assert_int_eq(why.err, -ENOENT);
	model_free(m);
}
END_TEST

START_TEST(a_full_disk_is_told_once_and_measuring_goes_on)
{
	struct model *m = fake_run_new();
	struct rlimit limit = { .rlim_cur = 3000, .rlim_max = RLIM_INFINITY };
	struct why why = { 0 };
	struct recording *r = recording_open("x.jsr", m, argv_of, &why);
	int told = 0;

	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);	/* no assertion before it is lifted */
	for (int64_t t = 0; t <= 60 * NS_PER_S; t += NS_PER_S) {
		for (; m->now_ns < FAKE_ZERO_NS + t; m->now_ns += 10 * NS_PER_MS)
			history_add(m->groups[0].history, m->now_ns, 5000 + m->now_ns % 90000);
		told += recording_tick(r, m, &why) != 0;
		usleep(2000);
	}
	for (int i = 0; i < 10000 && !told; i++, usleep(2000))
		told += recording_tick(r, m, &why) != 0;
	int end = recording_close(r, m, 10000, NULL);

	limit.rlim_cur = RLIM_INFINITY;
	setrlimit(RLIMIT_FSIZE, &limit);
	ck_assert_int_eq(told, 1);
	ck_assert_int_eq(why.err, -EFBIG);
	ck_assert_int_eq(end, -EFBIG);
	struct snapshot *s = reread("x.jsr");

	ck_assert_uint_gt(s->nr_rows, 5);
	snapshot_free(s);
	model_free(m);
}
END_TEST

START_TEST(a_full_disk_at_the_start_leaves_nothing)
{
	struct model *m = fake_run_new();
	struct rlimit limit = { .rlim_cur = (rlim_t)(_i * 100), .rlim_max = RLIM_INFINITY };
	struct why why = { 0 };

	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	struct recording *r = recording_open("x.jsr", m, argv_of, &why);

	limit.rlim_cur = RLIM_INFINITY;
	setrlimit(RLIMIT_FSIZE, &limit);
	ck_assert_ptr_null(r);
	ck_assert_int_eq(why.err, -EFBIG);
	ck_assert_int_eq(access("x.jsr", F_OK), -1);
	model_free(m);
}
END_TEST

START_TEST(warming_up_writes_a_head_alone)
{
	struct model *m = fake_run_new();
	struct why why = { 0 };

	m->zero_ns = 0;
	struct recording *r = recording_open("x.jsr", m, argv_of, &why);

	tick(r, m);
	ck_assert_int_eq(recording_close(r, m, 10000, &why), 0);
	struct snapshot *s = reread("x.jsr");

	ck_assert_uint_eq(s->nr_series, 0);
	snapshot_free(s);
	model_free(m);
}
END_TEST

/* ---- the format -------------------------------------------------------------------- */

START_TEST(a_snapshot_becomes_a_recording_and_comes_back)
{
	struct snapshot *a = fake_snapshot(1);
	struct why why = { 0 };
	size_t n, m;
	char *text = fake_write(&format_recording, a, &n);
	struct snapshot *b = fake_read(&format_recording, text, n, &why);

	ck_assert_msg(b != NULL, "%s", why.text);
	ck_assert_msg(snapshot_check(b, &why) == 0, "%s", why.text);
	fake_same_series(a, b);
	ck_assert_uint_eq(a->nr_rows, b->nr_rows);
	ck_assert_uint_eq(cells_of(a, "wakeup-fifo"), cells_of(b, "wakeup-fifo"));
	char *again = fake_write(&format_recording, b, &m);

	ck_assert_uint_eq(n, m);
	ck_assert_int_eq(memcmp(text, again, n), 0);
	free(text);
	free(again);
	snapshot_free(a);
	snapshot_free(b);
}
END_TEST

#define HEAD "{\"format\": \"jitterscope-recording\", \"version\": 1}\n"
static const char *const bad[] = {
	"{\"format\": \"jitterscope-recording\", \"version\": 2}\n", "{\"t\": 1}\n", HEAD "garbage\n", HEAD "[]\n",
	HEAD "{\"t\": 1, \"s\": {\"a\": [[320, 1]]}}\n", HEAD "{\"t\": 1, \"s\": {\"a\": [[319, 1, 1]]}}\n",
	HEAD "{\"t\": 1, \"s\": {\"a\": [[5, -1]]}}\n", HEAD "{\"t\": 1, \"s\": {\"a\": 5}}\n", HEAD "{\"t\": 1, \"s\": 5}\n",
	HEAD "{\"t\": 1, \"len\": 0, \"s\": {}}\n", HEAD "{\"t\": 1e300, \"s\": {\"a\": [[5, 1]]}}\n",
	HEAD "{\"exact\": 1, \"s\": {\"a\": {\"hist\": \"x\"}}}\n", HEAD "{\"exact\": 1, \"s\": {\"a\": {}}}\n",
	HEAD "{\"load\": {}, \"n\": 1048576}\n", HEAD "{\"load\": {}, \"n\": -1}\n", HEAD "{\"series\": {}}\n",
	HEAD "{\"t\": 1, \"s\": {\"a\": [[5, 1]]}, \"x\": {\"a\": -1}}\n", HEAD "{\"end\": {\"duration_s\": -1}}\n",
};

/* The head is written when a run begins: one made later says the same, and a
 * reader of a piece of it gets the time of that piece. */
START_TEST(a_head_says_when_the_run_began)
{
	struct snapshot *a = fake_snapshot(1);
	struct why why = { 0 };
	size_t n;

	snprintf(a->created, sizeof(a->created), "2026-12-01T00:00:05Z");
	a->duration_s = 66;
	char *text = fake_write(&format_recording, a, &n), *head_end = strchr(text, '\n');

	*head_end = '\0';
	ck_assert_msg(strstr(text, "\"created\": \"2026-11-30T23:58:59Z\"") != NULL, "%s", text);
	*head_end = '\n';
	struct snapshot *b = fake_read(&format_recording, text, n, &why);

	ck_assert_str_eq(b->created, a->created);
	snapshot_free(b);
	b = fake_read(&format_recording, text, (size_t)(head_end + 1 - text), &why);
	ck_assert_msg(b != NULL, "%s", why.text);
	ck_assert_str_eq(b->created, "2026-11-30T23:58:59Z");
	free(text);
	snapshot_free(a);
	snapshot_free(b);
}
END_TEST

/* A head and so many lines; %d in it is the number of the line. */
static struct snapshot *read_lines(const char *line, int lines, struct why *why)
{
	char *text = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&text, &n);

	fputs(HEAD, out);
	for (int i = 0; i < lines; i++) {
		const char *at = strstr(line, "%d");

		if (at)
			fprintf(out, "%.*s%d%s", (int)(at - line), line, i, at + 2);
		else
			fputs(line, out);
	}
	fclose(out);
	struct snapshot *s = fake_read(&format_recording, text, n, why);

	free(text);
	return s;
}

/* Runs and events of a long recording: the newest; memory has a bound. */
START_TEST(lists_of_any_length_keep_the_newest)
{
	enum { N = 100000 };
	struct why why = { 0 };
	struct snapshot *s = read_lines("{\"event\":{\"t_s\":%d}}\n", N, &why);

	ck_assert_msg(s != NULL, "%s", why.text);
	ck_assert_uint_le(s->nr_events, SNAPSHOT_EVENTS_MAX);
	ck_assert_uint_ge(s->nr_events, SNAPSHOT_EVENTS_MAX / 2);
	for (unsigned i = 0; i < s->nr_events; i++)
		ck_assert_double_eq(s->events[s->nr_events - 1 - i].t_s, N - 1 - i);
	ck_assert_ptr_nonnull(strstr(s->note, "events are left out"));
	snapshot_free(s);
	s = read_lines("{\"load\":{\"name\":\"a\"},\"n\":%d}\n", N, &why);
	ck_assert_msg(s != NULL, "%s", why.text);
	ck_assert_uint_le(s->nr_loads, SNAPSHOT_RUNS_MAX);
	ck_assert_uint_ge(s->nr_loads, SNAPSHOT_RUNS_MAX / 2);
	ck_assert_ptr_nonnull(strstr(s->note, "runs of loads"));
	snapshot_free(s);
}
END_TEST

/* A run that goes on is told of again when many others came between. */
START_TEST(a_run_is_the_one_that_was_told_of_last)
{
	struct why why = { 0 };
	char *text = malloc(4 << 20);
	size_t used = (size_t)sprintf(text, HEAD);

	for (unsigned i = 0; i < 2 * SNAPSHOT_RUNS_MAX; i++) {
		used += (size_t)sprintf(text + used, "{\"load\":{\"name\":\"a\",\"workers\":1},\"n\":%u}\n", i);
		if (i >= 5)
			used += (size_t)sprintf(text + used, "{\"load\":{\"name\":\"a\",\"workers\":%u},\"n\":%u}\n",
						i - 5, i - 5);
	}
	struct snapshot *s = fake_read(&format_recording, text, used, &why);

	ck_assert_msg(s != NULL, "%s", why.text);
	for (unsigned i = 5; i < s->nr_loads; i++)
		ck_assert_uint_eq(s->loads[s->nr_loads - 1 - i].workers, 2 * SNAPSHOT_RUNS_MAX - 1 - i);
	snapshot_free(s);
	free(text);
}
END_TEST

START_TEST(lists_too_long_are_refused)
{
	static const struct { const char *line; int most; const char *what; } list[] = {
		{ "{\"series\":{\"probe\":\"a\"}}\n", SNAPSHOT_SERIES_MAX, "series" },
		{ "{\"end\":{\"command\":[\"\",\"\",\"\",\"\"]}}\n", SNAPSHOT_WORDS_MAX / 4, "words" },
	};
	struct why why = { 0 };
	struct snapshot *s = read_lines(list[_i].line, list[_i].most, &why);

	ck_assert_msg(s != NULL, "%s", why.text);
	snapshot_free(s);
	ck_assert_ptr_null(read_lines(list[_i].line, list[_i].most + 1, &why));
	ck_assert_int_eq(why.err, -E2BIG);
	ck_assert_ptr_nonnull(strstr(why.text, list[_i].what));
}
END_TEST

START_TEST(lies_are_refused)
{
	struct why why = { 0 };
	struct snapshot *s = fake_read(&format_recording, bad[_i], strlen(bad[_i]), &why);

	ck_assert_msg(!s || snapshot_check(s, &why) < 0, "accepted: %s", bad[_i]);
	ck_assert(why.err < 0);
	snapshot_free(s);
}
END_TEST

Suite *recording_suite(void);

Suite *recording_suite(void)
{
	Suite *s = suite_create("recording");
	TCase *tc = tcase_create("recording");

	tcase_set_timeout(tc, 600);
	tcase_add_checked_fixture(tc, enter, leave);
	tcase_add_test(tc, an_orderly_end_keeps_every_series_exactly);
	tcase_add_test(tc, kill_costs_at_most_the_last_second);
	tcase_add_test(tc, a_file_cut_anywhere_is_readable);
	tcase_add_test(tc, a_file_cut_anywhere_adds_up);
	tcase_add_test(tc, a_file_cut_at_any_byte_adds_up);
	tcase_add_test(tc, an_old_file_counts_no_sample_twice);
	tcase_add_test(tc, a_file_cut_in_its_end_is_no_longer_than_the_run);
	tcase_add_test(tc, late_samples_correct_their_second);
	tcase_add_test(tc, a_second_told_of_again_and_again_is_read_once);
	tcase_add_test(tc, loads_events_and_spikes_are_there_after_a_cut);
	tcase_add_loop_test(tc, each_event_is_there_once_and_in_order, 0, 3);
	tcase_add_test(tc, of_very_many_spikes_the_worst_and_the_latest_are_kept);
	tcase_add_test(tc, a_spike_told_late_is_written_and_none_twice);
	tcase_add_test(tc, more_runs_than_the_model_holds);
	tcase_add_test(tc, a_run_that_goes_on_is_one_run_of_the_file);
	tcase_add_test(tc, doubts_and_rights_are_there_after_a_cut);
	tcase_add_test(tc, a_day_fits_into_50_mb);
	tcase_add_test(tc, an_existing_file_is_not_touched);
	tcase_add_test(tc, a_full_disk_is_told_once_and_measuring_goes_on);
	tcase_add_loop_test(tc, a_full_disk_at_the_start_leaves_nothing, 0, 2);
	tcase_add_test(tc, warming_up_writes_a_head_alone);
	tcase_add_test(tc, a_snapshot_becomes_a_recording_and_comes_back);
	tcase_add_test(tc, a_head_says_when_the_run_began);
	tcase_add_test(tc, lists_of_any_length_keep_the_newest);
	tcase_add_test(tc, a_run_is_the_one_that_was_told_of_last);
	tcase_add_loop_test(tc, lists_too_long_are_refused, 0, 2);
	tcase_add_loop_test(tc, lies_are_refused, 0, (int)(sizeof(bad) / sizeof(bad[0])));
	suite_add_tcase(s, tc);
	return s;
}
