/* fake_snapshot.c - see fake_snapshot.h. */
#include "tests/fake_snapshot.h"

#include <check.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "src/format.h"
#include "src/snapshot_build.h"
#include "src/snapshot_write.h"
#include "tests/loop_assert.h"

#define SECONDS 60

static uint64_t next(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

static double uniform(uint64_t *state)
{
	return (double)next(state) / 2147483648.0;
}

struct snapshot_series *fake_series(struct snapshot *s, const char *probe, int cpu,
				    const int64_t *ns, size_t n)
{
	struct snapshot_series *one = snapshot_add_series(s, probe, cpu);
	struct hist *h = hist_new(3);

	ck_assert(one && h);
	for (size_t i = 0; i < n; i++)
		hist_record(h, ns[i]);
	ck_assert_int_eq(snapshot_series_from_hist(one, h), 0);
	one->interval_ns = 1000000;
	if (cpu >= 0)
		one->phase_ns = 1000 * cpu;
	one->counts.due = one->counts.count;
	hist_free(h);
	return one;
}

/* A body near the base, and a tail that is longer the more load there is. */
static int64_t latency(uint64_t *state, double base_ns, double load)
{
	double v = base_ns * (0.7 + 0.6 * uniform(state));

	if (uniform(state) < 0.02 + 0.2 * load)
		v *= pow(1 / (uniform(state) + 1e-4), 0.3 + 0.5 * load);
	return (int64_t)v;
}

static double load_at(double t_s)
{
	return t_s < 15 ? 0 : t_s < 30 ? 0.5 : t_s < 45 ? 1 : 0;
}

static void add_rows(struct snapshot *s, const char *probe, double base_ns, struct hist *h[2],
		     uint64_t *state)
{
	for (int sec = 0; sec < SECONDS; sec++) {
		struct snapshot_row *row = snapshot_add_row(s, probe);
		uint32_t slot[SLOTS] = { 0 };

		ck_assert_ptr_nonnull(row);
		row->t_s = sec;
		row->len_s = 1;
		for (int i = 0; i < 200; i++) {
			int64_t v = latency(state, base_ns, load_at(sec));

			hist_record(h[i & 1], v);
			slot[slot_of(v)]++;
			row->max_ns = v > row->max_ns ? v : row->max_ns;
		}
		for (unsigned i = 0; i < SLOTS; i++)
			if (slot[i])
				ck_assert_int_eq(snapshot_add_cell(row, i, slot[i]), 0);
	}
	s->rows[5].missed = 3;
	s->rows[5].flags = HISTORY_MISSED;
	s->rows[6].flags = HISTORY_STEAL;
}

static void add_probe(struct snapshot *s, const char *probe, double base_ns, const char *policy,
		      int priority, uint64_t *state)
{
	struct hist *h[2] = { hist_new(3), hist_new(3) };

	add_rows(s, probe, base_ns, h, state);
	for (int cpu = 0; cpu < 2; cpu++) {
		struct snapshot_series *one = snapshot_add_series(s, probe, cpu);

		ck_assert_int_eq(snapshot_series_from_hist(one, h[cpu]), 0);
		snprintf(one->policy, sizeof(one->policy), "%s", policy);
		one->priority = priority;
		one->interval_ns = 10000000;
		one->counts.missed = 3;
		one->counts.interrupted = 1;
		one->counts.due = one->counts.count + 4;
		hist_free(h[cpu]);
	}
}

static void add_load(struct snapshot *s, const char *name, const char *unit, double from_s,
		     double to_s, double rate)
{
	struct snapshot_load *l = snapshot_add_load(s, name);

	l->workers = 8;
	l->start_s = from_s;
	l->stop_s = to_s;
	l->rate = rate;
	l->done = rate * (to_s - from_s);
	l->cpu_pct = 143;
	l->max_op_ns = 12345678;
	l->passes = 7;
	l->seed = 42;
	l->mix_version = 1;
	snprintf(l->unit, sizeof(l->unit), "%s", unit);
	snprintf(l->rate_unit, sizeof(l->rate_unit), "%s/s", unit);
	snprintf(l->end, sizeof(l->end), "stopped");
	snprintf(l->knob[0].name, sizeof(l->knob[0].name), "mode");
	snprintf(l->knob[0].value, sizeof(l->knob[0].value), "fsync");
	l->knobs = 1;
	for (double t = from_s; t < to_s; t++) {
		struct snapshot_load_row *row = snapshot_add_load_row(s);

		row->t_s = t;
		row->len_s = 1;
		row->rate = rate * (1 + 0.2 * sin(t));
		snprintf(row->name, sizeof(row->name), "%s", name);
	}
}

static void add_marks(struct snapshot *s)
{
	struct snapshot_spike *k = snapshot_add_spike(s);

	snapshot_add_event(s, 15, "load-start", "churn 8");
	snapshot_add_event(s, 30, "load-start", "fork 4 <&\"'> \xc3\xa9");
	snapshot_add_event(s, 45, "mark", "a mark");
	snapshot_add_badge(s, "steal", "warn", "the hypervisor took 1.2 s of CPU time: "
			   "maxima may be its doing; measure on the host, or compare only runs "
			   "taken side by side");
	snapshot_add_badge(s, "vm", "info", "virtual machine: kvm");
	k->t_s = 31.25;
	k->late_ns = 8900000;
	k->cpu = 1;
	snprintf(k->probe, sizeof(k->probe), "wakeup-fifo");
	snprintf(k->loads, sizeof(k->loads), "churn fork");
	k->culprits = 2;
	k->culprit[0].pid = 4711;
	k->culprit[0].ns = 8000000;
	snprintf(k->culprit[0].comm, sizeof(k->culprit[0].comm), "kworker/1:1");
	k->culprit[1].pid = 12;
	k->culprit[1].ns = 500000;
	snprintf(k->culprit[1].comm, sizeof(k->culprit[1].comm), "\xc3\xa9<b>&");
	k->steal = true;
}

static void add_head(struct snapshot *s)
{
	struct sysinfo *y = &s->system;

	snprintf(s->program, sizeof(s->program), "0.1.0");
	snprintf(s->created, sizeof(s->created), "2026-11-30T12:00:00Z");
	snprintf(s->label, sizeof(s->label), "stock \"kernel\" <1>");
	s->duration_s = SECONDS;
	snapshot_add_word(s, "jitterscope");
	snapshot_add_word(s, "record");
	snprintf(y->host, sizeof(y->host), "kobold");
	snprintf(y->kernel, sizeof(y->kernel), "6.1.0-13-amd64");
	snprintf(y->version, sizeof(y->version), "#1 SMP PREEMPT_DYNAMIC Debian 6.1.55-1");
	snprintf(y->preempt, sizeof(y->preempt), "voluntary");
	y->hz = 250;
	snprintf(y->clocksource, sizeof(y->clocksource), "tsc");
	snprintf(y->cpu_model, sizeof(y->cpu_model), "Example CPU at 3.00GHz");
	snprintf(y->governor, sizeof(y->governor), "schedutil");
	snprintf(y->virtualization, sizeof(y->virtualization), "kvm");
	snprintf(y->cmdline, sizeof(y->cmdline), "root=/dev/sda1 ro quiet");
	y->mem_total_kb = 8123456;
	s->cpus_online = s->cpus_measured = 2;
	cpuset_add(&y->isolated, 1);
	s->loadavg[0] = 1.25;
	s->steal_s = 1.2;
	snprintf(s->tier_rt, sizeof(s->tier_rt), "fifo");
	snprintf(s->tier_cleanup, sizeof(s->tier_cleanup), "ns");
	snprintf(s->tier_blame, sizeof(s->tier_blame), "tracepoints");
	snprintf(s->tier_cstates, sizeof(s->tier_cstates), "free");
	s->locked = true;
	s->self.cpu_pct = 0.4;
	s->self.rss_kb = 9000;
	s->row_s = 1;
}

struct snapshot *fake_snapshot(uint64_t seed)
{
	struct snapshot *s = snapshot_new();
	uint64_t state = seed;

	ck_assert_ptr_nonnull(s);
	add_head(s);
	add_probe(s, "wakeup-fifo", 4000, "SCHED_FIFO", 80, &state);
	add_probe(s, "wakeup-other", 60000, "SCHED_OTHER", 0, &state);
	add_load(s, "churn", "MB", 15, 45, 512);
	add_load(s, "fork", "forks", 30, 45, 3000);
	snprintf(s->loads[0].cpus, sizeof(s->loads[0].cpus), "0,2-3");
	add_marks(s);
	snapshot_sort_rows(s);
	return s;
}

char *fake_write(const struct format *f, const struct snapshot *s, size_t *n)
{
	char *bytes = NULL;
	struct why why = { 0 };
	FILE *out = open_memstream(&bytes, n);

	ck_assert_ptr_nonnull(out);
	int err = format_write(out, f, s, &why);

	fclose(out);
	ck_assert_msg(err == 0, "%s: %s", f->name, why.text);
	return bytes;
}

struct snapshot *fake_read(const struct format *f, const char *bytes, size_t n, struct why *why)
{
	struct snapshot *s = snapshot_new();

	loop_assert(s);
	if (f->read(bytes, n, "FILE", s, why) == 0)
		return s;
	snapshot_free(s);
	return NULL;
}

static void same_one(const struct snapshot_series *a, const struct snapshot_series *b)
{
	ck_assert_str_eq(a->probe, b->probe);
	ck_assert_int_eq(a->cpu, b->cpu);
	ck_assert_str_eq(a->policy, b->policy);
	ck_assert_int_eq(a->priority, b->priority);
	ck_assert_int_eq(a->interval_ns, b->interval_ns);
	ck_assert_int_eq(a->phase_ns, b->phase_ns);
	ck_assert_int_eq(memcmp(&a->counts, &b->counts, sizeof(a->counts)), 0);
	ck_assert_int_eq(a->min_ns, b->min_ns);
	ck_assert_int_eq(a->max_ns, b->max_ns);
	ck_assert_double_eq(a->mean_ns, b->mean_ns);
	ck_assert_uint_eq(a->pairs, b->pairs);
	for (size_t i = 0; i < a->pairs; i++) {
		ck_assert_int_eq(a->histogram[i].value_ns, b->histogram[i].value_ns);
		ck_assert_uint_eq(a->histogram[i].count, b->histogram[i].count);
	}
}

void fake_same_series(const struct snapshot *a, const struct snapshot *b)
{
	ck_assert_uint_eq(a->nr_series, b->nr_series);
	for (unsigned i = 0; i < a->nr_series; i++)
		same_one(&a->series[i], &b->series[i]);
}

char *fake_data(const char *name, size_t *n)
{
	char path[128];

	snprintf(path, sizeof(path), "tests/data/%s", name);
	FILE *in = fopen(path, "rb");

	ck_assert_msg(in != NULL, "%s is not there: run from the top folder", path);
	char *bytes = malloc(1 << 20);

	ck_assert_ptr_nonnull(bytes);
	*n = fread(bytes, 1, (1 << 20) - 1, in);
	bytes[*n] = '\0';
	fclose(in);
	return bytes;
}

bool fake_comma_locale(void)
{
	char dir[] = "/tmp/jitterscope-locale.XXXXXX", command[160];

	if (setlocale(LC_NUMERIC, "de_DE.UTF-8") || setlocale(LC_NUMERIC, "de_DE"))
		return true;
	if (!mkdtemp(dir))
		return false;
	snprintf(command, sizeof(command), "localedef -i de_DE -f ISO-8859-1 %s/de_DE >/dev/null 2>&1", dir);
	if (system(command) < 0)
		return false;
	setenv("LOCPATH", dir, 1);
	bool made = setlocale(LC_NUMERIC, "de_DE") != NULL;

	snprintf(command, sizeof(command), "rm -r %s", dir);
	return system(command) == 0 && made;
}

int fake_pipe(const char *command, const char *bytes, size_t n)
{
	FILE *to = popen(command, "w");

	ck_assert_ptr_nonnull(to);
	fwrite(bytes, 1, n, to);
	int status = pclose(to);

	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
