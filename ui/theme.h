/*
 * theme.h - colours by role, for 256, 8 and no colours.  Pure tables.
 */
#ifndef JS_THEME_H
#define JS_THEME_H

#include <stdbool.h>
#include <stdint.h>

enum role {
	ROLE_TEXT, ROLE_DIM, ROLE_TITLE, ROLE_HEADER, ROLE_GOOD, ROLE_WARN, ROLE_BAD, ROLE_ACCENT,
	ROLE_LOAD, ROLE_LOAD_2, ROLE_NOW, ROLE_RUN, ROLE_BASE, ROLE_SELECTED, ROLE_KEY, ROLE_AXIS,
	ROLE_MARK, ROLES
};

struct style { int16_t fg, bg; uint8_t attr; };

enum cell_mode { CELLS_BLANK, CELLS_HALF, CELLS_ASCII };	/* how the map is drawn */

struct theme {
	const char *name;
	struct style role[ROLES];
	const uint8_t *ramp;	/* strictly rising lightness (falling for light) */
	unsigned ramp_len;
	bool colour;		/* false: mono, ramp unused */
	bool unicode;		/* line drawing and blocks allowed */
	enum cell_mode cells;
};

/* name NULL: "default"; else one of theme_names. NULL: unknown. */
const struct theme *theme_find(const char *name);
/* A copy adapted to what the terminal can do. */
struct theme theme_adapt(const struct theme *t, int colours, bool unicode);
extern const char *const theme_names[];		/* NULL-ended */
/* Colour index (or ASCII character) of level 0..1, where > 0 is always visible. */
int theme_ramp(const struct theme *t, double level);
char theme_ascii(double level);			/* " .:-=+*#%@" */

#endif
