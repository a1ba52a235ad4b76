/* option_values.c - the grammars of single options; see option_table.h. */
#include "src/option_table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/clock.h"
#include "src/format.h"
#include "src/knob.h"
#include "src/text.h"

int option_set_cpus(struct options *o, const char *value, struct why *why)
{
	o->has_cpus = true;
	return cpuset_parse(&o->cpus, value, false, why);
}

static const struct probe *probe_find(const char *name)
{
	for (unsigned i = 0; probes[i]; i++) {
		if (!strcmp(probes[i]->name, name))
			return probes[i];
	}
	return NULL;
}

static int probe_unknown(const char *name, struct why *why)
{
	char known[240] = "";

	for (unsigned i = 0; probes[i]; i++)
		text_append(known, sizeof(known), i ? " " : "", probes[i]->name);
	return why_set(why, -EINVAL, "%s: no such probe; one of %s", name, known);
}

static int no_value(const char *setting, struct why *why)
{
	if (probe_find(setting))
		return why_set(why, -EINVAL, "%s: one probe at a time; repeat -P: -P %s", setting,
			       setting);
	return why_set(why, -EINVAL, "%s: no value; write KNOB=VALUE", setting);
}

static int probe_knob(struct option_probe *p, char *setting, struct why *why)
{
	char *value = strchr(setting, '=');

	if (!value)
		return no_value(setting, why);
	*value++ = '\0';
	for (unsigned i = 0; p->probe->knobs[i].name; i++) {
		const struct probe_knob *k = &p->probe->knobs[i];
		const struct knob knob = { k->name, k->least, k->most, k->choices };

		if (!strcmp(k->name, setting))
			return knob_parse(&knob, value, &p->knob[i], why);
	}
	return why_set(why, -EINVAL, "%s: %s has no such knob; see `jitterscope list probes`",
		       setting, p->probe->name);
}

/* text is a copy that may be cut up. */
static int probe_parse(struct option_probe *p, char *text, struct why *why)
{
	char *at = strrchr(text, '@');
	char *save = NULL;

	if (at) {
		*at++ = '\0';
		p->has_cpus = true;
		if (cpuset_parse(&p->cpus, at, false, why))
			return -EINVAL;
	}
	const char *name = strtok_r(text, ",", &save);

	if (!name)
		return why_set(why, -EINVAL, "no probe named; see `jitterscope list probes`");
	p->probe = probe_find(name);
	if (!p->probe)
		return probe_unknown(name, why);
	for (unsigned i = 0; p->probe->knobs[i].name; i++)
		p->knob[i] = p->probe->knobs[i].value;
	for (char *knob; (knob = strtok_r(NULL, ",", &save));) {
		if (probe_knob(p, knob, why))
			return -EINVAL;
	}
	return 0;
}

/* One entry has all its CPUs. */
static int named_twice(const struct option_probe *first, const struct option_probe *again,
		       struct why *why)
{
	const char *name = again->probe->name;
	struct cpuset both = first->cpus;
	char list[120];

	if (!first->has_cpus || !again->has_cpus)
		return why_set(why, -EINVAL, "%s: named twice; leave one out", name);
	cpuset_each(cpu, &again->cpus)
		cpuset_add(&both, cpu);
	cpuset_brief(&both, list, sizeof(list));
	return why_set(why, -EINVAL, "%s: named twice; name its CPUs at once: -P %s@%s", name,
		       name, list);
}

int option_set_probe(struct options *o, const char *value, struct why *why)
{
	struct option_probe *p;
	char *copy;

	if (o->config_probes)
		o->probes = 0;
	o->config_probes = false;
	p = &o->probe[o->probes];

	if (o->probes == OPTIONS_PROBES_MAX)
		return why_set(why, -EINVAL, "more than %d probes; leave some out",
			       OPTIONS_PROBES_MAX);
	copy = strdup(value);
	if (!copy)
		return why_set(why, -ENOMEM, "no memory; close something");
	memset(p, 0, sizeof(*p));
	int err = probe_parse(p, copy, why);

	free(copy);
	for (unsigned i = 0; !err && i < o->probes; i++) {
		if (o->probe[i].probe == p->probe)
			err = named_twice(&o->probe[i], p, why);
	}
	o->probes += !err;
	return err;
}

int option_set_load(struct options *o, const char *value, struct why *why)
{
	return schedule_load(&o->schedule, value, why);
}

int option_set_schedule(struct options *o, const char *value, struct why *why)
{
	return schedule_text(&o->schedule, value, why);
}

int option_set_format(struct options *o, const char *value, struct why *why)
{
	char known[240] = "";
	const struct format *f = format_by_name(value);

	if (f && o->format && o->format != f->name)
		return why_set(why, -EINVAL, "%s: %s was asked for already; one format at a time, "
			       "and convert makes others of it", value, o->format);
	if (f && f->write) {
		o->format = f->name;
		return 0;
	}
	for (unsigned i = 0; formats[i]; i++) {
		if (formats[i]->write)
			text_append(known, sizeof(known), *known ? " " : "", formats[i]->name);
	}
	return why_set(why, -EINVAL, "%s: %s; one of %s", value,
		       f ? "can only be read" : "no such format", known);
}

int option_set_json(struct options *o, const char *value, struct why *why)
{
	(void)value;
	o->json = true;
	return option_set_format(o, "json", why);
}

/* "TEXT@PCT": cuts the copy at the '@' and reads the percentile, else 100. */
static int percent_after(char *text, double *pct, struct why *why)
{
	char *at = strchr(text, '@');
	char *end;

	*pct = 100;
	if (!at)
		return 0;
	*at++ = '\0';
	*pct = strtod(at, &end);
	if (end == at || *end || !(*pct > 0 && *pct <= 100))
		return why_set(why, -EINVAL, "%s: not a percentile; above 0, at most 100", at);
	return 0;
}

int option_set_fail_above(struct options *o, const char *value, struct why *why)
{
	char text[64];

	if (strlen(value) >= sizeof(text))
		return why_set(why, -EINVAL, "too long; write it as 500us@99.9");
	snprintf(text, sizeof(text), "%s", value);
	if (percent_after(text, &o->fail_above_pct, why) ||
	    text_parse_time(text, &o->fail_above_ns, why))
		return -EINVAL;
	if (o->fail_above_ns <= 0)
		return why_set(why, -EINVAL, "%s: nothing is below; name a time above 0", text);
	return 0;
}

int option_set_fail_ratio(struct options *o, const char *value, struct why *why)
{
	char text[64], *end;

	if (strlen(value) >= sizeof(text))
		return why_set(why, -EINVAL, "too long; write it as 1.5@99.9");
	snprintf(text, sizeof(text), "%s", value);
	if (percent_after(text, &o->fail_ratio_pct, why))
		return -EINVAL;
	o->fail_ratio = strtod(text, &end);
	if (end == text || *end || !(o->fail_ratio > 0 && o->fail_ratio < 1e9))
		return why_set(why, -EINVAL, "%s: not a factor; write it as 1.5", text);
	return 0;
}

/* A sound buffer: so many frames last frames/rate seconds. */
static int deadline_of_frames(const char *frames, const char *rate, int64_t *ns, struct why *why)
{
	long f, r;

	if (text_parse_int(frames, 1, 1L << 20, &f, why) ||
	    text_parse_int(rate, 1000, 1000000, &r, why))
		return -EINVAL;
	*ns = f * NS_PER_S / r;
	return 0;
}

int option_set_deadline(struct options *o, const char *value, struct why *why)
{
	char frames[32];
	const char *at = strchr(value, '@');

	if (!at) {
		if (text_parse_time(value, &o->deadline_ns, why))
			return -EINVAL;
		if (o->deadline_ns <= 0)
			return why_set(why, -EINVAL, "%s: not above 0; write it as 5ms", value);
		return 0;
	}
	if ((size_t)(at - value) >= sizeof(frames))
		return why_set(why, -EINVAL, "too long; write it as 256@48000");
	if (at == value || !at[1])
		return why_set(why, -EINVAL, "%s: frames or rate are missing; write it as 256@48000",
			       value);
	memcpy(frames, value, (size_t)(at - value));
	frames[at - value] = '\0';
	return deadline_of_frames(frames, at + 1, &o->deadline_ns, why);
}

int option_set_hold_cstates(struct options *o, const char *value, struct why *why)
{
	o->hold_cstates = true;
	o->hold_cstates_ns = 0;
	if (!value)
		return 0;
	int err = text_parse_time(value, &o->hold_cstates_ns, why);

	if (err && err != -ERANGE)
		return -EINVAL;
	if (err || o->hold_cstates_ns < 0 || o->hold_cstates_ns > 2 * NS_PER_S)
		return why_set(why, -EINVAL, "%s: out of range; 0us..2s", value);
	return 0;
}

int option_set_scratch(struct options *o, const char *value, struct why *why)
{
	if (o->scratches == sizeof(o->scratch) / sizeof(o->scratch[0]))
		return why_set(why, -EINVAL, "%s: a third folder; at most two", value);
	if (!*value)
		return why_set(why, -EINVAL, "no folder; name one that exists");
	o->scratch[o->scratches++] = value;
	return 0;
}

int option_set_seed(struct options *o, const char *value, struct why *why)
{
	char *end;

	errno = 0;
	o->seed = strtoull(value, &end, 0);
	if (errno || end == value || *end || value[strspn(value, " \t")] == '-')
		return why_set(why, -EINVAL, "%s: not a seed; a whole number from 0 to 2^64-1",
			       value);
	return 0;
}
