/* compare_figures.c - see compare_figures.h. */
#include "src/compare_figures.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "src/json_out.h"

#define LABEL 32		/* of a cell; a longer one has a line of its own */
#define LABEL_BYTES 240

typedef void print_line(const char *text);

/* "kernel 2.4.10"; where rows go by order, of which two: "2.4.10 | 2.4.11". */
static void row_text(const struct compare_figure *f, char *buf, size_t size)
{
	bool both = !f->by_row && strcmp(f->base->row, f->file->row);

	snprintf(buf, size, "%s%s%s", f->base->row, both ? " | " : "", both ? f->file->row : "");
}

static bool same_table(const struct compare_figure *a, const struct compare_figure *b)
{
	return !strcmp(a->base->table, b->base->table);
}

static bool same_row(const struct compare_figure *a, const struct compare_figure *b)
{
	return same_table(a, b) && !strcmp(a->base->row, b->base->row) &&
	       !strcmp(a->file->row, b->file->row);
}

/* Does the row stand before the name of its only cell, on one line? */
static bool is_one_line(const struct compare_pair *p, unsigned i)
{
	const struct compare_figure *f = &p->figure[i];
	char row[160];

	if ((i && same_row(f - 1, f)) || (i + 1 < p->nr_figures && same_row(f, f + 1)))
		return false;
	row_text(f, row, sizeof(row));
	return strlen(row) + 1 + strlen(f->base->name) <= LABEL;
}

/* The value, or the word that was printed in its place. */
static void value_text(char buf[20], const struct snapshot_figure *f)
{
	double value = snapshot_figure_value(f);

	if (isfinite(value))
		snprintf(buf, 20, "%.6g", value);
	else
		snprintf(buf, 20, "%.12s", f->text[0] ? f->text : "-");
}

static double ratio_of(const struct compare_figure *f)
{
	double a = snapshot_figure_value(f->base), b = snapshot_figure_value(f->file);

	return a > 0 ? b / a : NAN;
}

static void cell_line(const struct compare_figure *f, const char *label, print_line *line)
{
	char text[LABEL_BYTES + 100], a[20], b[20], ratio[16];

	if (strlen(label) > LABEL) {
		snprintf(text, sizeof(text), "  %s", label);
		line(text);
		label = "";
	}
	value_text(a, f->base);
	value_text(b, f->file);
	snprintf(text, sizeof(text), "  %-*s %12s %12s %8s  %s", LABEL, label, a, b,
		 compare_ratio_text(ratio, sizeof(ratio), ratio_of(f)), f->base->unit);
	line(text);
}

static void table_head(const struct compare_figure *f, print_line *line)
{
	char text[LABEL_BYTES + 100];

	line("");
	snprintf(text, sizeof(text), "%-*s %12s %12s %8s", LABEL + 2, f->base->table, "base",
		 "file", "ratio");
	line(text);
}

void compare_figures_text(const struct compare_pair *p, print_line *line)
{
	for (unsigned i = 0; i < p->nr_figures; i++) {
		const struct compare_figure *f = &p->figure[i];
		bool new_table = !i || !same_table(f - 1, f), one_line = is_one_line(p, i);
		char row[160], label[LABEL_BYTES];

		row_text(f, row, sizeof(row));
		if (new_table)
			table_head(f, line);
		if (!one_line && *row && (new_table || !same_row(f - 1, f)))
			line(row);
		snprintf(label, sizeof(label), "%s%s%s", one_line ? row : "",
			 one_line && *row ? " " : "", f->base->name);
		cell_line(f, label, line);
	}
}

static void member(FILE *out, const char *name, const char *text)
{
	fprintf(out, "\"%s\": ", name);
	json_out_text(out, text);
	fputs(", ", out);
}

static void value(FILE *out, const char *name, double number)
{
	fprintf(out, "\"%s\": ", name);
	json_out_real(out, number);
}

static void json_figure(FILE *out, const struct compare_figure *f)
{
	putc('{', out);
	member(out, "table", f->base->table);
	member(out, "base_row", f->base->row);
	member(out, "file_row", f->file->row);
	member(out, "name", f->base->name);
	member(out, "unit", f->base->unit);
	value(out, "base", snapshot_figure_value(f->base));
	fputs(", ", out);
	value(out, "file", snapshot_figure_value(f->file));
	fputs(", ", out);
	value(out, "ratio", ratio_of(f));
	putc('}', out);
}

void compare_figures_json(const struct compare_pair *p, FILE *out)
{
	putc('[', out);
	for (unsigned i = 0; i < p->nr_figures; i++) {
		fputs(i ? ",\n    " : "\n    ", out);
		json_figure(out, &p->figure[i]);
	}
	putc(']', out);
}
