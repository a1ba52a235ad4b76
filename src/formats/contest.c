/*
 * contest.c - tables as contest printed them: per load, kernels with the time
 * of the fixed job and its ratio to the job alone.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/format.h"
#include "src/formats/lines.h"
#include "src/snapshot_build.h"
#include "src/text.h"

#define ALONE "no_load"

static const char *const columns[] = { "runs", "Time", "CPU%", "Loads", "LCPU%", "Ratio" };
#define COLUMNS (sizeof(columns) / sizeof(columns[0]))
enum { RUNS, TIME, CPU, LOADS, LCPU, RATIO };

static const struct snapshot_figure *find(const struct snapshot *s, const char *table,
					  const char *row, size_t column)
{
	for (unsigned i = 0; i < s->nr_figures; i++) {
		const struct snapshot_figure *f = &s->figures[i];

		if (!strcmp(f->name, columns[column]) && !strcmp(f->table, table) &&
		    !strcmp(f->row, row))
			return f;
	}
	return NULL;
}

/* ---- writing --------------------------------------------------------------- */

static void cell_text(char *buf, size_t size, const struct snapshot_figure *f, size_t column)
{
	if (f && f->text[0])
		snprintf(buf, size, "%s", f->text);
	else if (!f || !isfinite(f->value))
		snprintf(buf, size, "na");
	else
		snprintf(buf, size,
			 column == RUNS || (column == TIME && f->value >= 60) ? "%.0f" : "%.1f",
			 f->value);
}

/* From the times as they are printed, so that a reader finds the same. */
static void ratio_text(char *buf, size_t size, const struct snapshot *s,
		       const struct snapshot_figure *time)
{
	const struct snapshot_figure *alone = find(s, ALONE, time->row, TIME);
	char a[24], b[24];

	cell_text(a, sizeof(a), time, TIME);
	cell_text(b, sizeof(b), alone, TIME);
	double x = strtod(a, NULL), y = strtod(b, NULL);

	if (x > 0 && y > 0)
		snprintf(buf, size, "%.2f", x / y);
	else
		snprintf(buf, size, "na");
}

static int label_width(const struct snapshot *s)
{
	size_t most = strlen("Kernel");

	for (unsigned i = 0; i < s->nr_figures; i++)
		if (strlen(s->figures[i].row) > most)
			most = strlen(s->figures[i].row);
	return (int)most + 1;
}

static void write_row(FILE *out, const struct snapshot *s, const struct snapshot_figure *runs,
		      int width)
{
	const struct snapshot_figure *time = find(s, runs->table, runs->row, TIME);
	char text[32];

	cell_text(text, sizeof(text), runs, RUNS);
	fprintf(out, "%-*s%6s", width, runs->row, text);
	for (size_t c = TIME; c < RATIO; c++) {
		cell_text(text, sizeof(text), find(s, runs->table, runs->row, c), c);
		fprintf(out, "\t%s", text);
	}
	if (time)
		ratio_text(text, sizeof(text), s, time);
	else
		snprintf(text, sizeof(text), "na");
	fprintf(out, "\t%s\n", text);
}

static int contest_write(FILE *out, const struct snapshot *s, struct why *why)
{
	int width = label_width(s);
	const char *table = NULL;

	for (unsigned i = 0; i < s->nr_figures; i++) {
		const struct snapshot_figure *f = &s->figures[i];

		if (strcmp(f->name, columns[RUNS]))
			continue;
		if (!table || strcmp(table, f->table)) {
			fprintf(out, "%s%s:\n%-*s[runs]\tTime\tCPU%%\tLoads\tLCPU%%\tRatio\n",
				table ? "\n" : "", f->table, width, "Kernel");
			table = f->table;
		}
		write_row(out, s, f, width);
	}
	return table ? 0 : why_set(why, -ENODATA, "contest: there is no table of it here; "
				   "make one with jitterscope run contest");
}

/* ---- reading --------------------------------------------------------------- */

static int contest_sniff(const char *bytes, size_t n, const char *name)
{
	(void)name;
	return has_text(bytes, n, "[runs]") && has_text(bytes, n, "LCPU%") ? 80 : 0;
}

/* A figure, or unknown; false: neither. */
static bool take_cell(const char **p, char *text, size_t size, double *value)
{
	size_t n = strcspn(*p, " \t");
	const char *at = *p;

	if (!n || n >= size)
		return false;
	snprintf(text, size, "%.*s", (int)n, *p);
	*p += n;
	*value = NAN;
	if (!strcmp(text, "na") || !strcmp(text, "XX"))
		return true;
	return take_real(&at, value) && at == *p;
}

static int read_row(struct lines *l, struct snapshot *s, const char *table)
{
	char row[40], text[16];
	const char *p = l->text;
	double value;
	size_t n;

	take_blanks(&p);
	n = strcspn(p, " \t");
	text_clean(row, sizeof(row), p, n, 39);
	p += n;
	for (size_t c = 0; c < COLUMNS; c++) {
		if (!take_blanks(&p) || !take_cell(&p, text, sizeof(text), &value))
			return lines_refuse(l,
					    "not kernel, runs, Time, CPU%%, Loads, LCPU%%, Ratio; "
					    "give the table as it was printed");
		if (c == TIME && !(value > 0))
			return lines_refuse(
				l, "Time is not above 0; give the table as it was printed");
		struct snapshot_figure *f = snapshot_add_figure(s, table, row, columns[c],
								c == TIME ? "s" : "");

		if (!f)
			return lines_no_memory(l);
		f->value = value;
		snprintf(f->text, sizeof(f->text), "%s", text);
	}
	take_blanks(&p);
	return *p ? lines_refuse(l, "more than 7 fields; give the table as it was printed") : 0;
}

static int check_ratios(struct lines *l, const struct snapshot *s)
{
	for (unsigned i = 0; i < s->nr_figures; i++) {
		const struct snapshot_figure *f = &s->figures[i];

		if (strcmp(f->name, columns[RATIO]) || !isfinite(f->value))
			continue;
		const struct snapshot_figure *time = find(s, f->table, f->row, TIME);
		const struct snapshot_figure *alone = find(s, ALONE, f->row, TIME);

		if (time && alone && fabs(time->value / alone->value - f->value) > 0.0101)
			return lines_refuse(l,
					    "%s, %s: Ratio %.2f is not Time / Time of " ALONE "; "
					    "the table is damaged",
					    f->table, f->row, f->value);
	}
	return 0;
}

static int read_line(struct lines *l, struct snapshot *s, char *table, size_t size)
{
	size_t n = l->length;

	while (n && strchr(" \t", l->text[n - 1]))
		n--;
	if (!n || strstr(l->text, "[runs]"))
		return 0;
	if (l->text[n - 1] == ':' && !memchr(l->text, ' ', n)) {
		text_clean(table, size, l->text, n - 1, (unsigned)size);
		return 0;
	}
	if (!table[0])
		return lines_refuse(
			l, "a row before the name of a load; give the table as it was printed");
	return read_row(l, s, table);
}

static int contest_read(const char *bytes, size_t n, const char *name, struct snapshot *s,
			struct why *why)
{
	struct lines l;
	char table[40] = "";
	int err = lines_open(&l, bytes, n, name, why);

	while (!err && lines_next(&l))
		err = read_line(&l, s, table, sizeof(table));
	err = err ? err : l.err ? l.err : check_ratios(&l, s);
	lines_close(&l);
	return err;
}

const struct format format_contest = {
	.name = "contest",
	.suffix = ".contest",
	.summary = "tables of the contest suite",
	.write = contest_write,
	.sniff = contest_sniff,
	.read = contest_read,
};
