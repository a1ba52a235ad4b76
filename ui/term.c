/*
 * term.c - see term.h.
 *
 * curses is given a memory file instead of the terminal: doupdate() can never
 * wait.  What it wrote there is copied out piece by piece (term_flush), and a
 * new frame begins only when the last one has left.  Settings, size and keys
 * are therefore ours (tty.h, input.h); curses only works out what to send.
 */
#define NCURSES_WIDECHAR 1

#include "ui/term.h"

#include <curses.h>
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wchar.h>

#include "src/clock.h"
#include "src/text_width.h"
#include "ui/fatal.h"
#include "ui/input.h"
#include "ui/outgoing.h"
#include "ui/shift.h"
#include "ui/terminfo.h"
#include "ui/tty.h"

/* A slow line holds this much of the last frame at most when the next begins. */
#define QUEUE_MOST_BYTES 256
#define LEAVE_WAIT_MS 200
#define PALETTE 257		/* 256 colours and the default */

static const char mouse_on[] = "\033[?1000h\033[?1006h";
static const char mouse_off[] = "\033[?1006l\033[?1000l";

struct term {
	int fd;
	struct termios saved, raw;
	struct term_config config;
	bool entered, gone;
	bool bell;		/* to be rung with the next frame */
	bool unicode, bce, defaults;
	int colours;
	bool can_delete;	/* terminfo's dch */
	bool direct;		/* colours are RGB values, not a palette */

	SCREEN *screen;
	FILE *memory;		/* where curses writes */
	int *pair;		/* [fg + 1][bg + 1]: its number, 0: none yet */
	int pairs;
	struct cell *shown;	/* what curses has, as drawn */
	struct cell *row;	/* a row as it should look */
	cchar_t *run;		/* cells of it on their way to curses */
	int w, h;
	bool repaint;		/* the next frame paints every cell */
	bool fresh;		/* ... and begins with what curses sends on entering */
	bool resized;
	bool moved;		/* this frame began with bytes of our own */

	char *out;		/* bytes for the terminal */
	size_t out_bytes, out_sent, out_room;
	uint64_t sent;
	struct input *input;
};

#ifdef JS_ASAN
/* newterm() forgets a block of its own when it refuses a terminal. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_options(void);

const char *__lsan_default_options(void)
{
	return "print_suppressions=0";
}

const char *__lsan_default_suppressions(void)
{
	return "leak:new_prescr\n";
}
#endif

/* ---- curses, and what the terminal can do --------------------------------- */
/* curses would catch these itself; they belong to the main loop. */
static SCREEN *newterm_without_handlers(const char *name, FILE *memory)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGTSTP, SIGWINCH };
	struct sigaction before[4];

	for (int i = 0; i < 4; i++)
		sigaction(signals[i], NULL, &before[i]);
	SCREEN *screen = newterm(name, memory, memory);

	for (int i = 0; i < 4; i++)
		sigaction(signals[i], &before[i], NULL);
	return screen;
}

static FILE *memory_file(void)
{
	int fd = memfd_create("jitterscope-screen", MFD_CLOEXEC);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w+");

	if (!f && fd >= 0)
		close(fd);
	return f;
}

static void set_up_colours(struct term *t)
{
	if (t->colours && start_color() == ERR)
		t->colours = 0;
	if (!t->colours)
		return;
	t->defaults = use_default_colors() != ERR;
	t->pair = calloc((size_t)PALETTE * PALETTE, sizeof(*t->pair));
	if (!t->pair)
		t->colours = 0;
}

static void set_up_curses(struct term *t)
{
	typeahead(-1);
	nonl();
	idlok(stdscr, TRUE);
	scrollok(stdscr, FALSE);
	curs_set(0);
	set_up_colours(t);
}

static void learn_keys(struct input *in)
{
	static const struct { const char *name; int key; } keys[] = {
		{ "kcuu1", UI_UP },    { "kcud1", UI_DOWN },	{ "kcub1", UI_LEFT },
		{ "kcuf1", UI_RIGHT }, { "khome", UI_HOME },	{ "kend", UI_END },
		{ "kpp", UI_PGUP },    { "knp", UI_PGDN },	{ "kent", UI_ENTER },
		{ "kcbt", UI_BTAB },   { "kbs", UI_BACKSPACE }, { "kdch1", UI_DELETE },
		{ "kf1", UI_F1 },      { "kf2", UI_F2 },	{ "kf3", UI_F3 },
		{ "kf4", UI_F4 },      { "kf5", UI_F5 },	{ "kf6", UI_F6 },
		{ "kf7", UI_F7 },      { "kf8", UI_F8 },	{ "kf9", UI_F9 },
		{ "kf10", UI_F10 },
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const char *sequence = tigetstr(keys[i].name);

		if (sequence && sequence != (char *)-1)
			input_learn(in, sequence, keys[i].key);
	}
}

static int colours_of_terminal(void)
{
	const char *no = getenv("NO_COLOR");
	int colours = tigetnum("colors");

	if ((no && *no) || colours < 8)
		return 0;
	return colours < 256 ? 8 : 256;
}

static bool capable(const char *name)
{
	const char *s = tigetstr(name);

	return s && s != (char *)-1;
}

/* curses cannot ask a memory file for its size, and sets a scroll region by
 * what it believes. */
static void tell_size(int fd)
{
	char text[16];
	int w, h;

	tty_size(fd, &w, &h);
	snprintf(text, sizeof(text), "%d", h);
	setenv("LINES", text, 1);
	snprintf(text, sizeof(text), "%d", w);
	setenv("COLUMNS", text, 1);
}

static void untell_size(void)
{
	unsetenv("LINES");
	unsetenv("COLUMNS");
}

/* TERM as terminfo and curses understand it, or why not. */
static int ask_terminfo(struct term *t, struct why *why)
{
	int err = terminfo_check(t->fd, why);

	if (err)
		return err;
	tell_size(t->fd);
	t->screen = newterm_without_handlers(getenv("TERM"), t->memory);
	untell_size();
	if (!t->screen)
		return why_set(why, -ENOMEM, "terminal: no memory; close something");
	t->colours = colours_of_terminal();
	t->direct = tigetnum("colors") > 256 && tigetnum("RGB") != -1;
	t->bce = tigetflag("bce") > 0;
	t->can_delete = capable("dch");
	t->unicode = !t->config.ascii && !strcmp(nl_langinfo(CODESET), "UTF-8");
	learn_keys(t->input);
	return 0;
}

static int open_all(struct term *t, struct why *why)
{
	t->input = input_new();
	t->memory = memory_file();
	if (!t->input || !t->memory)
		return why_set(why, -ENOMEM, "terminal: no memory; close something");
	t->fd = tty_open(why);
	if (t->fd < 0)
		return t->fd;
	if (tcgetattr(t->fd, &t->saved))
		return why_set(why, -errno, "terminal: settings: %s; start it from a terminal",
			       strerror(errno));
	tty_make_raw(&t->saved, &t->raw);
	int err = ask_terminfo(t, why);

	if (!err)
		set_up_curses(t);
	return err;
}

struct term *term_open(const struct term_config *config, struct why *why)
{
	struct term *t = calloc(1, sizeof(*t));

	if (!t) {
		why_set(why, -ENOMEM, "terminal: no memory; close something");
		return NULL;
	}
	t->fd = -1;
	t->config = *config;
	setlocale(LC_CTYPE, "");
	if (open_all(t, why) == 0)
		return t;
	term_close(t);
	return NULL;
}

int term_try(struct why *why)
{
	int fd = tty_open(why);

	if (fd < 0)
		return fd;
	tty_wait_foreground(fd);
	int err = terminfo_check(fd, why);

	close(fd);
	return err;
}

int term_fd(const struct term *t)
{
	return t->fd;
}

void term_settings(struct term *t, struct termios *saved, struct termios *raw)
{
	struct termios now;

	if (!t->entered && !t->gone && tcgetattr(t->fd, &now) == 0 && (now.c_lflag & ICANON)) {
		t->saved = now;
		tty_make_raw(&t->saved, &t->raw);
	}
	*saved = t->saved;
	*raw = t->raw;
}

int term_colours(const struct term *t)
{
	return t->colours;
}

bool term_unicode(const struct term *t)
{
	return t->unicode;
}

bool term_bce(const struct term *t)
{
	return t->bce;
}

bool term_deletes(const struct term *t)
{
	return t->can_delete;
}

void term_size(struct term *t, int *w, int *h)
{
	tty_size(t->fd, w, h);
}

bool term_foreground(const struct term *t)
{
	return tty_foreground(t->fd);
}

void term_wait_foreground(const struct term *t)
{
	tty_wait_foreground(t->fd);
}

/* ---- the memory file ------------------------------------------------------ */
static int make_room(struct term *t, size_t more)
{
	if (t->out_sent == t->out_bytes)
		t->out_sent = t->out_bytes = 0;
	if (t->out_bytes + more <= t->out_room)
		return 0;
	size_t room = t->out_bytes + more + 4096;
	char *out = realloc(t->out, room);

	if (!out)
		return -ENOMEM;
	t->out = out;
	t->out_room = room;
	return 0;
}

static int append(struct term *t, const char *bytes, size_t n)
{
	if (make_room(t, n))
		return -ENOMEM;
	memcpy(t->out + t->out_bytes, bytes, n);
	t->out_bytes += n;
	return 0;
}

/* curses resets the whole palette when it comes back; the user may have one
 * of his own, and we never change it. */
static size_t without_palette_reset(char *bytes, size_t n)
{
	const char *reset = tigetstr("oc");
	size_t length = reset && reset != (char *)-1 ? strlen(reset) : 0;
	char *at;

	while (length && (at = memmem(bytes, n, reset, length))) {
		n -= length;
		memmove(at, at + length, n - (size_t)(at - bytes));
	}
	return n;
}

/* Moves what curses wrote into out[]; bytes, -errno. */
static long take(struct term *t)
{
	int fd = fileno(t->memory);
	off_t n = lseek(fd, 0, SEEK_CUR);

	if (n <= 0)
		return n;
	if (make_room(t, (size_t)n + 1))
		return -ENOMEM;
	n = pread(fd, t->out + t->out_bytes, (size_t)n, 0);
	lseek(fd, 0, SEEK_SET);
	if (n < 0)
		return -errno;
	n = (long)without_palette_reset(t->out + t->out_bytes, (size_t)n);
#if defined(JS_ASAN) || defined(JS_COVERAGE) || defined(JS_TSAN)
	if (outgoing_check(t->out + t->out_bytes, (size_t)n) != (size_t)n)
		abort();
#endif
	t->out_bytes += (size_t)n;
	/* Ours: what is drawn may hold none. */
	if (t->bell)
		t->out[t->out_bytes++] = '\a';
	t->bell = false;
	return n;
}

void term_bell(struct term *t)
{
	t->bell = true;
}

int term_flush(struct term *t)
{
	if (t->gone)
		return -EIO;
	while (t->out_sent < t->out_bytes) {
		long n = tty_write(t->fd, t->out + t->out_sent, t->out_bytes - t->out_sent);

		if (n < 0)
			return (int)n;
		if (n == 0)
			return 1;
		t->out_sent += (size_t)n;
		t->sent += (uint64_t)n;
	}
	return 0;
}

bool term_ready(const struct term *t)
{
	return !t->gone && t->out_sent == t->out_bytes && tty_queued(t->fd) <= QUEUE_MOST_BYTES;
}

uint64_t term_bytes(const struct term *t)
{
	return t->sent;
}

/* ---- cells to curses ------------------------------------------------------ */
/* A palette colour as this terminal counts them. */
static int colour_number(const struct term *t, int colour, int otherwise)
{
	static const int steps[6] = { 0, 95, 135, 175, 215, 255 };

	if (colour < 0 || colour >= t->colours)
		return t->defaults ? -1 : otherwise;
	if (!t->direct || colour < 8)
		return colour;
	if (colour < 16)
		return (colour & 1 ? 0xff0000 : 0) | (colour & 2 ? 0xff00 : 0) |
		       (colour & 4 ? 0xff : 0);
	if (colour >= 232)
		return (8 + (colour - 232) * 10) * 0x010101;
	colour -= 16;
	return steps[colour / 36] << 16 | steps[colour / 6 % 6] << 8 | steps[colour % 6];
}

static int pair_number(struct term *t, int fg, int bg)
{
	if (!t->colours || (fg < 0 && bg < 0))
		return 0;
	int *pair = &t->pair[(fg + 1) * PALETTE + bg + 1];

	if (*pair)
		return *pair;
	/* Out of pairs (64 on the console): the ground is what matters most. */
	if (t->pairs + 1 >= COLOR_PAIRS)
		return fg >= 0 ? pair_number(t, -1, bg) : 0;
	int number = t->pairs + 1;

	if (init_extended_pair(number, colour_number(t, fg, COLOR_WHITE),
			       colour_number(t, bg, COLOR_BLACK)) == ERR)
		return 0;
	t->pairs = number;
	return *pair = number;
}

static bool is_blank(const struct cell *cell)
{
	return cell->ch == ' ' && !(cell->attr & (CELL_REVERSE | CELL_UNDERLINE));
}

/* Cells that look alike become alike: a blank has no foreground. */
static struct cell plain(const struct term *t, const struct cell *from)
{
	struct cell cell = { .ch = from->ch, .fg = from->fg, .bg = from->bg, .attr = from->attr };

	if (cell.fg < -1 || cell.fg >= t->colours)
		cell.fg = -1;
	if (cell.bg < -1 || cell.bg >= t->colours)
		cell.bg = -1;
	if (is_blank(&cell)) {
		cell.fg = -1;
		cell.attr = 0;
	}
	return cell;
}

static wchar_t ascii_of(uint32_t ch)
{
	if (ch < 0x80)
		return (wchar_t)ch;
	if (ch == 0x2500 || ch == 0x2501)
		return L'-';
	if (ch == 0x2502 || ch == 0x2503)
		return L'|';
	if (ch > 0x2503 && ch < 0x2580)
		return L'+';
	if (ch >= 0x2580 && ch < 0x25a0)
		return L'#';
	return ch == 0xb5 || ch == 0x3bc ? L'u' : L'?';
}

/* Terminals follow Unicode at their own pace: most pictures above the first
 * plane, those among the signs in it and two letters have been of one width and
 * of the other.  One that comes out narrower than we think would shift the rest
 * of its row. */
static bool same_width_everywhere(uint32_t ch)
{
	if (ch >= 0x2300 && ch < 0x2c00)
		return text_width(ch) == 1;
	if (ch < 0x10000)
		return ch != 0x6de && ch != 0x1734;
	return ch >= 0x20000 && ch < 0x40000;
}

/* What curses, its locale and we agree on; else a question mark each column. */
static wchar_t shown_as(const struct term *t, uint32_t ch)
{
	if (ch < 0x80 || !t->unicode)
		return ascii_of(ch);
	if (!same_width_everywhere(ch))
		return L'?';
	return wcwidth((wchar_t)ch) == text_width(ch) ? (wchar_t)ch : L'?';
}

static void to_curses(struct term *t, const struct cell *cell, cchar_t *out)
{
	attr_t attr = (cell->attr & CELL_BOLD ? A_BOLD : 0) | (cell->attr & CELL_DIM ? A_DIM : 0) |
		      (cell->attr & CELL_REVERSE ? A_REVERSE : 0) |
		      (cell->attr & CELL_UNDERLINE ? A_UNDERLINE : 0);
	wchar_t text[2] = { shown_as(t, cell->ch), 0 };
	int pair = pair_number(t, cell->fg, cell->bg);

	setcchar(out, text, attr, (short)(pair < 32768 ? pair : 0), &pair);
}

/* A wide character that is not shown as one is two cells like any other. */
static void split_unshown(struct term *t)
{
	for (int x = 0; x < t->w; x++) {
		if (t->row[x].ch)
			continue;
		if (x == 0)
			t->row[x].ch = '?';
		else if (!t->unicode || wcwidth(shown_as(t, t->row[x - 1].ch)) != 2)
			t->row[x - 1].ch = t->row[x].ch = '?';
	}
}

static bool same(const struct cell *a, const struct cell *b)
{
	return a->ch == b->ch && a->fg == b->fg && a->bg == b->bg && a->attr == b->attr;
}

static void draw_run(struct term *t, int y, int from, int to)
{
	struct cell last = { .fg = -1, .bg = -1 };
	int n = 0;

	for (int x = from; x < to; x++) {
		struct cell cell = t->row[x];

		if (!cell.ch)
			continue;	/* drawn with its left half */
		/* A blank between words looks the same in their colour, and saves
		 * switching it off and on. */
		if (is_blank(&cell) && cell.bg == last.bg &&
		    !(last.attr & (CELL_REVERSE | CELL_UNDERLINE)))
			cell = (struct cell){
				.ch = ' ', .fg = last.fg, .bg = last.bg, .attr = last.attr
			};
		last = cell;
		to_curses(t, &cell, &t->run[n++]);
	}
	mvadd_wchnstr(y, from, t->run, n);
}

/* Bytes of our own, before those of the frame. */
static bool send_string(struct term *t, const char *bytes)
{
	return bytes && append(t, bytes, strlen(bytes)) == 0;
}

/* Deletes cells of a row: on the terminal, in what curses knows of it, in
 * what it should be, and in what we know.  curses itself deletes only where
 * the ground fills in what is missing. */
static void delete_cells(struct term *t, int y, int from, int by)
{
	static const struct cell ground = { .ch = ' ', .fg = -1, .bg = -1 };
	struct cell *shown = t->shown + (size_t)y * t->w;

	if (!send_string(t, tparm(tigetstr("cup"), y, from)) ||
	    !send_string(t, tparm(tigetstr("dch"), by)))
		return;
	t->moved = true;
	for (int i = 0; i < by; i++) {
		mvwdelch(curscr, y, from);
		mvwdelch(stdscr, y, from);
	}
	memmove(shown + from, shown + from + by, (size_t)(t->w - from - by) * sizeof(*shown));
	for (int x = t->w - by; x < t->w; x++)
		shown[x] = ground;
}

/* After a resize some terminals keep the scroll region they had. */
static void whole_region(struct term *t)
{
	if (capable("csr"))
		t->moved |= send_string(t, tparm(tigetstr("csr"), 0, t->h - 1));
}

/* curses leaves colours off and the cursor at home after every frame, and
 * must find them so. */
static void go_home(struct term *t)
{
	if (t->moved)
		send_string(t, tparm(tigetstr("cup"), 0, 0));
	t->moved = false;
	wmove(stdscr, 0, 0);
}

/* Where automatic margins cannot be switched off, curses writes the corner one
 * column early and pushes it into place: a wide character there would break. */
static void spare_corner(const struct term *t)
{
	if (t->w < 3 || t->row[t->w - 2].ch || capable("rmam") || !tigetflag("am"))
		return;
	t->row[t->w - 3].ch = t->row[t->w - 2].ch = '?';
}

/* Gives curses the cells of a row that differ from what it has. */
static void draw_row(struct term *t, const struct cell *cells, int y, bool known)
{
	struct cell *shown = t->shown + (size_t)y * t->w;
	int at, by;

	for (int x = 0; x < t->w; x++)
		t->row[x] = plain(t, &cells[x]);
	split_unshown(t);
	if (y == t->h - 1)
		spare_corner(t);
	if (known && t->can_delete && (by = shift_find(shown, t->row, t->w, &at)))
		delete_cells(t, y, at, by);
	for (int x = 0; x < t->w; x++) {
		int from = x;

		while (x < t->w && !same(&t->row[x], &shown[x]))
			x++;
		int to = x;

		if (from == to)
			continue;
		if (!t->row[from].ch)
			from--;
		if (to < t->w && !t->row[to].ch)
			to++;
		draw_run(t, y, from, to);
		memcpy(shown + from, t->row + from, (size_t)(to - from) * sizeof(*shown));
	}
}

/* Forgets what curses has: the next frame paints every cell. */
static void forget(struct term *t)
{
	for (int i = 0; i < t->w * t->h; i++)
		t->shown[i] = (struct cell){ .ch = UINT32_MAX };
}

static int fit(struct term *t, int w, int h)
{
	if (t->shown && w == t->w && h == t->h)
		return 0;
	struct cell *shown = malloc((size_t)w * h * sizeof(*shown));
	struct cell *row = malloc((size_t)w * sizeof(*row));
	cchar_t *run = malloc((size_t)w * sizeof(*run));

	if (!shown || !row || !run || resize_term(h, w) == ERR) {
		free(shown);
		free(row);
		free(run);
		return -ENOMEM;
	}
	free(t->shown);
	free(t->row);
	free(t->run);
	t->shown = shown;
	t->row = row;
	t->run = run;
	t->w = w;
	t->h = h;
	t->repaint = t->resized = true;
	return 0;
}

long term_draw(struct term *t, const struct canvas *c, bool repaint)
{
	if (t->gone || !t->entered)
		return 0;
	int err = fit(t, c->r.w, c->r.h);

	if (err)
		return err;
	repaint |= t->repaint;
	t->repaint = false;
	if (repaint) {
		forget(t);
		clearok(curscr, TRUE);
	}
	if (t->resized && !t->fresh)
		whole_region(t);
	for (int y = 0; y < t->h; y++)
		draw_row(t, c->cells + (size_t)(c->r.y + y) * c->stride + c->r.x, y, !repaint);
	go_home(t);
	wnoutrefresh(stdscr);
	doupdate();
	long n = take(t);

	if (t->fresh && t->config.mouse)
		append(t, mouse_on, sizeof(mouse_on) - 1);
	t->resized = t->fresh = false;
	return n < 0 ? n : (long)(t->out_bytes - t->out_sent);
}

/* ---- in and out ------------------------------------------------------------ */
int term_enter(struct term *t, struct why *why)
{
	if (t->entered)		/* somebody else had it meanwhile: begin afresh */
		endwin();
	fatal_arm(t->fd, &t->saved);
	if (tcsetattr(t->fd, TCSANOW, &t->raw))
		return why_set(why, -errno, "terminal: settings: %s; start it from a terminal",
			       strerror(errno));
	input_drop(t->input);
	t->entered = true;
	t->repaint = t->fresh = true;
	return 0;
}

static bool drained_within(struct term *t, int wait_ms)
{
	int64_t until = clock_now_ns() + wait_ms * NS_PER_MS;

	for (;;) {
		int more = term_flush(t);
		int64_t left = until - clock_now_ns();

		if (more <= 0)
			return more == 0;
		if (left <= 0)
			return false;
		struct pollfd p = { .fd = t->fd, .events = POLLOUT };

		poll(&p, 1, (int)(left / NS_PER_MS) + 1);
	}
}

/* A terminal stopped by ^S gets its way out all the same: first the output is
 * started again, at last what waits is thrown away for the reset bytes. */
static void send_all(struct term *t)
{
	if (drained_within(t, LEAVE_WAIT_MS) || t->gone)
		return;
	tty_start_output(t->fd);
	if (drained_within(t, LEAVE_WAIT_MS))
		return;
	tcflush(t->fd, TCOFLUSH);
	tty_write(t->fd, fatal_reset, fatal_reset_bytes);
	t->out_sent = t->out_bytes = 0;
}

void term_leave(struct term *t)
{
	if (!t->entered || t->gone)
		return;
	t->entered = false;
	endwin();
	take(t);
	/* Some terminals bring back with the other screen what curses saved with
	 * the cursor while it was hidden. */
	send_string(t, tigetstr("cnorm"));
	/* No other screen: what was drawn stays, and the prompt comes below it. */
	const char *back = tigetstr("rmcup");

	if (!back || back == (const char *)-1)
		append(t, "\r\n", 2);
	if (t->config.mouse)
		append(t, mouse_off, sizeof(mouse_off) - 1);
	send_all(t);
	fatal_disarm();
	if (t->config.mouse)	/* reports nobody asked the shell to read */
		tcflush(t->fd, TCIFLUSH);
	tcsetattr(t->fd, TCSANOW, &t->saved);
}

void term_abandon(struct term *t)
{
	t->gone = true;
	t->entered = false;
	fatal_disarm();
}

void term_close(struct term *t)
{
	if (!t)
		return;
	if (t->screen) {
		term_leave(t);
		delscreen(t->screen);
	}
	if (t->memory)
		fclose(t->memory);
	if (t->fd >= 0)
		close(t->fd);
	input_free(t->input);
	free(t->pair);
	free(t->shown);
	free(t->row);
	free(t->run);
	free(t->out);
	free(t);
}

/* ---- keys ------------------------------------------------------------------- */
int term_key(struct term *t)
{
	char bytes[128];

	if (t->gone)
		return -EIO;
	for (;;) {
		int key = input_key(t->input, clock_now_ns());
		size_t room = input_room(t->input);

		if (key)
			return key;
		long n = tty_read(t->fd, bytes, room < sizeof(bytes) ? room : sizeof(bytes));

		if (n <= 0)
			return (int)n;
		input_feed(t->input, bytes, (size_t)n, clock_now_ns());
	}
}

int64_t term_key_wait_ns(const struct term *t)
{
	return input_wait_ns(t->input, clock_now_ns());
}

void term_mouse(const struct term *t, int *x, int *y)
{
	input_mouse(t->input, x, y);
}

const char *term_reset_bytes(unsigned *length)
{
	*length = fatal_reset_bytes;
	return fatal_reset;
}

void term_install_fatal(struct term *t)
{
	(void)t;
	fatal_install();
}
