/*
 * lmbench.c - tables in the manner of lmbench (never to be called results of
 * it): one row a kernel or machine, three digits a figure.  Read are plain
 * tab-separated figures.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/format.h"
#include "src/formats/lines.h"
#include "src/snapshot_build.h"
#include "src/text.h"

static const struct table {
	const char *name, *title;
	const char *const column[12];
} tables[] = {
	{"processor",
	 "Processor, processes - times in microseconds - smaller is better",
	 {"null call", "null I/O", "stat", "open clos", "selct TCP", "sig inst", "sig hndl",
	  "fork proc", "exec proc", "sh proc"}},
	{"ctxsw",
	 "Context switching - times in microseconds - smaller is better",
	 {"2p/0K", "2p/16K", "2p/64K", "8p/16K", "8p/64K", "16p/16K", "16p/64K"}},
	{"comm_lat",
	 "Local communication latencies in microseconds - smaller is better",
	 {"2p/0K", "Pipe", "AF UNIX", "UDP", "RPC/UDP", "TCP", "RPC/TCP", "TCP conn"}},
	{"file_vm",
	 "File and VM latencies in microseconds - smaller is better",
	 {"0K Create", "0K Delete", "10K Create", "10K Delete", "Mmap Latency", "Prot Fault",
	  "Page Fault"}},
	{"comm_bw",
	 "Local communication bandwidths in MB/s - bigger is better",
	 {"Pipe", "AF UNIX", "TCP", "File reread", "Mmap reread", "Bcopy (libc)", "Bcopy (hand)",
	  "Mem read", "Mem write"}},
	{"mem_lat",
	 "Memory latencies in nanoseconds - smaller is better",
	 {"Mhz", "L1 $", "L2 $", "Main mem"}},
};

/* ---- writing --------------------------------------------------------------- */

/* Three significant digits, decided after rounding: 9.996 is "10.0". */
static void figure_text(char *buf, size_t size, const struct snapshot_figure *f)
{
	if (!f || (!f->text[0] && !isfinite(f->value)))
		snprintf(buf, size, "na");
	else if (f->text[0])
		snprintf(buf, size, "%s", f->text);
	else if (fabs(f->value) < 9.995)
		snprintf(buf, size, "%.2f", f->value);
	else
		snprintf(buf, size, fabs(f->value) < 99.95 ? "%.1f" : "%.0f", f->value);
}

static const struct snapshot_figure *find(const struct snapshot *s, const char *table,
					  const char *row, const char *column)
{
	for (unsigned i = 0; i < s->nr_figures; i++) {
		const struct snapshot_figure *f = &s->figures[i];

		if (!strcmp(f->table, table) && !strcmp(f->row, row) && !strcmp(f->name, column))
			return f;
	}
	return NULL;
}

/* A column is as wide as its name, 6 at least. */
static int width_of(const char *column)
{
	return strlen(column) > 6 ? (int)strlen(column) : 6;
}

static void write_head(FILE *out, const struct table *t)
{
	fprintf(out, "%s\n", t->title);
	for (size_t i = 0; i < strlen(t->title); i++)
		putc('-', out);
	fprintf(out, "\n%-24s", "");
	for (size_t c = 0; t->column[c]; c++)
		fprintf(out, " %*s", width_of(t->column[c]), t->column[c]);
	putc('\n', out);
}

static void write_row(FILE *out, const struct snapshot *s, const struct table *t, const char *row)
{
	char text[24];

	fprintf(out, "%-24.24s", row);
	for (size_t c = 0; t->column[c]; c++) {
		figure_text(text, sizeof(text), find(s, t->name, row, t->column[c]));
		fprintf(out, " %*s", width_of(t->column[c]), text);
	}
	putc('\n', out);
}

static bool is_first_of_row(const struct snapshot *s, unsigned at)
{
	for (unsigned i = 0; i < at; i++)
		if (!strcmp(s->figures[i].table, s->figures[at].table) &&
		    !strcmp(s->figures[i].row, s->figures[at].row))
			return false;
	return true;
}

static int lmbench_write(FILE *out, const struct snapshot *s, struct why *why)
{
	bool any = false;

	for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++) {
		bool head = false;

		for (unsigned i = 0; i < s->nr_figures; i++) {
			if (strcmp(s->figures[i].table, tables[t].name) || !is_first_of_row(s, i))
				continue;
			if (!head) {
				fputs(any ? "\n" : "", out);
				write_head(out, &tables[t]);
			}
			head = any = true;
			write_row(out, s, &tables[t], s->figures[i].row);
		}
	}
	return any ? 0 : why_set(why, -ENODATA, "lmbench: there is no such table here; "
				 "make one with jitterscope run latencies");
}

/* ---- reading --------------------------------------------------------------- */

#define HEAD "table\tkernel\tcolumn\tvalue\tunit"

static int lmbench_sniff(const char *bytes, size_t n, const char *name)
{
	char line[64];

	(void)name;
	return !strcmp(first_line(bytes, n, line, sizeof(line)), HEAD) ? 90 : 0;
}

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

static int lmbench_read(const char *bytes, size_t n, const char *name, struct snapshot *s,
			struct why *why)
{
	struct lines l;
	bool head = false;
	int err = lines_open(&l, bytes, n, name, why);

	while (!err && lines_next(&l)) {
		if (!l.length || l.text[0] == '#')
			continue;
		if (head)
			err = read_figure(&l, s);
		else if (strcmp(l.text, HEAD))
			err = lines_refuse(&l, "does not begin with the names of its columns; "
					   "give the file as it was written");
		head = true;
	}
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
