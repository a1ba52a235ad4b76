/*
 * app_summary.c - one line at the end for a person: what was measured, and
 * where it is.  The screen is gone by then, or the report went to a file.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/app_internal.h"
#include "src/progress.h"
#include "src/text.h"

/* A percentile that too few samples carry is not a figure. */
static void figures(const struct hist *h, char *buf, size_t size)
{
	int64_t p99_ns = hist_percentile(h, 99);
	char count[16], p99[16] = "~", max[16];

	text_count(count, sizeof(count), (double)h->count);
	if (p99_ns > h->max_ns)		/* the end of its slot */
		p99_ns = h->max_ns;
	if (hist_carries(h->count, 99))
		text_time(p99, sizeof(p99), p99_ns);
	snprintf(buf, size, "%s samples, p99 %s, max %s", count, p99,
		 text_time(max, sizeof(max), h->max_ns));
}

/* Of the first group that has samples: the one the screen begins with. */
static const struct group *measured(const struct model *m)
{
	for (unsigned i = 0; i < m->nr_groups; i++)
		if (m->groups[i].run && m->groups[i].run->count)
			return &m->groups[i];
	return NULL;
}

void app_summary_text(const struct model *m, const char *saved, char *buf, size_t size)
{
	const struct group *g = measured(m);
	char span[24], text[96] = "no sample", where[512];

	text_clean(where, sizeof(where), saved, strlen(saved), sizeof(where) - 1);
	if (g)
		figures(g->run, text, sizeof(text));
	snprintf(buf, size, "%s  %s%s%s%s%s", text_span(span, sizeof(span), m->now_ns - m->reset_ns),
		 g ? g->name : "", g ? ": " : "", text, *where ? "; saved " : "", where);
}

static bool to_file(const struct options *o)
{
	return o->output && strcmp(o->output, "-");
}

void app_summary(const struct app *app)
{
	const struct options *o = app->o;
	char line[700];
	bool written = to_file(o) && app->written;

	if (app->m->replay || !app->m->zero_ns || !isatty(STDERR_FILENO) || app->terminal_gone ||
	    progress_blocked())
		return;
	if (o->sub != SUB_LIVE && !(o->sub == SUB_RECORD && to_file(o)))
		return;
	app_summary_text(app->m, written ? o->output : app->saved, line, sizeof(line));
	fprintf(stderr, "%s\n", line);
}
