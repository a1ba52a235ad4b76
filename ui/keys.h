/*
 * keys.h - one table of keys: what each does, for the handler, the help
 * overlay, `list keys`, the README's and the man page's lists (tested equal).
 */
#ifndef JS_KEYS_H
#define JS_KEYS_H

#include "ui/panel.h"

struct key_binding {
	const char *keys;	/* as shown: "Space" "+ - =" */
	const char *does;
	const char *section;	/* "General" "Time" "Loads" ... */
};
extern const struct key_binding key_bindings[];		/* keys NULL ends */

/* Handles a key: dialogs first, then the focused panel, then the table.
 * A key that cannot act says why on the status line. */
void keys_handle(struct app *app, struct view *v, int key);
/* A click on that item of the panel (canvas_item()) selects it. */
void keys_pick(struct app *app, struct view *v, const struct panel *p, unsigned item);

#endif
