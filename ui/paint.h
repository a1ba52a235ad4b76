/*
 * paint.h - how every panel draws: by role, with one set of glyphs that has a
 * plain ASCII twin, inside a frame that is the same everywhere.
 *
 * Pure, main thread.  `v` gives the theme; x, y are relative to the view.
 */
#ifndef JS_PAINT_H
#define JS_PAINT_H

#include <stdbool.h>
#include <stdint.h>

#include "ui/canvas.h"
#include "ui/panel.h"
#include "ui/view.h"

enum glyph {
	GLYPH_RULE,
	GLYPH_BAR,
	GLYPH_TEE,
	GLYPH_TICK,
	GLYPH_UP,
	GLYPH_DOWN,
	GLYPH_POINT,
	GLYPH_TIMES,
	GLYPH_DOT,
	GLYPH_CORNER,
	GLYPH_AXIS_TICK,
	GLYPH_LINE,
	GLYPH_CUT,
	GLYPH_FULL,
	GLYPHS
};

/* The code point for this theme: line drawing, or its ASCII twin. */
uint32_t paint_glyph(const struct view *v, enum glyph g);
/* The same as text for a format; static storage. */
const char *paint_glyph_text(const struct view *v, enum glyph g);

/* Fills the whole view with blanks. */
void paint_blank(struct canvas *c, const struct view *v);
void paint_put(struct canvas *c, const struct view *v, int x, int y, enum role role, uint32_t ch);
/* Return the columns drawn; text is cut at `columns` and at the view, and ends with a mark then. */
int paint_text(struct canvas *c, const struct view *v, int x, int y, int columns, enum role role,
	       const char *text);
int paint_fmt(struct canvas *c, const struct view *v, int x, int y, enum role role, const char *fmt,
	      ...) __attribute__((format(printf, 6, 7)));
/* The text itself where it fits into `columns`, else as much as does and a mark, in buf. */
const char *paint_cut(const struct view *v, const char *text, int columns, char *buf,
		      unsigned size);
/* Several rows, broken at blanks; `rows` at most.  Returns the rows used, >= 1. */
int paint_wrapped(struct canvas *c, const struct view *v, int x, int y, int columns, int rows,
		  enum role role, const char *text);
/* Bytes of text that fill at most `columns`, up to a blank where there is one. */
int paint_fitting(const char *text, int columns);
/* Ends before x_end; nothing when it would begin left of x_min. */
void paint_right(struct canvas *c, const struct view *v, int x_min, int x_end, int y,
		 enum role role, const char *text);
void paint_row(struct canvas *c, const struct view *v, int y,
	       enum role role); /* a whole row of blanks */

/* Blanks the view, draws the title rule in row 0 and, for a panel that does
 * not touch the left edge of the screen, a bar in column 0.  Returns what is
 * inside.  `detail` follows the title, `note` stands right in the rule, if it
 * fits; both may be NULL. */
struct canvas paint_frame(struct canvas *c, const struct view *v, const struct panel *p,
			  const char *title, const char *detail, const char *note);
bool paint_focused(const struct view *v, const struct panel *p);
/* Without a title: only the blanks and the bar. */
struct canvas paint_inside(struct canvas *c, const struct view *v);

/* How heat is drawn: the person's choice as far as the theme can. */
enum cell_mode paint_cells(const struct view *v);
/* One cell of heat, level 0..1; 0 draws a blank. */
void paint_heat(struct canvas *c, const struct view *v, int x, int y, double level);
/* A style without the block that reverse makes of it: for figures in a table. */
struct style paint_quiet(const struct view *v, enum role role);
/* The colour of a load's bars: its block colour as ink. */
int16_t paint_ink(const struct view *v, enum role role);
/* Vertical eighths 0..8 as a block, ASCII as " .:-=+*#". */
uint32_t paint_eighth(const struct view *v, int eighths);
/* A trend, newest right, scaled to its own largest value; < 0: no value. */
void paint_spark(struct canvas *c, const struct view *v, int x, int y, int columns, enum role role,
		 const double *values, int n);

/*
 * A line of words by importance: those of a rank are shown when they all have
 * room beside the ranks before.  rank 0 is never left out (but cut).
 */
#define PAINT_RANK_MOST 40
struct paint_word { char text[96]; enum role role; int rank; };
/* Returns the columns used. */
int paint_words(struct canvas *c, const struct view *v, int x, int y, int columns,
		const char *between, const struct paint_word *words, unsigned n);
/* Columns the words of rank <= `rank` need. */
int paint_words_width(const struct paint_word *words, unsigned n, const char *between, int rank);
/* A number of things: "0" "7" "812" whole, above 1000 "9.8k", "120k" "1M". */
const char *paint_count(char *buf, unsigned size, double count);
/* Columns of cleaned UTF-8 text. */
int paint_width(const char *text);

#endif
