/* grid.c - see grid.h. */
#include "src/formats/grid.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 78
#define TABLES_MAX 64
#define ROWS_MAX 256		/* and columns; what is beyond is told */
#define LOOKED_AT 20000		/* figures of a table: a report is not for more */
#define LABEL_MOST 30
#define LINE_BYTES 512

struct grid {
	const char *table;
	const char *row[ROWS_MAX], *column[ROWS_MAX];
	unsigned rows, columns;
	bool more;		/* not all of it is here */
	bool repeats;		/* cells of one name: only a list shows them all */
	const struct snapshot_figure **cell;	/* [row * ROWS_MAX + column] */
};

/* ---- collecting ---------------------------------------------------------- */

/* Index of a name, which is added when it is new; ROWS_MAX: no room. */
static unsigned index_of(const char **names, unsigned *n, const char *name)
{
	unsigned i = 0;

	while (i < *n && strcmp(names[i], name))
		i++;
	if (i == *n && i < ROWS_MAX)
		names[(*n)++] = name;
	return i;
}

static void collect(struct grid *g, const struct snapshot *s)
{
	unsigned looked_at = 0;

	g->rows = g->columns = 0;
	g->more = g->repeats = false;
	memset(g->cell, 0, ROWS_MAX * ROWS_MAX * sizeof(*g->cell));
	for (unsigned i = 0; i < s->nr_figures && looked_at < LOOKED_AT; i++) {
		const struct snapshot_figure *f = &s->figures[i];

		if (strcmp(f->table, g->table))
			continue;
		unsigned row = index_of(g->row, &g->rows, f->row);
		unsigned column = index_of(g->column, &g->columns, f->name);

		looked_at++;
		if (row >= ROWS_MAX || column >= ROWS_MAX) {
			g->more = true;
			continue;
		}
		g->repeats |= g->cell[row * ROWS_MAX + column] != NULL;
		g->cell[row * ROWS_MAX + column] = f;
	}
	g->more |= looked_at == LOOKED_AT;
}

/* ---- one way or the other ------------------------------------------------ */

/* A grid as it is looked at: `turned` makes columns of its rows. */
struct look {
	const struct grid *g;
	bool turned;
	unsigned rows, columns;
};

static const struct snapshot_figure *cell_at(const struct look *l, unsigned row, unsigned column)
{
	return l->turned ? l->g->cell[column * ROWS_MAX + row] : l->g->cell[row * ROWS_MAX + column];
}

static const char *row_name(const struct look *l, unsigned row)
{
	return l->turned ? l->g->column[row] : l->g->row[row];
}

static const char *column_name(const struct look *l, unsigned column)
{
	return l->turned ? l->g->row[column] : l->g->column[column];
}

static const char *cell_text(const struct snapshot_figure *f, char buf[24])
{
	if (f && f->text[0])
		return f->text;
	if (!f)
		return "";
	snprintf(buf, 24, isfinite(f->value) ? "%.6g" : "na", f->value);
	return buf;
}

/* The one unit of a line or column; "": none, or several. */
static const char *unit_of(const struct look *l, unsigned i, bool of_row)
{
	unsigned n = of_row ? l->columns : l->rows;
	const char *unit = NULL;

	for (unsigned k = 0; k < n; k++) {
		const struct snapshot_figure *f = of_row ? cell_at(l, i, k) : cell_at(l, k, i);

		if (f && unit && strcmp(unit, f->unit))
			return "";
		if (f)
			unit = f->unit;
	}
	return unit ? unit : "";
}

static unsigned longer(unsigned width, const char *text)
{
	unsigned n = (unsigned)strlen(text);

	return n > width ? n : width;
}

static unsigned label_width(const struct look *l)
{
	unsigned width = 0;

	for (unsigned r = 0; r < l->rows; r++)
		width = longer(width, row_name(l, r));
	return width < LABEL_MOST ? width : LABEL_MOST;
}

static unsigned column_width(const struct look *l, unsigned column)
{
	unsigned width = longer(3, column_name(l, column));
	char buf[24];

	if (!l->turned)
		width = longer(width, unit_of(l, column, false));
	for (unsigned r = 0; r < l->rows; r++)
		width = longer(width, cell_text(cell_at(l, r, column), buf));
	return width;
}

static unsigned whole_width(const struct look *l)
{
	unsigned width = label_width(l);

	for (unsigned c = 0; c < l->columns && width < 10 * COLUMNS; c++)
		width += column_width(l, c) + 1;
	return l->turned ? width + 8 : width;	/* units stand at the end */
}

/* ---- writing ------------------------------------------------------------- */

struct text { char line[LINE_BYTES]; size_t used; };

static void add(struct text *t, int width, const char *what)
{
	if (t->used >= sizeof(t->line))
		return;
	int n = snprintf(t->line + t->used, sizeof(t->line) - t->used, "%*s", width, what);

	t->used += n > 0 ? (size_t)n : 0;
}

static void begin(struct text *t, unsigned width, const char *label)
{
	t->used = 0;
	t->line[0] = '\0';
	snprintf(t->line, sizeof(t->line), "%-*.*s", (int)width, (int)width, label);
	t->used = strlen(t->line);
}

static void write_heads(FILE *out, const struct look *l, unsigned from, unsigned to, unsigned label,
			void (*line)(FILE *out, const char *text))
{
	struct text t;
	bool units = false;

	begin(&t, label, "");
	for (unsigned c = from; c < to; c++)
		add(&t, (int)column_width(l, c) + 1, column_name(l, c));
	line(out, t.line);
	begin(&t, label, "");
	for (unsigned c = from; c < to && !l->turned; c++) {
		add(&t, (int)column_width(l, c) + 1, unit_of(l, c, false));
		units |= *unit_of(l, c, false) != '\0';
	}
	if (units)
		line(out, t.line);
}

static void write_block(FILE *out, const struct look *l, unsigned from, unsigned to, unsigned label,
			void (*line)(FILE *out, const char *text))
{
	unsigned width[ROWS_MAX];
	struct text t;
	char buf[24];

	write_heads(out, l, from, to, label, line);
	for (unsigned c = from; c < to; c++)
		width[c] = column_width(l, c);
	for (unsigned r = 0; r < l->rows; r++) {
		begin(&t, label, row_name(l, r));
		for (unsigned c = from; c < to; c++)
			add(&t, (int)width[c] + 1, cell_text(cell_at(l, r, c), buf));
		if (l->turned && *unit_of(l, r, true)) {
			add(&t, 1, " ");
			add(&t, 0, unit_of(l, r, true));
		}
		line(out, t.line);
	}
}

/* As many columns at a time as fit, at least one. */
static void write_blocks(FILE *out, const struct look *l, void (*line)(FILE *out, const char *text))
{
	unsigned label = label_width(l), to;

	for (unsigned from = 0; from < l->columns; from = to) {
		unsigned width = label + (l->turned ? 8 : 0);

		for (to = from; to < l->columns; to++) {
			width += column_width(l, to) + 1;
			if (width > COLUMNS && to > from)
				break;
		}
		write_block(out, l, from, to, label, line);
	}
}

static void write_list(FILE *out, const struct grid *g, const struct snapshot *s,
		       void (*line)(FILE *out, const char *text))
{
	const char *row = NULL;
	unsigned written = 0;

	for (unsigned i = 0; i < s->nr_figures && written < LOOKED_AT; i++) {
		const struct snapshot_figure *f = &s->figures[i];
		char buf[24], text[160];

		if (strcmp(f->table, g->table))
			continue;
		if (*f->row && (!row || strcmp(row, f->row)))
			line(out, f->row);
		row = f->row;
		snprintf(text, sizeof(text), "  %-30s %12s %s", f->name, cell_text(f, buf), f->unit);
		line(out, text);
		written++;
	}
}

static void write_grid(FILE *out, const struct grid *g, void (*line)(FILE *out, const char *text))
{
	struct look straight = { g, false, g->rows, g->columns };
	struct look turned = { g, true, g->columns, g->rows };
	bool turn = g->columns > g->rows && whole_width(&straight) > COLUMNS &&
		    whole_width(&turned) <= COLUMNS;

	write_blocks(out, turn ? &turned : &straight, line);
}

static void write_table(FILE *out, const struct grid *g, const struct snapshot *s,
			void (*line)(FILE *out, const char *text))
{
	line(out, "");
	if (g->table[0])
		line(out, g->table);
	if (g->repeats)
		write_list(out, g, s, line);
	else
		write_grid(out, g, line);
	if (g->more)
		line(out, "  and more: see the .json");
}

static bool seen_before(const struct snapshot *s, unsigned at, const char *const *tables,
			unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		if (!strcmp(tables[i], s->figures[at].table))
			return true;
	}
	return false;
}

int grid_write(FILE *out, const struct snapshot *s, void (*line)(FILE *out, const char *text))
{
	const char *tables[TABLES_MAX];
	unsigned n = 0;
	struct grid *g;

	if (!s->nr_figures)
		return 0;
	g = calloc(1, sizeof(*g));
	if (g)
		g->cell = calloc(ROWS_MAX * ROWS_MAX, sizeof(*g->cell));
	if (!g || !g->cell) {
		free(g);
		return -ENOMEM;
	}
	for (unsigned i = 0; i < s->nr_figures && n < TABLES_MAX; i++) {
		if (seen_before(s, i, tables, n))
			continue;
		g->table = tables[n++] = s->figures[i].table;
		collect(g, s);
		write_table(out, g, s, line);
	}
	free(g->cell);
	free(g);
	return 0;
}
