/*
 * csv.c - two tables for spreadsheets and databases: the histogram slot by
 * slot, and the timeline row by row.  RFC 4180 quoting, LF, one header line; an
 * empty field is unknown, not 0.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "src/format.h"

static void field(FILE *out, const char *text)
{
	if (!text[strcspn(text, ",\"\r\n")]) {
		fputs(text, out);
		return;
	}
	putc('"', out);
	for (; *text; text++)
		fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
	putc('"', out);
}

/* ---- histogram ------------------------------------------------------------- */

static void histogram_series(FILE *out, const struct snapshot_series *one, const struct hist *slots)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < one->pairs; i++) {
		int64_t high = one->histogram[i].value_ns;
		int64_t low = one->bin_ns ? high - one->bin_ns + 1
					  : hist_slot_lowest(slots, hist_slot(slots, high));

		sum += one->histogram[i].count;
		field(out, one->probe);
		fprintf(out, ",%d,%" PRId64 ",%" PRId64 ",%" PRIu64 ",%" PRIu64 "\n", one->cpu,
			low > 0 ? low : 0, high, one->histogram[i].count, sum);
	}
}

static int csv_write(FILE *out, const struct snapshot *s, struct why *why)
{
	struct hist *slots = hist_new(3);

	if (!slots)
		return why_set(why, -ENOMEM, "csv: no memory; stop a load and try again");
	fputs("probe,cpu,lo_ns,hi_ns,count,cum\n", out);
	for (unsigned i = 0; i < s->nr_series; i++)
		histogram_series(out, &s->series[i], slots);
	hist_free(slots);
	return 0;
}

const struct format format_csv = {
	.name = "csv",
	.suffix = ".csv",
	.summary = "histograms slot by slot, for spreadsheets",
	.write = csv_write,
};

/* ---- timeline -------------------------------------------------------------- */

static uint64_t count_of(const struct snapshot_row *row)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < row->cells; i++)
		n += row->cell[i].count;
	return n;
}

static int64_t row_percentile(const struct snapshot_row *row, uint64_t count, double percent)
{
	double rank = ceil(nextafter(percent, -HUGE_VAL) / 100 * (double)count);
	uint64_t seen = 0;

	for (unsigned i = 0; i < row->cells; i++) {
		seen += row->cell[i].count;
		if ((double)seen >= rank) {
			int64_t high = slot_highest_ns(row->cell[i].slot);

			return row->max_ns && high > row->max_ns ? row->max_ns : high;
		}
	}
	return row->max_ns;
}

static void percentile_field(FILE *out, const struct snapshot_row *row, uint64_t count,
			     double percent)
{
	putc(',', out);
	if (count && hist_carries(count, percent))
		fprintf(out, "%" PRId64, row_percentile(row, count, percent));
}

/* CPUs are summed: cpu and early are unknown here. */
static void group_row(FILE *out, const struct snapshot *s, const struct snapshot_row *row)
{
	uint64_t count = count_of(row);

	fprintf(out, "%.15g,%.15g,", row->t_s, row->len_s);
	field(out, s->group_name[row->group]);
	fprintf(out, ",,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",,", count, row->missed,
		row->interrupted);
	if (count)
		fprintf(out, "%" PRId64, slot_lowest_ns(row->cell[0].slot));
	percentile_field(out, row, count, 50);
	percentile_field(out, row, count, 99);
	percentile_field(out, row, count, 99.9);
	if (count)
		fprintf(out, ",%" PRId64 ",,,\n", row->max_ns);
	else
		fputs(",,,,\n", out);
}

struct loads { const struct snapshot_load *last[SNAPSHOT_LOADS_MAX]; unsigned n; };

static void load_row(FILE *out, const struct loads *l, const struct snapshot_load_row *row)
{
	const char *unit = "";

	for (unsigned i = 0; i < l->n; i++)
		if (!strcmp(l->last[i]->name, row->name))
			unit = l->last[i]->rate_unit;
	fprintf(out, "%.15g,%.15g,,,,,,,,,,,,", row->t_s, row->len_s);
	field(out, row->name);
	fprintf(out, ",%.15g,", row->rate);
	field(out, unit);
	putc('\n', out);
}

static int csv_timeline_write(FILE *out, const struct snapshot *s, struct why *why)
{
	struct loads known = { .n = 0 };
	unsigned l = 0;

	(void)why;
	known.n = snapshot_loads(s, known.last);
	fputs("t_s,len_s,probe,cpu,count,missed,interrupted,early,min_ns,p50_ns,p99_ns,p999_ns,max_"
	      "ns,"
	      "load,rate,rate_unit\n",
	      out);
	for (unsigned r = 0; r < s->nr_rows; r++) {
		for (; l < s->nr_load_rows && s->load_rows[l].t_s < s->rows[r].t_s; l++)
			load_row(out, &known, &s->load_rows[l]);
		group_row(out, s, &s->rows[r]);
	}
	for (; l < s->nr_load_rows; l++)
		load_row(out, &known, &s->load_rows[l]);
	return 0;
}

const struct format format_csv_timeline = {
	.name = "csv-timeline",
	.suffix = ".timeline.csv",
	.summary = "latency and loads by time, for spreadsheets",
	.write = csv_timeline_write,
};
