/*
 * text.c - the report of `show`: for a mail, a log, a terminal of 80 columns.
 *
 * Every line leaves through say(), which cuts at 78 columns and lets no byte
 * pass that a terminal could take for an order.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "src/dist.h"
#include "src/format.h"
#include "src/formats/grid.h"
#include "src/knob.h"
#include "src/snapshot_build.h"
#include "src/snapshot_rt.h"
#include "src/text.h"

#define COLUMNS 78
#define PROBES_MAX 64
#define CPUS_SHOWN 16
#define SPIKES_SHOWN 10
#define EVENTS_SHOWN 20
#define BAR_COLUMNS 30

static void say(FILE *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void say(FILE *out, const char *fmt, ...)
{
	char raw[1024], line[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(raw, sizeof(raw), fmt, args);
	va_end(args);
	text_clean(line, sizeof(line), raw, strlen(raw), COLUMNS);
	size_t n = strlen(line);

	while (n && line[n - 1] == ' ')
		n--;
	fprintf(out, "%.*s\n", (int)n, line);
}

/* Where to cut a text for that much room: at a blank, one behind any of `ends`
 * ("": any blank) rather than another. */
static size_t place_to_cut(const char *text, size_t room, const char *ends)
{
	size_t blank = 0, end = 0;

	if (strlen(text) <= room)
		return strlen(text);
	for (size_t i = 1; i <= room; i++) {
		if (text[i] != ' ')
			continue;
		blank = i;
		if (strchr(ends, text[i - 1]))
			end = i;
	}
	return end ? end : blank ? blank : room;
}

static void say_cut(FILE *out, const char *first, const char *rest, const char *text,
		    const char *ends)
{
	const char *indent = first;

	do {
		size_t cut = place_to_cut(text, COLUMNS - strlen(indent), ends);

		say(out, "%s%.*s", indent, (int)cut, text);
		text += cut;
		text += strspn(text, " ");
		indent = rest;
	} while (*text);
}

/* Text of any length in lines of what is left beside the indent. */
static void say_wrapped(FILE *out, const char *first, const char *rest, const char *text)
{
	say_cut(out, first, rest, text, "");
}

/* A list of names with their figures: each stays in one piece where it can. */
static void say_list(FILE *out, const char *first, const char *rest, const char *text)
{
	say_cut(out, first, rest, text, ",;");
}

static const char *or_unknown(const char *text)
{
	return text[0] ? text : "unknown";
}

/* ---- head ---------------------------------------------------------------- */

/* As the screen says it. */
static const char *memory_text(const struct snapshot *s)
{
	for (unsigned i = 0; i < s->nr_badges; i++)
		if (!strcmp(s->badges[i].name, "partly-locked"))
			return "partly locked";
	return s->locked ? "locked" : "not locked";
}

static const char *rt_text(const struct snapshot *s, char *buf, size_t size)
{
	switch (snapshot_rt(s)) {
	case SNAPSHOT_RT_ALL:
		snprintf(buf, size, "in real time (%s)",
			 snapshot_rt_policy(s) ? snapshot_rt_policy(s) : "SCHED_FIFO");
		return buf;
	case SNAPSHOT_RT_PARTLY:
		return "PARTLY IN REAL TIME";
	case SNAPSHOT_RT_NOT:
		return "NOT IN REAL TIME";
	case SNAPSHOT_RT_NONE:
		break;
	}
	return snapshot_rt_text(s);
}

/* A foreign file knows little of its machine, and nothing of how it measured. */
static void say_machine(FILE *out, const struct snapshot *s)
{
	const struct sysinfo *y = &s->system;
	char hz[24] = "HZ unknown", cpus[48], rt[48];

	if (y->hz)
		snprintf(hz, sizeof(hz), "HZ %d", y->hz);
	if (s->cpus_online)
		say(out, "machine   %s, %s, %s", or_unknown(y->host),
		    snapshot_cpus_text(s, cpus, sizeof(cpus)), or_unknown(y->cpu_model));
	else if (y->host[0])
		say(out, "machine   %s", y->host);
	if (y->kernel[0])
		say(out, "kernel    %s, preemption %s, %s", y->kernel, or_unknown(y->preempt), hz);
	if (!s->tier_rt[0])
		return;
	say(out, "          clock %s, governor %s%s%s", or_unknown(y->clocksource),
	    or_unknown(y->governor), y->virtualization[0] ? ", virtual machine: " : "",
	    y->virtualization);
	say(out, "measured  %s, memory %s", rt_text(s, rt, sizeof(rt)), memory_text(s));
	say(out, "          C-states %s, blame by %s, clean-up by %s", or_unknown(s->tier_cstates),
	    or_unknown(s->tier_blame), or_unknown(s->tier_cleanup));
}

static void say_head(FILE *out, const struct snapshot *s)
{
	char span[24];

	text_span(span, sizeof(span), (int64_t)(s->duration_s * 1e9));
	if (s->source[0] && !s->program[0])
		say(out, "jitterscope report of a %s file", s->source);
	else
		say(out, "jitterscope %s  %s  ran %s", s->program, s->created, span);
	if (s->label[0])
		say(out, "label     %s", s->label);
	say_machine(out, s);
	for (unsigned i = 0; i < s->nr_badges; i++) {
		char first[24];

		snprintf(first, sizeof(first), "%-10s", s->badges[i].level);
		say_wrapped(out, first, "          ", s->badges[i].text);
	}
	if (s->note[0])
		say_wrapped(out, "note      ", "          ", s->note);
}

/* ---- latency ------------------------------------------------------------- */

/* A percentile that too few samples carry is not a figure. */
static void percentile_text(char *buf, size_t size, const struct dist *d, double percent)
{
	if (d->counts.count && hist_carries(d->counts.count, percent))
		text_time(buf, size, dist_percentile(d, percent));
	else
		snprintf(buf, size, "-");
}

static void say_percentiles(FILE *out, const char *name, const struct dist *d)
{
	char text[DIST_PERCENTS][16], mean[16];

	for (unsigned i = 0; i < DIST_PERCENTS; i++)
		percentile_text(text[i], sizeof(text[i]), d, dist_percents[i]);
	bool has_mean = d->counts.count && isfinite(d->mean_ns);

	text_time(mean, sizeof(mean), has_mean ? (int64_t)d->mean_ns : 0);
	say(out, "%-16.16s %10" PRIu64 " %6s %6s %6s %6s %6s %6s %6s", name, d->counts.count,
	    has_mean ? mean : "-", text[0], text[1], text[2], text[3], text[4], text[5]);
}

static void say_latency(FILE *out, const struct dist *d, unsigned n)
{
	say(out, "%s", "");
	say(out, "%-16s %10s %6s %6s %6s %6s %6s %6s %6s", "LATENCY", "samples", "mean", "p50",
	    "p90", "p99", "p99.9", "p99.99", "max");
	for (unsigned i = 0; i < n; i++)
		say_percentiles(out, d[i].probe, &d[i]);
}

static void say_counts(FILE *out, const struct dist *d, unsigned n)
{
	say(out, "%s", "");
	say(out, "%-16s %10s %10s %7s %7s %5s %5s %5s %5s", "COUNTS", "due", "samples", "missed",
	    "interr.", "early", "over", "unpl.", "error");
	for (unsigned i = 0; i < n; i++) {
		const struct counts *c = &d[i].counts;

		say(out, "%-16.16s %10" PRIu64 " %10" PRIu64 " %7" PRIu64 " %7" PRIu64 " %5" PRIu64
		    " %5" PRIu64 " %5" PRIu64 " %5" PRIu64, d[i].probe, c->due, c->count, c->missed,
		    c->interrupted, c->early, c->over, c->unplaced, c->errors);
	}
}

static const struct probe *probe_called(const char *name)
{
	unsigned i = 0;

	while (probes[i] && strcmp(probes[i]->name, name))
		i++;
	return probes[i];
}

/* NULL: the probe has none that a file calls so. */
static const struct probe_counter *counter_called(const struct probe *p, const char *name)
{
	char word[sizeof(((struct snapshot_counter *)NULL)->name)];

	for (const struct probe_counter *c = p->counters; c->name; c++) {
		snapshot_counter_name(word, sizeof(word), c);
		if (!strcmp(word, name))
			return c;
	}
	return NULL;
}

/* What a counter is a share of, by the probe's own table: the file's may have
 * others, and in another order. */
static const struct snapshot_counter *whole_of(const struct snapshot_series *one,
					       const struct snapshot_counter *part)
{
	const struct probe *p = probe_called(one->probe);
	const struct probe_counter *table = p ? counter_called(p, part->name) : NULL;

	for (unsigned n = 0; table && table->share_of && n < one->counters; n++) {
		const struct probe_counter *c = counter_called(p, one->counter[n].name);

		if (c && !strcmp(c->name, table->share_of))
			return one->counter[n].value > 0 ? &one->counter[n] : NULL;
	}
	return NULL;
}

/* A time says so in its name; here its value has a unit. */
static void say_counter(FILE *out, const struct snapshot_series *one, unsigned k)
{
	const struct snapshot_counter *c = &one->counter[k], *whole = whole_of(one, c);
	size_t length = strlen(c->name);
	bool is_time = length > 3 && !strcmp(c->name + length - 3, "_ns");
	char value[24], place[16] = "";

	if (whole)
		snprintf(value, sizeof(value), "%.1f %%",
			 100.0 * (double)c->value / (double)whole->value);
	else if (is_time)
		text_time(value, sizeof(value), c->value);
	else
		snprintf(value, sizeof(value), "%" PRId64, c->value);
	if (one->cpu >= 0)
		snprintf(place, sizeof(place), "cpu %d", one->cpu);
	say(out, "%-16.16s %-8s %-24.*s %10s", one->probe, place, (int)(length - (is_time ? 3 : 0)),
	    c->name, value);
}

/* What probes count beside their samples: skips, freezes. */
static void say_counters(FILE *out, const struct snapshot *s)
{
	bool said = false;

	for (unsigned i = 0; i < s->nr_series; i++) {
		const struct snapshot_series *one = &s->series[i];

		for (unsigned k = 0; k < one->counters; k++) {
			if (!said) {
				say(out, "%s", "");
				say(out, "%-16s", "COUNTERS");
			}
			said = true;
			say_counter(out, one, k);
		}
	}
}

static void share_text(char *buf, size_t size, const struct dist *d, int64_t ns)
{
	char share[16];

	if (!d->counts.count)
		snprintf(buf, size, "-");
	else
		snprintf(buf, size, "%" PRIu64 " (%s)", dist_at_or_above(d, ns),
			 dist_share_text(share, sizeof(share), d, ns));
}

static void say_shares(FILE *out, const struct dist *d, unsigned n)
{
	say(out, "%s", "");
	say(out, "%-16s %19s %19s %19s", "SHARE", ">= 100us", ">= 1ms", ">= 10ms");
	for (unsigned i = 0; i < n; i++) {
		char a[40], b[40], c[40];

		share_text(a, sizeof(a), &d[i], 100000);
		share_text(b, sizeof(b), &d[i], 1000000);
		share_text(c, sizeof(c), &d[i], 10000000);
		say(out, "%-16.16s %19s %19s %19s", d[i].probe, a, b, c);
	}
}

/* As for the shares; a deadline is kept by what is just as late. */
static void say_late(FILE *out, const struct dist *d, unsigned n, int64_t deadline_ns)
{
	char than[32] = "later than ";

	if (deadline_ns <= 0)
		return;
	text_time(than + strlen(than), sizeof(than) - strlen(than), deadline_ns);
	say(out, "%s", "");
	say(out, "%-16s %19s %19s", "DEADLINE", "samples", than);
	for (unsigned i = 0; i < n; i++) {
		char late[40];

		share_text(late, sizeof(late), &d[i], dist_after(deadline_ns));
		say(out, "%-16.16s %19" PRIu64 " %19s", d[i].probe, d[i].counts.count, late);
	}
}

static void say_cpu(FILE *out, const struct snapshot *s, const struct snapshot_series *one)
{
	char name[16], policy[24];
	struct dist d;

	if (dist_make(&d, s, one->probe, one->cpu))
		return;
	const char *word = strncmp(one->policy, "SCHED_", 6) ? one->policy : one->policy + 6;

	if (one->priority)
		snprintf(policy, sizeof(policy), "%.10s %d", word, one->priority);
	else
		snprintf(policy, sizeof(policy), "%.14s", word);
	if (one->cpu < 0)
		snprintf(name, sizeof(name), "any CPU");
	else
		snprintf(name, sizeof(name), "cpu%d", one->cpu);
	char label[64];

	snprintf(label, sizeof(label), "  %-7s%s", name, policy);
	say_percentiles(out, label, &d);
	dist_free(&d);
}

/* Each probe's CPUs, the first ones where there are very many. */
static void say_cpus(FILE *out, const struct snapshot *s, const struct dist *d)
{
	unsigned shown = 0;

	if (d->nr_series < 2)
		return;
	say(out, "%s", "");
	say(out, "%s per CPU", d->probe);
	for (unsigned i = 0; i < s->nr_series; i++) {
		if (strcmp(s->series[i].probe, d->probe))
			continue;
		if (shown++ < CPUS_SHOWN)
			say_cpu(out, s, &s->series[i]);
	}
	if (shown > CPUS_SHOWN)
		say(out, "  and %u more CPUs: see the .json", shown - CPUS_SHOWN);
}

/* ---- histogram ----------------------------------------------------------- */

/* 1 2 5 10 20 50 ...: where row i begins, ns; row 0 begins at 0. */
static int64_t edge_ns(unsigned i)
{
	static const int step[] = { 1, 2, 5 };
	int64_t v = 100;

	if (!i)
		return 0;
	for (i--; i >= 3; i -= 3)
		v *= 10;
	return v * step[i];
}

#define EDGES 36	/* up to 2000 s and beyond: the last has no end */

static unsigned edge_of(int64_t ns)
{
	unsigned i = 0;

	while (i + 1 < EDGES && edge_ns(i + 1) <= ns)
		i++;
	return i;
}

static void say_bar(FILE *out, const struct dist *d, unsigned i, uint64_t n, uint64_t most)
{
	static const char full[] = "##############################";
	char low[16], high[16];
	unsigned length = 0;

	if (n)
		length = 1 + (unsigned)((BAR_COLUMNS - 1) * log((double)n) /
					log(most > 1 ? (double)most : 2));
	/* An imported bin may begin below the row in which it ends. */
	text_time(low, sizeof(low), edge_ns(i) < d->bin_ns ? 0 : edge_ns(i));
	text_time(high, sizeof(high), edge_ns(i + 1));
	say(out, "%6s .. %-6s %12" PRIu64 " %9.4f%%  %.*s", low, i + 1 < EDGES ? high : "", n,
	    100 * (double)n / (double)d->counts.count, (int)length, full);
}

static void say_histogram(FILE *out, const struct dist *d)
{
	uint64_t row[EDGES] = { 0 }, most = 0;
	unsigned low = EDGES, high = 0;

	if (!d->counts.count)
		return;
	for (size_t i = 0; i < d->pairs; i++) {
		unsigned e = edge_of(d->pair[i].value_ns);

		row[e] += d->pair[i].count;
		low = e < low ? e : low;
		high = e > high ? e : high;
		most = row[e] > most ? row[e] : most;
	}
	say(out, "%s", "");
	say(out, "%-16s %12s %10s  %s", d->probe, "samples", "share", "bars: log of the samples");
	for (unsigned i = low; i <= high && i < EDGES; i++)
		say_bar(out, d, i, row[i], most);
}

/* ---- loads, spikes, marks ------------------------------------------------ */

/* What it takes to run the same again. */
static void say_settings(FILE *out, const struct snapshot_load *l)
{
	char text[400] = "", one[LOAD_CPUS_MAX + 48];

	for (unsigned i = 0; i < l->knobs; i++) {
		snprintf(one, sizeof(one), "%s=%s", l->knob[i].name, l->knob[i].value);
		text_append(text, sizeof(text), *text ? " " : "", one);
	}
	if (l->cpus[0]) {
		snprintf(one, sizeof(one), "cpus=%s", l->cpus);
		text_append(text, sizeof(text), *text ? " " : "", one);
	}
	if (*text)
		say_wrapped(out, "    ", "    ", text);
}

static void say_load(FILE *out, const struct snapshot_load *l)
{
	char name[40], stop[16] = "runs", done[32], rate[40], slowest[16] = "-";

	snprintf(name, sizeof(name), "%.12s x%u", l->name, l->workers);
	if (l->stop_s >= 0)
		snprintf(stop, sizeof(stop), "%.1f", l->stop_s);
	text_amount(done, sizeof(done), l->done, l->unit);
	text_amount(rate, sizeof(rate), l->rate, l->rate_unit);
	if (l->max_op_ns)
		text_time(slowest, sizeof(slowest), l->max_op_ns);
	say(out, "%-14.14s %7.1f %7s %12.12s %16.16s %5.0f%% %7s", name, l->start_s, stop, done,
	    rate, l->cpu_pct, slowest);
	say_settings(out, l);
	if (l->why[0])
		say_wrapped(out, "    ", "    ", l->why);
}

static void say_loads(FILE *out, const struct snapshot *s)
{
	if (!s->nr_loads)
		return;
	say(out, "%s", "");
	say(out, "%-14s %7s %7s %12s %16s %6s %7s", "LOADS", "from s", "to s", "done", "rate", "CPU",
	    "slowest");
	for (unsigned i = 0; i < s->nr_loads; i++)
		say_load(out, &s->loads[i]);
}

static void say_spike(FILE *out, const struct snapshot_spike *k)
{
	static const char indent[] = "                                         ";
	char late[16], cpu[16] = "", first[80], by[400] = "";

	for (unsigned i = 0; i < k->culprits; i++) {
		char ns[16];

		text_time(ns, sizeof(ns), k->culprit[i].ns);
		snprintf(by + strlen(by), sizeof(by) - strlen(by), "%s%s %s", i ? ", " : "",
			 k->culprit[i].comm, ns);
	}
	size_t n = strlen(by);

	snprintf(by + n, sizeof(by) - n, "%s%s%s%s%s%s%s", n && k->note[0] ? "; " : "", k->note,
		 k->steal ? " [steal]" : "", k->incomplete ? " [incomplete]" : "",
		 k->loads[0] ? " (" : "", k->loads, k->loads[0] ? ")" : "");
	if (k->cpu >= 0)
		snprintf(cpu, sizeof(cpu), "cpu%d", k->cpu);
	text_time(late, sizeof(late), k->late_ns);
	snprintf(first, sizeof(first), "%9.3f %-7s %-14.14s %6s  ", k->t_s, cpu, k->probe, late);
	say_list(out, first, indent, by[0] ? by : "-");
}

static void say_spikes(FILE *out, const struct snapshot *s)
{
	if (!s->nr_spikes)
		return;
	say(out, "%s", "");
	say(out, "%9s %-7s %-14s %6s  %s", "SPIKES  s", "where", "probe", "late",
	    "who held the CPU (loads)");
	for (unsigned i = 0; i < s->nr_spikes && i < SPIKES_SHOWN; i++)
		say_spike(out, &s->spikes[i]);
	if (s->nr_spikes > SPIKES_SHOWN)
		say(out, "  and %u more", s->nr_spikes - SPIKES_SHOWN);
}

/* "fork x4       kworker 41 % (12), fork workers 38 % (9), unknown 9 % (3)" */
static void say_table(FILE *out, const struct blamed *b)
{
	char first[48], name[40], text[BLAMED_NAMES * 40];

	snprintf(name, sizeof(name), !strcmp(b->loads, BLAMED_ALL) ? "%.37s" :
		 strcmp(b->loads, "no load") ? "with %.32s" : "%.37s", b->loads);
	snprintf(first, sizeof(first), "  %-15s ", name);
	blamed_text(b, text, sizeof(text));
	say_list(out, first, "      ", text[0] ? text : "-");
}

static void say_blame(FILE *out, const struct snapshot *s)
{
	uint64_t all = s->nr_blamed ? s->blamed[0].spikes : 0;

	if (s->blame_how[0] || all)
		say(out, "%s", "");
	if (s->blame_how[0])
		say_wrapped(out, "blame     ", "          ", s->blame_how);
	if (!all)
		return;
	say(out, "CULPRITS  %% of the time of %" PRIu64 " spikes (spikes in which it held the most)",
	    all);
	for (unsigned i = 0; i < s->nr_blamed; i++)
		say_table(out, &s->blamed[i]);
	if (s->spikes_incomplete || s->spikes_unread)
		say(out, "  %" PRIu64 " spikes known in part only, %" PRIu64 " not looked at",
		    s->spikes_incomplete, s->spikes_unread);
}

static void say_events(FILE *out, const struct snapshot *s)
{
	if (!s->nr_events)
		return;
	say(out, "%s", "");
	say(out, "%9s %s", "EVENTS  s", "what");
	for (unsigned i = 0; i < s->nr_events && i < EVENTS_SHOWN; i++)
		say(out, "%9.3f %-12s %s", s->events[i].t_s, s->events[i].kind, s->events[i].text);
	if (s->nr_events > EVENTS_SHOWN)
		say(out, "  and %u more", s->nr_events - EVENTS_SHOWN);
}

static void say_line(FILE *out, const char *text)
{
	say(out, "%s", text);
}

/* Of a file any of them may be missing. */
static const char *figure_text(char *buf, size_t size, double value, int places,
			       const char *unit)
{
	if (isnan(value))
		snprintf(buf, size, "-");
	else
		snprintf(buf, size, "%.*f%s", places, value, unit);
	return buf;
}

/* It is measured once a second, and a second of any run takes something. */
static void say_cost(FILE *out, const struct snapshot *s)
{
	char all[16], samplers[16], helpers[16], switches[16];

	if (s->self.cpu_pct > 0 || s->self.sampler_cpu_pct > 0 || s->self.switches_per_s > 0)
		say(out, "own cost  %s of one CPU, samplers %s, probes %s, %s switches/s",
		    figure_text(all, sizeof(all), s->self.cpu_pct, 1, "%"),
		    figure_text(samplers, sizeof(samplers), s->self.sampler_cpu_pct, 1, "%"),
		    figure_text(helpers, sizeof(helpers), s->self.helper_cpu_pct, 1, "%"),
		    figure_text(switches, sizeof(switches), s->self.switches_per_s, 0, ""));
	else
		say(out, "own cost  - (not measured: the run was too short)");
}

static void say_self(FILE *out, const struct snapshot *s)
{
	char bytes[16];

	if (s->self.rss_kb <= 0)
		return;
	if (isnan(s->self.bytes_per_s_to_terminal))
		snprintf(bytes, sizeof(bytes), "- ");
	else
		text_count(bytes, sizeof(bytes), s->self.bytes_per_s_to_terminal);
	say(out, "%s", "");
	say_cost(out, s);
	say(out, "          %" PRId64 " KB, %sB/s to the terminal, %" PRIu64 " faults of samplers",
	    s->self.rss_kb, bytes, s->self.minor_faults);
}

/* ---- the whole ----------------------------------------------------------- */

static void say_probes(FILE *out, const struct snapshot *s, const struct dist *d, unsigned n)
{
	say_latency(out, d, n);
	say_counts(out, d, n);
	say_counters(out, s);
	say_shares(out, d, n);
	say_late(out, d, n, s->deadline_ns);
	for (unsigned i = 0; i < n; i++)
		say_histogram(out, &d[i]);
	for (unsigned i = 0; i < n; i++)
		say_cpus(out, s, &d[i]);
}

static int text_write(FILE *out, const struct snapshot *s, struct why *why)
{
	static const char memory[] = "text: no memory for the report; stop a load and try again";
	const char *names[PROBES_MAX];
	struct dist d[PROBES_MAX];
	unsigned n = dist_probes(s, names, PROBES_MAX), made = 0;
	int err = 0;

	for (; made < n && made < PROBES_MAX && !err; made++)
		err = dist_make(&d[made], s, names[made], DIST_ALL_CPUS);
	if (!err) {
		say_head(out, s);
		if (made)
			say_probes(out, s, d, made);
		say_loads(out, s);
		say_blame(out, s);
		say_spikes(out, s);
		err = grid_write(out, s, say_line);
		say_events(out, s);
		say_self(out, s);
	}
	for (unsigned i = 0; i < made; i++)
		dist_free(&d[i]);
	return err ? why_set(why, err, "%s", memory) : 0;
}

const struct format format_text = {
	.name = "text",
	.suffix = ".txt",
	.summary = "the report of show, at most 78 columns",
	.write = text_write,
};
