/*
 * theme.c - see theme.h.
 *
 * No state is told by colour alone: WARN and BAD are bold, SELECTED is
 * reversed, and the panels write the word.  Red never stands against green.
 */
#include "ui/theme.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "ui/canvas.h"

static const uint8_t ramp_default[] = { 16,  17,  18,  19,  20,	 55,  91,  127,
					163, 198, 203, 209, 215, 221, 227, 231 };
static const uint8_t ramp_colour_blind[] = { 17, 18, 24, 60, 102, 144, 186, 227 };
static const uint8_t ramp_light[] = { 231, 227, 221, 215, 209, 203, 198, 163,
				      127, 91,	55,  20,  19,  18,  17,	 16 };
static const uint8_t ramp_basic[] = { 0, 4, 5, 6, 3, 7 };
static const uint8_t ramp_basic_light[] = { 7, 3, 6, 5, 4, 0 };

#define PLAIN { -1, -1, 0 }
#define RAMP(r) .ramp = (r), .ramp_len = sizeof(r)

static const struct theme theme_default = {
	.name = "default", RAMP(ramp_default),
	.colour = true, .unicode = true, .cells = CELLS_BLANK,
	.role = {
		[ROLE_TEXT] = PLAIN,
		[ROLE_DIM] = { 245, -1, 0 },
		[ROLE_TITLE] = { 117, -1, CELL_BOLD },
		[ROLE_HEADER] = { 255, 24, 0 },
		[ROLE_GOOD] = { 114, -1, 0 },
		[ROLE_WARN] = { 221, -1, CELL_BOLD },
		[ROLE_BAD] = { 209, -1, CELL_BOLD | CELL_REVERSE },
		[ROLE_ACCENT] = { 81, -1, CELL_BOLD },
		[ROLE_LOAD] = { 16, 179, 0 },
		[ROLE_LOAD_2] = { 16, 109, 0 },
		[ROLE_NOW] = { 215, -1, 0 },
		[ROLE_RUN] = { 75, -1, 0 },
		[ROLE_BASE] = { 250, -1, 0 },
		[ROLE_SELECTED] = { 16, 117, CELL_BOLD },
		[ROLE_KEY] = { 117, -1, CELL_BOLD },
		[ROLE_AXIS] = { 244, -1, 0 },
		[ROLE_MARK] = { 219, -1, CELL_BOLD },
	},
};

static const struct theme theme_colour_blind = {
	.name = "colour-blind", RAMP(ramp_colour_blind),
	.colour = true, .unicode = true, .cells = CELLS_BLANK,
	.role = {
		[ROLE_TEXT] = PLAIN,
		[ROLE_DIM] = { 245, -1, 0 },
		[ROLE_TITLE] = { 153, -1, CELL_BOLD },
		[ROLE_HEADER] = { 231, 24, 0 },
		[ROLE_GOOD] = { 117, -1, 0 },
		[ROLE_WARN] = { 227, -1, CELL_BOLD },
		[ROLE_BAD] = { 214, -1, CELL_BOLD | CELL_REVERSE },
		[ROLE_ACCENT] = { 117, -1, CELL_BOLD },
		[ROLE_LOAD] = { 16, 186, 0 },
		[ROLE_LOAD_2] = { 231, 60, 0 },
		[ROLE_NOW] = { 227, -1, 0 },
		[ROLE_RUN] = { 111, -1, 0 },
		[ROLE_BASE] = { 250, -1, 0 },
		[ROLE_SELECTED] = { 16, 153, CELL_BOLD },
		[ROLE_KEY] = { 153, -1, CELL_BOLD },
		[ROLE_AXIS] = { 244, -1, 0 },
		[ROLE_MARK] = { 227, -1, CELL_BOLD },
	},
};

static const struct theme theme_light = {
	.name = "light", RAMP(ramp_light),
	.colour = true, .unicode = true, .cells = CELLS_BLANK,
	.role = {
		[ROLE_TEXT] = PLAIN,
		[ROLE_DIM] = { 242, -1, 0 },
		[ROLE_TITLE] = { 25, -1, CELL_BOLD },
		[ROLE_HEADER] = { 16, 153, 0 },
		[ROLE_GOOD] = { 23, -1, 0 },
		[ROLE_WARN] = { 94, -1, CELL_BOLD },
		[ROLE_BAD] = { 124, -1, CELL_BOLD | CELL_REVERSE },
		[ROLE_ACCENT] = { 25, -1, CELL_BOLD },
		[ROLE_LOAD] = { 16, 172, 0 },
		[ROLE_LOAD_2] = { 16, 73, 0 },
		[ROLE_NOW] = { 130, -1, 0 },
		[ROLE_RUN] = { 26, -1, 0 },
		[ROLE_BASE] = { 240, -1, 0 },
		[ROLE_SELECTED] = { 231, 25, CELL_BOLD },
		[ROLE_KEY] = { 25, -1, CELL_BOLD },
		[ROLE_AXIS] = { 243, -1, 0 },
		[ROLE_MARK] = { 90, -1, CELL_BOLD },
	},
};

static const struct theme theme_mono = {
	.name = "mono", .cells = CELLS_ASCII, .unicode = true,
	.role = {
		[ROLE_TEXT] = PLAIN,
		[ROLE_DIM] = PLAIN,
		[ROLE_TITLE] = { -1, -1, CELL_BOLD },
		[ROLE_HEADER] = { -1, -1, CELL_REVERSE },
		[ROLE_GOOD] = PLAIN,
		[ROLE_WARN] = { -1, -1, CELL_BOLD },
		[ROLE_BAD] = { -1, -1, CELL_BOLD | CELL_REVERSE },
		[ROLE_ACCENT] = { -1, -1, CELL_BOLD },
		[ROLE_LOAD] = { -1, -1, CELL_REVERSE },
		[ROLE_LOAD_2] = { -1, -1, CELL_UNDERLINE },
		[ROLE_NOW] = { -1, -1, CELL_BOLD },
		[ROLE_RUN] = PLAIN,
		[ROLE_BASE] = PLAIN,
		[ROLE_SELECTED] = { -1, -1, CELL_REVERSE },
		[ROLE_KEY] = { -1, -1, CELL_BOLD },
		[ROLE_AXIS] = PLAIN,
		[ROLE_MARK] = { -1, -1, CELL_BOLD },
	},
};

/* What eight colours can say, dark and light background alike but for GOOD. */
static const struct style basic[ROLES] = {
	[ROLE_TEXT] = PLAIN,
	[ROLE_DIM] = PLAIN,
	[ROLE_TITLE] = { 6, -1, CELL_BOLD },
	[ROLE_HEADER] = { 7, 4, CELL_BOLD },
	[ROLE_GOOD] = { 6, -1, 0 },
	[ROLE_WARN] = { 3, -1, CELL_BOLD },
	[ROLE_BAD] = { 7, 1, CELL_BOLD },
	[ROLE_ACCENT] = { 6, -1, CELL_BOLD },
	[ROLE_LOAD] = { 0, 3, 0 },
	[ROLE_LOAD_2] = { 0, 6, 0 },
	[ROLE_NOW] = { 3, -1, 0 },
	[ROLE_RUN] = { 6, -1, 0 },
	[ROLE_BASE] = PLAIN,
	[ROLE_SELECTED] = { 0, 6, 0 },
	[ROLE_KEY] = { 6, -1, CELL_BOLD },
	[ROLE_AXIS] = PLAIN,
	[ROLE_MARK] = { 5, -1, CELL_BOLD },
};

static const struct theme *const themes[] = {
	&theme_default, &theme_colour_blind, &theme_light, &theme_mono, NULL,
};

const char *const theme_names[] = { "default", "colour-blind", "light", "mono", NULL };

const struct theme *theme_find(const char *name)
{
	if (!name)
		return &theme_default;
	for (unsigned i = 0; themes[i]; i++)
		if (!strcmp(themes[i]->name, name))
			return themes[i];
	return NULL;
}

static void to_mono(struct theme *t)
{
	memcpy(t->role, theme_mono.role, sizeof(t->role));
	t->ramp = NULL;
	t->ramp_len = 0;
	t->colour = false;
	t->cells = CELLS_ASCII;
}

static void to_basic(struct theme *t)
{
	bool light = t->ramp == ramp_light;

	memcpy(t->role, basic, sizeof(t->role));
	t->ramp = light ? ramp_basic_light : ramp_basic;
	t->ramp_len = sizeof(ramp_basic);
	t->cells = CELLS_ASCII;
}

struct theme theme_adapt(const struct theme *t, int colours, bool unicode)
{
	struct theme out = *t;

	out.unicode = t->unicode && unicode;
	if (!t->colour || colours < 8)
		to_mono(&out);
	else if (colours < 256)
		to_basic(&out);
	return out;
}

static double bounded(double level)
{
	return level > 1 ? 1 : level;
}

int theme_ramp(const struct theme *t, double level)
{
	if (!t->colour || !t->ramp_len)
		return -1;
	if (!(level > 0))
		return t->ramp[0];
	/* The first steps are too near to the ground to be seen alone. */
	unsigned least = 1 + t->ramp_len / 8;

	return t->ramp[least + (unsigned)lround(bounded(level) * (t->ramp_len - 1 - least))];
}

char theme_ascii(double level)
{
	static const char ramp[] = " .:-=+*#%@";

	if (!(level > 0))
		return ramp[0];
	return ramp[1 + lround(bounded(level) * (sizeof(ramp) - 3))];
}
