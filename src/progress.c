/* progress.c - see progress.h. */
#include "src/progress.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void progress_open(struct progress *p)
{
	*p = (struct progress){ .tty = isatty(2) };
}

#define ECHO_COLUMNS 4		/* ^C^C, behind the line */

bool progress_blocked(void)
{
	struct pollfd p = { .fd = 2, .events = POLLOUT };

	return poll(&p, 1, 0) == 0;
}

void progress_wipe(struct progress *p)
{
	if (progress_blocked())
		return;
	if (p->shown)
		fprintf(stderr, "\r%*s\r", p->shown + ECHO_COLUMNS, "");
	p->shown = 0;
	fflush(stderr);
}

void progress_show(struct progress *p, const char *line)
{
	if (!p->tty || progress_blocked())
		return;
	progress_wipe(p);
	p->shown = fprintf(stderr, "%.*s", PROGRESS_COLUMNS, line);
	fflush(stderr);
}

static void status(struct progress *p, const struct model *m, bool asked)
{
	/* What cannot be said now is said when the line moves again. */
	if ((!asked && !strcmp(m->status, p->status)) || progress_blocked())
		return;
	snprintf(p->status, sizeof(p->status), "%s", m->status);
	if (!m->status_bad && !p->tty && !asked)
		return;
	progress_wipe(p);
	fprintf(stderr, "jitterscope: %s\n", m->status);
}

void progress_status(struct progress *p, const struct model *m)
{
	status(p, m, false);
}

void progress_answer(struct progress *p, const struct model *m)
{
	status(p, m, true);
}
