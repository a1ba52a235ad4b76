/* progress.c - see progress.h. */
#include "src/progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

void progress_open(struct progress *p)
{
	*p = (struct progress){ .tty = isatty(2) };
}

void progress_wipe(struct progress *p)
{
	if (p->shown)
		fprintf(stderr, "\r%*s\r", p->shown, "");
	p->shown = 0;
	fflush(stderr);
}

void progress_show(struct progress *p, const char *line)
{
	if (!p->tty)
		return;
	progress_wipe(p);
	p->shown = fprintf(stderr, "%.*s", PROGRESS_COLUMNS, line);
	fflush(stderr);
}

void progress_status(struct progress *p, const struct model *m)
{
	if (!strcmp(m->status, p->status))
		return;
	snprintf(p->status, sizeof(p->status), "%s", m->status);
	if (!m->status_bad && !p->tty)
		return;
	progress_wipe(p);
	fprintf(stderr, "jitterscope: %s\n", m->status);
}
