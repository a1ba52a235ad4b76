/*
 * layout.h - which panel goes where at a given size.  Pure.
 *
 * Properties, tested from 1x1 to 500x200: rectangles lie inside the screen, do
 * not overlap, together cover it, and none is smaller than its panel's least.
 */
#ifndef JS_LAYOUT_H
#define JS_LAYOUT_H

#include "ui/panel.h"

#define LAYOUT_MAX 16

struct placed { const struct panel *panel; struct rect r; };
struct layout { struct placed at[LAYOUT_MAX]; unsigned n; };

void layout_make(struct layout *l, int w, int h, const struct model *m, const struct view *v);

#endif
