/*
 * dialog.h - a question over the status line: yes or no, a line of text, or
 * the list of probes.  While one is open every key is its.  Main thread.
 */
#ifndef JS_DIALOG_H
#define JS_DIALOG_H

#include "src/app.h"
#include "ui/view.h"

/* Opens it; `what` is one of the view's ASK_ values. */
void dialog_ask(struct view *v, int what, unsigned arg, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void dialog_close(struct view *v);
/* Only while v->ask is set. */
void dialog_key(struct app *app, struct view *v, int key);

#endif
