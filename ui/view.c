/* view.c - see view.h. */
#include "ui/view.h"

#include <stdio.h>

#include "src/clock.h"

const int64_t view_zooms[] = {
	250 * NS_PER_MS, 500 * NS_PER_MS, 1 * NS_PER_S, 2 * NS_PER_S, 5 * NS_PER_S,
	10 * NS_PER_S, 20 * NS_PER_S, 60 * NS_PER_S, 0,
};

void view_init(struct view *v)
{
	*v = (struct view){
		.zoom = VIEW_ZOOM_DEFAULT, .cpu = -1, .low_ns = NS_PER_US,
		.high_ns = 100 * NS_PER_MS, .help_page = -1, .cells = -1, .fps = 4, .columns = 60,
	};
}

int64_t view_column_ns(const struct view *v)
{
	int last = (int)(sizeof(view_zooms) / sizeof(view_zooms[0])) - 2;
	int zoom = v->zoom < 0 ? 0 : v->zoom > last ? last : v->zoom;

	return view_zooms[zoom];
}

const char *view_zoom_text(const struct view *v, char *buf, unsigned size)
{
	int64_t ns = view_column_ns(v);

	if (ns % NS_PER_S)
		snprintf(buf, size, "%dms", (int)(ns / NS_PER_MS));
	else
		snprintf(buf, size, "%ds", (int)(ns / NS_PER_S));
	return buf;
}

int64_t view_edge_ns(const struct view *v, int64_t now_ns)
{
	int64_t column = view_column_ns(v);
	int64_t end = v->end_ns ? v->end_ns : now_ns;

	if (end <= 0)
		return 0;
	return (end + column - 1) / column * column;
}
