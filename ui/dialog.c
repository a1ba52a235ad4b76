/* dialog.c - see dialog.h. */
#include "ui/dialog.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/probe.h"
#include "src/text.h"
#include "src/text_width.h"
#include "ui/filter.h"
#include "ui/term.h"

#define KEY_KILL_LINE 21	/* ^U */

void dialog_ask(struct view *v, int what, unsigned arg, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(v->ask_text, sizeof(v->ask_text), fmt, args);
	va_end(args);
	v->ask = what;
	v->ask_arg = arg;
	v->input[0] = '\0';
}

void dialog_close(struct view *v)
{
	v->ask = ASK_NONE;
	v->input[0] = '\0';
}

/* ---- a line of text ------------------------------------------------------- */
static void erase_last(char *text)
{
	size_t n = strlen(text);

	while (n && (text[n - 1] & 0xc0) == 0x80)
		n--;
	text[n ? n - 1 : 0] = '\0';
}

static void append(char *text, size_t size, int key)
{
	char utf8[5] = { 0 };
	size_t n = strlen(text);

	if (text_width((uint32_t)key) < 1)
		return;
	if (key < 0x80) {
		utf8[0] = (char)key;
	} else if (key < 0x800) {
		utf8[0] = (char)(0xc0 | key >> 6);
		utf8[1] = (char)(0x80 | (key & 0x3f));
	} else if (key < 0x10000) {
		utf8[0] = (char)(0xe0 | key >> 12);
		utf8[1] = (char)(0x80 | (key >> 6 & 0x3f));
		utf8[2] = (char)(0x80 | (key & 0x3f));
	} else {
		utf8[0] = (char)(0xf0 | key >> 18);
		utf8[1] = (char)(0x80 | (key >> 12 & 0x3f));
		utf8[2] = (char)(0x80 | (key >> 6 & 0x3f));
		utf8[3] = (char)(0x80 | (key & 0x3f));
	}
	if (n + strlen(utf8) < size)
		memcpy(text + n, utf8, strlen(utf8) + 1);
}

static void edit(struct view *v, int key)
{
	if (key == UI_BACKSPACE || key == UI_DELETE)
		erase_last(v->input);
	else if (key == KEY_KILL_LINE)
		v->input[0] = '\0';
	else if (key < UI_KEY_BASE)
		append(v->input, sizeof(v->input), key);
}

/* ---- what Enter does -------------------------------------------------------- */
static bool mark(struct app *app, struct view *v)
{
	app_do(app, &(struct order){ .what = CMD_MARK, .text = v->input[0] ? v->input : "mark" });
	return true;
}

/* A CPU that nothing is measured on would leave an empty list without a word. */
static bool measures_any(const struct model *m, const struct filter *f)
{
	for (unsigned i = 0; i < m->nr_series; i++)
		if (m->series[i].cpu >= 0 && cpuset_has(&f->cpus, m->series[i].cpu))
			return true;
	return !f->has_cpus;
}

static bool set_filter(struct app *app, struct view *v)
{
	struct model *m = app_model(app);
	struct filter f;
	struct why why;

	if (filter_check(&f, v->input, &why)) {
		model_status(m, true, "%s", why.text);
		return false;
	}
	snprintf(v->filter, sizeof(v->filter), "%s", v->input);
	if (!measures_any(m, &f))
		model_status(m, true, "filter: %s: nothing is measured on that CPU", v->filter);
	else
		model_status(m, false, v->filter[0] ? "filter: %s" : "no filter%s", v->filter);
	return true;
}

/* "5ms", or a sound buffer "256@48000". */
static int parse_deadline(const char *text, int64_t *ns, struct why *why)
{
	const char *at = strchr(text, '@');
	char frames[16];
	long n, rate;

	*ns = 0;
	if (!text[0])
		return 0;
	if (!at)
		return text_parse_time(text, ns, why);
	if ((size_t)(at - text) >= sizeof(frames))
		return why_set(why, -EINVAL,
			       "deadline: too many frames; write FRAMES@RATE, as 256@48000");
	if (at == text || !at[1])
		return why_set(why, -EINVAL,
			       "deadline: frames or rate are missing; write it as 256@48000");
	memcpy(frames, text, (size_t)(at - text));
	frames[at - text] = '\0';
	int err = text_parse_int(frames, 1, 1000000, &n, why);

	if (!err)
		err = text_parse_int(at + 1, 1, 10000000, &rate, why);
	if (!err)
		*ns = n * NS_PER_S / rate;
	return err;
}

static bool set_deadline(struct app *app, struct view *v)
{
	struct why why;
	int64_t ns;

	if (parse_deadline(v->input, &ns, &why)) {
		model_status(app_model(app), true, "%s", why.text);
		return false;
	}
	app_do(app, &(struct order){ .what = CMD_DEADLINE, .value_ns = ns });
	return true;
}

static void line_key(struct app *app, struct view *v, int key)
{
	static bool (*const done[])(struct app *, struct view *) = {
		[ASK_MARK] = mark, [ASK_FILTER] = set_filter, [ASK_DEADLINE] = set_deadline,
	};

	if (key == UI_ESC)
		dialog_close(v);
	else if (key != UI_ENTER)
		edit(v, key);
	else if (done[v->ask](app, v))
		dialog_close(v);
}

/* ---- yes or no, and the list of probes -------------------------------------- */
static void load_key(struct app *app, struct view *v, int key)
{
	struct model *m = app_model(app);
	unsigned load = v->ask_arg;

	bool yes = key == 'y' || key == 'Y';

	dialog_close(v);
	if (load == LADDER_ASKED) {
		if (yes)
			ladder_start(app, v);
		return;
	}
	if (yes)
		app_do(app, &(struct order){ .what = CMD_LOAD_START, .arg = load });
	else if (load < m->nr_loads)
		model_status(m, false, "%s is not started", m->loads[load].name);
}

/* The group this probe is measured as (the first, when it has variants); -1. */
static int group_of(const struct model *m, const struct probe *p)
{
	for (unsigned i = 0; i < m->nr_groups; i++)
		if (m->groups[i].probe == p)
			return (int)i;
	return -1;
}

static void switch_probe(struct app *app, const struct probe *p)
{
	struct model *m = app_model(app);
	int group = group_of(m, p);

	if (group < 0)
		model_status(m, true, "%s: not part of this run", p->name);
	else
		app_do(app, &(struct order){ .what = CMD_PROBE_TOGGLE, .arg = (unsigned)group });
}

static void probes_key(struct app *app, struct view *v, int key)
{
	unsigned n = 0;

	while (probes[n])
		n++;
	if (key == UI_ESC || key == 'q')
		dialog_close(v);
	else if ((key == UI_UP || key == 'k') && n)
		v->probe_row = (v->probe_row + n - 1) % n;
	else if ((key == UI_DOWN || key == 'j') && n)
		v->probe_row = (v->probe_row + 1) % n;
	else if ((key == UI_ENTER || key == ' ') && v->probe_row < n)
		switch_probe(app, probes[v->probe_row]);
}

void dialog_key(struct app *app, struct view *v, int key)
{
	if (v->ask == ASK_LOAD)
		load_key(app, v, key);
	else if (v->ask == ASK_PROBES)
		probes_key(app, v, key);
	else
		line_key(app, v, key);
}
