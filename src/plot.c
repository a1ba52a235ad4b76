/*
 * plot.c - `jitterscope plot FILE... -o OUT`: .svg and .gp are written here,
 * .png by rsvg-convert or gnuplot where one of them is installed.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/commands.h"
#include "src/complain.h"
#include "src/newfile.h"
#include "src/numeric.h"
#include "src/plot_curves.h"
#include "src/plot_sheet.h"
#include "src/spawn_filter.h"

typedef int write_sheet(struct newfile *f, const struct plot_sheet *p, struct why *why);

static int no_memory(struct why *why)
{
	return why_set(why, -ENOMEM, "plot: no memory; plot fewer files");
}

/* Latency where there is any, else the figures. */
static int svg(FILE *out, const struct plot_sheet *p, struct why *why)
{
	if (p->probes)
		return plot_sheet_svg(out, p) ? no_memory(why) : 0;
	plot_curves_svg(out, p);
	return 0;
}

static void gnuplot_script(FILE *out, const struct plot_sheet *p, bool png)
{
	if (p->probes)
		plot_sheet_gnuplot(out, p, png);
	else
		plot_curves_gnuplot(out, p, png);
}

static int write_svg(struct newfile *f, const struct plot_sheet *p, struct why *why)
{
	return svg(f->out, p, why);
}

static int write_gp(struct newfile *f, const struct plot_sheet *p, struct why *why)
{
	(void)why;
	gnuplot_script(f->out, p, false);
	return 0;
}

/* What a filter reads lies in a file without a name. */
static int through(const char *const *argv, FILE *in, struct newfile *f, struct why *why)
{
	if (fflush(in) || ferror(in) || lseek(fileno(in), 0, SEEK_SET) < 0)
		return why_set(why, -EIO,
			       "plot: %s: a temporary file cannot be written; free some space",
			       strerror(errno));
	return spawn_filter(argv, fileno(in), fileno(f->out), why);
}

static int write_png(struct newfile *f, const struct plot_sheet *p, struct why *why)
{
	static const char *const rsvg[] = { "rsvg-convert", "--format=png", NULL };
	static const char *const gnuplot[] = { "gnuplot", NULL };
	FILE *picture = tmpfile(), *gp = tmpfile();
	int err = picture && gp ? svg(picture, p, why) : no_memory(why);

	if (!err)
		err = through(rsvg, picture, f, why);
	if (err == -ENOENT) {
		gnuplot_script(gp, p, true);
		err = through(gnuplot, gp, f, why);
	}
	if (err == -ENOENT)
		why_set(why, err, "plot: neither rsvg-convert nor gnuplot is here to make .png; "
			"apt install librsvg2-bin, or plot .svg");
	if (picture)
		fclose(picture);
	if (gp)
		fclose(gp);
	return err;
}

static write_sheet *writer_of(const char *path)
{
	static const struct { const char *suffix; write_sheet *write; } known[] = {
		{ ".svg", write_svg }, { ".gp", write_gp }, { ".png", write_png },
	};
	size_t n = strlen(path);

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		size_t m = strlen(known[i].suffix);

		if (n > m && !strcmp(path + n - m, known[i].suffix))
			return known[i].write;
	}
	return NULL;
}

static int write_file(const struct plot_sheet *p, const char *path, write_sheet *write,
		      struct why *why)
{
	struct newfile f;
	int err = newfile_open(&f, path, why);

	if (err)
		return err;
	f.shared = true;
	struct numeric n = numeric_begin();

	err = write(&f, p, why);
	numeric_end(n);
	if (!err)
		return newfile_commit(&f, true, why);
	newfile_abandon(&f);
	return err;
}

static int plot_files(const struct options *o, struct plot_sheet *p, struct snapshot **snap,
		      write_sheet *write, struct why *why)
{
	for (unsigned i = 0; i < o->files; i++) {
		snap[i] = snapshot_read(o->file[i], why);
		if (!snap[i])
			return why->err;
		plot_sheet_add(p, snap[i], o->file[i]);
	}
	int err = plot_sheet_ready(p);

	if (err == -ENODATA && !plot_curves_any(p))
		return why_set(why, err, "%.80s: no latency in it; plot snapshots or histograms",
			       o->file[0]);
	if (!err && !p->shared && p->files > 1)
		complain("plot: no probe is in two of these files: each is drawn for itself; "
			 "give runs of one probe");
	if (p->left_out)
		complain("plot: no room for %u probes; the %d that most files have are drawn",
			 p->left_out, PLOT_PROBES_MAX);
	return err && err != -ENODATA ? no_memory(why) : write_file(p, o->output, write, why);
}

static int usage(const struct options *o, struct why *why)
{
	if (!o->files)
		return why_set(why, -EINVAL, "plot: no file; give one or more");
	if (o->files > PLOT_FILES_MAX)
		return why_set(why, -EINVAL, "plot: more than %d files; plot fewer",
			       PLOT_FILES_MAX);
	if (!o->output)
		return why_set(why, -EINVAL,
			       "plot: no -o OUT; give a name ending in .svg, .png or .gp");
	if (!writer_of(o->output))
		return why_set(why, -EINVAL,
			       "plot: %.80s: not .svg, .png or .gp; give a name that ends so",
			       o->output);
	return 0;
}

int cmd_plot(struct options *o, struct why *why)
{
	struct snapshot *snap[PLOT_FILES_MAX] = { 0 };
	struct plot_sheet *p;

	if (usage(o, why))
		return EXIT_USAGE;
	p = calloc(1, sizeof(*p));
	int err = p ? plot_files(o, p, snap, writer_of(o->output), why) : no_memory(why);

	if (p)
		plot_sheet_free(p);
	for (unsigned i = 0; i < PLOT_FILES_MAX; i++)
		snapshot_free(snap[i]);
	free(p);
	return err ? EXIT_FAILED : EXIT_OK;
}
