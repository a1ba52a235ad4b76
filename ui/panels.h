/*
 * panels.h - what the layout asks a panel besides its table: how many rows it
 * would fill with this model.  Pure.
 */
#ifndef JS_PANELS_H
#define JS_PANELS_H

#include "src/model.h"
#include "ui/view.h"

/* Rows that a map of this height has no good use for. */
int panel_map_spare(int h);
int panel_probes_rows(const struct model *m, int w);
int panel_cpus_rows(const struct model *m, const struct view *v, int w);
int panel_dialog_rows(const struct model *m, const struct view *v, int w);

/* What is shown besides numbers and colours, for help and manual; ends with a
 * NULL sign. */
struct help_sign {
	const char *sign, *plain;	/* plain: as a terminal without UTF-8 has it */
	const char *means;
};
extern const struct help_sign help_signs[];

#endif
