/*
 * registry.c - every panel: one X(name) line and one file ui/panel_NAME.c.
 * The order is that of Tab.
 */
#include <stddef.h>
#include <string.h>

#include "ui/panel.h"

#define PANELS(X)	\
	X(map)		\
	X(waterfall)	\
	X(probes)	\
	X(cpus)		\
	X(histogram)	\
	X(percentiles)	\
	X(loads)	\
	X(system)	\
	X(spikes)	\
	X(header)	\
	X(loadlist)	\
	X(help)		\
	X(dialog)	\
	X(status)	\
	X(oneline)

#define X(name) extern const struct panel panel_##name;
PANELS(X)
#undef X

#define X(name) &panel_##name,
const struct panel *const panels[] = { PANELS(X) NULL };
#undef X

const struct panel *panel_by_name(const char *name)
{
	for (unsigned i = 0; panels[i]; i++)
		if (!strcmp(panels[i]->name, name))
			return panels[i];
	return NULL;
}
