/* json_out.c - see json_out.h. */
#include "src/json_out.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/text_width.h"

const struct json_gaps json_lines = { ",\n  ", "\n    ", ",\n    " };
const struct json_gaps json_one_line = { ", ", "", ", " };

/* ---- words and numbers --------------------------------------------------- */

static void out_point(FILE *out, const char *bytes, size_t n)
{
	unsigned char c = (unsigned char)*bytes;

	if (n == 1 && (c == '"' || c == '\\'))
		fprintf(out, "\\%c", c);
	else if (n == 1 && (c < 0x20 || c == 0x7f))
		fprintf(out, "\\u%04x", c);
	else
		fwrite(bytes, 1, n, out);
}

void json_out_text(FILE *out, const char *text)
{
	size_t left = strlen(text);

	putc('"', out);
	while (left) {
		uint32_t point;
		size_t n = text_decode(text, left, &point);

		if (n)
			out_point(out, text, n);
		else
			putc('?', out);
		text += n ? n : 1;
		left -= n ? n : 1;
	}
	putc('"', out);
}

void json_out_real(FILE *out, double value)
{
	char buf[40];

	if (!isfinite(value)) {
		fputs("null", out);
		return;
	}
	snprintf(buf, sizeof(buf), "%.15g", value);
	if (strtod(buf, NULL) != value)
		snprintf(buf, sizeof(buf), "%.17g", value);
	fputs(buf, out);
	if (!strpbrk(buf, ".e"))
		fputs(".0", out);	/* a real stays one for readers that tell them apart */
}

/* "key": and what follows; first in its object without the comma. */
static void key(FILE *out, const char *name, bool first)
{
	fprintf(out, "%s\"%s\": ", first ? "" : ", ", name);
}

static void text_member(FILE *out, const char *name, const char *value, bool first)
{
	key(out, name, first);
	json_out_text(out, value);
}

static void real_member(FILE *out, const char *name, double value, bool first)
{
	key(out, name, first);
	json_out_real(out, value);
}

static void int_member(FILE *out, const char *name, int64_t value)
{
	fprintf(out, ", \"%s\": %" PRId64, name, value);
}

static void count_member(FILE *out, const char *name, uint64_t value)
{
	fprintf(out, ", \"%s\": %" PRIu64, name, value);
}

/* ---- head ---------------------------------------------------------------- */

void json_out_command(FILE *out, const struct snapshot *s)
{
	putc('[', out);
	for (unsigned i = 0; i < s->nr_command; i++) {
		if (i)
			fputs(", ", out);
		json_out_text(out, s->command[i]);
	}
	putc(']', out);
}

/* Where there are any, in the text of the kernel. */
static void out_isolated(FILE *out, const struct cpuset *isolated)
{
	char list[CPUSET_MAX * 4];	/* every second number and a comma: at most 5 bytes */

	if (!cpuset_count(isolated))
		return;
	cpuset_text(isolated, list, sizeof(list));
	text_member(out, "cpus_isolated", list, false);
}

void json_out_system(FILE *out, const struct snapshot *s)
{
	const struct sysinfo *y = &s->system;

	putc('{', out);
	text_member(out, "host", y->host, true);
	text_member(out, "kernel", y->kernel, false);
	text_member(out, "version", y->version, false);
	text_member(out, "preempt", y->preempt, false);
	int_member(out, "hz", y->hz);
	text_member(out, "clocksource", y->clocksource, false);
	text_member(out, "cpu_model", y->cpu_model, false);
	count_member(out, "cpus_online", s->cpus_online);
	count_member(out, "cpus_measured", s->cpus_measured);
	out_isolated(out, &y->isolated);
	text_member(out, "governor", y->governor, false);
	text_member(out, "virtual", y->virtualization, false);
	text_member(out, "cmdline", y->cmdline, false);
	int_member(out, "mem_total_kb", y->mem_total_kb);
	int_member(out, "autogroup", y->autogroup);
	fputs(", \"loadavg\": [", out);
	for (int i = 0; i < 3; i++) {
		if (i)
			fputs(", ", out);
		json_out_real(out, s->loadavg[i]);
	}
	putc(']', out);
	real_member(out, "steal_s", s->steal_s, false);
	putc('}', out);
}

void json_out_tiers(FILE *out, const struct snapshot *s)
{
	putc('{', out);
	text_member(out, "rt", s->tier_rt, true);
	text_member(out, "cleanup", s->tier_cleanup, false);
	text_member(out, "blame", s->tier_blame, false);
	if (s->blame_how[0])
		text_member(out, "blame_how", s->blame_how, false);
	fprintf(out, ", \"locked\": %s", s->locked ? "true" : "false");
	text_member(out, "cstates", s->tier_cstates, false);
	putc('}', out);
}

static void out_badge(FILE *out, const struct badge *b)
{
	putc('{', out);
	text_member(out, "badge", b->name, true);
	text_member(out, "level", b->level, false);
	text_member(out, "text", b->text, false);
	putc('}', out);
}

void json_out_deadline(FILE *out, const struct snapshot *s)
{
	if (s->deadline_ns > 0)
		int_member(out, "deadline_ns", s->deadline_ns);
}

void json_out_validity(FILE *out, const struct snapshot *s, const struct json_gaps *gaps)
{
	putc('[', out);
	for (unsigned i = 0; i < s->nr_badges; i++) {
		fputs(i ? gaps->next : gaps->first, out);
		out_badge(out, &s->badges[i]);
	}
	putc(']', out);
}

/* ---- series -------------------------------------------------------------- */

static const double percents[] = { 50, 90, 99, 99.9, 99.99 };
#define PERCENTS (sizeof(percents) / sizeof(percents[0]))

/* What too few samples carry is not known. */
static void out_percentiles(FILE *out, const char *name, const struct hist *h)
{
	int64_t value[PERCENTS];

	hist_percentiles(h, percents, value, PERCENTS);
	fprintf(out, ", \"%s\": {", name);
	for (size_t i = 0; i < PERCENTS; i++) {
		fprintf(out, "%s\"%g\": ", i ? ", " : "", percents[i]);
		if (hist_carries(h->count, percents[i]))
			fprintf(out, "%" PRId64, value[i]);
		else
			fputs("null", out);
	}
	putc('}', out);
}

static int out_views(FILE *out, const struct snapshot_series *one)
{
	struct hist *h = snapshot_series_hist(one);
	struct hist *corrected = hist_new(3);

	if (h && corrected) {
		hist_add_corrected(corrected, h, one->interval_ns);
		out_percentiles(out, "percentiles_ns", h);
		out_percentiles(out, "corrected_percentiles_ns", corrected);
	}
	int err = h && corrected ? 0 : -ENOMEM;

	hist_free(h);
	hist_free(corrected);
	return err;
}

static void out_counts(FILE *out, const struct counts *c)
{
	count_member(out, "due", c->due);
	count_member(out, "count", c->count);
	count_member(out, "missed", c->missed);
	count_member(out, "interrupted", c->interrupted);
	count_member(out, "early", c->early);
	count_member(out, "over", c->over);
	count_member(out, "unplaced", c->unplaced);
	count_member(out, "errors", c->errors);
}

/* Only where there are any: names come from the probe's table, or were cleaned. */
static void out_counters(FILE *out, const struct snapshot_series *one)
{
	if (!one->counters)
		return;
	fputs(", \"counters\": {", out);
	for (unsigned i = 0; i < one->counters; i++) {
		if (i)
			fputs(", ", out);
		json_out_text(out, one->counter[i].name);
		fprintf(out, ": %" PRId64, one->counter[i].value);
	}
	putc('}', out);
}

static uint64_t late_of(const struct snapshot_series *one, int64_t deadline_ns)
{
	uint64_t late = 0;

	for (size_t i = one->pairs; i-- > 0 && one->histogram[i].value_ns > deadline_ns;)
		late += one->histogram[i].count;
	return late;
}

static void out_series_head(FILE *out, const struct snapshot_series *one, int64_t deadline_ns)
{
	putc('{', out);
	text_member(out, "probe", one->probe, true);
	int_member(out, "cpu", one->cpu);
	text_member(out, "policy", one->policy, false);
	int_member(out, "priority", one->priority);
	int_member(out, "interval_ns", one->interval_ns);
	if (one->phase_ns >= 0)
		int_member(out, "phase_ns", one->phase_ns);
	out_counts(out, &one->counts);
	if (deadline_ns > 0)
		count_member(out, "late", late_of(one, deadline_ns));
	int_member(out, "in_flight_ns", one->in_flight_ns);
	int_member(out, "min_ns", one->min_ns);
	real_member(out, "mean_ns", one->mean_ns, false);
	int_member(out, "max_ns", one->max_ns);
	if (one->bin_ns)
		int_member(out, "bin_ns", one->bin_ns);
	out_counters(out, one);
}

static void out_pairs(FILE *out, const struct snapshot_series *one)
{
	fputs("\"histogram\": [", out);
	for (size_t i = 0; i < one->pairs; i++)
		fprintf(out, "%s[%" PRId64 ",%" PRIu64 "]", i ? "," : "",
			one->histogram[i].value_ns, one->histogram[i].count);
	fputs("]}", out);
}

int json_out_series(FILE *out, const struct snapshot_series *one, int64_t deadline_ns)
{
	out_series_head(out, one, deadline_ns);
	int err = out_views(out, one);

	fputs(",\n      ", out);
	out_pairs(out, one);
	return err;
}

void json_out_series_line(FILE *out, const struct snapshot_series *one, int64_t deadline_ns)
{
	out_series_head(out, one, deadline_ns);
	fputs(", ", out);
	out_pairs(out, one);
}

/* ---- lists --------------------------------------------------------------- */

void json_out_load(FILE *out, const struct snapshot_load *l)
{
	putc('{', out);
	text_member(out, "name", l->name, true);
	count_member(out, "workers", l->workers);
	real_member(out, "start_s", l->start_s, false);
	if (l->stop_s < 0)
		fputs(", \"stop_s\": null", out);	/* was running */
	else
		real_member(out, "stop_s", l->stop_s, false);
	real_member(out, "done", l->done, false);
	text_member(out, "unit", l->unit, false);
	real_member(out, "rate", l->rate, false);
	text_member(out, "rate_unit", l->rate_unit, false);
	real_member(out, "cpu_pct", l->cpu_pct, false);
	int_member(out, "max_op_ns", l->max_op_ns);
	count_member(out, "passes", l->passes);
	fputs(", \"knobs\": {", out);
	for (unsigned i = 0; i < l->knobs; i++) {
		if (i)
			fputs(", ", out);
		json_out_text(out, l->knob[i].name);
		fputs(": ", out);
		json_out_text(out, l->knob[i].value);
	}
	fputs("}", out);
	text_member(out, "cpus", l->cpus, false);
	/* JSON readers stop at 63 bits: beyond, as text. */
	fprintf(out, l->seed <= INT64_MAX ? ", \"seed\": %" PRIu64 : ", \"seed\": \"%" PRIu64 "\"",
		l->seed);
	count_member(out, "mix_version", l->mix_version);
	text_member(out, "end", l->end, false);
	text_member(out, "why", l->why, false);
	putc('}', out);
}

void json_out_event(FILE *out, const struct snapshot_event *e)
{
	putc('{', out);
	real_member(out, "t_s", e->t_s, true);
	text_member(out, "kind", e->kind, false);
	text_member(out, "text", e->text, false);
	putc('}', out);
}

static void out_words(FILE *out, const char *name, const char *blank_separated)
{
	const char *p = blank_separated;
	bool first = true;

	fprintf(out, ", \"%s\": [", name);
	while (*(p += strspn(p, " "))) {
		char word[64];
		size_t n = strcspn(p, " ");

		snprintf(word, sizeof(word), "%.*s", (int)n, p);
		if (!first)
			fputs(", ", out);
		json_out_text(out, word);
		first = false;
		p += n;
	}
	putc(']', out);
}

void json_out_spike(FILE *out, const struct snapshot_spike *k)
{
	putc('{', out);
	real_member(out, "t_s", k->t_s, true);
	text_member(out, "probe", k->probe, false);
	int_member(out, "cpu", k->cpu);
	int_member(out, "late_ns", k->late_ns);
	fputs(", \"culprits\": [", out);
	for (unsigned i = 0; i < k->culprits; i++) {
		fprintf(out, "%s{\"pid\": %d", i ? ", " : "", k->culprit[i].pid);
		text_member(out, "comm", k->culprit[i].comm, false);
		int_member(out, "ns", k->culprit[i].ns);
		putc('}', out);
	}
	putc(']', out);
	out_words(out, "loads", k->loads);
	fprintf(out, ", \"steal\": %s, \"incomplete\": %s", k->steal ? "true" : "false",
		k->incomplete ? "true" : "false");
	text_member(out, "note", k->note, false);
	putc('}', out);
}

static void out_table(FILE *out, const struct blamed *b)
{
	putc('{', out);
	text_member(out, "loads", b->loads, true);
	int_member(out, "ns", b->ns);
	count_member(out, "spikes", b->spikes);
	fputs(", \"parts\": [", out);
	for (unsigned i = 0; i < b->parts; i++) {
		fputs(i ? ", {" : "{", out);
		text_member(out, "comm", b->part[i].comm, true);
		int_member(out, "ns", b->part[i].ns);
		count_member(out, "spikes", b->part[i].spikes);
		putc('}', out);
	}
	fputs("]}", out);
}

static void out_blame(FILE *out, const struct snapshot *s)
{
	fprintf(out, "{\"read\": %" PRIu64, s->spikes_seen);
	count_member(out, "incomplete", s->spikes_incomplete);
	count_member(out, "unread", s->spikes_unread);
	fputs(", \"tables\": [", out);
	for (unsigned i = 0; i < s->nr_blamed; i++) {
		fputs(i ? ", " : "", out);
		out_table(out, &s->blamed[i]);
	}
	fputs("]}", out);
}

static void out_spikes(FILE *out, const char *name, const struct snapshot_spike *spikes,
		       unsigned nr, const struct json_gaps *gaps)
{
	fprintf(out, "%s\"%s\": [", gaps->member, name);
	for (unsigned i = 0; i < nr; i++) {
		fputs(i ? gaps->next : gaps->first, out);
		json_out_spike(out, &spikes[i]);
	}
	putc(']', out);
}

void json_out_seen(FILE *out, const struct snapshot *s, const struct json_gaps *gaps)
{
	fprintf(out, "%s\"events\": [", gaps->member);
	for (unsigned i = 0; i < s->nr_events; i++) {
		fputs(i ? gaps->next : gaps->first, out);
		json_out_event(out, &s->events[i]);
	}
	putc(']', out);
	out_spikes(out, "spikes", s->spikes, s->nr_spikes, gaps);
	out_spikes(out, "latest_spikes", s->latest, s->nr_latest, gaps);
	fprintf(out, "%s\"blame\": ", gaps->member);
	out_blame(out, s);
}

void json_out_figure(FILE *out, const struct snapshot_figure *f)
{
	putc('{', out);
	text_member(out, "table", f->table, true);
	text_member(out, "row", f->row, false);
	text_member(out, "name", f->name, false);
	text_member(out, "unit", f->unit, false);
	real_member(out, "value", f->value, false);
	if (f->text[0])
		text_member(out, "text", f->text, false);
	putc('}', out);
}

void json_out_self(FILE *out, const struct snapshot *s)
{
	putc('{', out);
	real_member(out, "cpu_pct", s->self.cpu_pct, true);
	real_member(out, "sampler_cpu_pct", s->self.sampler_cpu_pct, false);
	real_member(out, "helper_cpu_pct", s->self.helper_cpu_pct, false);
	count_member(out, "switches", s->self.switches);
	real_member(out, "switches_per_s", s->self.switches_per_s, false);
	count_member(out, "minor_faults", s->self.minor_faults);
	int_member(out, "rss_kb", s->self.rss_kb);
	real_member(out, "bytes_per_s_to_terminal", s->self.bytes_per_s_to_terminal, false);
	putc('}', out);
}
