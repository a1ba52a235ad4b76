#include "ui/paint.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "src/text.h"
#include "src/text_width.h"

static const struct { const char *unicode; uint32_t point; char ascii[2]; } glyphs[GLYPHS] = {
	[GLYPH_RULE] = { "─", 0x2500, "-" },
	[GLYPH_BAR] = { "│", 0x2502, "|" },
	[GLYPH_TEE] = { "┬", 0x252c, "+" },
	[GLYPH_TICK] = { "┤", 0x2524, "+" },
	[GLYPH_UP] = { "▲", 0x25b2, "^" },
	[GLYPH_DOWN] = { "▼", 0x25bc, "v" },
	[GLYPH_POINT] = { "▸", 0x25b8, ">" },
	[GLYPH_TIMES] = { "×", 0xd7, "x" },
	[GLYPH_DOT] = { "·", 0xb7, "." },
	[GLYPH_CORNER] = { "└", 0x2514, "+" },
	[GLYPH_AXIS_TICK] = { "┴", 0x2534, "+" },
	[GLYPH_LINE] = { "┊", 0x250a, ":" },
	[GLYPH_CUT] = { "…", 0x2026, "." },
	[GLYPH_FULL] = { "█", 0x2588, "#" },
};

uint32_t paint_glyph(const struct view *v, enum glyph g)
{
	return v->theme.unicode ? glyphs[g].point : (uint32_t)glyphs[g].ascii[0];
}

const char *paint_glyph_text(const struct view *v, enum glyph g)
{
	return v->theme.unicode ? glyphs[g].unicode : glyphs[g].ascii;
}

void paint_blank(struct canvas *c, const struct view *v)
{
	const struct style *s = &v->theme.role[ROLE_TEXT];

	canvas_fill(c, (struct rect){ 0, 0, c->r.w, c->r.h }, ' ', s->fg, s->bg, 0);
}

void paint_row(struct canvas *c, const struct view *v, int y, enum role role)
{
	const struct style *s = &v->theme.role[role];

	canvas_fill(c, (struct rect){ 0, y, c->r.w, 1 }, ' ', s->fg, s->bg, s->attr);
}

void paint_put(struct canvas *c, const struct view *v, int x, int y, enum role role, uint32_t ch)
{
	const struct style *s = &v->theme.role[role];

	canvas_put(c, x, y, ch, s->fg, s->bg, s->attr);
}

/* A terminal without UTF-8 gets a '?' for each column it cannot show. */
static const char *plain_text(const char *text, char *buf, size_t size)
{
	size_t left = strlen(text), at = 0;

	while (left && at + 2 < size) {
		uint32_t point;
		size_t bytes = text_decode(text, left, &point);
		int w = !bytes ? 1 : point < 0x80 ? 0 : text_width(point);

		if (bytes == 1 && point < 0x80)
			buf[at++] = *text;
		while (w-- > 0)
			buf[at++] = '?';
		bytes += !bytes;
		text += bytes;
		left -= bytes;
	}
	buf[at] = '\0';
	return buf;
}

/* Bytes of text that fill at most `columns`. */
static int bytes_in(const char *text, int columns)
{
	size_t left = strlen(text);
	int used = 0, n = 0;

	while (left) {
		uint32_t point;
		size_t bytes = text_decode(text + n, left, &point);
		int w = bytes ? text_width(point) : 1;

		bytes += !bytes;
		used += w < 0 ? 1 : w;
		if (used > columns)
			break;
		n += (int)bytes;
		left -= bytes;
	}
	return n;
}

/* Columns without the blanks at the end, which nobody misses. */
static int inked_width(const char *text)
{
	size_t n = strlen(text), end = n;

	while (end && text[end - 1] == ' ')
		end--;
	return paint_width(text) - (int)(n - end);
}

const char *paint_cut(const struct view *v, const char *text, int columns, char *buf, unsigned size)
{
	const char *mark = v->theme.unicode ? "…" : columns >= 6 ? "..." : ".";
	int bytes, blank;

	if (inked_width(text) <= columns)
		return text;
	bytes = bytes_in(text, columns - paint_width(mark));
	/* Rather between two words, where one ends near. */
	for (blank = bytes; blank > 0 && text[blank] != ' ';)
		blank--;
	if (blank > bytes * 2 / 3)
		bytes = blank;
	snprintf(buf, size, "%.*s%s", bytes, text, mark);
	return buf;
}

int paint_text(struct canvas *c, const struct view *v, int x, int y, int columns, enum role role,
	       const char *text)
{
	const struct style *s = &v->theme.role[role];
	char plain[512], cut[512];

	if (columns > c->r.w - x)
		columns = c->r.w - x;
	if (columns <= 0)
		return 0;
	if (!v->theme.unicode)
		text = plain_text(text, plain, sizeof(plain));
	text = paint_cut(v, text, columns, cut, sizeof(cut));
	return canvas_text(c, x, y, columns, text, s->fg, s->bg, s->attr);
}

/* At least a letter, so that whoever goes on behind it comes to an end. */
int paint_fitting(const char *text, int columns)
{
	int n = bytes_in(text, columns), cut;

	for (int most = 1; !n && most <= 2; most++)
		n = bytes_in(text, most);
	if (!text[n])
		return n;
	for (cut = n; cut && text[cut] != ' ';)
		cut--;
	return cut ? cut : n;
}

int paint_wrapped(struct canvas *c, const struct view *v, int x, int y, int columns, int rows,
		  enum role role, const char *text)
{
	char line[512];
	int row = 0;

	do {
		int bytes = row + 1 < rows ? paint_fitting(text, columns) : (int)strlen(text);

		snprintf(line, sizeof(line), "%.*s", bytes, text);
		paint_text(c, v, x, y + row++, columns, role, line);
		text += bytes + (text[bytes] == ' ');
	} while (*text && row < rows);
	return row;
}

int paint_fmt(struct canvas *c, const struct view *v, int x, int y, enum role role, const char *fmt,
	      ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return paint_text(c, v, x, y, c->r.w - x, role, text);
}

int paint_width(const char *text)
{
	size_t left = strlen(text);
	int columns = 0;

	while (left) {
		uint32_t point;
		size_t bytes = text_decode(text, left, &point);
		int w = bytes ? text_width(point) : 1;

		columns += w < 0 ? 1 : w;
		bytes += !bytes;
		text += bytes;
		left -= bytes;
	}
	return columns;
}

const char *paint_count(char *buf, unsigned size, double count)
{
	char *zero;

	if (count < 1000) {
		snprintf(buf, size, "%.0f", count);
		return buf;
	}
	text_count(buf, size, count);
	zero = strstr(buf, ".0");
	if (zero)
		memmove(zero, zero + 2, strlen(zero + 2) + 1);
	return buf;
}

void paint_right(struct canvas *c, const struct view *v, int x_min, int x_end, int y,
		 enum role role, const char *text)
{
	int columns = paint_width(text);

	if (x_end - columns >= x_min)
		paint_text(c, v, x_end - columns, y, columns, role, text);
}

bool paint_focused(const struct view *v, const struct panel *p)
{
	return p && panels[v->focus] == p;
}

static void paint_rule(struct canvas *c, const struct view *v, bool bar)
{
	for (int x = 0; x < c->r.w; x++)
		paint_put(c, v, x, 0, ROLE_AXIS, paint_glyph(v, GLYPH_RULE));
	if (bar)
		paint_put(c, v, 0, 0, ROLE_AXIS, paint_glyph(v, GLYPH_TEE));
}

struct canvas paint_inside(struct canvas *c, const struct view *v)
{
	struct canvas in = *c;
	bool bar = c->r.x > 0;

	paint_blank(c, v);
	for (int y = 0; bar && y < c->r.h; y++)
		paint_put(c, v, 0, y, ROLE_AXIS, paint_glyph(v, GLYPH_BAR));
	in.r.x += bar;
	in.r.w -= bar;
	return in;
}

struct canvas paint_frame(struct canvas *c, const struct view *v, const struct panel *p,
			  const char *title, const char *detail, const char *note)
{
	struct canvas in = paint_inside(c, v);
	enum role role = paint_focused(v, p) ? ROLE_SELECTED : ROLE_TITLE;
	char text[300];
	int used;

	paint_rule(c, v, c->r.x > 0);
	snprintf(text, sizeof(text), " %s ", title);
	used = 1 + paint_text(c, v, 1, 0, c->r.w - 1, role, text);
	if (detail && detail[0]) {
		snprintf(text, sizeof(text), role == ROLE_SELECTED ? " %s " : "%s ", detail);
		used += paint_text(c, v, used, 0, c->r.w - used, ROLE_TEXT, text);
	}
	if (note && note[0]) {
		snprintf(text, sizeof(text), " %s ", note);
		paint_right(c, v, used + 1, c->r.w - 1, 0, ROLE_DIM, text);
	}
	in.r.y++;
	in.r.h--;
	return in;
}

enum cell_mode paint_cells(const struct view *v)
{
	enum cell_mode mode = v->cells < 0 ? v->theme.cells : (enum cell_mode)v->cells;

	if (!v->theme.colour || (mode == CELLS_HALF && !v->theme.unicode))
		return CELLS_ASCII;
	return mode;
}

void paint_heat(struct canvas *c, const struct view *v, int x, int y, double level)
{
	const struct style *s = &v->theme.role[ROLE_TEXT];

	if (!(level > 0))
		canvas_put(c, x, y, ' ', s->fg, s->bg, 0);
	else if (paint_cells(v) != CELLS_ASCII)
		canvas_put(c, x, y, ' ', s->fg, (int16_t)theme_ramp(&v->theme, level), 0);
	else
		canvas_put(c, x, y, (uint32_t)theme_ascii(level), s->fg, s->bg, 0);
}

struct style paint_quiet(const struct view *v, enum role role)
{
	struct style s = v->theme.role[role];

	if (v->theme.colour && (s.attr & CELL_REVERSE))
		s.attr &= (uint8_t)~CELL_REVERSE;
	return s;
}

int16_t paint_ink(const struct view *v, enum role role)
{
	const struct style *s = &v->theme.role[role];

	return s->bg >= 0 ? s->bg : s->fg;
}

uint32_t paint_eighth(const struct view *v, int eighths)
{
	if (eighths <= 0)
		return ' ';
	if (eighths > 8)
		eighths = 8;
	return v->theme.unicode ? 0x2580u + (uint32_t)eighths : (uint32_t)(" .:-=+*##"[eighths]);
}

void paint_spark(struct canvas *c, const struct view *v, int x, int y, int columns, enum role role,
		 const double *values, int n)
{
	double most = 0;

	for (int i = 0; i < n; i++)
		most = fmax(most, values[i]);
	for (int i = 0; i < columns; i++) {
		int at = n - columns + i;
		double value = at >= 0 ? values[at] : -1;
		int eighths = value < 0 ? 0 : most > 0 ? 1 + (int)(value / most * 7 + 0.5) : 1;

		canvas_put(c, x + i, y, paint_eighth(v, eighths), paint_ink(v, role), -1, 0);
	}
}

/* Columns of the words whose rank is in the set. */
static int width_of(const struct paint_word *words, unsigned n, const char *between, uint64_t ranks)
{
	int columns = 0, gap = paint_width(between);

	for (unsigned i = 0; i < n; i++)
		if (ranks >> words[i].rank & 1 && words[i].text[0])
			columns += (columns ? gap : 0) + paint_width(words[i].text);
	return columns;
}

int paint_words_width(const struct paint_word *words, unsigned n, const char *between, int rank)
{
	return width_of(words, n, between, (UINT64_C(2) << rank) - 1);
}

/* Rank by rank, each that still has room beside the more important ones. */
static uint64_t ranks_in(const struct paint_word *words, unsigned n, const char *between,
			 int columns)
{
	uint64_t ranks = 1;

	for (int rank = 1; rank <= PAINT_RANK_MOST; rank++)
		if (width_of(words, n, between, ranks | UINT64_C(1) << rank) <= columns)
			ranks |= UINT64_C(1) << rank;
	return ranks;
}

int paint_words(struct canvas *c, const struct view *v, int x, int y, int columns,
		const char *between, const struct paint_word *words, unsigned n)
{
	uint64_t ranks = ranks_in(words, n, between, columns);
	int used = 0;

	for (unsigned i = 0; i < n && used < columns; i++) {
		if (!(ranks >> words[i].rank & 1) || !words[i].text[0])
			continue;
		if (used)
			used += canvas_text(c, x + used, y, columns - used, between,
					    v->theme.role[ROLE_DIM].fg, v->theme.role[ROLE_DIM].bg,
					    v->theme.role[ROLE_DIM].attr);
		used += paint_text(c, v, x + used, y, columns - used, words[i].role, words[i].text);
	}
	return used;
}
