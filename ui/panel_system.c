/*
 * panel_system.c - what the machine itself does: disk, net, processes, queue,
 * pressure.  A dash stands for what this kernel does not tell.
 */
#include <stdio.h>

#include "src/text.h"
#include "ui/paint.h"

extern const struct panel panel_system;

enum kind { BYTES, COUNT, PERCENT, PLAIN, CPUS };

struct figure {
	const char *name;
	double value;
	enum kind kind;
	double warn;
	int of;			/* CPUS: there are, 0: not known */
};

static void value_text(char *buf, size_t size, const struct figure *f)
{
	char count[16];

	if (f->value < 0)
		snprintf(buf, size, "-");
	else if (f->kind == BYTES)
		snprintf(buf, size, "%sB/s", text_count(count, sizeof(count), f->value));
	else if (f->kind == COUNT)
		snprintf(buf, size, "%s/s", text_count(count, sizeof(count), f->value));
	else if (f->kind == CPUS && f->of)
		snprintf(buf, size, "%.1f of %d", f->value, f->of);
	else if (f->kind == CPUS)
		snprintf(buf, size, "%.1f", f->value);
	else
		snprintf(buf, size, f->kind == PERCENT ? "%.1f%%" : "%.4g", f->value);
}

static void figure_draw(const struct view *v, struct canvas *c, int x, int y, int w,
			const struct figure *f)
{
	bool warn = f->warn > 0 && f->value >= f->warn;
	char text[32];

	value_text(text, sizeof(text), f);
	paint_text(c, v, x + 1, y, w - 2, ROLE_DIM, f->name);
	paint_right(c, v, x + 1 + paint_width(f->name), x + w - 1, y,
		    f->value < 0 ? ROLE_DIM : warn ? ROLE_WARN : ROLE_TEXT, text);
}

/* A file holds what the machine did by time only for its loads. */
static void recorded_draw(const struct model *m, const struct view *v, struct canvas *c)
{
	const struct figure load = { "load average", m->rates.loadavg[0], PLAIN, 0 };

	figure_draw(v, c, 0, 0, c->r.w, &load);
	paint_text(c, v, 1, 2, c->r.w - 2, ROLE_DIM, "the rest is not");
	paint_text(c, v, 1, 3, c->r.w - 2, ROLE_DIM, "in a recording");
}

/* In CPUs.  Counted in ticks: it may be a little more than there is. */
static double busy(const struct model *m)
{
	double most = cpuset_count(&m->system.online), cpus = m->rates.cpu_busy_pct / 100;

	return most > 0 && cpus > most ? most : cpus;
}

static void system_draw(const struct model *m, const struct view *v, struct canvas *c)
{
	const struct sysrates *r = &m->rates;
	const struct figure figures[] = {
		{ "CPUs busy", busy(m), CPUS, .of = cpuset_count(&m->system.online) },
		{ "run queue", r->run_queue, PLAIN, 0 },
		{ "switches", r->switches, COUNT, 0 }, { "interrupts", r->interrupts, COUNT, 0 },
		{ "forks", r->forks, COUNT, 0 }, { "disk read", r->disk_read_bytes, BYTES, 0 },
		{ "disk write", r->disk_write_bytes, BYTES, 0 },
		{ "net in", r->net_rx_bytes, BYTES, 0 },
		{ "net out", r->net_tx_bytes, BYTES, 0 }, { "steal", r->steal_pct, PERCENT, 0.1 },
		{ "wait: CPU", r->psi_cpu, PERCENT, 50 }, { "wait: disk", r->psi_io, PERCENT, 50 },
		{ "wait: memory", r->psi_mem, PERCENT, 5 }, { "softirqs", r->softirqs, COUNT, 0 },
		{ "blocked", r->blocked, PLAIN, 0 }, { "load average", r->loadavg[0], PLAIN, 0 },
	};
	struct canvas in = paint_frame(c, v, &panel_system, "SYSTEM", NULL, NULL);

	if (m->replay) {
		recorded_draw(m, v, &in);
		return;
	}
	int per = in.r.w >= 50 ? 2 : 1, w = in.r.w / per,
	    n = (int)(sizeof(figures) / sizeof(figures[0]));

	for (int i = 0; i < n && i < per * in.r.h; i++)
		figure_draw(v, &in, i / in.r.h * w, i % in.r.h, w, &figures[i]);
}

const struct panel panel_system = {
	.name = "system", .title = "System", .least_w = 20, .least_h = 3, .best_h = 12,
	.focusable = true,
	.draw = system_draw,
};
