/*
 * bonnie.c - the table of Bonnie 1.x: K/s and %CPU of five phases, seeks.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/format.h"
#include "src/formats/lines.h"
#include "src/snapshot_build.h"
#include "src/text.h"

#define TABLE "bonnie"

static const char head[] =
	"              -------Sequential Output-------- ---Sequential Input-- --Random--\n"
	"              -Per Char- --Block--- -Rewrite-- -Per Char- --Block--- --Seeks---\n"
	"Machine    MB K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU  /sec %CPU\n";

static const struct { const char *name, *unit; } columns[] = {
	{ "MB", "MB" },
	{ "per char out", "K/s" }, { "per char out %CPU", "%" }, { "block out", "K/s" },
	{ "block out %CPU", "%" }, { "rewrite", "K/s" }, { "rewrite %CPU", "%" },
	{ "per char in", "K/s" }, { "per char in %CPU", "%" }, { "block in", "K/s" },
	{ "block in %CPU", "%" }, { "seeks", "/s" }, { "seeks %CPU", "%" },
};
#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

/* ---- writing --------------------------------------------------------------- */

static void cell(FILE *out, const struct snapshot_figure *f, size_t c)
{
	bool percent = c && c % 2 == 0, seeks = c == COLUMNS - 2;
	int width = c == 0 ? 4 : percent ? 4 : 5;
	char text[24];

	if (f && f->text[0])
		snprintf(text, sizeof(text), "%s", f->text);
	else if (!f || !isfinite(f->value))
		snprintf(text, sizeof(text), percent ? "+++" : "+++++");
	else
		snprintf(text, sizeof(text), percent || seeks ? "%.1f" : "%.0f",
			 percent || seeks ? f->value : trunc(f->value));
	fprintf(out, " %*s", width, text);
}

static const struct snapshot_figure *find(const struct snapshot *s, const char *row, size_t c)
{
	for (unsigned i = 0; i < s->nr_figures; i++)
		if (!strcmp(s->figures[i].table, TABLE) && !strcmp(s->figures[i].row, row) &&
		    !strcmp(s->figures[i].name, columns[c].name))
			return &s->figures[i];
	return NULL;
}

/* A row that a remark named keeps its remark and head; others are machines. */
static void write_row(FILE *out, const struct snapshot *s, const char *row, bool *headed)
{
	bool remark = strchr(row, ' ') != NULL;

	if (remark)
		fprintf(out, "# %s\n", row);
	if (remark || !*headed)
		fputs(head, out);
	*headed = true;
	fprintf(out, "%-8.8s", remark ? "" : row);
	for (size_t c = 0; c < COLUMNS; c++)
		cell(out, find(s, row, c), c);
	putc('\n', out);
}

static int bonnie_write(FILE *out, const struct snapshot *s, struct why *why)
{
	bool headed = false;

	for (unsigned i = 0; i < s->nr_figures; i++)
		if (!strcmp(s->figures[i].table, TABLE) &&
		    !strcmp(s->figures[i].name, columns[0].name))
			write_row(out, s, s->figures[i].row, &headed);
	return headed ? 0 : why_set(why, -ENODATA, "bonnie: there is no such table here; "
				    "make one with jitterscope run bonnie");
}

/* ---- reading --------------------------------------------------------------- */

static int bonnie_sniff(const char *bytes, size_t n, const char *name)
{
	(void)name;
	return has_text(bytes, n, "Machine    MB K/sec") ||
			       has_text(bytes, n, "-Per Char- --Block---")
		       ? 90
		       : 0;
}

static unsigned words_of(const char *p)
{
	unsigned n = 0;

	for (p += strspn(p, " \t"); *p; p += strspn(p, " \t")) {
		p += strcspn(p, " \t");
		n++;
	}
	return n;
}

static int read_cell(struct lines *l, struct snapshot *s, const char *row, size_t c,
		     const char *word, size_t n)
{
	struct snapshot_figure *f =
		snapshot_add_figure(s, TABLE, row, columns[c].name, columns[c].unit);
	const char *p = word;

	if (!f)
		return lines_no_memory(l);
	f->value = NAN;
	snprintf(f->text, sizeof(f->text), "%.*s", n < 15 ? (int)n : 15, word);
	if (word[0] == '+' && strspn(word, "+") == n)
		return 0;	/* too short to be measured */
	if (!take_real(&p, &f->value) || p != word + n)
		return lines_refuse(l, "'%.*s' is not a figure; give the table as it was printed",
				    n < 20 ? (int)n : 20, word);
	return 0;
}

static int read_row(struct lines *l, struct snapshot *s, const char *remark)
{
	const char *p = l->text;
	unsigned words = words_of(p);
	char row[64];

	if (words != COLUMNS && words != COLUMNS + 1)
		return lines_refuse(l, "%u fields, not 13 or 14; give the table as it was printed",
				    words);
	snprintf(row, sizeof(row), "%s", remark);
	p += strspn(p, " \t");
	if (words == COLUMNS + 1) {
		size_t n = strcspn(p, " \t");

		text_clean(row, sizeof(row), p, n, 39);
		p += n;
	}
	for (size_t c = 0; c < COLUMNS; c++) {
		p += strspn(p, " \t");
		size_t n = strcspn(p, " \t");
		int err = read_cell(l, s, row, c, p, n);

		if (err)
			return err;
		p += n;
	}
	return 0;
}

static int bonnie_read(const char *bytes, size_t n, const char *name, struct snapshot *s,
		       struct why *why)
{
	struct lines l;
	char remark[64] = "";
	int err = lines_open(&l, bytes, n, name, why);

	while (!err && lines_next(&l)) {
		const char *p = l.text + strspn(l.text, " \t");

		if (*p == '#') {
			p += 1 + strspn(p + 1, " ");
			text_clean(remark, sizeof(remark), p, strlen(p), 63);
		} else if (*p && *p != '-' && strncmp(p, "Machine", 7)) {
			err = read_row(&l, s, remark);
		}
	}
	err = err ? err : l.err;
	lines_close(&l);
	return err;
}

const struct format format_bonnie = {
	.name = "bonnie",
	.suffix = ".bonnie",
	.summary = "the table of the bonnie suite",
	.write = bonnie_write,
	.sniff = bonnie_sniff,
	.read = bonnie_read,
};
