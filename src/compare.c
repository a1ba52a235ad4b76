/*
 * compare.c - `jitterscope compare BASE FILE...`: what changed, by how much,
 * and whether it may be chance.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/commands.h"
#include "src/compare_figures.h"
#include "src/compare_limit.h"
#include "src/compare_pair.h"
#include "src/compare_stat.h"
#include "src/dist.h"
#include "src/json_out.h"
#include "src/numeric.h"
#include "src/result.h"
#include "src/text.h"

#define COLUMNS 78
#define LOAD_NAME 18
#define LOAD_REMARK 15	/* what the columns of a load leave of a line */

static void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

static void say(const char *fmt, ...)
{
	char raw[600], line[600];
	va_list args;

	va_start(args, fmt);
	vsnprintf(raw, sizeof(raw), fmt, args);
	va_end(args);
	text_clean(line, sizeof(line), raw, strlen(raw), COLUMNS);
	for (size_t n = strlen(line); n && line[n - 1] == ' '; n--)
		line[n - 1] = '\0';
	puts(line);
}

/* The end of a range that says nothing needs no digits. */
static const char *bound_text(char *buf, size_t size, double ratio)
{
	if (ratio > 0.001 && ratio < 9999.5)
		return compare_ratio_text(buf, size, ratio);
	snprintf(buf, size, ratio < 1 ? "<0.001" : ">9999");
	return buf;
}

/* ---- text ------------------------------------------------------------------ */

static void say_differences(const struct compare_pair *p)
{
	struct compare_fact facts[COMPARE_FACTS_MAX];
	unsigned n = compare_facts(p->base, p->file, facts);

	say(n ? "machine    these differ:" : "machine    the same, as far as the files tell");
	for (unsigned i = 0; i < n; i++)
		say("  %-13s %-29.29s | %.29s", facts[i].name,
		    facts[i].base[0] ? facts[i].base : "unknown",
		    facts[i].file[0] ? facts[i].file : "unknown");
}

static const char *doubt(enum verdict v, bool sure)
{
	return sure || (v != VERDICT_WORSE && v != VERDICT_BETTER) ? "" : "perhaps ";
}

static void say_value(const struct compare_value *v, unsigned i, bool sure)
{
	enum verdict verdict = v->known ? v->verdict : VERDICT_UNKNOWN;
	char a[16] = "-", b[16] = "-", ratio[16], low[16], high[16], range[48] = "";

	/* A percentile that too few samples carry is shown for neither. */
	if (v->known || v->percent >= 100) {
		text_time(a, sizeof(a), v->base_ns);
		text_time(b, sizeof(b), v->file_ns);
	}
	if (v->has_range)
		snprintf(range, sizeof(range), "%s .. %s", bound_text(low, sizeof(low), v->low),
			 bound_text(high, sizeof(high), v->high));
	say("  %-12s %8s %8s %8s  %-15s %s%s", dist_percent_name(i), a, b,
	    compare_ratio_text(ratio, sizeof(ratio), v->ratio), range,
	    v->percent >= 100 ? "" : doubt(verdict, sure),
	    v->percent >= 100 ? "one sample" : verdict_text(verdict));
}

static void say_share(const struct dist *base, const struct dist *file, const char *name,
		      int64_t ns)
{
	double a = (double)dist_at_or_above(base, ns) / fmax(1, (double)base->counts.count);
	double b = (double)dist_at_or_above(file, ns) / fmax(1, (double)file->counts.count);
	char ratio[16], x[16], y[16];

	dist_share_text(x, sizeof(x), base, ns);
	dist_share_text(y, sizeof(y), file, ns);
	say("  %-12s %8s %8s %8s", name, x, y,
	    compare_ratio_text(ratio, sizeof(ratio), a > 0 ? b / a : NAN));
}

/* That of the base counts for both; where it has none, that of the file. */
static int64_t deadline_of(const struct compare_series *s)
{
	return s->base.deadline_ns ? s->base.deadline_ns : s->file.deadline_ns;
}

static void say_late(const struct compare_series *s)
{
	char name[24] = "> ";

	if (deadline_of(s) <= 0)
		return;
	text_time(name + 2, sizeof(name) - 2, deadline_of(s));
	say_share(&s->base, &s->file, name, dist_after(deadline_of(s)));
}

static void say_count(const char *name, uint64_t base, uint64_t file)
{
	say("  %-9s %11" PRIu64 " %8" PRIu64, name, base, file);
}

static void say_blocks(const struct compare *c)
{
	if (c->verdict == VERDICT_SHORT)
		say("  range: none: a run of less than %d s may be one burst; measure longer",
		    COMPARE_BLOCKS_LEAST);
	else if (c->sure)
		say("  range: %u and %u blocks of time drawn again; below 5 %% nothing counts",
		    c->base_blocks, c->file_blocks);
	else
		say("  range: too narrow: no %d s of timeline, each sample taken for itself",
		    COMPARE_BLOCKS_LEAST);
}

/* What the tail says first, then what the rest says against it. */
static void say_verdict(const struct compare *c)
{
	static const enum verdict both[] = { VERDICT_WORSE, VERDICT_BETTER };
	char text[160];
	size_t n = (size_t)snprintf(text, sizeof(text), "%s%s", doubt(c->verdict, c->sure),
				    verdict_text(c->verdict));

	for (int i = 0; i < 2; i++) {
		enum verdict v = both[c->verdict == VERDICT_WORSE ? i : 1 - i];
		bool any = false;

		for (unsigned k = 0; k < DIST_PERCENTS; k++) {
			if (!c->value[k].has_range || c->value[k].verdict != v)
				continue;
			if (!any && v != c->verdict)
				n += (size_t)snprintf(text + n, sizeof(text) - n, "; %s%s",
						      doubt(v, c->sure), verdict_text(v));
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%s %s",
					      any ? "" : " at", dist_percent_name(k));
			any = true;
		}
	}
	say("  verdict: %s", text);
}

static void say_series(const struct compare_series *s)
{
	const struct compare *c = &s->compare;

	say("%s", "");
	if (strcmp(s->base.probe, s->file.probe))
		say("%s against %s", s->base.probe, s->file.probe);
	else
		say("%s%s%s", s->base.probe, s->base.interval_ns != s->file.interval_ns ?
		    "  (intervals differ: compare with care)" : "", "");
	say("  %-12s %8s %8s %8s  %s", "", "base", "file", "ratio", "95 % range of all");
	say_count("samples", s->base.counts.count, s->file.counts.count);
	say_count("missed", s->base.counts.missed, s->file.counts.missed);
	for (unsigned i = 0; i < DIST_PERCENTS; i++)
		say_value(&c->value[i], i, c->sure);
	say_share(&s->base, &s->file, ">= 100us", 100000);
	say_share(&s->base, &s->file, ">= 1ms", 1000000);
	say_share(&s->base, &s->file, ">= 10ms", 10000000);
	say_late(s);
	say_blocks(c);
	say_verdict(c);
}

static void say_only(const char *which, const char *const *probe, unsigned n)
{
	if (n)
		say("%s", "");
	for (unsigned i = 0; i < n; i++)
		say("%-18s only %s measured it", probe[i], which);
}

/* What does not fit beside the figures stands below them. */
static void say_load(const struct compare_load *l)
{
	char a[32] = "-", b[32] = "-", ratio[16], name[48];
	bool beside = strlen(l->remark) <= LOAD_REMARK;

	if (l->base)
		text_amount(a, sizeof(a), l->base->rate, l->base->rate_unit);
	if (l->file)
		text_amount(b, sizeof(b), l->file->rate, l->file->rate_unit);
	snprintf(name, sizeof(name), "%s%s", l->step[0] ? "  " : "", l->name);
	if (strlen(name) > LOAD_NAME)
		say("%s", name);
	say("%-*s %16s %16s %8s  %s", LOAD_NAME, strlen(name) > LOAD_NAME ? "" : name, a, b,
	    compare_ratio_text(ratio, sizeof(ratio), l->ratio), beside ? l->remark : "");
	if (!beside)
		say("    %s", l->remark);
}

static void say_loads(const struct compare_pair *p)
{
	const char *step = "";

	if (!p->nr_loads)
		return;
	say("%s", "");
	say("%-*s %16s %16s %8s", LOAD_NAME, "LOADS", "base", "file", "ratio");
	for (unsigned i = 0; i < p->nr_loads; i++) {
		if (strcmp(step, p->load[i].step))
			say("%s", p->load[i].step);
		step = p->load[i].step;
		say_load(&p->load[i]);
	}
}

static void say_line(const char *text)
{
	say("%s", text);
}

static void say_pair(const struct compare_pair *p, const char *base, const char *file)
{
	say("base       %s  %s", base, p->base->label);
	say("file       %s  %s", file, p->file->label);
	say_differences(p);
	for (unsigned i = 0; i < p->nr_series; i++)
		say_series(&p->series[i]);
	say_only("base", p->only_base, p->nr_only_base);
	say_only("file", p->only_file, p->nr_only_file);
	say_loads(p);
	compare_figures_text(p, say_line);
}

/* ---- JSON ------------------------------------------------------------------ */

static void json_value(const struct compare_value *v, unsigned i)
{
	printf("%s\"%s\": {", i ? ", " : "", dist_percent_name(i));
	/* As in the text: one that too few samples carry is shown for neither. */
	if (v->known || v->percent >= 100)
		printf("\"base_ns\": %" PRId64 ", \"file_ns\": %" PRId64, v->base_ns, v->file_ns);
	else
		fputs("\"base_ns\": null, \"file_ns\": null", stdout);
	fputs(", \"ratio\": ", stdout);
	json_out_real(stdout, v->ratio);
	if (v->has_range) {
		fputs(", \"range\": [", stdout);
		json_out_real(stdout, v->low);
		fputs(", ", stdout);
		json_out_real(stdout, v->high);
		printf("], \"verdict\": \"%s\"", verdict_text(v->verdict));
	}
	putchar('}');
}

static void json_shares(const char *name, const struct dist *d, int64_t deadline_ns)
{
	printf(", \"%s\": {\"interval_ns\": %" PRId64 ", \"count\": %" PRIu64
	       ", \"missed\": %" PRIu64, name, d->interval_ns, d->counts.count, d->counts.missed);
	printf(", \"at_100us\": %" PRIu64 ", \"at_1ms\": %" PRIu64 ", \"at_10ms\": %" PRIu64,
	       dist_at_or_above(d, 100000), dist_at_or_above(d, 1000000),
	       dist_at_or_above(d, 10000000));
	if (deadline_ns > 0)
		printf(", \"late\": %" PRIu64, dist_at_or_above(d, dist_after(deadline_ns)));
	putchar('}');
}

static void json_series(const struct compare_series *s)
{
	fputs("{\"base_probe\": ", stdout);
	json_out_text(stdout, s->base.probe);
	fputs(", \"file_probe\": ", stdout);
	json_out_text(stdout, s->file.probe);
	printf(", \"blocks\": [%u, %u], \"values\": {", s->compare.base_blocks,
	       s->compare.file_blocks);
	for (unsigned i = 0; i < DIST_PERCENTS; i++)
		json_value(&s->compare.value[i], i);
	putchar('}');
	if (deadline_of(s) > 0)
		printf(", \"deadline_ns\": %" PRId64, deadline_of(s));
	json_shares("base", &s->base, deadline_of(s));
	json_shares("file", &s->file, deadline_of(s));
	printf(", \"verdict\": \"%s\", \"sure\": %s}", verdict_text(s->compare.verdict),
	       s->compare.sure ? "true" : "false");
}

static void json_facts(const struct compare_pair *p)
{
	struct compare_fact facts[COMPARE_FACTS_MAX];
	unsigned n = compare_facts(p->base, p->file, facts);

	fputs(", \"differences\": {", stdout);
	for (unsigned i = 0; i < n; i++) {
		printf("%s\"%s\": [", i ? ", " : "", facts[i].name);
		json_out_text(stdout, facts[i].base);
		fputs(", ", stdout);
		json_out_text(stdout, facts[i].file);
		putchar(']');
	}
	putchar('}');
}

static void json_loads(const struct compare_pair *p)
{
	fputs(", \"loads\": [", stdout);
	for (unsigned i = 0; i < p->nr_loads; i++) {
		const struct compare_load *l = &p->load[i];

		fputs(i ? ", {\"name\": " : "{\"name\": ", stdout);
		json_out_text(stdout, l->name);
		fputs(", \"step\": ", stdout);
		json_out_text(stdout, l->step);
		fputs(", \"base_rate\": ", stdout);
		json_out_real(stdout, l->base ? l->base->rate : NAN);
		fputs(", \"file_rate\": ", stdout);
		json_out_real(stdout, l->file ? l->file->rate : NAN);
		fputs(", \"ratio\": ", stdout);
		json_out_real(stdout, l->ratio);
		if (l->remark[0]) {
			fputs(", \"remark\": ", stdout);
			json_out_text(stdout, l->remark);
		}
		putchar('}');
	}
	putchar(']');
}

static void json_only(const char *name, const char *const *probe, unsigned n)
{
	printf(", \"%s\": [", name);
	for (unsigned i = 0; i < n; i++) {
		fputs(i ? ", " : "", stdout);
		json_out_text(stdout, probe[i]);
	}
	putchar(']');
}

static void json_pair(const struct compare_pair *p, const char *base, const char *file, bool first)
{
	fputs(first ? "\n  {\"base\": " : ",\n  {\"base\": ", stdout);
	json_out_text(stdout, base);
	fputs(", \"file\": ", stdout);
	json_out_text(stdout, file);
	json_facts(p);
	fputs(", \"series\": [", stdout);
	for (unsigned i = 0; i < p->nr_series; i++) {
		fputs(i ? ",\n    " : "\n    ", stdout);
		json_series(&p->series[i]);
	}
	putchar(']');
	json_only("only_base", p->only_base, p->nr_only_base);
	json_only("only_file", p->only_file, p->nr_only_file);
	json_loads(p);
	fputs(", \"figures\": ", stdout);
	compare_figures_json(p, stdout);
	putchar('}');
}

/* ---- the command ------------------------------------------------------------ */

static int compare_one(const struct snapshot *base, struct options *o, unsigned i, struct why *why)
{
	struct snapshot *file = snapshot_read(o->file[i], why);
	struct compare_pair p;
	char base_name[80], file_name[80];

	if (!file)
		return EXIT_FAILED;
	text_clean(base_name, sizeof(base_name), o->file[0], strlen(o->file[0]), 60);
	text_clean(file_name, sizeof(file_name), o->file[i], strlen(o->file[i]), 60);
	int code = EXIT_FAILED;

	if (compare_pair_make(&p, base, file)) {
		why_set(why, -ENOMEM, "compare: no memory; close something and try again");
	} else {
		if (o->json)
			json_pair(&p, base_name, file_name, i == 1);
		else
			say_pair(&p, base_name, file_name);
		code = compare_limit(&p, o, file_name, why);
	}
	compare_pair_free(&p);
	snapshot_free(file);
	return code;
}

static int compare_all(const struct snapshot *base, struct options *o, struct why *why)
{
	int code = EXIT_OK;

	fputs(o->json ? "{\"format\": \"jitterscope-compare\", \"version\": 1, \"pairs\": [" : "",
	      stdout);
	for (unsigned i = 1; i < o->files; i++) {
		if (i > 1 && !o->json)
			putchar('\n');
		code = compare_worse_code(code, compare_one(base, o, i, why));
		if (code == EXIT_FAILED)
			break;
	}
	fputs(o->json ? "]}\n" : "", stdout);
	return code;
}

int cmd_compare(struct options *o, struct why *why)
{
	if (o->files < 2) {
		why_set(why, -EINVAL, "compare: BASE and at least one FILE; give two files");
		return EXIT_USAGE;
	}
	struct snapshot *base = snapshot_read(o->file[0], why);

	if (!base)
		return EXIT_FAILED;
	struct numeric n = numeric_begin();
	int code = compare_all(base, o, why);

	numeric_end(n);
	snapshot_free(base);
	if (code != EXIT_FAILED && result_flush(why))
		code = EXIT_FAILED;
	return code;
}
