/*
 * schedule.c - see schedule.h.
 *
 * -l  LOAD[@START[+LENGTH]]
 * -s  STAGE; STAGE; ...     STAGE: TIME idle | TIME LOAD...
 * LOAD: NAME[:WORKERS][,KNOB=VALUE...]
 */
#include "src/schedule.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/clock.h"
#include "src/knob.h"
#include "src/load.h"
#include "src/text.h"

#define BLANKS " \t\n"

static int no_memory(struct why *why)
{
	return why_set(why, -ENOMEM, "no memory; close something");
}

/* Entries of one time keep the order in which they came, but a stop goes
 * before a start: a load that goes on with other workers stops first. */
static int add_entry(struct schedule *s, int64_t at_ns, const struct order *order,
		     struct why *why)
{
	unsigned i = s->entries;

	if (s->entries == SCHEDULE_MAX)
		return why_set(why, -EINVAL, "more than %d starts and stops; shorten it",
			       SCHEDULE_MAX);
	while (i > 0 && (s->entry[i - 1].at_ns > at_ns ||
			 (s->entry[i - 1].at_ns == at_ns && order->what == CMD_LOAD_STOP &&
			  s->entry[i - 1].order.what != CMD_LOAD_STOP)))
		i--;
	memmove(&s->entry[i + 1], &s->entry[i], (s->entries - i) * sizeof(s->entry[0]));
	s->entry[i] = (struct schedule_entry){ .at_ns = at_ns, .order = *order };
	s->entries++;
	return 0;
}

/* A start at at_ns and, with a length, the stop that belongs to it. */
static int add_run(struct schedule *s, int64_t at_ns, int64_t length_ns,
		   const struct order *order, struct why *why)
{
	const struct order stop = { .what = CMD_LOAD_STOP, .arg = order->arg };

	if (length_ns && add_entry(s, at_ns + length_ns, &stop, why))
		return -EINVAL;
	return add_entry(s, at_ns, order, why);
}

static int unknown_load(const char *name, struct why *why)
{
	char known[240] = "";

	for (unsigned i = 0; loads[i]; i++)
		text_append(known, sizeof(known), i ? " " : "", loads[i]->name);
	return why_set(why, -EINVAL, "%s: no such load; one of %s", name, known);
}

static int set_file(struct schedule *s, const struct load *l, const char *path, struct why *why)
{
	int i = load_index(l);

	if (!l->parse_file)
		return why_set(why, -EINVAL, "loadfile: %s plays none; leave it out", l->name);
	if (s->load_file[i] && !s->defaults[i].file) {
		if (!strcmp(s->load_file_path[i], path))
			return 0;
		return why_set(why, -EINVAL, "loadfile=%s: %s has one already; one a run", path,
			       l->name);
	}
	if (strlen(path) >= sizeof(s->load_file_path[i]))
		return why_set(why, -EINVAL, "loadfile: path too long; move the file");
	struct why inner = { 0, "" };

	s->load_file[i] = l->parse_file(path, &inner);
	if (!s->load_file[i])
		return why_set(why, -EINVAL, "%s: %s", l->name, inner.text);
	memcpy(s->load_file_path[i], path, strlen(path) + 1);
	s->defaults[i].file = false;
	return 0;
}

static int set_cpus(struct schedule *s, struct order *order, const char *list, struct why *why)
{
	struct cpuset *set = &s->cpus[s->nr_cpus];

	if (s->nr_cpus == SCHEDULE_CPUS)
		return why_set(why, -EINVAL, "cpus=%s: more than %d lists; leave some out", list,
			       SCHEDULE_CPUS);
	if (cpuset_parse(set, list, false, why))
		return -EINVAL;
	s->nr_cpus++;
	order->cpus = set;
	return 0;
}

static int set_knob(struct schedule *s, const struct load *l, struct order *order,
		    char *setting, struct why *why)
{
	char *value = strchr(setting, '=');

	if (!value && load_by_name(setting))
		return why_set(why, -EINVAL, "%s: one load at a time; repeat -l: -l %s", setting,
			       setting);
	if (!value)
		return why_set(why, -EINVAL, "%s: no value; write KNOB=VALUE", setting);
	*value++ = '\0';
	if (!strcmp(setting, "loadfile"))
		return set_file(s, l, value, why);
	if (!strcmp(setting, "cpus"))
		return set_cpus(s, order, value, why);
	for (unsigned i = 0; l->knobs[i].name; i++) {
		const struct load_knob *k = &l->knobs[i];
		const struct knob knob = { k->name, k->least, k->most, k->choices };

		if (!strcmp(k->name, setting))
			return knob_parse(&knob, value, &order->knob[i], why);
	}
	return why_set(why, -EINVAL, "%s: %s has no such knob; see `jitterscope list loads`",
		       setting, l->name);
}

static int set_workers(const struct load *l, struct order *order, const char *text,
		       struct why *why)
{
	long workers;

	if (strchr(text, '@'))
		return why_set(why, -EINVAL, "%s:%s: no time can be given here; leave out %s", l->name,
			       text, strchr(text, '@'));
	if (!*text)
		return why_set(why, -EINVAL, "%s:: no number of workers; 1..%u, or leave out the colon",
			       l->name, l->max_workers);
	if (text_parse_int(text, 1, l->max_workers, &workers, NULL))
		return why_set(why, -EINVAL, "%s:%s: no number of workers it can have; 1..%u", l->name,
			       text, l->max_workers);
	order->workers = (unsigned)workers;
	return 0;
}

/* Cuts the next setting off *text at a comma; a comma before a digit belongs
 * to the CPU list it stands in. */
static char *next_setting(char **text)
{
	char *begin = *text, *end = begin;
	bool list = begin && !strncmp(begin, "cpus=", 5);

	if (!begin)
		return NULL;
	while (*end && !(*end == ',' && !(list && isdigit((unsigned char)end[1]))))
		end++;
	*text = *end ? end + 1 : NULL;
	*end = '\0';
	return begin;
}

static struct order start_of(const struct schedule *s, const struct load *l)
{
	const struct load_default *d = &s->defaults[load_index(l)];
	struct order order = { .what = CMD_LOAD_START, .arg = (unsigned)load_index(l),
			       .has_knobs = true, .limit_ns = INT64_MAX };

	for (unsigned i = 0; l->knobs[i].name; i++)
		order.knob[i] = d->set ? d->knob[i] : l->knobs[i].value;
	order.workers = d->workers;
	order.cpus = d->cpus;
	return order;
}

/* text is cut up. */
static int parse_load(struct schedule *s, char *text, struct order *order, struct why *why)
{
	char *rest = text;
	char *name = next_setting(&rest);
	char *workers = strchr(name, ':');

	if (workers)
		*workers++ = '\0';
	const struct load *l = load_by_name(name);

	if (!l)
		return unknown_load(name, why);
	*order = start_of(s, l);
	if (workers && set_workers(l, order, workers, why))
		return -EINVAL;
	for (char *setting; (setting = next_setting(&rest));) {
		if (set_knob(s, l, order, setting, why))
			return -EINVAL;
	}
	return 0;
}

static int parse_positive(const char *text, int64_t *ns, struct why *why)
{
	int err = text_parse_time(text, ns, why);

	if (err && err != -ERANGE)
		return -EINVAL;
	if (err || *ns <= 0 || *ns > SCHEDULE_MOST_NS)
		return why_set(why, -EINVAL, "%s: out of range; above 0, at most "
			       SCHEDULE_MOST, text);
	return 0;
}

/* "START[+LENGTH]" */
static int parse_when(char *text, int64_t *start_ns, int64_t *length_ns, struct why *why)
{
	char *length = strchr(text, '+');

	if (length)
		*length++ = '\0';
	int err = text_parse_time(text, start_ns, why);

	if (err && err != -ERANGE)
		return -EINVAL;
	if (err || *start_ns < 0 || *start_ns > SCHEDULE_MOST_NS)
		return why_set(why, -EINVAL, "@%s: out of range; 0s.." SCHEDULE_MOST, text);
	return length ? parse_positive(length, length_ns, why) : 0;
}

/* The '@' of a time; one followed by anything but a digit belongs to a file name. */
static char *find_when(char *text)
{
	char *at = strrchr(text, '@');

	if (at && (isdigit((unsigned char)at[1]) || !strstr(text, "loadfile=")))
		return at;
	return NULL;
}

static int load_with_time(struct schedule *s, char *text, struct why *why)
{
	int64_t start_ns = 0, length_ns = 0;
	char *at = find_when(text);
	struct order order;

	if (at) {
		*at++ = '\0';
		if (parse_when(at, &start_ns, &length_ns, why))
			return -EINVAL;
	}
	if (parse_load(s, text, &order, why))
		return -EINVAL;
	return add_run(s, start_ns, length_ns, &order, why);
}

int schedule_load(struct schedule *s, const char *text, struct why *why)
{
	char *copy = strdup(text);

	if (!copy)
		return no_memory(why);
	int err = load_with_time(s, copy, why);

	free(copy);
	return err;
}

int schedule_default(struct schedule *s, const char *text, struct why *why)
{
	char *copy = strdup(text);
	struct order order;
	int err;

	if (!copy)
		return no_memory(why);
	err = parse_load(s, copy, &order, why);
	free(copy);
	if (err)
		return err;
	struct load_default *d = &s->defaults[order.arg];

	*d = (struct load_default){ .set = true, .workers = order.workers, .cpus = order.cpus };
	d->file = s->load_file[order.arg];
	memcpy(d->knob, order.knob, sizeof(d->knob));
	return 0;
}

/* "TIME idle" or "TIME LOAD LOAD..." from *at_ns on, which moves past it. */
static int parse_stage(struct schedule *s, char *text, int64_t *at_ns, struct why *why)
{
	char *save = NULL;
	char *word = strtok_r(text, BLANKS, &save);
	int64_t length_ns;
	struct order order;

	if (!word)
		return why_set(why, -EINVAL, "an empty stage; write TIME idle or TIME LOAD");
	if (parse_positive(word, &length_ns, why))
		return -EINVAL;
	word = strtok_r(NULL, BLANKS, &save);
	if (!word)
		return why_set(why, -EINVAL, "a stage without load; write `idle`, if none is meant");
	if (!strcmp(word, "idle"))
		word = strtok_r(NULL, BLANKS, &save);
	for (; word; word = strtok_r(NULL, BLANKS, &save)) {
		if (parse_load(s, word, &order, why) ||
		    add_run(s, *at_ns, length_ns, &order, why))
			return -EINVAL;
	}
	*at_ns += length_ns;
	if (*at_ns > SCHEDULE_MOST_NS)
		return why_set(why, -EINVAL, "longer than " SCHEDULE_MOST "; shorten it");
	return 0;
}

int schedule_text(struct schedule *s, const char *text, struct why *why)
{
	char *copy = strdup(text);
	char *save = NULL;
	int64_t at_ns = s->end_ns;
	int err = 0;

	if (!copy)
		return no_memory(why);
	if (!copy[strspn(copy, BLANKS ";")])
		err = why_set(why, -EINVAL, "empty; write \"10s idle; 20s churn:8\"");
	for (char *stage = strtok_r(copy, ";", &save); stage && !err;
	     stage = strtok_r(NULL, ";", &save)) {
		if (stage[strspn(stage, BLANKS)])
			err = parse_stage(s, stage, &at_ns, why);
	}
	free(copy);
	s->end_ns = at_ns;
	return err;
}

const struct order *schedule_next(struct schedule *s, int64_t t_ns)
{
	for (unsigned i = 0; i < s->entries && s->entry[i].at_ns <= t_ns; i++) {
		if (!s->entry[i].done) {
			s->entry[i].done = true;
			return &s->entry[i].order;
		}
	}
	return NULL;
}

int64_t schedule_when(const struct schedule *s)
{
	for (unsigned i = 0; i < s->entries; i++) {
		if (!s->entry[i].done)
			return s->entry[i].at_ns;
	}
	return INT64_MAX;
}
