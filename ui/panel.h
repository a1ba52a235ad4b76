/*
 * panel.h - the contract of a panel: one file ui/panel_NAME.c, one X(name)
 * line in ui/registry.c, a row in the layout.
 *
 * draw() is pure: same model, view and size give the same cells.  It fills its
 * whole view and nothing else.
 */
#ifndef JS_PANEL_H
#define JS_PANEL_H

#include <stdbool.h>

#include "src/app.h"
#include "src/model.h"
#include "ui/canvas.h"
#include "ui/view.h"

struct panel {
	const char *name, *title;
	int least_w, least_h;	/* below that it is left out */
	int best_h;
	bool focusable;
	void (*draw)(const struct model *m, const struct view *v, struct canvas *c);
	/* A key while it has the focus: true when used. */
	bool (*key)(struct app *app, struct view *v, int key);
};

extern const struct panel *const panels[];	/* NULL-ended; ui/registry.c */
const struct panel *panel_by_name(const char *name);

#endif
