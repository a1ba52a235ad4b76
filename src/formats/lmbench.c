/*
 * lmbench.c - tables in the manner of lmbench (never to be called results of
 * it): one row a kernel or machine, three digits a figure.
 *
 * A table is its title, a line of dashes, the names of its columns, rows, an
 * empty line.  A row is its name, 24 bytes wide or as wide as the longest, and
 * a word for each column; "na" is not known.  What stands before a title, or
 * between an empty line and the next title, is for people.
 *
 * Read is also one figure a line: table, row, column, value, unit, with tabs.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/format.h"
#include "src/formats/lines.h"
#include "src/pairing.h"
#include "src/snapshot_build.h"
#include "src/text.h"

static const struct table {
	const char *name, *unit, *title;
	const char *const column[12];
} tables[] = {
	{"processor", "us",
	 "Processor, processes - times in microseconds - smaller is better",
	 {"null call", "null I/O", "stat", "open clos", "selct TCP", "sig inst", "sig hndl",
	  "fork proc", "exec proc", "sh proc"}},
	{"ctxsw", "us",
	 "Context switching - times in microseconds - smaller is better",
	 {"2p/0K", "2p/16K", "2p/64K", "8p/16K", "8p/64K", "16p/16K", "16p/64K"}},
	{"comm_lat", "us",
	 "Local communication latencies in microseconds - smaller is better",
	 {"2p/0K", "Pipe", "AF UNIX", "UDP", "RPC/UDP", "TCP", "RPC/TCP", "TCP conn"}},
	{"file_vm", "us",
	 "File and VM latencies in microseconds - smaller is better",
	 {"0K Create", "0K Delete", "10K Create", "10K Delete", "Mmap Latency", "Prot Fault",
	  "Page Fault"}},
	{"comm_bw", "MB/s",
	 "Local communication bandwidths in MB/s - bigger is better",
	 {"Pipe", "AF UNIX", "TCP", "File reread", "Mmap reread", "Bcopy (libc)", "Bcopy (hand)",
	  "Mem read", "Mem write"}},
	{"mem_lat", "ns",
	 "Memory latencies in nanoseconds - smaller is better",
	 {"Mhz", "L1 $", "L2 $", "Main mem"}},
};
#define TABLES (sizeof(tables) / sizeof(tables[0]))
#define NAME_LEAST 24		/* bytes of a row's name */
#define COLUMNS_BYTES 160	/* of all columns' names in a line */

/* ---- writing --------------------------------------------------------------- */

/* Three significant digits, decided after rounding: 9.996 is "10.0". */
static void figure_text(char *buf, size_t size, const struct snapshot_figure *f)
{
	if (!f || (!f->text[0] && !(isfinite(f->value) && f->value >= 0)))
		snprintf(buf, size, "na");
	else if (f->text[0])
		snprintf(buf, size, "%s", f->text);
	else if (fabs(f->value) < 9.995)
		snprintf(buf, size, "%.2f", f->value);
	else
		snprintf(buf, size, fabs(f->value) < 99.95 ? "%.1f" : "%.0f", f->value);
}

static int by_row(const void *a, const void *b)
{
	const struct snapshot_figure *x = a, *y = b;
	int table = strcmp(x->table, y->table);

	return table ? table : strcmp(x->row, y->row);
}

/* Of pointers; of one cell the earlier first. */
static int by_cell(const void *a, const void *b)
{
	const struct snapshot_figure *x = *(const struct snapshot_figure *const *)a;
	const struct snapshot_figure *y = *(const struct snapshot_figure *const *)b;
	int row = by_row(x, y), name = row ? row : strcmp(x->name, y->name);

	return name ? name : (x > y) - (x < y);
}

/* Sorted once, as a search for each cell would take long with very many. */
struct index {
	const struct snapshot_figure **cell;
	unsigned *row;		/* place of the first figure of its row */
	unsigned n;
};

static int index_make(struct index *x, const struct snapshot *s)
{
	const struct pairing_list all = { s->figures, s->nr_figures, sizeof(*s->figures) };

	x->n = s->nr_figures;
	x->cell = calloc(x->n + 1ul, sizeof(const struct snapshot_figure *));
	x->row = calloc(x->n + 1ul, sizeof(*x->row));
	if (!x->cell || !x->row)
		return -ENOMEM;
	for (unsigned i = 0; i < x->n; i++)
		x->cell[i] = &s->figures[i];
	qsort(x->cell, x->n, sizeof(const struct snapshot_figure *), by_cell);
	return pairing_firsts(&all, by_row, x->row);
}

static void index_free(struct index *x)
{
	free(x->cell);
	free(x->row);
}

static const struct snapshot_figure *find(const struct index *x,
					  const struct snapshot_figure *of_row, const char *column)
{
	unsigned low = 0, high = x->n;

	while (low < high) {
		unsigned middle = low + (high - low) / 2;
		int row = by_row(x->cell[middle], of_row);

		if ((row ? row : strcmp(x->cell[middle]->name, column)) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < x->n && !by_row(x->cell[low], of_row) && !strcmp(x->cell[low]->name, column)
		? x->cell[low] : NULL;
}

/* A column is as wide as its name, 6 at least. */
static int width_of(const char *column)
{
	return strlen(column) > 6 ? (int)strlen(column) : 6;
}

static int name_width(const struct snapshot *s, const struct table *t)
{
	size_t width = NAME_LEAST;

	for (unsigned i = 0; i < s->nr_figures; i++) {
		size_t n = strlen(s->figures[i].row);

		if (!strcmp(s->figures[i].table, t->name) && n > width)
			width = n;
	}
	return (int)width;
}

/* As they stand behind a row's name. */
static void columns_text(const struct table *t, char *buf, size_t size)
{
	size_t n = 0;

	for (size_t c = 0; t->column[c] && n < size; c++)
		n += (size_t)snprintf(buf + n, size - n, " %*s", width_of(t->column[c]),
				      t->column[c]);
}

static void write_head(FILE *out, const struct table *t, int width)
{
	char columns[COLUMNS_BYTES];

	columns_text(t, columns, sizeof(columns));
	fprintf(out, "%s\n", t->title);
	for (size_t i = 0; i < strlen(t->title); i++)
		putc('-', out);
	fprintf(out, "\n%*s%s\n", width, "", columns);
}

static void write_row(FILE *out, const struct index *x, const struct table *t,
		      const struct snapshot_figure *of_row, int width)
{
	char text[24];

	fprintf(out, "%-*s", width, of_row->row);
	for (size_t c = 0; t->column[c]; c++) {
		figure_text(text, sizeof(text), find(x, of_row, t->column[c]));
		fprintf(out, " %*s", width_of(t->column[c]), text);
	}
	putc('\n', out);
}

static bool write_table(FILE *out, const struct snapshot *s, const struct index *x,
			const struct table *t, bool more)
{
	int width = name_width(s, t);
	bool head = false;

	for (unsigned i = 0; i < s->nr_figures; i++) {
		if (x->row[i] != i || strcmp(s->figures[i].table, t->name))
			continue;
		if (!head) {
			fputs(more ? "\n" : "", out);
			write_head(out, t, width);
		}
		head = true;
		write_row(out, x, t, &s->figures[i], width);
	}
	return head;
}

static int lmbench_write(FILE *out, const struct snapshot *s, struct why *why)
{
	struct index x;
	bool any = false;
	int err = index_make(&x, s);

	for (size_t t = 0; t < TABLES && !err; t++)
		any |= write_table(out, s, &x, &tables[t], any);
	index_free(&x);
	if (err)
		return why_set(why, err, "lmbench: no memory; stop a load and try again");
	return any ? 0 : why_set(why, -ENODATA, "lmbench: there is no such table here; "
				 "make one with jitterscope run latencies");
}

/* ---- reading --------------------------------------------------------------- */

#define HEAD "table\tkernel\tcolumn\tvalue\tunit"

static int lmbench_sniff(const char *bytes, size_t n, const char *name)
{
	char line[64];

	(void)name;
	if (!strcmp(first_line(bytes, n, line, sizeof(line)), HEAD))
		return 90;
	for (size_t t = 0; t < TABLES; t++) {
		if (has_text(bytes, n, tables[t].title))
			return 80;
	}
	return 0;
}

/* ---- reading: one figure a line */

static int read_figure(struct lines *l, struct snapshot *s)
{
	char field[5][40];
	const char *p = l->text;

	for (int i = 0; i < 5; i++) {
		size_t n = strcspn(p, "\t");

		if (!n || (i < 4) != (p[n] == '\t'))
			return lines_refuse(
				l, "not five fields with tabs; give the file as it was written");
		text_clean(field[i], sizeof(field[i]), p, n, 39);
		p += n + (p[n] == '\t');
	}
	struct snapshot_figure *f = snapshot_add_figure(s, field[0], field[1], field[2], field[4]);

	if (!f)
		return lines_no_memory(l);
	const char *value = field[3];

	f->value = NAN;
	snprintf(f->text, sizeof(f->text), "%.15s", field[3]);
	if (strcmp(field[3], "na") && (!take_real(&value, &f->value) || *value))
		return lines_refuse(l, "'%.20s' is not a figure; give the file as it was written",
				    field[3]);
	return 0;
}

static int read_figures(struct lines *l, struct snapshot *s)
{
	int err = 0;

	while (!err && lines_next(l)) {
		if (l->length && l->text[0] != '#')
			err = read_figure(l, s);
	}
	return err;
}

/* ---- reading: tables */

static const struct table *titled(const char *line)
{
	for (size_t t = 0; t < TABLES; t++) {
		if (!strcmp(tables[t].title, line))
			return &tables[t];
	}
	return NULL;
}

/* What stands before the columns is as wide as a name.  0: refused. */
static size_t read_head(struct lines *l, const struct table *t)
{
	char columns[COLUMNS_BYTES];
	size_t width;

	columns_text(t, columns, sizeof(columns));
	if (!lines_next(l) || !l->length || strspn(l->text, "-") != l->length || !lines_next(l)) {
		lines_refuse(l, "a title without its columns; give the file as it was written");
		return 0;
	}
	width = l->length > strlen(columns) ? l->length - strlen(columns) : 0;
	if (width >= NAME_LEAST && !strcmp(l->text + width, columns) &&
	    strspn(l->text, " ") >= width)
		return width;
	lines_refuse(l, "other columns than the title's; give the file as it was written");
	return 0;
}

static int read_word(struct lines *l, struct snapshot *s, const struct table *t, const char *row,
		     const char *column, const char **p)
{
	const char *unit = strcmp(column, "Mhz") ? t->unit : "MHz";
	struct snapshot_figure *f;
	size_t n = 0;

	if (take_blanks(p))
		n = strcspn(*p, " \t");
	if (!n || n >= sizeof(f->text))
		return lines_refuse(l, "no figure for '%s'; give the file as it was written", column);
	f = snapshot_add_figure(s, t->name, row, column, unit);
	if (!f)
		return lines_no_memory(l);
	snprintf(f->text, sizeof(f->text), "%.*s", (int)n, *p);
	f->value = NAN;
	if (n == 2 && !strncmp(*p, "na", 2)) {
		*p += n;
		return 0;
	}
	return take_real(p, &f->value) && (!**p || **p == ' ' || **p == '\t')
		? 0
		: lines_refuse(l, "'%s' is not a figure; give the file as it was written", f->text);
}

static int read_row(struct lines *l, struct snapshot *s, const struct table *t, size_t width)
{
	char row[64];
	const char *p = l->text + width;
	size_t n = width;
	int err = 0;

	if (l->length <= width)
		return lines_refuse(l, "a row without figures; give the file as it was written");
	while (n && l->text[n - 1] == ' ')
		n--;
	text_clean(row, sizeof(row), l->text, n, sizeof(row) - 1);
	for (size_t c = 0; t->column[c] && !err; c++)
		err = read_word(l, s, t, row, t->column[c], &p);
	if (!err && p[strspn(p, " \t")])
		err = lines_refuse(l, "more figures than columns; give the file as it was written");
	return err;
}

/* Up to the empty line after it. */
static int read_table(struct lines *l, struct snapshot *s, const struct table *t)
{
	size_t width = read_head(l, t);
	int err = l->err;

	while (!err && lines_next(l) && l->length)
		err = read_row(l, s, t, width);
	return err;
}

static int lmbench_read(const char *bytes, size_t n, const char *name, struct snapshot *s,
			struct why *why)
{
	const struct table *t;
	struct lines l;
	bool any = false, figures = false;
	int err = lines_open(&l, bytes, n, name, why);

	while (!err && lines_next(&l)) {
		t = titled(l.text);
		figures = !any && !strcmp(l.text, HEAD);
		if (figures)
			err = read_figures(&l, s);
		else if (t)
			err = read_table(&l, s, t);
		any |= figures || t;
	}
	if (!err && !l.err && !any)
		err = lines_refuse(&l, "none of the tables' titles; give the file as it was written");
	err = err ? err : l.err;
	lines_close(&l);
	return err;
}

const struct format format_lmbench = {
	.name = "lmbench",
	.suffix = ".lmbench",
	.summary = "lmbench-like tables of the latencies suite",
	.write = lmbench_write,
	.sniff = lmbench_sniff,
	.read = lmbench_read,
};
