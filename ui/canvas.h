/*
 * canvas.h - a rectangle of cells, the only source of the screen, of .ans
 * files and of golden tests.  Pure memory; main thread.
 *
 * Colours are indexes into the 256-colour palette, -1 the terminal's default.
 * A double-width character takes its cell and a following cell with ch 0.
 */
#ifndef JS_CANVAS_H
#define JS_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cell_attr { CELL_BOLD = 1, CELL_DIM = 2, CELL_REVERSE = 4, CELL_UNDERLINE = 8 };

struct cell {
	uint32_t ch;		/* code point; 0: right half of a wide one */
	int16_t fg, bg;
	uint8_t attr;
};

struct rect { int x, y, w, h; };

/* Asked while a panel is drawn: which of its items is at x, y of the screen? */
struct canvas_aim {
	int x, y;
	bool hit;
	unsigned item;		/* the panel's own number */
};

struct canvas {			/* a view: cells of a rectangle, clipped */
	struct cell *cells;	/* of the whole screen */
	int stride;		/* columns of the whole screen */
	struct rect r;		/* this view, in screen coordinates */
	struct canvas_aim *aim;	/* NULL: nobody asks */
};

struct canvas *canvas_new(int w, int h);	/* 1x1 .. 1000x1000; NULL: no memory */
void canvas_free(struct canvas *c);
struct canvas canvas_view(const struct canvas *c, struct rect r); /* clipped; w or h may be 0 */
void canvas_clear(struct canvas *c, int16_t fg, int16_t bg);
/* All drawing is clipped to the view; x, y are relative to it. */
void canvas_put(struct canvas *c, int x, int y, uint32_t ch, int16_t fg, int16_t bg, uint8_t attr);
/* Cleaned UTF-8; returns columns drawn, cuts at `columns`. */
int canvas_text(struct canvas *c, int x, int y, int columns, const char *text, int16_t fg,
		int16_t bg, uint8_t attr);
int canvas_printf(struct canvas *c, int x, int y, int16_t fg, int16_t bg, uint8_t attr,
		  const char *fmt, ...) __attribute__((format(printf, 7, 8)));
/* Right aligned: ends before x_end. */
int canvas_right(struct canvas *c, int x_end, int y, const char *text, int16_t fg, int16_t bg,
		 uint8_t attr);
void canvas_fill(struct canvas *c, struct rect r, uint32_t ch, int16_t fg, int16_t bg,
		 uint8_t attr);
/* What is drawn in r, clipped to the view, is this item: a click there selects it. */
void canvas_item(const struct canvas *c, struct rect r, unsigned item);
bool canvas_equal(const struct canvas *a, const struct canvas *b);

/* As plain text (LF ended lines, trailing blanks cut) and as ANSI (SGR 256
 * colours, reset at line ends).  malloc'ed; NULL: no memory. */
char *canvas_as_text(const struct canvas *c);
char *canvas_as_ansi(const struct canvas *c);

#endif
