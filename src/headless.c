/*
 * headless.c - the front end of `record`: no terminal, no escape codes.
 *
 * Progress goes to standard error when that is a terminal, rewritten in place
 * with a carriage return; what went wrong goes there always.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/app.h"
#include "src/clock.h"
#include "src/format.h"
#include "src/text.h"

#define LINE_COLUMNS 78

struct headless {
	struct app *app;
	bool tty;
	int shown;		/* columns of the progress line now on screen */
	char status[200];	/* the last one that was echoed */
	unsigned interrupts;
};

static int headless_check(const struct options *o, struct why *why)
{
	const struct format *f;

	if (!o->output || o->format || !strcmp(o->output, "-"))
		return 0;
	f = format_by_suffix(o->output);
	if (f && f->write)
		return 0;
	return why_set(why, -EINVAL, "%s: no format has this suffix; name one with -f", o->output);
}

static int headless_open(struct app *app, void **self, struct why *why)
{
	struct headless *h = calloc(1, sizeof(*h));

	if (!h)
		return why_set(why, -ENOMEM, "no memory; close something");
	h->app = app;
	h->tty = isatty(2);
	*self = h;
	return 0;
}

static void wipe(struct headless *h)
{
	if (h->shown)
		fprintf(stderr, "\r%*s\r", h->shown, "");
	h->shown = 0;
}

/* The first group says how the run goes; the report says the rest. */
static void progress_text(const struct model *m, char *buf, size_t size)
{
	const struct group *g = &m->groups[0];
	char span[24], p99[16], max[16];
	unsigned running = 0;

	for (unsigned i = 0; i < m->nr_loads; i++)
		running += m->loads[i].state == LOAD_RUN;
	snprintf(buf, size, "%s  %s p99 %s max %s  n %llu  loads %u%s",
		 text_span(span, sizeof(span), m->now_ns - m->zero_ns), g->name,
		 text_time(p99, sizeof(p99), hist_percentile(g->run, 99)),
		 text_time(max, sizeof(max), g->run->max_ns),
		 (unsigned long long)g->run->count, running,
		 g->want_rt && !g->have_rt ? "  NOT REALTIME" : "");
}

static void progress(struct headless *h, const struct model *m)
{
	char line[160];

	if (!h->tty || !m->nr_groups)
		return;
	if (m->zero_ns)
		progress_text(m, line, sizeof(line));
	else
		snprintf(line, sizeof(line), "warming up");
	line[LINE_COLUMNS] = '\0';
	wipe(h);
	h->shown = fprintf(stderr, "%s", line);
	fflush(stderr);
}

/* Bad news always, good news only to a person. */
static void echo_status(struct headless *h, const struct model *m)
{
	if (!strcmp(m->status, h->status))
		return;
	snprintf(h->status, sizeof(h->status), "%s", m->status);
	if (!m->status_bad && !h->tty)
		return;
	wipe(h);
	fprintf(stderr, "jitterscope: %s\n", m->status);
}

static int64_t headless_frame(void *self, int64_t now_ns)
{
	struct headless *h = self;
	const struct model *m = app_model(h->app);

	(void)now_ns;
	echo_status(h, m);
	progress(h, m);
	return NS_PER_S;
}

/* ^C: the first ends the run, the next ones hurry it. */
static void headless_interrupt(void *self)
{
	struct headless *h = self;
	const struct order quit = { .what = CMD_QUIT };

	app_do(h->app, &quit);
	if (++h->interrupts > 1) {
		app_drop_output(h->app);
		app_do(h->app, &quit);
	}
}

static void headless_close(void *self)
{
	struct headless *h = self;

	echo_status(h, app_model(h->app));
	wipe(h);
	fflush(stderr);
	free(h);
}

const struct frontend headless_frontend = {
	.check = headless_check,
	.open = headless_open,
	.frame = headless_frame,
	.interrupt = headless_interrupt,
	.close = headless_close,
};
