/*
 * check_term.c - what the terminal shows is what the canvas says, by the
 * judgement of an independent emulator; and nothing ever waits for it.
 */
#include "ui/term.h"

#include <check.h>
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tests/loop_assert.h"
#include "tests/pty.h"
#include "ui/outgoing.h"

static struct pty *pty;
static struct term *term;
static uint64_t state;

static uint64_t next_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static int below(int n)
{
	return (int)(next_random() % (uint64_t)n);
}

static void open_as(const char *name, int w, int h, struct term_config config)
{
	struct why why;

	setenv("TERM", name, 1);
	unsetenv("NO_COLOR");
	setenv("LC_ALL", "C.UTF-8", 1);
	pty = pty_open(w, h);
	pty_adopt(pty);
	term = term_open(&config, &why);
	ck_assert_msg(term, "%s", term ? "" : why.text);
	ck_assert_int_eq(term_enter(term, &why), 0);
}

static void teardown(void)
{
	term_close(term);
	pty_free(pty);
	term = NULL;
	pty = NULL;
}

/* Everything pending arrives at the emulator. */
static void deliver(void)
{
	while (term_flush(term) == 1)
		pty_pump(pty, 10);
	while (pty_pump(pty, 0) > 0)
		;
}

static void draw(const struct canvas *c, bool repaint)
{
	ck_assert_int_ge(term_draw(term, c, repaint), 0);
	deliver();
}

/* ---- canvas and screen, cell by cell ------------------------------------- */
static const char *const glyphs[] = { " ", "a", "#", "~", "é", "█", "▀", "─", "世", "µ" };
static const int16_t few[] = { -1, 0, 1, 4, 7 };
static const int16_t many[] = { -1, 0, 4, 16, 17, 55, 231, 245, 203 };

static int16_t some_colour(void)
{
	if (term_colours(term) > 8)
		return many[below(9)];
	return few[below(5)];
}

static void scribble(struct canvas *c)
{
	int y = below(c->r.h), x = below(c->r.w);

	switch (below(5)) {
	case 0:		/* a run of coloured blanks */
		canvas_fill(c, (struct rect){ x, y, 1 + below(30), 1 + below(4) }, ' ', -1,
			    some_colour(), 0);
		break;
	case 1:		/* text */
		canvas_printf(c, x, y, some_colour(), some_colour(), (uint8_t)below(16),
			      "p99 %d us", below(100000));
		break;
	case 2:		/* to the right edge */
		canvas_fill(c, (struct rect){ x, y, c->r.w, 1 }, ' ', -1, some_colour(), 0);
		break;
	case 3: {	/* any cell */
		const char *g = glyphs[below(10)];

		canvas_text(c, x, y, 2, g, some_colour(), some_colour(), (uint8_t)below(16));
		break;
	}
	default:	/* the map moves on by a column, flush right */
		for (int row = 0; row < c->r.h; row++) {
			struct cell *cells = c->cells + (size_t)row * c->stride;

			for (int i = c->r.w / 4; i + 1 < c->r.w; i++)
				canvas_put(c, i, row, cells[i + 1].ch, cells[i + 1].fg,
					   cells[i + 1].bg, cells[i + 1].attr);
			canvas_put(c, c->r.w - 1, row, ' ', -1, some_colour(), 0);
		}
	}
}

static bool is_blank(const struct cell *cell)
{
	return cell->ch == ' ' && !(cell->attr & (CELL_REVERSE | CELL_UNDERLINE));
}

/* Which of these a terminal shows there is a test of its own. */
static void no_wide_before_the_corner(struct canvas *c)
{
	canvas_put(c, c->r.w - 2, c->r.h - 1, 'x', -1, -1, 0);
}

static void expect_screen(const struct canvas *c, bool underline)
{
	for (int y = 0; y < c->r.h; y++) {
		for (int x = 0; x < c->r.w; x++) {
			const struct cell *want = &c->cells[(size_t)y * c->stride + x];
			struct pty_cell got = pty_cell(pty, x, y);

			loop_assert_msg(want->ch == got.ch, "%d,%d: U+%04X, not U+%04X", x, y, got.ch,
				      want->ch);
			if (!want->ch)
				continue;
			loop_assert_msg(want->bg == got.bg, "%d,%d: ground %d, not %d", x, y, got.bg,
				      want->bg);
			if (is_blank(want))
				continue;
			loop_assert_msg(want->fg == got.fg, "%d,%d: colour %d, not %d", x, y, got.fg,
				      want->fg);
			loop_assert_msg(!!(want->attr & CELL_BOLD) == got.bold, "%d,%d: bold", x, y);
			loop_assert_msg(!!(want->attr & CELL_REVERSE) == got.reverse,
					"%d,%d: reverse", x, y);
			loop_assert_msg(!underline || !!(want->attr & CELL_UNDERLINE) == got.underline,
					"%d,%d: underline", x, y);
		}
	}
}

static const char *const terminals[] = { "xterm-256color", "tmux-256color", "linux",
					 "screen-256color", "vt220" };

static void without_colours(struct canvas *c)
{
	for (int i = 0; i < c->r.w * c->r.h; i++)
		c->cells[i].fg = c->cells[i].bg = -1;
}

START_TEST(small_changes_add_up_to_the_whole_picture)
{
	int frames = getenv("JS_LONG") ? 10000 : 150;

	open_as(terminals[_i], 60, 30, (struct term_config){ 0 });
	state = 88172645463325252u + (uint64_t)_i;
	struct canvas *c = canvas_new(60, 30);

	for (int frame = 0; frame < frames; frame++) {
		for (int n = below(4); n >= 0; n--)
			scribble(c);
		no_wide_before_the_corner(c);
		if (term_colours(term) == 0)
			without_colours(c);
		draw(c, false);
		/* The console cannot underline in colour. */
		expect_screen(c, term_colours(term) != 8);
		if (frame % 50 == 49) {
			draw(c, true);
			expect_screen(c, term_colours(term) != 8);
		}
	}
	size_t n;
	const char *bytes = pty_output(pty, &n);

	ck_assert_uint_eq(outgoing_check(bytes, n), n);
	printf("drawing TERM=%s: %d random frames, every cell right after each; %d full repaints\n",
	       terminals[_i], frames, frames / 50);
	canvas_free(c);
}
END_TEST

/* screen-256color has no way to switch automatic margins off. */
START_TEST(a_wide_character_before_the_corner_breaks_nothing)
{
	bool whole = !strcmp(terminals[_i], "xterm-256color");
	struct canvas *c;

	if (_i && strcmp(terminals[_i], "screen-256color"))
		return;
	open_as(terminals[_i], 20, 5, (struct term_config){ 0 });
	c = canvas_new(20, 5);
	draw(c, true);
	canvas_text(c, 17, 4, 2, "世", 203, 55, 0);
	for (int i = 0; i < 8; i++) {
		canvas_put(c, 19, 4, "a b"[i % 3], 4, i % 2 ? 17 : -1, 0);
		draw(c, i == 5);
		ck_assert_uint_eq(pty_cell(pty, 17, 4).ch, whole ? 0x4e16 : '?');
		ck_assert_uint_eq(pty_cell(pty, 18, 4).ch, whole ? 0 : '?');
		ck_assert_uint_eq(pty_cell(pty, 19, 4).ch, (uint32_t)"a b"[i % 3]);
	}
	canvas_free(c);
}
END_TEST

/* Wide today, narrow for terminals of an older Unicode, and the same for all. */
static const struct { const char *text; bool as_it_is; int columns; } widths[] = {
	{ "é", true, 1 }, { "世", true, 2 }, { "한", true, 2 }, { "ש", true, 1 }, { "▲", true, 1 },
	{ "┈", true, 1 }, { "⌚", false, 2 }, { "⏩", false, 2 }, { "☔", false, 2 }, { "⚡", false, 2 },
	{ "✅", false, 2 }, { "⭐", false, 2 }, { "😀", false, 2 }, { "🤯", false, 2 }, { "𠀀", true, 2 },
};

START_TEST(only_what_has_one_width_everywhere_is_sent)
{
	open_as("xterm-256color", 20, 3, (struct term_config){ 0 });
	struct canvas *c = canvas_new(20, 3);
	uint32_t first;

	/* Over a wide one: nothing of it stays. */
	canvas_text(c, 4, 1, 4, "世世", -1, -1, 0);
	draw(c, true);
	ck_assert_int_eq(canvas_text(c, 4, 1, 2, widths[_i].text, -1, -1, 0), widths[_i].columns);
	canvas_text(c, 4 + widths[_i].columns, 1, 4, "end ", -1, -1, 0);
	draw(c, false);
	first = pty_cell(pty, 4, 1).ch;
	ck_assert_uint_eq(first, widths[_i].as_it_is ? c->cells[20 + 4].ch : '?');
	if (widths[_i].columns == 2)
		ck_assert_uint_eq(pty_cell(pty, 5, 1).ch, widths[_i].as_it_is ? 0 : '?');
	ck_assert_uint_eq(pty_cell(pty, 4 + widths[_i].columns, 1).ch, 'e');
	canvas_free(c);
}
END_TEST

START_TEST(any_size_is_drawn_after_a_resize)
{
	static const int sizes[][2] = { { 1, 1 }, { 200, 60 },	{ 80, 1 }, { 1, 24 },
					{ 2, 2 }, { 500, 200 }, { 80, 24 } };

	open_as("xterm-256color", 80, 24, (struct term_config){ 0 });
	state = 7;
	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		int w, h;
		struct canvas *c = canvas_new(sizes[i][0], sizes[i][1]);

		pty_resize(pty, sizes[i][0], sizes[i][1]);
		term_size(term, &w, &h);
		ck_assert(w == sizes[i][0] && h == sizes[i][1]);
		for (int n = 0; n < 5; n++) {
			scribble(c);
			draw(c, false);
			expect_screen(c, true);
		}
		canvas_free(c);
	}
}
END_TEST

START_TEST(a_size_nobody_knows_is_80_by_24)
{
	int w, h;

	open_as("xterm-256color", 0, 0, (struct term_config){ 0 });
	term_size(term, &w, &h);
	ck_assert(w == 80 && h == 24);
	pty_resize(pty, 32767, 10);
	term_size(term, &w, &h);
	ck_assert(w == 1000 && h == 10);
	pty_resize(pty, 80, 24);
}
END_TEST

START_TEST(a_frame_that_changes_nothing_sends_nothing)
{
	open_as("xterm-256color", 80, 24, (struct term_config){ 0 });
	struct canvas *c = canvas_new(80, 24);

	canvas_fill(c, (struct rect){ 3, 3, 40, 10 }, ' ', -1, 55, 0);
	draw(c, false);
	ck_assert_int_eq(term_draw(term, c, false), 0);
	/* A blank's foreground cannot be seen. */
	canvas_fill(c, (struct rect){ 3, 3, 40, 10 }, ' ', 12, 55, 0);
	ck_assert_int_eq(term_draw(term, c, false), 0);
	canvas_free(c);
}
END_TEST

/* ---- nothing waits --------------------------------------------------------- */
/* F12: frames are skipped. */
START_TEST(a_terminal_that_does_not_read_holds_nothing_up)
{
	open_as("xterm-256color", 200, 60, (struct term_config){ 0 });
	struct canvas *c = canvas_new(200, 60);

	state = 99;
	for (int n = 0; n < 3000; n++)
		canvas_text(c, below(200), below(60), 3, "xyz", some_colour(), some_colour(), 0);
	ck_assert_int_gt(term_draw(term, c, true), 20000);
	while (term_flush(term) == 1 && term_bytes(term) == 0)
		;
	uint64_t taken = term_bytes(term);

	ck_assert_int_eq(term_flush(term), 1);	/* full: says so at once */
	ck_assert(!term_ready(term));
	ck_assert_uint_gt(taken, 0);
	deliver();
	ck_assert(term_ready(term));
	expect_screen(c, true);
	canvas_free(c);
}
END_TEST

/* F01: nothing is written to a terminal that answers EIO. */
START_TEST(a_terminal_that_is_gone_is_noticed_and_left_alone)
{
	open_as("xterm-256color", 80, 24, (struct term_config){ 0 });
	struct canvas *c = canvas_new(80, 24);

	draw(c, true);
	pty_hang_up(pty);
	ck_assert_int_eq(term_key(term), -EIO);
	canvas_fill(c, c->r, 'x', -1, -1, 0);
	term_draw(term, c, false);
	ck_assert_int_eq(term_flush(term), -EIO);
	term_abandon(term);
	uint64_t before = term_bytes(term);

	ck_assert_int_eq(term_draw(term, c, true), 0);
	ck_assert_int_eq(term_flush(term), -EIO);
	term_leave(term);
	ck_assert_uint_eq(term_bytes(term), before);
	canvas_free(c);
}
END_TEST

/* ---- coming and going -------------------------------------------------------- */
static bool same_settings(const struct termios *a, const struct termios *b)
{
	return a->c_iflag == b->c_iflag && a->c_oflag == b->c_oflag && a->c_cflag == b->c_cflag &&
	       a->c_lflag == b->c_lflag && !memcmp(a->c_cc, b->c_cc, sizeof(a->c_cc));
}

START_TEST(leaving_gives_everything_back)
{
	struct termios before, during, after, saved, raw;
	struct canvas *c = canvas_new(80, 24);
	struct why why;

	setenv("TERM", "xterm-256color", 1);
	pty = pty_open(80, 24);
	pty_adopt(pty);
	pty_termios(pty, &before);
	term = term_open(&(struct term_config){ .mouse = true }, &why);
	ck_assert_ptr_nonnull(term);
	pty_termios(pty, &during);
	ck_assert(same_settings(&before, &during));	/* opening touches nothing */
	for (int round = 0; round < 3; round++) {
		term_settings(term, &saved, &raw);
		ck_assert_int_eq(term_enter(term, &why), 0);
		pty_termios(pty, &during);
		ck_assert(same_settings(&during, &raw) && same_settings(&before, &saved));
		ck_assert((during.c_lflag & ISIG) && !(during.c_lflag & (ICANON | ECHO)));
		canvas_fill(c, c->r, 'x', 203, 55, CELL_BOLD);
		draw(c, false);
		expect_screen(c, true);
		ck_assert(pty_alternate(pty) && pty_mouse(pty) && !pty_cursor_shown(pty));
		/* As curses does for some moves of many rows. */
		ck_assert_int_eq(write(term_fd(term), "\0337\0338", 4), 4);
		term_leave(term);
		pty_pump(pty, 0);
		pty_termios(pty, &after);
		ck_assert(same_settings(&before, &after));
		ck_assert(!pty_alternate(pty) && !pty_mouse(pty) && pty_cursor_shown(pty));
	}
	canvas_free(c);
}
END_TEST

START_TEST(entering_again_without_leaving_paints_every_cell)
{
	open_as("xterm-256color", 80, 24, (struct term_config){ 0 });
	struct canvas *c = canvas_new(80, 24);
	struct termios saved, raw, now;
	struct why why;

	canvas_text(c, 5, 5, 20, "everything", 203, 17, 0);
	draw(c, true);
	/* Stopped from outside: a shell wrote here and set the line to cooked. */
	term_settings(term, &saved, &raw);
	tcsetattr(term_fd(term), TCSANOW, &saved);
	ck_assert_int_gt(write(term_fd(term), "\033[?25h\033[10;1H$ prompt\n", 22), 0);
	ck_assert_int_eq(term_enter(term, &why), 0);
	draw(c, false);
	expect_screen(c, true);
	pty_termios(pty, &now);
	ck_assert(same_settings(&now, &raw) && !pty_cursor_shown(pty));
	term_leave(term);
	pty_pump(pty, 0);
	pty_termios(pty, &now);
	ck_assert(same_settings(&now, &saved) && pty_cursor_shown(pty) && !pty_alternate(pty));
	canvas_free(c);
}
END_TEST

START_TEST(the_reset_bytes_undo_all_we_may_have_set)
{
	open_as("xterm-256color", 80, 24, (struct term_config){ .mouse = true });
	struct canvas *c = canvas_new(80, 24);
	unsigned n;
	const char *reset = term_reset_bytes(&n);

	canvas_fill(c, c->r, 'x', 203, 55, CELL_REVERSE);
	draw(c, true);
	ck_assert_uint_eq(outgoing_check(reset, n), n);
	ck_assert_int_eq(write(term_fd(term), "\0337\0338", 4), 4);
	ck_assert_int_eq(write(term_fd(term), reset, n), n);
	ck_assert_int_eq(write(term_fd(term), "ok", 2), 2);
	pty_pump(pty, 0);
	ck_assert(!pty_alternate(pty) && !pty_mouse(pty) && pty_cursor_shown(pty));
	char *screen = pty_screen(pty);

	ck_assert_ptr_nonnull(strstr(screen, "ok\n"));
	ck_assert_ptr_null(strchr(screen, 'x'));
	free(screen);
	term_abandon(term);
	canvas_free(c);
}
END_TEST

START_TEST(the_shell_goes_on_where_it_was)
{
	struct canvas *c, *d = canvas_new(60, 50);
	struct why why;

	setenv("TERM", "xterm-256color", 1);
	pty = pty_open(80, 40);
	pty_adopt(pty);
	ck_assert_int_eq(write(0, "\033[5;1H$ jitterscope", 19), 19);
	term = term_open(&(struct term_config){ 0 }, &why);
	for (int round = 0; round < 2; round++) {
		ck_assert_int_eq(term_enter(term, &why), 0);
		c = canvas_new(80, 40);
		canvas_fill(c, c->r, 'x', -1, 17, 0);
		draw(c, false);
		draw(d, false);
		pty_resize(pty, 80, 40);
		draw(c, false);
		expect_screen(c, true);
		canvas_free(c);
		term_leave(term);
		ck_assert_int_eq(write(0, "!", 1), 1);
		pty_pump(pty, 0);
		/* The same line; curses ends with a return. */
		ck_assert_int_eq(pty_cell(pty, 0, 4).ch, '!');
		ck_assert_int_eq(write(0, "\b", 1), 1);
	}
	canvas_free(d);
}
END_TEST

/* Where there is no other screen the picture stays, the prompt goes below it. */
START_TEST(the_prompt_comes_on_a_row_of_its_own)
{
	open_as("vt100", 80, 24, (struct term_config){ 0 });
	struct canvas *c = canvas_new(80, 24);

	canvas_text(c, 1, 23, 40, "the status line", -1, -1, 0);
	draw(c, true);
	term_leave(term);
	ck_assert_int_eq(write(0, "$ ", 2), 2);
	pty_pump(pty, 0);
	ck_assert_int_eq(pty_cell(pty, 0, 23).ch, '$');
	ck_assert_int_eq(pty_cell(pty, 1, 23).ch, ' ');
	ck_assert_int_eq(pty_cell(pty, 2, 23).ch, ' ');
	ck_assert_int_eq(pty_cell(pty, 1, 22).ch, 't');
	canvas_free(c);
}
END_TEST

START_TEST(stopped_output_does_not_keep_us_from_leaving)
{
	struct termios after, saved, raw;

	open_as("xterm-256color", 200, 60, (struct term_config){ 0 });
	struct canvas *c = canvas_new(200, 60);

	term_settings(term, &saved, &raw);
	canvas_fill(c, c->r, 'x', -1, -1, 0);
	draw(c, true);
	if (_i)
		ck_assert_int_eq(tcflow(term_fd(term), TCOOFF), 0);
	else
		pty_send(pty, "\x13");	/* ^S */
	canvas_fill(c, c->r, 'y', -1, -1, 0);
	ck_assert_int_gt(term_draw(term, c, false), 0);
	ck_assert_int_eq(term_flush(term), 1);
	term_leave(term);
	while (pty_pump(pty, 50) > 0)
		;
	pty_termios(pty, &after);
	ck_assert(same_settings(&after, &saved));
	ck_assert(!pty_alternate(pty) && pty_cursor_shown(pty));
	canvas_free(c);
}
END_TEST

/* ---- refusals and abilities ------------------------------------------------ */
static const struct { const char *term; const char *says; } refused[] = {
	{ "no-such-terminal", "TERM=no-such-terminal is not known here" },
	{ "dumb", "TERM=dumb cannot move its cursor" },
	{ "", "TERM is not set" },
	{ NULL, "TERM is not set" },
};

START_TEST(a_terminal_that_cannot_be_used_is_one_clear_line)
{
	struct why why;

	pty = pty_open(80, 24);
	pty_adopt(pty);
	if (refused[_i].term)
		setenv("TERM", refused[_i].term, 1);
	else
		unsetenv("TERM");
	term = term_open(&(struct term_config){ 0 }, &why);
	ck_assert_ptr_null(term);
	ck_assert_ptr_nonnull(strstr(why.text, refused[_i].says));
	ck_assert_ptr_nonnull(strstr(why.text, "jitterscope record"));
	ck_assert_ptr_null(strchr(why.text, '\n'));
	pty_pump(pty, 0);
	ck_assert_uint_eq(pty_bytes(pty), 0);
}
END_TEST

START_TEST(no_terminal_at_all_is_one_clear_line)
{
	struct why why;

	pty = pty_open(80, 24);
	pty_adopt(pty);
	pty_hang_up(pty);
	for (int fd = 0; fd <= 2; fd++)
		close(fd);
	term = term_open(&(struct term_config){ 0 }, &why);
	ck_assert_ptr_null(term);
	ck_assert_ptr_nonnull(strstr(why.text, "terminal: there is none"));
}
END_TEST

static const struct { const char *term; int colours; bool bce; } able[] = {
	{ "xterm-256color", 256, true }, { "xterm", 8, true }, { "tmux-256color", 256, false },
	{ "linux", 8, true }, { "vt100", 0, false },
};

START_TEST(abilities_come_from_terminfo)
{
	open_as(able[_i].term, 80, 24, (struct term_config){ 0 });
	ck_assert_int_eq(term_colours(term), able[_i].colours);
	ck_assert_int_eq(term_bce(term), able[_i].bce);
	ck_assert(term_unicode(term));
}
END_TEST

START_TEST(no_color_is_obeyed_and_an_empty_one_is_not)
{
	struct why why;

	open_as("xterm-256color", 80, 24, (struct term_config){ 0 });
	teardown();
	setenv("NO_COLOR", _i ? "1" : "", 1);
	pty = pty_open(80, 24);
	pty_adopt(pty);
	term = term_open(&(struct term_config){ 0 }, &why);
	ck_assert_int_eq(term_colours(term), _i ? 0 : 256);
	struct canvas *c = canvas_new(80, 24);

	ck_assert_int_eq(term_enter(term, &why), 0);
	canvas_text(c, 0, 0, 10, "plain", 203, 55, CELL_BOLD);
	draw(c, true);
	ck_assert_int_eq(pty_cell(pty, 0, 0).fg, _i ? -1 : 203);
	ck_assert_int_eq(pty_cell(pty, 0, 0).bg, _i ? -1 : 55);
	ck_assert(pty_cell(pty, 0, 0).bold);
	canvas_free(c);
}
END_TEST

START_TEST(without_utf8_only_ascii_is_sent)
{
	struct why why;
	size_t n;

	setenv("TERM", "xterm-256color", 1);
	setenv("LC_ALL", _i ? "C" : "C.UTF-8", 1);
	pty = pty_open(80, 24);
	pty_adopt(pty);
	term = term_open(&(struct term_config){ .ascii = !_i }, &why);
	ck_assert(!term_unicode(term));
	struct canvas *c = canvas_new(80, 24);

	ck_assert_int_eq(term_enter(term, &why), 0);
	canvas_text(c, 0, 0, 20, "µ─│┌█é世!", -1, -1, 0);
	draw(c, true);
	const char *bytes = pty_output(pty, &n);

	for (size_t i = 0; i < n; i++)
		ck_assert_int_ge(bytes[i], 0);
	ck_assert(pty_wait_text(pty, "u-|+#" "?" "?" "?" "!", 0));
	canvas_free(c);
}
END_TEST

/* ---- keys -------------------------------------------------------------------- */
START_TEST(keys_arrive_without_enter_and_are_not_echoed)
{
	static const struct { const char *bytes; int key; } keys[] = {
		{ "q", 'q' },
		{ "\033[A", UI_UP },
		{ "\033OA", UI_UP },
		{ "\r", UI_ENTER },
		{ "\x7f", UI_BACKSPACE },
		{ "\033[15~", UI_F5 },
		{ "\xc3\xa9", 0xe9 },
		{ "\f", 12 },
		{ "\033[Z", UI_BTAB },
	};

	open_as("xterm-256color", 80, 24, (struct term_config){ 0 });
	ck_assert_int_eq(term_key(term), 0);
	for (unsigned i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		int key = 0;

		pty_send(pty, keys[i].bytes);
		for (int tries = 0; !key && tries < 1000; tries++) {
			key = term_key(term);
			pty_pump(pty, 1);
		}
		ck_assert_int_eq(key, keys[i].key);
	}
	ck_assert_uint_eq(pty_bytes(pty), 0);
}
END_TEST

static void add_drawing(Suite *s)
{
	TCase *tc = tcase_create("drawing");

	tcase_set_timeout(tc, 600);
	tcase_add_checked_fixture(tc, NULL, teardown);
	tcase_add_loop_test(tc, small_changes_add_up_to_the_whole_picture, 0, 5);
	tcase_add_loop_test(tc, a_wide_character_before_the_corner_breaks_nothing, 0, 5);
	tcase_add_loop_test(tc, only_what_has_one_width_everywhere_is_sent, 0,
			    sizeof(widths) / sizeof(widths[0]));
	tcase_add_test(tc, any_size_is_drawn_after_a_resize);
	tcase_add_test(tc, a_size_nobody_knows_is_80_by_24);
	tcase_add_test(tc, a_frame_that_changes_nothing_sends_nothing);
	tcase_add_test(tc, a_terminal_that_does_not_read_holds_nothing_up);
	tcase_add_test(tc, a_terminal_that_is_gone_is_noticed_and_left_alone);
	suite_add_tcase(s, tc);
}

static void add_states(Suite *s)
{
	TCase *tc = tcase_create("states");

	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, NULL, teardown);
	tcase_add_test(tc, leaving_gives_everything_back);
	tcase_add_test(tc, entering_again_without_leaving_paints_every_cell);
	tcase_add_test(tc, the_reset_bytes_undo_all_we_may_have_set);
	tcase_add_test(tc, the_shell_goes_on_where_it_was);
	tcase_add_test(tc, the_prompt_comes_on_a_row_of_its_own);
	tcase_add_loop_test(tc, stopped_output_does_not_keep_us_from_leaving, 0, 2);
	tcase_add_loop_test(tc, a_terminal_that_cannot_be_used_is_one_clear_line, 0, 4);
	tcase_add_test(tc, no_terminal_at_all_is_one_clear_line);
	tcase_add_loop_test(tc, abilities_come_from_terminfo, 0, 5);
	tcase_add_loop_test(tc, no_color_is_obeyed_and_an_empty_one_is_not, 0, 2);
	tcase_add_loop_test(tc, without_utf8_only_ascii_is_sent, 0, 2);
	tcase_add_test(tc, keys_arrive_without_enter_and_are_not_echoed);
	suite_add_tcase(s, tc);
}

Suite *term_suite(void);

Suite *term_suite(void)
{
	Suite *s = suite_create("term");

	add_drawing(s);
	add_states(s);
	return s;
}
