/*
 * hgrm.c - HdrHistogram's percentile text, in us with 3 decimals: nothing of
 * a whole ns is lost.  Reading it back is coarse in the body, exact in total.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "src/format.h"
#include "src/formats/lines.h"
#include "src/formats/pick.h"
#include "src/snapshot_build.h"

#define TICKS 5		/* per half of what is left to 100 % */

/* ---- writing --------------------------------------------------------------- */

static double next_level(double p)
{
	double halvings = trunc(log2(100 / (100 - p))) + 1;
	double next = p + 100 / (TICKS * pow(2, halvings));

	return next > p ? next : 100;	/* finer than a double can tell */
}

static void write_level(FILE *out, double us, double p, uint64_t seen)
{
	fprintf(out, "%12.3f %2.12f %10" PRIu64 " %14.2f\n", us, p / 100, seen, 1 / (1 - p / 100));
}

static void write_levels(FILE *out, const struct hist *h)
{
	uint64_t seen = 0;
	double p = 0;

	for (unsigned i = h->low; h->count && i <= h->high; i++) {
		double us = (double)hist_slot_highest(h, i) / 1e3;

		if (!h->counts[i])
			continue;
		seen += h->counts[i];
		if (i == h->high) {
			write_level(out, us, p, seen);
			fprintf(out, "%12.3f %2.12f %10" PRIu64 "\n", us, 1.0, seen);
			continue;
		}
		for (; p < 100 && 100.0 * (double)seen / (double)h->count >= p; p = next_level(p))
			write_level(out, us, p, seen);
	}
}

static double middle_us(const struct hist *h, unsigned slot)
{
	int64_t low = hist_slot_lowest(h, slot);

	return (double)(low + (hist_slot_highest(h, slot) - low + 1) / 2) / 1e3;
}

static void write_foot(FILE *out, const struct hist *h)
{
	double sum = 0, squares = 0, n = h->count ? (double)h->count : 1;

	for (unsigned i = h->low; h->count && i <= h->high; i++)
		sum += middle_us(h, i) * (double)h->counts[i];
	for (unsigned i = h->low; h->count && i <= h->high; i++)
		squares += pow(middle_us(h, i) - sum / n, 2) * (double)h->counts[i];
	fprintf(out, "#[Mean    = %12.3f, StdDeviation   = %12.3f]\n", sum / n, sqrt(squares / n));
	fprintf(out, "#[Max     = %12.3f, Total count    = %12" PRIu64 "]\n",
		h->count ? (double)hist_slot_highest(h, h->high) / 1e3 : 0, h->count);
	fprintf(out, "#[Buckets = %12d, SubBuckets     = %12d]\n", 32, 2048);
}

static int hgrm_write(FILE *out, const struct snapshot *s, struct why *why)
{
	const char *probe = pick_probe(s);
	struct hist *h = probe ? snapshot_hist(s, probe) : hist_new(3);

	if (!h)
		return why_set(why, -ENOMEM, "hgrm: no memory; stop a load and try again");
	fprintf(out, "%12s %14s %10s %14s\n\n", "Value", "Percentile", "TotalCount",
		"1/(1-Percentile)");
	write_levels(out, h);
	write_foot(out, h);
	hist_free(h);
	return 0;
}

/* ---- reading --------------------------------------------------------------- */

static int hgrm_sniff(const char *bytes, size_t n, const char *name)
{
	char line[128];

	(void)name;
	first_line(bytes, n, line, sizeof(line));
	return strstr(line, "Value") && strstr(line, "Percentile") && strstr(line, "TotalCount")
		       ? 90
		       : 0;
}

struct parse {
	struct lines l;
	struct snapshot_series *one;
	bool head;	/* the line of column names is behind us */
	bool whole;	/* its last row, or its foot, was there */
};

static int read_level(struct parse *h)
{
	struct lines *l = &h->l;
	struct snapshot_series *one = h->one;
	const char *p = l->text;
	double us, level;
	uint64_t seen;

	take_blanks(&p);
	if (!take_real(&p, &us) || !take_blanks(&p) || !take_real(&p, &level) || !take_blanks(&p) ||
	    !take_number(&p, SNAPSHOT_COUNT_MAX, &seen) || level > 1 ||
	    us > HIST_HIGHEST_NS / 1e3 * 1.001)
		return lines_refuse(
			l, "not \"value percentile count\"; give the file as it was written");
	h->whole |= level >= 1;
	int64_t ns = (int64_t)llround(us * 1e3);
	uint64_t more = seen - one->counts.count;

	if (seen < one->counts.count || (one->pairs && ns < one->max_ns))
		return lines_refuse(l, "value or count falls; the file is damaged");
	if (!more)
		return 0;
	if (one->pairs && ns == one->max_ns)
		one->histogram[one->pairs - 1].count += more;
	else if (snapshot_add_pair(one, ns, more))
		return lines_no_memory(l);
	if (one->pairs == 1)
		one->min_ns = ns;
	one->max_ns = ns;
	one->counts.count = one->counts.due = seen;
	return 0;
}

static int read_foot(struct parse *h)
{
	struct lines *l = &h->l;
	struct snapshot_series *one = h->one;
	const char *at = strstr(l->text, "Total count"), *mean = strstr(l->text, "Mean");
	uint64_t total;
	double us;

	if (at && (at = strchr(at, '='))) {
		at++;
		take_blanks(&at);
		if (!take_number(&at, SNAPSHOT_COUNT_MAX, &total) || total != one->counts.count)
			return lines_refuse(
				l, "Total count is not that of the last row; the file is damaged");
		h->whole = true;
	}
	if (mean && (mean = strchr(mean, '='))) {
		mean++;
		take_blanks(&mean);
		if (take_real(&mean, &us) && us <= HIST_HIGHEST_NS / 1e3)
			one->mean_ns = us * 1e3;
	}
	return 0;
}

static int read_line(struct parse *h)
{
	if (h->l.text[0] == '#')
		return read_foot(h);
	if (h->head)
		return h->l.length ? read_level(h) : 0;
	h->head = h->l.length > 0;
	return 0;
}

static int hgrm_read(const char *bytes, size_t n, const char *name, struct snapshot *s,
		     struct why *why)
{
	struct parse h = { .one = snapshot_add_series(s, "hgrm", -1) };
	int err = lines_open(&h.l, bytes, n, name, why);

	if (!h.one && !err)
		err = lines_no_memory(&h.l);
	if (!err)
		h.one->mean_ns = NAN;
	while (!err && lines_next(&h.l))
		err = read_line(&h);
	err = err ? err : h.l.err;
	if (!err && !h.whole)
		err = lines_refuse(&h.l, "no row of 1.0 and no Total count; was the file cut short?");
	if (!err && !h.one->counts.count)
		h.one->mean_ns = 0;
	lines_close(&h.l);
	snprintf(s->note, sizeof(s->note), "read from percentiles: total and maximum are exact, "
		 "the body is coarse; unit taken as us");
	return err;
}

const struct format format_hgrm = {
	.name = "hgrm",
	.suffix = ".hgrm",
	.summary = "HdrHistogram percentile text, us",
	.takes = pick_probe,
	.write = hgrm_write,
	.sniff = hgrm_sniff,
	.read = hgrm_read,
};
