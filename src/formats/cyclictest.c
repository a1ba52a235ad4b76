/*
 * cyclictest.c - the histogram text of cyclictest -h, -H and --histfile: both
 * forms of the last years are read, the newer is written.
 *
 * A column is a thread.  The text does not say whether its unit is us or ns:
 * us is assumed.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/format.h"
#include "src/formats/lines.h"
#include "src/formats/pick.h"
#include "src/snapshot_build.h"

#define US 1000000	/* rows of ours: 0 .. US-1 */
#define UNIT_NS 1000
#define COLUMNS_MAX PICK_CPUS_MAX
#define UNKNOWN_FROM (UINT64_C(1) << 62)	/* a negative latency printed as unsigned */

/* ---- writing --------------------------------------------------------------- */

struct columns {
	const struct snapshot_series *series[COLUMNS_MAX];
	size_t at[COLUMNS_MAX];
	uint64_t over[COLUMNS_MAX];
	unsigned n;
};

/* The row of the next pair of any column; US: only what is above the table. */
static int64_t next_row(const struct columns *c)
{
	int64_t row = US;

	for (unsigned i = 0; i < c->n; i++) {
		if (c->at[i] == c->series[i]->pairs)
			continue;
		int64_t r = pick_value_ns(c->series[i], c->at[i]) / UNIT_NS;

		row = r < row ? r : row;
	}
	return row;
}

static uint64_t take_row(struct columns *c, unsigned i, int64_t row)
{
	uint64_t n = 0;

	while (c->at[i] < c->series[i]->pairs &&
	       pick_value_ns(c->series[i], c->at[i]) / UNIT_NS <= row)
		n += c->series[i]->histogram[c->at[i]++].count;
	return n;
}

static void write_rows(FILE *out, struct columns *c)
{
	for (int64_t row; (row = next_row(c)) < US;) {
		fprintf(out, "%06" PRId64 " ", row);
		for (unsigned i = 0; i < c->n; i++)
			fprintf(out, "%s%06" PRIu64, i ? "\t" : "", take_row(c, i, row));
		putc('\n', out);
	}
	for (unsigned i = 0; i < c->n; i++)
		c->over[i] = take_row(c, i, INT64_MAX / UNIT_NS);
}

enum which { MIN, AVG, MAX, OVER };

static void write_summary(FILE *out, const char *label, const struct columns *c, enum which which)
{
	fprintf(out, "# %s:", label);
	for (unsigned i = 0; i < c->n; i++) {
		const struct snapshot_series *s = c->series[i];
		uint64_t v[] = { (uint64_t)s->min_ns / UNIT_NS,
				 (uint64_t)snapshot_series_mean(s) / UNIT_NS,
				 (uint64_t)s->max_ns / UNIT_NS, c->over[i] };

		fprintf(out, " %05" PRIu64, v[which]);
	}
	putc('\n', out);
}

static int cyclictest_write(FILE *out, const struct snapshot *s, struct why *why)
{
	struct columns *c = calloc(1, sizeof(*c));

	if (!c)
		return why_set(why, -ENOMEM, "cyclictest: no memory; stop a load and try again");
	c->n = pick_series(s, c->series, COLUMNS_MAX);
	fputs("# Histogram\n", out);
	write_rows(out, c);
	write_summary(out, "Min Latencies", c, MIN);
	write_summary(out, "Avg Latencies", c, AVG);
	write_summary(out, "Max Latencies", c, MAX);
	write_summary(out, "Histogram Overflows", c, OVER);
	fputs("# Histogram Overflow at cycle number:\n", out);
	for (unsigned i = 0; i < c->n; i++) {
		fprintf(out, "# Thread %u: ", i);
		if (c->over[i])	/* which cycles they were is not kept */
			fprintf(out, " # %05" PRIu64 " others", c->over[i]);
		putc('\n', out);
	}
	putc('\n', out);
	free(c);
	return 0;
}

/* ---- reading --------------------------------------------------------------- */

struct parse {
	struct lines l;
	struct snapshot *s;
	unsigned columns;	/* of the rows; the last may be the sum */
	bool sums;		/* in every row the last column is the sum of the others */
	bool has_max, begun;
	int64_t row;
	unsigned threads;	/* numbers in the Min Latencies line */
	uint64_t min[COLUMNS_MAX], avg[COLUMNS_MAX], max[COLUMNS_MAX], over[COLUMNS_MAX];
};

static int add_count(struct parse *p, unsigned column, int64_t row, uint64_t n)
{
	struct snapshot_series *one = &p->s->series[column];

	if (!n)
		return 0;
	if (n > SNAPSHOT_COUNT_MAX - one->counts.count)
		return lines_refuse(&p->l, "count too large; 2^53 - 1 is the limit");
	one->counts.count += n;
	if (snapshot_add_pair(one, row * UNIT_NS + UNIT_NS - 1, n))
		return lines_no_memory(&p->l);
	return 0;
}

static int add_columns(struct parse *p, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (!snapshot_add_series(p->s, "cyclictest", (int)i))
			return lines_no_memory(&p->l);
	p->columns = n;
	p->sums = true;
	return 0;
}

static int read_row(struct parse *p)
{
	const char *at = p->l.text;
	uint64_t row, sum = 0, last = 0;
	uint64_t n[COLUMNS_MAX];
	unsigned columns = 0;

	take_blanks(&at);
	if (!take_number(&at, HIST_HIGHEST_NS / UNIT_NS, &row))
		return lines_refuse(
			&p->l, "a row does not begin with its us; give the file as it was written");
	while (take_blanks(&at) && *at) {
		if (columns == COLUMNS_MAX || !take_number(&at, SNAPSHOT_COUNT_MAX, &last))
			return lines_refuse(
				&p->l, "a count is not a number; give the file as it was written");
		n[columns++] = last;
		sum += last;
	}
	if (*at || !columns || (p->columns && columns != p->columns))
		return lines_refuse(
			&p->l, "the number of columns changes; give the file as it was written");
	if (p->begun && (int64_t)row <= p->row)
		return lines_refuse(&p->l, "rows do not rise; give the file as it was written");
	if (!p->columns && add_columns(p, columns))
		return p->l.err;
	p->begun = true;
	p->row = (int64_t)row;
	p->sums &= columns > 1 && sum - last == last;
	for (unsigned i = 0; i < columns; i++)
		if (add_count(p, i, p->row, n[i]))
			return p->l.err;
	return 0;
}

/* "# Word Word: 1 2 3": the numbers; returns how many, -1: not numbers. */
static int read_numbers(const char *at, uint64_t *out)
{
	int n = 0;

	while (take_blanks(&at) && *at)
		if (n == COLUMNS_MAX || !take_number(&at, UINT64_MAX, &out[n++]))
			return -1;
	return *at ? -1 : n;
}

static int read_total(struct parse *p, const char *at)
{
	uint64_t total[COLUMNS_MAX];
	int n = read_numbers(at, total);

	for (int i = 0; i < n && i < (int)p->columns; i++)
		if (total[i] != p->s->series[i].counts.count)
			return lines_refuse(&p->l,
					    "Total does not match its column; the file is damaged");
	return n < 0 ? lines_refuse(&p->l, "Total is not numbers; the file is damaged") : 0;
}

static int read_comment(struct parse *p)
{
	static const struct { const char *label; size_t offset; } known[] = {
		{ "# Min Latencies:", offsetof(struct parse, min) },
		{ "# Avg Latencies:", offsetof(struct parse, avg) },
		{ "# Max Latencies:", offsetof(struct parse, max) },
		{ "# Histogram Overflows:", offsetof(struct parse, over) },
	};
	const char *at = p->l.text;

	if (take_word(&at, "# Total:"))
		return read_total(p, at);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (!take_word(&at, known[i].label))
			continue;
		int n = read_numbers(at, (uint64_t *)((char *)p + known[i].offset));

		if (n < 0)
			return lines_refuse(&p->l, "%s are not numbers; the file is damaged",
					    known[i].label + 2);
		if (i == 0)
			p->threads = (unsigned)n;
		p->has_max |= i == 2;
	}
	return 0;
}

/* A row of the sum over threads is not a thread. */
static int drop_sum(struct parse *p)
{
	if (p->columns == p->threads || !p->columns)
		return 0;
	if (p->columns != p->threads + 1 || !(p->sums || !p->begun))
		return lines_refuse(&p->l, "%u columns for %u threads; the file is damaged",
				    p->columns, p->threads);
	free(p->s->series[--p->s->nr_series].histogram);
	p->columns--;
	return 0;
}

static int64_t us_to_ns(uint64_t us, int64_t rest)
{
	return us >= (uint64_t)INT64_MAX / UNIT_NS ? INT64_MAX - rest
						   : (int64_t)us * UNIT_NS + rest;
}

static int finish_one(struct parse *p, unsigned i)
{
	struct snapshot_series *one = &p->s->series[i];
	int64_t last = one->pairs ? one->histogram[one->pairs - 1].value_ns : 0;
	bool known = p->max[i] < UNKNOWN_FROM && p->min[i] < UNKNOWN_FROM;
	int64_t max = known ? us_to_ns(p->max[i], UNIT_NS - 1) : last;

	one->bin_ns = UNIT_NS;
	if (p->over[i] > SNAPSHOT_COUNT_MAX - one->counts.count)
		return lines_refuse(&p->l, "count too large; 2^53 - 1 is the limit");
	if (p->over[i]) {
		int64_t top = max > last ? max : HIST_HIGHEST_NS;

		if (snapshot_add_pair(one, top > HIST_HIGHEST_NS ? HIST_HIGHEST_NS : top,
				      p->over[i]))
			return lines_no_memory(&p->l);
		one->counts.count += p->over[i];
		last = top;
		snapshot_add_note(p->s, "samples above the table stand at its maximum");
	}
	one->counts.due = one->counts.count;
	if (!one->counts.count)
		return 0;
	one->max_ns = known && max >= last ? max : last;
	one->min_ns = known ? us_to_ns(p->min[i], 0) : 0;
	one->mean_ns = p->avg[i] < UNKNOWN_FROM ? (double)p->avg[i] * UNIT_NS : NAN;
	if (!known)
		snapshot_add_note(p->s, "a latency below 0 was printed as 2^64: minimum or "
				  "maximum of a thread is unknown");
	if (one->min_ns > one->max_ns)
		return lines_refuse(&p->l, "Min is above Max; the file is damaged");
	return 0;
}

static int finish(struct parse *p)
{
	if (!p->has_max)
		return lines_refuse(&p->l, "no \"# Max Latencies\" line; was the file cut short?");
	if (!p->begun && add_columns(p, p->threads))
		return p->l.err;
	if (drop_sum(p))
		return p->l.err;
	snapshot_add_note(p->s, "unit taken as us (if it was run with -N, divide by 1000)");
	snapshot_add_note(p->s, "columns are threads, shown as CPUs");
	for (unsigned i = 0; i < p->columns; i++)
		if (finish_one(p, i))
			return p->l.err;
	return 0;
}

static int cyclictest_sniff(const char *bytes, size_t n, const char *name)
{
	(void)name;
	if (!has_text(bytes, n, "# Histogram\n") && !has_text(bytes, n, "# Histogram\r\n"))
		return 0;
	return 90;
}

static int cyclictest_read(const char *bytes, size_t n, const char *name, struct snapshot *s,
			   struct why *why)
{
	struct parse *p = calloc(1, sizeof(*p));
	bool inside = false;
	int err = p ? lines_open(&p->l, bytes, n, name, why)
		    : why_set(why, -ENOMEM, "%s: no memory", name);

	if (!p)
		return err;
	p->s = s;
	while (!err && lines_next(&p->l)) {
		if (!inside)
			inside = !strcmp(p->l.text, "# Histogram");
		else if (p->l.text[0] == '#')
			err = read_comment(p);
		else if (p->l.length)
			err = read_row(p);
	}
	err = err ? err : p->l.err ? p->l.err : finish(p);
	lines_close(&p->l);
	free(p);
	return err;
}

const struct format format_cyclictest = {
	.name = "cyclictest",
	.suffix = ".hist",
	.summary = "histogram text of cyclictest -h",
	.takes = pick_probe,
	.write = cyclictest_write,
	.sniff = cyclictest_sniff,
	.read = cyclictest_read,
};
