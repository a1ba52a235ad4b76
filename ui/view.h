/*
 * view.h - what the person looking has chosen: zoom, place in time, panel,
 * selection.  Belongs to the front end; panels read it, keys change it.
 */
#ifndef JS_VIEW_H
#define JS_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "ui/ladder.h"
#include "ui/theme.h"

enum view_kind { VIEW_MAP, VIEW_WATERFALL };

enum spike_list { SPIKES_WORST, SPIKES_LATEST, SPIKES_CULPRITS, SPIKE_LISTS };

/* A spike by what is its own: lists that change never make it another. */
struct view_spike {
	bool chosen;
	int64_t t_ns;
	unsigned group;
	int cpu;
};

struct view {
	struct theme theme;	/* adapted to the terminal, every frame */
	const char *theme_name;	/* as chosen; NULL: default */
	enum view_kind kind;
	int64_t now_ns;		/* right edge when live: the model's now */
	bool paused;
	int64_t end_ns;		/* right edge when paused or scrolled back; 0: live */
	int zoom;		/* index into view_zooms */
	unsigned group;		/* the plotted one */
	int cpu;		/* -1: all */
	int64_t low_ns, high_ns;	/* latency range: 1 us .. 100 ms */
	bool auto_range;
	bool corrected;
	unsigned focus;		/* index into panels[] */
	bool expanded;		/* focused panel alone */
	unsigned load;		/* selected load */
	unsigned load_scroll;
	unsigned spikes;	/* enum spike_list: what the panel of spikes shows */
	struct view_spike spike;	/* the selected one; see spikelist.h */
	unsigned blame_row;	/* first of the culprits that is in sight */
	unsigned probe_row;
	int help_page;		/* -1: closed */
	bool loads_open;	/* the list of all loads */
	char filter[80];
	enum { ASK_NONE, ASK_LOAD, ASK_MARK, ASK_FILTER, ASK_DEADLINE, ASK_PROBES } ask;
	char ask_text[128];	/* the question */
	char input[80];
	unsigned ask_arg;
	int fps;
	int cells;		/* enum cell_mode or -1: the theme's */
	bool hung;		/* the terminal is behind: frames skipped */
	int64_t frozen_ns;	/* when Space was pressed */
	struct ladder ladder;
	uint64_t shown;		/* bit i: panels[i] was on the last frame; 0: no frame yet */
	bool ascii;		/* --ascii */
	int columns;		/* of time in the picture of the last frame */
	bool repaint, save;	/* asked for by a key; the front end does it at once */
};

extern const int64_t view_zooms[];	/* 250 ms .. 60 s, 0-ended */
#define VIEW_ZOOM_DEFAULT 2		/* 1 s a column */
/* Live, 1 s a column, 1 us .. 100 ms, all CPUs, nothing open; the theme is the caller's. */
void view_init(struct view *v);
int64_t view_column_ns(const struct view *v);
/* The span of a column: "1s" "250ms"; zooms are round. */
const char *view_zoom_text(const struct view *v, char *buf, unsigned size);
/* The right edge as a multiple of the column, at or after now (or end_ns):
 * columns never shift under the eye, the newest one is still filling. */
int64_t view_edge_ns(const struct view *v, int64_t now_ns);

#endif
