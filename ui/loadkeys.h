/*
 * loadkeys.h - keys that start, stop and size loads.  Main thread.
 */
#ifndef JS_LOADKEYS_H
#define JS_LOADKEYS_H

#include "src/app.h"
#include "ui/view.h"

void loadkeys_letter(struct app *app, struct view *v, int letter);	/* 'A'..'Z' */
/* No load can start here: says why, and answers true. */
bool loadkeys_refused(struct model *m);
/* Asks first when it can hurt. */
void loadkeys_toggle(struct app *app, struct view *v, unsigned load);
void loadkeys_workers(struct app *app, struct view *v, bool more);	/* double or halve */
void loadkeys_select(struct app *app, struct view *v, int step);
/* Without going round: some rows on or back, the first or last. */
void loadkeys_page(struct app *app, struct view *v, bool down);
void loadkeys_end(struct app *app, struct view *v, bool last);

#endif
