/*
 * dbench.c - throughput lines of dbench 1.x (written) and 1.x to 4 (read).
 *
 * dbench printed NB and MBit from the unrounded figure, so all three are made
 * from ours and, on reading, only have to agree within the last digit.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "src/format.h"
#include "src/formats/lines.h"
#include "src/snapshot_build.h"
#include "src/text.h"

#define TABLE "dbench"

/* ---- writing --------------------------------------------------------------- */

static void write_line(FILE *out, const char *label, double t, unsigned procs)
{
	fprintf(out, "%s%sThroughput %g MB/sec (NB=%g MB/sec  %g MBit/sec)", label,
		label[0] ? " " : "", t, 1.25 * t, 10 * t);
	if (procs)
		fprintf(out, "  %u procs", procs);
	putc('\n', out);
}

static int dbench_write(FILE *out, const struct snapshot *s, struct why *why)
{
	bool wrote = false;

	for (unsigned i = 0; i < s->nr_loads; i++) {
		const struct snapshot_load *l = &s->loads[i];

		/* No time, no figure: such a line would be made up. */
		if (!strcmp(l->rate_unit, "MB/s") && isfinite(l->rate) && l->rate > 0) {
			write_line(out, "", l->rate, l->workers);
			wrote = true;
		}
	}
	for (unsigned i = 0; i < s->nr_figures; i++) {
		const struct snapshot_figure *f = &s->figures[i];
		unsigned procs = 0;

		if (strcmp(f->table, TABLE) || strcmp(f->unit, "MB/s") || !isfinite(f->value))
			continue;
		sscanf(f->name, "%u procs", &procs);
		write_line(out, f->row, f->value, procs);
		wrote = true;
	}
	return wrote ? 0 : why_set(why, -ENODATA, "dbench: no load here has a figure in MB/s; "
				   "record one with -l churn");
}

/* ---- reading --------------------------------------------------------------- */

struct throughput {
	double t, nb, mbit, max_latency_ms;
	uint64_t clients, procs;
	bool has_nb, has_latency;
};

/* Half a unit of the 6th significant digit. */
static double half_digit(double x)
{
	return x > 0 ? pow(10, floor(log10(x)) - 5) / 2 : 0;
}

static bool agrees(const struct throughput *x)
{
	double slack = half_digit(x->nb) + 1.25 * half_digit(x->t) + 1e-9;

	return !x->has_nb ||
	       (fabs(x->nb - 1.25 * x->t) <= slack &&
		fabs(x->mbit - 10 * x->t) <= half_digit(x->mbit) + 10 * half_digit(x->t) + 1e-9);
}

static bool take_nb(const char **p, struct throughput *x)
{
	const char *q = *p;

	if (!take_word(&q, "(NB="))
		return true;	/* seed lines of 2001 have none */
	if (!take_real(&q, &x->nb) || !take_blanks(&q) || !take_word(&q, "MB/sec") ||
	    !take_blanks(&q) || !take_real(&q, &x->mbit) || !take_blanks(&q) ||
	    !take_word(&q, "MBit/sec)"))
		return false;
	x->has_nb = true;
	*p = q;
	return true;
}

static bool take_clients(const char **p, struct throughput *x)
{
	const char *q = *p;
	uint64_t n;

	if (take_word(&q, "max_latency=")) {
		x->has_latency = true;
		return take_real(&q, &x->max_latency_ms) && take_blanks(&q) &&
		       take_word(&q, "ms") && ((*p = q), true);
	}
	if (take_word(&q, "(sync open)") || take_word(&q, "(sync dirs)"))
		return (*p = q), true;
	if (!take_number(&q, UINT32_MAX, &n) || !n || !take_blanks(&q))
		return false;
	if (take_word(&q, "clients"))
		x->clients = n;
	else if (take_word(&q, "procs"))
		x->procs = n;
	else
		return false;
	*p = q;
	return true;
}

/* What follows "Throughput". */
static bool take_throughput(const char *p, struct throughput *x)
{
	*x = (struct throughput){ 0 };
	if (!take_blanks(&p) || !take_real(&p, &x->t) || !take_blanks(&p) ||
	    !take_word(&p, "MB/sec"))
		return false;
	take_blanks(&p);
	if (!take_nb(&p, x))
		return false;
	for (take_blanks(&p); *p; take_blanks(&p))
		if (!take_clients(&p, x))
			return false;
	return agrees(x);
}

static int dbench_sniff(const char *bytes, size_t n, const char *name)
{
	char line[256];

	(void)name;
	const char *at = strstr(first_line(bytes, n, line, sizeof(line)), "Throughput ");

	return at && strstr(at, "MB/sec") ? 80 : has_text(bytes, n, "\nThroughput ") ? 40 : 0;
}

static int add_line(struct lines *l, struct snapshot *s, const char *at)
{
	struct throughput x;
	char label[40], name[40] = "throughput";
	size_t n = (size_t)(at - l->text);

	if (!take_throughput(at + strlen("Throughput"), &x))
		return lines_refuse(l,
				    "not a throughput line of dbench, or its figures do not agree; "
				    "give the line as dbench printed it");
	while (n && strchr(" \t", l->text[n - 1]))
		n--;
	text_clean(label, sizeof(label), l->text, n, 39);
	uint64_t count = x.procs ? x.procs : x.clients;

	if (count)
		snprintf(name, sizeof(name), "%llu procs", (unsigned long long)count);
	struct snapshot_figure *f = snapshot_add_figure(s, TABLE, label, name, "MB/s");

	if (!f)
		return lines_no_memory(l);
	f->value = x.t;
	snprintf(f->text, sizeof(f->text), "%g", x.t);
	if (!x.has_latency)
		return 0;
	f = snapshot_add_figure(s, TABLE, label, "max latency", "ms");
	if (!f)
		return lines_no_memory(l);
	f->value = x.max_latency_ms;
	return 0;
}

static int dbench_read(const char *bytes, size_t n, const char *name, struct snapshot *s,
		       struct why *why)
{
	struct lines l;
	unsigned seen = 0;
	int err = lines_open(&l, bytes, n, name, why);

	while (!err && lines_next(&l)) {
		const char *at = l.text[0] == '#' ? NULL : strstr(l.text, "Throughput");

		if (!at)
			continue;	/* progress lines of a run, labels */
		seen++;
		err = add_line(&l, s, at);
	}
	err = err ? err : l.err;
	if (!err && !seen)
		err = lines_refuse(&l, "no Throughput line; give the output of dbench");
	lines_close(&l);
	return err;
}

const struct format format_dbench = {
	.name = "dbench",
	.suffix = ".dbench",
	.summary = "throughput lines as dbench prints them",
	.write = dbench_write,
	.sniff = dbench_sniff,
	.read = dbench_read,
};
