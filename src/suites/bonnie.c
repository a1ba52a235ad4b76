/*
 * bonnie.c - one large file through the phases of the load of that name, in
 * the two-line table of 1990.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/format.h"
#include "src/suite.h"
#include "src/text.h"

#define TABLE "bonnie"
#define LOAD "bonnie"
#define SHORT_S 0.5		/* a phase shorter than that is no figure */
#define NS_PER_MIB (80 * NS_PER_MS)	/* a guess, of all phases together */

/* As the load publishes them. */
static const struct {
	const char *name;	/* of the column; its %CPU bears the same name */
	const char *rate, *cpu, *took;
	const char *unit;
} phases[] = {
	{ "per char out", "putc_kps", "putc_cpu", "putc_s", "K/s" },
	{ "block out", "write_kps", "write_cpu", "write_s", "K/s" },
	{ "rewrite", "rewrite_kps", "rewrite_cpu", "rewrite_s", "K/s" },
	{ "per char in", "getc_kps", "getc_cpu", "getc_s", "K/s" },
	{ "block in", "read_kps", "read_cpu", "read_s", "K/s" },
	{ "seeks", "seeks_s", "seeks_cpu", "seek_s", "/s" },
};
#define PHASES (sizeof(phases) / sizeof(phases[0]))

struct bonnie {
	const struct load *load;
	struct step step;
	char label[40];
	const struct step_result *result;
};

/* ---- what it found ------------------------------------------------------- */

static bool is_quick(const struct bonnie *b, size_t i)
{
	double took_s = suite_published(b->load, b->result, phases[i].took);

	return isfinite(took_s) && took_s > 0 && took_s < SHORT_S;
}

/* Two cells; a phase that never ended has none, a short one only marks. */
static int phase_figures(const struct bonnie *b, size_t i, struct snapshot *s)
{
	double took_s = suite_published(b->load, b->result, phases[i].took);
	double rate = NAN, cpu = NAN;
	bool quick = is_quick(b, i);
	char name[40];
	int err;

	if (isfinite(took_s) && took_s > 0) {
		rate = suite_published(b->load, b->result, phases[i].rate);
		cpu = suite_published(b->load, b->result, phases[i].cpu);
	}
	snprintf(name, sizeof(name), "%s %%CPU", phases[i].name);
	err = suite_figure(s, TABLE, b->label, phases[i].name, phases[i].unit, rate,
			   quick ? "+++++" : NULL);
	return err ? err : suite_figure(s, TABLE, b->label, name, "%", cpu, quick ? "+++" : NULL);
}

static int bonnie_figures(void *ctx, const struct step_result *r, struct snapshot *s)
{
	struct bonnie *b = ctx;
	int err;

	b->result = r;
	err = suite_figure(s, TABLE, b->label, "MB", "MB",
			   suite_published(b->load, r, "size_mib"), NULL);
	for (size_t i = 0; i < PHASES && !err; i++)
		err = phase_figures(b, i, s);
	if (!err && r->outcome != STEP_DONE)
		err = suite_figure(s, TABLE, b->label, "outcome", "", NAN,
				   outcome_name(r->outcome));
	return err ? err : suite_add_latencies(s, TABLE, b->label, r);
}

static void lead(const void *ctx, unsigned i, char *buf, size_t size)
{
	const struct bonnie *b = ctx;

	(void)i;
	snprintf(buf, size, "%-14.14s", b->label);
}

static const struct load_knob *size_knob(const struct load *l)
{
	for (const struct load_knob *k = l->knobs; k->name; k++) {
		if (!strcmp(k->name, "size"))
			return k;
	}
	return NULL;
}

/* A size with which the quickest phase that grows with the file is long enough
 * twice over; 0: none is quick, or the load takes no such size. */
static long long_enough_mib(const struct bonnie *b)
{
	const struct load_knob *knob = size_knob(b->load);
	double least_s = SHORT_S, size = suite_published(b->load, b->result, "size_mib");
	double want = 1;

	for (size_t i = 0; i < PHASES; i++) {
		if (is_quick(b, i) && strcmp(phases[i].name, "seeks"))
			least_s = fmin(least_s, suite_published(b->load, b->result, phases[i].took));
	}
	while (want < size * 2 * SHORT_S / least_s)
		want *= 2;
	return least_s < SHORT_S && knob && want <= (double)knob->most ? (long)want : 0;
}

/* Why there are plus signs where figures should be. */
static void print_quick(const struct bonnie *b, FILE *out)
{
	long mib = long_enough_mib(b);
	unsigned n = 0;

	for (size_t i = 0; i < PHASES; i++)
		n += is_quick(b, i);
	if (!n)
		return;
	fprintf(out, "\n+++++: done in less than half a second, too short to time (%u of %zu).\n",
		n, PHASES);
	if (mib)
		fprintf(out, "A larger file takes longer: -l " LOAD ",size=%ld\n", mib);
}

static int bonnie_print(void *ctx, FILE *out, const struct snapshot *s, struct why *why)
{
	const struct bonnie *b = ctx;
	const struct step_result *r = b->result;
	int err = 0;

	if (r->figures)
		err = format_by_name("bonnie")->write(out, s, why);
	print_quick(b, out);
	suite_print_undone(out, &b->step, r, 1);
	if (strstr(r->text, "cached"))
		fprintf(out, "\nThe file is smaller than memory: these are figures of the cache.\n"
			"For the disk give four times the memory: -l " LOAD ",size=MIB\n");
	suite_print_latencies(out, "meanwhile     ", lead, b, r, 1);
	return err;
}

/* ---- the suite ----------------------------------------------------------- */

static int64_t guess_ns(const struct bonnie *b)
{
	const struct load_knob *size = size_knob(b->load);

	return size ? b->step.job.knob[size - b->load->knobs] * NS_PER_MIB : 30 * NS_PER_S;
}

static void name_machine(const struct options *o, struct bonnie *b)
{
	char host[65] = "";

	if (o->label || gethostname(host, sizeof(host) - 1))
		suite_row_name(o, b->label, sizeof(b->label));
	else
		text_clean(b->label, sizeof(b->label), host, strlen(host), sizeof(b->label));
}

static int bonnie_run(struct options *o, struct why *why)
{
	struct bonnie b = { .load = load_by_name(LOAD) };
	struct suite_plan plan = { .name = "bonnie", .tables = "bonnie", .steps = &b.step, .nr = 1,
				   .ctx = &b, .figures = bonnie_figures, .print = bonnie_print };
	struct order *own = &b.step.job;

	if (!b.load) {
		why_set(why, -ENOENT, "bonnie: its load is not in this build");
		return EXIT_FAILED;
	}
	snprintf(b.step.name, sizeof(b.step.name), "file");
	b.step.job = suite_order(b.load, 0);
	if (suite_own_loads(o, plan.name, &own, 1, why))
		return EXIT_USAGE;
	b.step.most_ns = o->length_ns;
	b.step.guess_ns = o->length_ns ? o->length_ns : guess_ns(&b);
	name_machine(o, &b);
	return suite_run(o, &plan, why);
}

const struct suite suite_bonnie = {
	.name = "bonnie",
	.summary = "one large file: bytes, chunks, rewriting, seeks",
	.run = bonnie_run,
};
