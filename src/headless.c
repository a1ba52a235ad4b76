/*
 * headless.c - the front end of `record`: no terminal, no escape codes.
 *
 * Progress goes to standard error when that is a terminal, rewritten in place
 * with a carriage return; what went wrong goes there always.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/app.h"
#include "src/clock.h"
#include "src/progress.h"
#include "src/result.h"
#include "src/text.h"


struct headless {
	struct app *app;
	struct progress line;
	unsigned interrupts;
};

static int headless_check(const struct options *o, struct why *why)
{
	return result_check(o, RESULT_FORMAT, NULL, why);
}

static int headless_open(struct app *app, void **self, struct why *why)
{
	struct headless *h = calloc(1, sizeof(*h));

	if (!h)
		return why_set(why, -ENOMEM, "no memory; close something");
	h->app = app;
	progress_open(&h->line);
	*self = h;
	return 0;
}

/* The first group says how the run goes; the report says the rest. */
static void progress_text(const struct model *m, char *buf, size_t size)
{
	const struct group *g = &m->groups[0];
	char span[24], p99[16] = "~", max[16];
	int64_t p99_ns = hist_percentile(g->run, 99);
	unsigned running = 0;

	/* Not the end of its slot, and none that too few samples carry. */
	if (hist_carries(g->run->count, 99))
		text_time(p99, sizeof(p99), p99_ns < g->run->max_ns ? p99_ns : g->run->max_ns);

	for (unsigned i = 0; i < m->nr_loads; i++)
		running += m->loads[i].state == LOAD_RUN;
	snprintf(buf, size, "%s  %s p99 %s max %s  n %llu  loads %u%s",
		 text_span(span, sizeof(span), m->now_ns - m->zero_ns), g->name,
		 p99, text_time(max, sizeof(max), g->run->max_ns),
		 (unsigned long long)g->run->count, running,
		 g->want_rt && !g->have_rt ? "  NOT REALTIME" : "");
}

static void progress(struct headless *h, const struct model *m)
{
	char line[160] = "warming up";

	if (!m->nr_groups)
		return;
	if (m->zero_ns)
		progress_text(m, line, sizeof(line));
	progress_show(&h->line, line);
}

static int64_t headless_frame(void *self, int64_t now_ns)
{
	struct headless *h = self;
	const struct model *m = app_model(h->app);

	(void)now_ns;
	if (app_bell(h->app) && h->line.tty)
		fputc('\a', stderr);
	progress_status(&h->line, m);
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

static void headless_answer(void *self)
{
	struct headless *h = self;

	progress_answer(&h->line, app_model(h->app));
}

static void headless_close(void *self)
{
	struct headless *h = self;

	progress_status(&h->line, app_model(h->app));
	progress_wipe(&h->line);
	free(h);
}

const struct frontend headless_frontend = {
	.check = headless_check,
	.open = headless_open,
	.frame = headless_frame,
	.interrupt = headless_interrupt,
	.answer = headless_answer,
	.close = headless_close,
};
