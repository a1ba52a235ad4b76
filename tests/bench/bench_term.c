/*
 * bench_term.c - what the screen costs: bytes to the terminal and CPU time a
 * frame, for a heat map that moves on by a column a second.
 *
 * A synthetic picture, so that only curses and term.c are measured: noise of
 * latency in rows of coloured blanks (or half blocks) flush right.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/clock.h"
#include "tests/pty.h"
#include "ui/scale.h"
#include "ui/term.h"
#include "ui/theme.h"

#define W 120
#define H 40
#define TOP 6
#define ROWS 16
#define CELLS (2 * ROWS)
#define LABELS 7
#define FPS 4
#define SECONDS 120

static uint64_t state = 88172645463325252u;
static unsigned counts[CELLS][W];	/* latency upwards, time to the right */

static unsigned below(unsigned n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state % n);
}

/* A quarter of a second of 2 CPUs at 1 kHz: a bulk and a tail. */
static void fill_newest(void)
{
	for (int i = 0; i < 500; i++) {
		unsigned kind = below(1000);
		unsigned cell = kind < 900   ? 4 + below(4)
				: kind < 990 ? 8 + below(6)
					     : 14 + below(CELLS - 14);

		counts[cell][W - 1]++;
	}
}

static void move_on(void)
{
	for (int cell = 0; cell < CELLS; cell++) {
		memmove(&counts[cell][LABELS], &counts[cell][LABELS + 1],
			(W - LABELS - 1) * sizeof(unsigned));
		counts[cell][W - 1] = 0;
	}
}

static int16_t ground(const struct theme *theme, unsigned count)
{
	return count ? (int16_t)theme_ramp(theme, scale_level(count, 2000)) : -1;
}

static void paint(struct canvas *c, const struct theme *theme, bool half)
{
	for (int row = 0; row < ROWS; row++) {
		for (int x = LABELS; x < W; x++) {
			unsigned low = counts[2 * (ROWS - 1 - row)][x],
				 high = counts[2 * (ROWS - 1 - row) + 1][x];

			if (half && (low || high))
				canvas_put(c, x, TOP + row, 0x2584, ground(theme, low),
					   ground(theme, high), 0);
			else
				canvas_put(c, x, TOP + row, ' ', -1, ground(theme, low + high), 0);
		}
	}
}

static void run(const char *name, bool half)
{
	struct why why;
	struct canvas *c = canvas_new(W, H);
	struct pty *pty = pty_open(W, H);
	struct theme theme = theme_adapt(theme_find(NULL), 256, true);
	int64_t cpu_ns = 0;
	size_t bytes;

	setenv("TERM", name, 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	pty_adopt(pty);
	struct term *t = term_open(&(struct term_config){ 0 }, &why);

	if (!c || !t || term_enter(t, &why))
		abort();
	memset(counts, 0, sizeof(counts));
	for (int frame = 0; frame < FPS * (W + SECONDS); frame++) {
		if (frame == FPS * W) {
			pty_forget(pty);
			cpu_ns = 0;
		}
		if (frame % FPS == 0)
			move_on();
		fill_newest();
		paint(c, &theme, half);
		cpu_ns -= clock_thread_cpu_ns();
		term_draw(t, c, frame == 0);
		while (term_flush(t) == 1)
			pty_pump(pty, 1);
		cpu_ns += clock_thread_cpu_ns();
		while (pty_pump(pty, 0) > 0)
			;
	}
	pty_output(pty, &bytes);
	printf("term_%s_%s_bytes %.0f B/s\n", name, half ? "half" : "blank",
	       (double)bytes / SECONDS);
	printf("term_%s_%s_frame %.1f us\n", name, half ? "half" : "blank",
	       (double)cpu_ns / 1e3 / FPS / SECONDS);
	term_close(t);
	pty_free(pty);
	canvas_free(c);
}

int main(void)
{
	static const char *const names[] = { "xterm-256color", "tmux-256color" };

	for (unsigned i = 0; i < 2; i++) {
		run(names[i], false);
		run(names[i], true);
	}
	return 0;
}
