/*
 * bench_frame.c - what one frame costs to draw on the canvas (the terminal
 * apart): `name value unit` lines, the best of a few rounds.
 */
#include <stdio.h>

#include "src/clock.h"
#include "tests/fake_model.h"
#include "ui/layout.h"

#define ROUNDS 7
#define FRAMES 40

static void frame(const struct model *m, const struct view *v, struct canvas *c)
{
	struct layout l;

	layout_make(&l, c->r.w, c->r.h, m, v);
	for (unsigned i = 0; i < l.n; i++) {
		struct canvas in = canvas_view(c, l.at[i].r);

		l.at[i].panel->draw(m, v, &in);
	}
}

static double best_us(void (*run)(const struct model *, const struct view *, struct canvas *),
		      const struct model *m, const struct view *v, struct canvas *c)
{
	int64_t best = INT64_MAX;

	for (int round = 0; round < ROUNDS; round++) {
		int64_t start = clock_now_ns(), spent;

		for (int i = 0; i < FRAMES; i++)
			run(m, v, c);
		spent = clock_now_ns() - start;
		best = spent < best ? spent : best;
	}
	return (double)best / FRAMES / NS_PER_US;
}

static const struct panel *one;

static void one_panel(const struct model *m, const struct view *v, struct canvas *c)
{
	struct layout l;

	layout_make(&l, c->r.w, c->r.h, m, v);
	for (unsigned i = 0; i < l.n; i++) {
		struct canvas in = canvas_view(c, l.at[i].r);

		if (l.at[i].panel == one)
			one->draw(m, v, &in);
	}
}

static void size(const struct model *m, const struct view *v, int w, int h, const char *name)
{
	struct canvas *c = canvas_new(w, h);

	if (!c)
		return;
	printf("frame-%s-%dx%d %.0f us\n", name, w, h, best_us(frame, m, v, c));
	for (unsigned i = 0; panels[i] && w == 120; i++) {
		one = panels[i];
		printf("frame-%s-%dx%d-%s %.0f us\n", name, w, h, one->name,
		       best_us(one_panel, m, v, c));
	}
	canvas_free(c);
}

int main(void)
{
	static const struct { enum fake_kind kind; int w, h; } rows[] = {
		{ FAKE_STORM, 80, 24 }, { FAKE_STORM, 120, 40 }, { FAKE_STORM, 200, 60 },
		{ FAKE_CPUS, 200, 60 },
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct model *m = fake_model(rows[i].kind);
		struct view v;

		if (!m)
			return 1;
		fake_view(&v, m, NULL);
		size(m, &v, rows[i].w, rows[i].h, fake_names[rows[i].kind]);
		model_free(m);
	}
	return 0;
}
