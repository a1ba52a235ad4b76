/* plot_sheet.c - see plot_sheet.h. */
#include "src/plot_sheet.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "src/picture.h"
#include "src/slots.h"
#include "src/snapshot_build.h"

#define WIDTH 1200.0
#define LEFT 74.0
#define RIGHT 26.0
#define PANEL_HEIGHT 300.0
#define MAP_HEIGHT 130.0
#define NOTHING_SHARED "no probe is in two of these files: each is drawn for itself"

/* ---- SVG ------------------------------------------------------------------- */

static const char *const *labels(const struct plot_sheet *p, const char **out)
{
	for (unsigned i = 0; i < p->files; i++)
		out[i] = p->label[i];
	return out;
}

static void draw_panels(FILE *out, const struct plot_sheet *p, unsigned probe, double y)
{
	const char *name[PLOT_FILES_MAX];
	double w = (WIDTH - 2 * LEFT - RIGHT) / 2;
	struct box left = { LEFT, y + 22, w, PANEL_HEIGHT - 62 };
	struct box right = { LEFT + w + LEFT, y + 22, w, PANEL_HEIGHT - 62 };

	picture_text(out, LEFT, y + 12, 12.5, "start", 600, PICTURE_INK,
		     "%s: share of the samples, both log", p->probe[probe]);
	picture_histograms(out, left, p->dist[probe], labels(p, name), p->files,
			   PICTURE_SHARES_LOG);
	picture_text(out, right.x, y + 12, 12.5, "start", 600, PICTURE_INK,
		     "samples (log) over milliseconds");
	picture_histograms(out, right, p->dist[probe], labels(p, name), p->files,
			   PICTURE_COUNTS_MS);
}

static double table_height(const struct plot_sheet *p, unsigned probe)
{
	double height = 34;

	for (unsigned i = 0; i < p->files; i++)
		height += p->dist[probe][i].counts.count ? 17 : 0;
	return height;
}

static void draw_table(FILE *out, const struct plot_sheet *p, unsigned probe, double y)
{
	for (unsigned k = 0; k < DIST_PERCENTS; k++)
		picture_text(out, 520 + k * 90, y, 10.5, "end", 400, PICTURE_FAINT, "%s",
			     dist_percent_name(k));
	picture_text(out, 1150, y, 10.5, "end", 400, PICTURE_FAINT, "at or above 1 ms");
	for (unsigned i = 0; i < p->files; i++) {
		const struct dist *d = &p->dist[probe][i];
		double row = y + 18;

		if (!d->counts.count)
			continue;
		y += 17;
		picture_rect(out, (struct box){ LEFT, row - 9, 10, 10 }, picture_colour(i), 0.85);
		picture_text(out, LEFT + 16, row, 11.5, "start", 400, PICTURE_INK, "%s",
			     p->label[i]);
		for (unsigned k = 0; k < DIST_PERCENTS; k++) {
			char t[16] = "-";

			if (hist_carries(d->counts.count, dist_percents[k]))
				picture_time(t, sizeof(t), dist_percentile(d, dist_percents[k]));
			picture_text(out, 520 + k * 90, row, 11.5, "end", 400, PICTURE_INK, "%s",
				     t);
		}
		char share[16];

		picture_text(out, 1150, row, 11.5, "end", 400, PICTURE_INK, "%" PRIu64 " (%s)",
			     dist_at_or_above(d, 1000000),
			     dist_share_text(share, sizeof(share), d, 1000000));
	}
}

static bool has_map(const struct plot_sheet *p, unsigned file)
{
	return p->map[file] != PLOT_NO_MAP;
}

static const struct dist *mapped(const struct plot_sheet *p, unsigned file)
{
	return &p->dist[p->map[file]][file];
}

static unsigned maps_of(const struct plot_sheet *p)
{
	unsigned n = 0;

	for (unsigned i = 0; i < p->files; i++)
		n += has_map(p, i);
	return n;
}

/* All maps share the latency axis; each has its own time. */
static void maps_range(const struct plot_sheet *p, double *lo, double *hi)
{
	struct dist d[PLOT_FILES_MAX];
	unsigned n = 0;

	for (unsigned i = 0; i < p->files; i++)
		if (has_map(p, i))
			d[n++] = *mapped(p, i);
	picture_range(d, n, lo, hi);
}

static int draw_maps(FILE *out, const struct plot_sheet *p, double y)
{
	double lo, hi;

	maps_range(p, &lo, &hi);
	for (unsigned i = 0; i < p->files; i++) {
		struct box b = { LEFT, y + 18, WIDTH - LEFT - RIGHT, MAP_HEIGHT };
		struct axis ns = { lo, hi, b.y + b.h, b.y, 1 };
		struct axis time = { 0, p->snap[i]->duration_s, b.x, b.x + b.w, 0 };

		if (!has_map(p, i))
			continue;
		picture_text(out, LEFT, y + 11, 12, "start", 600, picture_colour(i), "%s: %s",
			     p->label[i], mapped(p, i)->probe);
		if (picture_map(out, b, p->snap[i], mapped(p, i)->probe, lo, hi))
			return -ENOMEM;
		picture_time_axis(out, &ns, b, 1);
		picture_seconds(out, &time, b, 1);
		y += MAP_HEIGHT + 42;
	}
	return 0;
}

int plot_sheet_svg(FILE *out, const struct plot_sheet *p)
{
	double y = 64, height = y + maps_of(p) * (MAP_HEIGHT + 42) + 20;

	for (unsigned k = 0; k < p->probes; k++)
		height += PANEL_HEIGHT + table_height(p, k);

	picture_begin(out, WIDTH, height, "jitterscope plot");
	picture_text(out, LEFT - 48, 34, 20, "start", 600, PICTURE_INK, "scheduling latency");
	if (!p->shared && p->files > 1)
		picture_text(out, LEFT - 48, 52, 12, "start", 400, PICTURE_FAINT, NOTHING_SHARED);
	picture_text(out, WIDTH - RIGHT, 34, 12, "end", 400, PICTURE_FAINT, "jitterscope %s",
		     JS_VERSION);
	for (unsigned k = 0; k < p->probes; k++) {
		draw_panels(out, p, k, y);
		draw_table(out, p, k, y + PANEL_HEIGHT);
		y += PANEL_HEIGHT + table_height(p, k);
	}
	int err = draw_maps(out, p, y);

	picture_end(out);
	return err;
}

/* ---- gnuplot --------------------------------------------------------------- */

enum { BY_LATENCY = 'l', BY_MS = 'm' };

/* What a bar is as high as, and the ground it stands on. */
static double height_of(const struct picture_step *s, int kind)
{
	return kind == BY_MS ? s->count : s->share;
}

/* The outline of a histogram, ns and height; blank lines where nothing was. */
static void data_block(FILE *out, const struct plot_sheet *p, int kind, unsigned probe,
		       unsigned file, double width_ns)
{
	const struct dist *d = &p->dist[probe][file];
	struct picture_steps it = { .d = d, .width_ns = width_ns };
	struct picture_step s;
	double ground = kind == BY_MS ? 0.5 : picture_share_floor(p->dist[probe], p->files);
	double lo, hi, before = -1;

	picture_range(p->dist[probe], p->files, &lo, &hi);
	fprintf(out, "$%c%u_%u << EOD\n", kind, probe, file);
	while (picture_next_step(&it, &s)) {
		if (kind == BY_LATENCY && s.from_ns < lo)
			s.from_ns = fmin(lo, s.to_ns);	/* 0 has no place on a log axis */
		if (before >= 0 && s.from_ns > before)
			fprintf(out, "%.0f %.9g\n\n", before, ground);
		if (s.from_ns > before)
			fprintf(out, "%.0f %.9g\n", s.from_ns, ground);
		fprintf(out, "%.0f %.9g\n%.0f %.9g\n", s.from_ns, height_of(&s, kind), s.to_ns,
			height_of(&s, kind));
		before = s.to_ns;
	}
	fprintf(out, "%.0f %.9g\nEOD\n", before > 0 ? before : 1, ground);
}

void plot_quoted(FILE *out, const char *text)
{
	putc('\'', out);
	for (; *text; text++)
		fputs(*text == '\'' ? "''" : (char[]){ *text, 0 }, out);
	putc('\'', out);
}

static void plot_line(FILE *out, const struct plot_sheet *p, int kind, unsigned probe,
		      const char *scaled)
{
	const char *before = "plot ";

	for (unsigned i = 0; i < p->files; i++) {
		if (!p->dist[probe][i].counts.count)
			continue;
		fprintf(out, "%s$%c%u_%u using (%s) with lines lw 1.5 lc rgb '%s' title ",
			before, kind, probe, i, scaled, picture_colour(i));
		plot_quoted(out, p->label[i]);
		before = ", ";
	}
	putc('\n', out);
}

static void data_blocks(FILE *out, const struct plot_sheet *p, unsigned probe)
{
	double most = 1000;

	for (unsigned i = 0; i < p->files; i++)
		most = fmax(most, (double)p->dist[probe][i].max_ns);
	for (unsigned i = 0; i < p->files; i++) {
		if (!p->dist[probe][i].counts.count)
			continue;
		data_block(out, p, BY_LATENCY, probe, i, 0);
		data_block(out, p, BY_MS, probe, i, picture_step_width(most));
	}
}

static void gnuplot_histograms(FILE *out, const struct plot_sheet *p, unsigned probe)
{
	double lo, hi;

	picture_range(p->dist[probe], p->files, &lo, &hi);
	fputs("set title ", out);
	plot_quoted(out, p->probe[probe]);
	fprintf(out, "\nset logscale xy\nset xlabel 'latency, us'\nset ylabel 'share of the "
		"samples, %%'\nset format y '%%g'\nset xrange [%g:%g]\nset yrange [%g:100]\n",
		lo / 1e3, hi / 1e3, 100 * picture_share_floor(p->dist[probe], p->files));
	plot_line(out, p, BY_LATENCY, probe, "$1/1e3):($2*100");
	fputs("unset logscale x\nset xlabel 'latency, ms'\nset ylabel 'samples'\n"
	      "set format y '%.0s%c'\nset xrange [0:*]\nset yrange [0.5:*]\n", out);
	plot_line(out, p, BY_MS, probe, "$1/1e6):($2");
}

/* ---- the map, as boxes: second, latency, their ends, samples a second */

#define MAP_COLUMNS 500

static void map_column(FILE *out, const double counts[SLOTS], double from_s, double to_s)
{
	for (unsigned k = 0; k < SLOTS; k++)
		if (counts[k] > 0)
			fprintf(out, "%.6g %.6g %.6g %" PRId64 " %" PRId64 " %.6g\n",
				(from_s + to_s) / 2, from_s, to_s, slot_lowest_ns(k),
				slot_highest_ns(k) + 1, counts[k] / (to_s - from_s));
}

/* Rows come by time: each column takes those that begin in it. */
static void map_block(FILE *out, const struct plot_sheet *p, unsigned file)
{
	const struct snapshot *s = p->snap[file];
	int group = snapshot_group(s, mapped(p, file)->probe);
	double counts[SLOTS] = { 0 }, from_s = 0, to_s = 0;
	double least_s = s->duration_s / MAP_COLUMNS;

	fprintf(out, "$t%u << EOD\n", file);
	for (unsigned i = 0; i < s->nr_rows; i++) {
		const struct snapshot_row *row = &s->rows[i];

		if ((int)row->group != group)
			continue;
		if (row->t_s >= fmax(to_s, from_s + least_s)) {
			map_column(out, counts, from_s, to_s);
			memset(counts, 0, sizeof(counts));
			from_s = row->t_s;
		}
		to_s = fmax(to_s, row->t_s + row->len_s);
		for (unsigned k = 0; k < row->cells; k++)
			counts[row->cell[k].slot] += row->cell[k].count;
	}
	map_column(out, counts, from_s, to_s);
	fputs("EOD\n", out);
}

static void gnuplot_map(FILE *out, const struct plot_sheet *p, unsigned file)
{
	double lo, hi;

	char title[140];

	maps_range(p, &lo, &hi);
	snprintf(title, sizeof(title), "%s: %s", p->label[file], mapped(p, file)->probe);
	fputs("set title ", out);
	plot_quoted(out, title);
	fprintf(out, "\nset xlabel 'time, s'\nset ylabel 'latency, us'\nset logscale y\n"
		"set logscale cb\nset cblabel 'samples a second' offset 1.5\nset format y '%%g'\n"
		"set format cb '%%g'\nset xrange [0:%.9g]\nset yrange [%g:%g]\n"
		"plot $t%u using 1:(sqrt($4*$5+1)/1e3):2:3:($4/1e3):($5/1e3):6 with boxxyerror "
		"fillstyle solid noborder linecolor palette notitle\n",
		p->snap[file]->duration_s, lo / 1e3, hi / 1e3, file);
}

void plot_sheet_gnuplot(FILE *out, const struct plot_sheet *p, bool png)
{
	unsigned maps = maps_of(p), rows = p->probes + (maps + 1) / 2;

	fputs("# made by jitterscope plot; run: gnuplot -p FILE\n", out);
	if (png)
		fprintf(out, "set terminal pngcairo size 1200,%u\n", rows * 400);
	for (unsigned k = 0; k < p->probes; k++)
		data_blocks(out, p, k);
	for (unsigned i = 0; i < p->files; i++)
		if (has_map(p, i))
			map_block(out, p, i);
	fprintf(out, "set termoption noenhanced\nset multiplot layout %u,2%s\nset grid\n"
		"set key top right\nset palette defined (0 '#46349b', 1 '#a6317d', 2 '#f4685c', "
		"3 '#fcf0b2')\n", rows,
		!p->shared && p->files > 1 ? " title '" NOTHING_SHARED "'" : "");
	for (unsigned k = 0; k < p->probes; k++)
		gnuplot_histograms(out, p, k);
	fputs("unset grid\n", out);
	for (unsigned i = 0; i < p->files; i++)
		if (has_map(p, i))
			gnuplot_map(out, p, i);
	fputs("unset multiplot\n", out);
}
