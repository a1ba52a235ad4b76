/* canvas.c - see canvas.h. */
#include "ui/canvas.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/text_width.h"

#define CANVAS_MOST 1000

static const struct cell blank = { .ch = ' ', .fg = -1, .bg = -1 };

struct canvas *canvas_new(int w, int h)
{
	if (w < 1 || h < 1 || w > CANVAS_MOST || h > CANVAS_MOST)
		return NULL;
	struct canvas *c = malloc(sizeof(*c));

	if (!c)
		return NULL;
	c->cells = malloc((size_t)w * h * sizeof(*c->cells));
	if (!c->cells) {
		free(c);
		return NULL;
	}
	c->stride = w;
	c->aim = NULL;
	c->r = (struct rect){ 0, 0, w, h };
	canvas_clear(c, -1, -1);
	return c;
}

void canvas_free(struct canvas *c)
{
	if (!c)
		return;
	free(c->cells);
	free(c);
}

/* The part of [at, at + length) that lies in [0, room). */
static void clip(int *at, int *length, int room)
{
	int end = *at + *length;

	if (*at < 0)
		*at = 0;
	if (end > room)
		end = room;
	*length = end > *at ? end - *at : 0;
	if (*at > room)
		*at = room;
}

static struct rect clipped(const struct canvas *c, struct rect r)
{
	clip(&r.x, &r.w, c->r.w);
	clip(&r.y, &r.h, c->r.h);
	return r;
}

struct canvas canvas_view(const struct canvas *c, struct rect r)
{
	struct canvas v = *c;

	r = clipped(c, r);
	v.r = (struct rect){ c->r.x + r.x, c->r.y + r.y, r.w, r.h };
	return v;
}

void canvas_item(const struct canvas *c, struct rect r, unsigned item)
{
	struct canvas_aim *aim = c->aim;
	int x, y;

	if (!aim)
		return;
	r = clipped(c, r);
	x = aim->x - c->r.x - r.x;
	y = aim->y - c->r.y - r.y;
	if (x < 0 || y < 0 || x >= r.w || y >= r.h)
		return;
	aim->hit = true;
	aim->item = item;
}

static struct cell *cell_at(const struct canvas *c, int x, int y)
{
	return c->cells + (size_t)(c->r.y + y) * c->stride + c->r.x + x;
}

static bool inside(const struct canvas *c, int x, int y)
{
	return x >= 0 && y >= 0 && x < c->r.w && y < c->r.h;
}

static int columns_of(uint32_t ch)
{
	if (ch >= 0x20 && ch < 0x7f)
		return 1;
	/* Lines and blocks: most of a picture, and not worth a search each. */
	return ch >= 0x2500 && ch < 0x25a0 ? 1 : text_width(ch);
}

/* One half of a wide character is about to go: the other becomes a blank. */
static void unpair(const struct canvas *c, struct cell *at, int screen_x)
{
	if (!at->ch && screen_x > 0)
		at[-1].ch = ' ';
	if (screen_x + 1 < c->stride && !at[1].ch)
		at[1].ch = ' ';
}

static void set(struct canvas *c, int x, int y, struct cell cell)
{
	struct cell *at = cell_at(c, x, y);

	unpair(c, at, c->r.x + x);
	*at = cell;
}

void canvas_put(struct canvas *c, int x, int y, uint32_t ch, int16_t fg, int16_t bg, uint8_t attr)
{
	struct cell cell = { .ch = ch ? ch : ' ', .fg = fg, .bg = bg, .attr = attr };

	if (!inside(c, x, y))
		return;
	int columns = columns_of(cell.ch);

	if (columns < 1)
		cell.ch = '?';
	if (columns == 2) {
		if (x + 1 < c->r.w) {
			set(c, x, y, cell);
			cell.ch = ' ';
			set(c, x + 1, y, cell);
			cell_at(c, x + 1, y)->ch = 0;
			return;
		}
		cell.ch = ' ';
	}
	set(c, x, y, cell);
}

/* Only the ends of a row can cut a wide character in two. */
static void fill_plain(struct canvas *c, struct rect r, struct cell cell)
{
	for (int y = r.y; r.w && y < r.y + r.h; y++) {
		struct cell *row = cell_at(c, r.x, y);

		unpair(c, row, c->r.x + r.x);
		unpair(c, row + r.w - 1, c->r.x + r.x + r.w - 1);
		for (int x = 0; x < r.w; x++)
			row[x] = cell;
	}
}

void canvas_fill(struct canvas *c, struct rect r, uint32_t ch, int16_t fg, int16_t bg, uint8_t attr)
{
	r = clipped(c, r);
	if (columns_of(ch) == 1) {
		fill_plain(c, r, (struct cell){ .ch = ch, .fg = fg, .bg = bg, .attr = attr });
		return;
	}
	for (int y = r.y; y < r.y + r.h; y++)
		for (int x = r.x; x < r.x + r.w; x += 2)
			canvas_put(c, x, y, x + 1 == r.x + r.w ? ' ' : ch, fg, bg, attr);
}

void canvas_clear(struct canvas *c, int16_t fg, int16_t bg)
{
	struct cell cell = blank;

	cell.fg = fg;
	cell.bg = bg;
	for (int y = 0; y < c->r.h; y++) {
		for (int x = 0; x < c->r.w; x++) {
			if (x == 0 || x == c->r.w - 1)
				unpair(c, cell_at(c, x, y), c->r.x + x);
			*cell_at(c, x, y) = cell;
		}
	}
}

/* Next code point; what is not UTF-8 is one '?' a byte. */
static uint32_t next_point(const char **text)
{
	uint32_t ch = '?';
	size_t n = text_decode(*text, strnlen(*text, 4), &ch);

	*text += n ? n : 1;
	return n && text_width(ch) >= 0 ? ch : '?';
}

/* Walks text cell by cell, drawing when c is given.  Returns columns. */
static int walk(struct canvas *c, int x, int y, int columns, const char *text,
		const struct cell *like)
{
	int used = 0;

	while (*text) {
		uint32_t ch = next_point(&text);
		int w = columns_of(ch);

		if (w == 0)
			continue;	/* a cell holds one code point */
		if (used + w > columns)
			break;
		if (c)
			canvas_put(c, x + used, y, ch, like->fg, like->bg, like->attr);
		used += w;
	}
	return used;
}

int canvas_text(struct canvas *c, int x, int y, int columns, const char *text, int16_t fg,
		int16_t bg, uint8_t attr)
{
	struct cell like = { .fg = fg, .bg = bg, .attr = attr };

	return walk(c, x, y, columns, text, &like);
}

int canvas_printf(struct canvas *c, int x, int y, int16_t fg, int16_t bg, uint8_t attr,
		  const char *fmt, ...)
{
	char text[4 * CANVAS_MOST];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return canvas_text(c, x, y, c->r.w - x, text, fg, bg, attr);
}

int canvas_right(struct canvas *c, int x_end, int y, const char *text, int16_t fg, int16_t bg,
		 uint8_t attr)
{
	int columns = walk(NULL, 0, 0, CANVAS_MOST, text, &blank);

	return canvas_text(c, x_end - columns, y, columns, text, fg, bg, attr);
}

static bool cell_equal(const struct cell *a, const struct cell *b)
{
	return a->ch == b->ch && a->fg == b->fg && a->bg == b->bg && a->attr == b->attr;
}

bool canvas_equal(const struct canvas *a, const struct canvas *b)
{
	if (a->r.w != b->r.w || a->r.h != b->r.h)
		return false;
	for (int y = 0; y < a->r.h; y++)
		for (int x = 0; x < a->r.w; x++)
			if (!cell_equal(cell_at(a, x, y), cell_at(b, x, y)))
				return false;
	return true;
}

static void put_utf8(FILE *f, uint32_t ch)
{
	if (ch < 0x80) {
		putc((int)ch, f);
	} else if (ch < 0x800) {
		putc(0xc0 | ch >> 6, f);
		putc(0x80 | (ch & 0x3f), f);
	} else {
		putc(ch < 0x10000 ? 0xe0 | ch >> 12 : 0xf0 | ch >> 18, f);
		if (ch >= 0x10000)
			putc(0x80 | (ch >> 12 & 0x3f), f);
		putc(0x80 | (ch >> 6 & 0x3f), f);
		putc(0x80 | (ch & 0x3f), f);
	}
}

/* Columns of a row up to the last cell that can be seen. */
static int row_end(const struct canvas *c, int y, bool colours)
{
	int end = c->r.w;

	while (end > 0) {
		struct cell cell = *cell_at(c, end - 1, y);

		if (cell.ch != ' ')
			break;
		if (colours && (cell.bg >= 0 || (cell.attr & (CELL_REVERSE | CELL_UNDERLINE))))
			break;
		end--;
	}
	return end;
}

char *canvas_as_text(const struct canvas *c)
{
	char *text = NULL;
	size_t bytes;
	FILE *f = open_memstream(&text, &bytes);

	if (!f)
		return NULL;
	for (int y = 0; y < c->r.h; y++) {
		int end = row_end(c, y, false);

		for (int x = 0; x < end; x++)
			if (cell_at(c, x, y)->ch)
				put_utf8(f, cell_at(c, x, y)->ch);
		putc('\n', f);
	}
	if (fclose(f)) {
		free(text);
		return NULL;
	}
	return text;
}

static void put_colour(FILE *f, int base, int16_t colour)
{
	if (colour >= 0)
		fprintf(f, ";%d;5;%d", base, colour);
}

static void put_sgr(FILE *f, const struct cell *cell)
{
	static const struct { uint8_t attr; char code; } attrs[] = {
		{ CELL_BOLD, '1' },
		{ CELL_DIM, '2' },
		{ CELL_UNDERLINE, '4' },
		{ CELL_REVERSE, '7' },
	};

	fputs("\033[0", f);
	for (unsigned i = 0; i < sizeof(attrs) / sizeof(attrs[0]); i++)
		if (cell->attr & attrs[i].attr)
			fprintf(f, ";%c", attrs[i].code);
	put_colour(f, 38, cell->fg);
	put_colour(f, 48, cell->bg);
	putc('m', f);
}

static void put_ansi_row(FILE *f, const struct canvas *c, int y)
{
	struct cell last = blank;
	int end = row_end(c, y, true);

	for (int x = 0; x < end; x++) {
		const struct cell *cell = cell_at(c, x, y);

		if (!cell->ch)
			continue;
		if (cell->fg != last.fg || cell->bg != last.bg || cell->attr != last.attr)
			put_sgr(f, cell);
		last = *cell;
		put_utf8(f, cell->ch);
	}
	if (last.fg != blank.fg || last.bg != blank.bg || last.attr != blank.attr)
		fputs("\033[0m", f);
	putc('\n', f);
}

char *canvas_as_ansi(const struct canvas *c)
{
	char *text = NULL;
	size_t bytes;
	FILE *f = open_memstream(&text, &bytes);

	if (!f)
		return NULL;
	for (int y = 0; y < c->r.h; y++)
		put_ansi_row(f, c, y);
	if (fclose(f)) {
		free(text);
		return NULL;
	}
	return text;
}
