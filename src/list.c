/* list.c - `jitterscope list`: what there is to choose from. */
#include <stdio.h>
#include <string.h>
#include <errno.h>

#include "src/app.h"
#include "src/commands.h"
#include "src/format.h"
#include "src/knob.h"
#include "src/load.h"
#include "src/probe.h"
#include "src/suite.h"

#define RANGE_BYTES 120

static void put_knob(const struct knob *knob, long value, const char *help)
{
	char range[RANGE_BYTES], now[32];

	printf("    %s=%s (%s)  %s\n", knob->name, knob_range(knob, range, sizeof(range)),
	       knob_text(knob, value, now, sizeof(now)), help ? help : "");
}

static void list_probes(void)
{
	for (unsigned i = 0; probes[i]; i++) {
		const struct probe *p = probes[i];

		printf("%-16s %s%s\n", p->name, p->summary,
		       p->flags & PROBE_DEFAULT ? " (on by default)" : "");
		for (const struct probe_knob *k = p->knobs; k->name; k++)
			put_knob(&(struct knob){ k->name, k->least, k->most, k->choices },
				 k->value, k->help);
	}
}

static void list_loads(void)
{
	for (unsigned i = 0; loads[i]; i++) {
		const struct load *l = loads[i];

		printf("%c %-12s %s; %s; 1..%u workers%s\n", l->key ? l->key : ' ', l->name,
		       l->summary, l->rate_unit, l->max_workers,
		       l->flags & LOAD_ASKS ? "; can hurt" : "");
		for (const struct load_knob *k = l->knobs; k->name; k++)
			put_knob(&(struct knob){ k->name, k->least, k->most, k->choices },
				 k->value, k->help);
		if (l->parse_file)
			printf("    loadfile=FILE  plays this file's operations\n");
	}
	if (loads[0])
		printf("  Any load: cpus=LIST  only on these CPUs\n");
}

static int wider(int width, const char *text)
{
	int n = text ? (int)strlen(text) : 0;

	return n > width ? n : width;
}

static void list_formats(void)
{
	int name = 0, suffix = 0;

	for (unsigned i = 0; formats[i]; i++) {
		name = wider(name, formats[i]->name);
		suffix = wider(suffix, formats[i]->suffix);
	}
	for (unsigned i = 0; formats[i]; i++) {
		const struct format *f = formats[i];

		printf("%-*s %-*s %-5s %-5s %s\n", name, f->name, suffix,
		       f->suffix ? f->suffix : "", f->read || f->streamed ? "read" : "",
		       f->write ? "write" : "", f->summary);
	}
}

static void list_suites(void)
{
	for (unsigned i = 0; suites[i]; i++)
		printf("%-12s %s\n", suites[i]->name, suites[i]->summary);
}

static const struct {
	const char *name, *title;
	void (*list)(void);
} lists[] = {
	{ "probes", "Probes (-P NAME[,KNOB=VALUE...][@CPUS])", list_probes },
	{ "loads", "Loads (-l NAME[:WORKERS][,KNOB=VALUE...][@START[+LENGTH]]; the letter is its key on the screen)",
	  list_loads },
	{ "formats", "Formats", list_formats },
	{ "keys", "Keys of the live screen", ui_list_keys },
	{ "suites", "Suites (jitterscope run SUITE)", list_suites },
	{ "themes", "Themes (--theme NAME)", ui_list_themes },
};

#define LISTS (sizeof(lists) / sizeof(lists[0]))

int cmd_list(struct options *o, struct why *why)
{
	bool any = false;

	for (unsigned i = 0; i < LISTS; i++) {
		if (o->word && strcmp(o->word, lists[i].name))
			continue;
		if (!o->word)
			printf("%s%s:\n", any ? "\n" : "", lists[i].title);
		lists[i].list();
		any = true;
	}
	if (any)
		return EXIT_OK;
	why_set(why, -EINVAL, "list %s: nothing of that name; one of probes loads formats keys "
		"suites themes", o->word);
	return EXIT_USAGE;
}
