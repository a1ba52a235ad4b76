/* json_in.c - see json_in.h. */
#include "src/json_in.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/snapshot_build.h"
#include "src/text.h"

/* ---- complaints ---------------------------------------------------------- */

int json_in_refuse(struct json_in *in, int err, const char *fmt, ...)
{
	char text[240], at[24] = "";
	va_list args;

	if (in->err)
		return in->err;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (in->line)
		snprintf(at, sizeof(at), "%ld:", in->line);
	in->err = why_set(in->why, err, "%s:%s %s", in->name, at, text);
	return in->err;
}

static void wrong(struct json_in *in, const char *key, const char *want)
{
	json_in_refuse(in, -EINVAL, "\"%s\" is not %s; the file is damaged or not ours", key, want);
}

static void no_memory(struct json_in *in)
{
	json_in_refuse(in, -ENOMEM, "no memory to read it; use a smaller file");
}

/* While they are read: a list of a million empty members would take a gigabyte
 * before anybody counts it. */
bool json_in_full(struct json_in *in, unsigned n, unsigned most, const char *what)
{
	if (n >= most)
		json_in_refuse(in, -E2BIG, "more than %u %s; give a part of them", most, what);
	return in->err != 0;
}

/* ---- parsing ------------------------------------------------------------- */

/* How deep do brackets nest?  Strings are skipped. */
static unsigned depth_of(const char *bytes, size_t n)
{
	unsigned depth = 0, deepest = 0;
	bool quoted = false;

	for (size_t i = 0; i < n; i++) {
		char c = bytes[i];

		if (quoted && c == '\\')
			i++;
		else if (c == '"')
			quoted = !quoted;
		else if (!quoted && (c == '[' || c == '{') && ++depth > deepest)
			deepest = depth;
		else if (!quoted && (c == ']' || c == '}') && depth)
			depth--;
	}
	return deepest;
}

json_t *json_in_parse(struct json_in *in, const char *bytes, size_t n)
{
	json_error_t error;
	char text[80];

	if (depth_of(bytes, n) > JSON_DEPTH_MAX) {
		json_in_refuse(in, -EINVAL, "nested deeper than %d; not a file we know",
			       JSON_DEPTH_MAX);
		return NULL;
	}
	json_t *root = json_loadb(bytes, n, JSON_REJECT_DUPLICATES, &error);

	if (json_is_object(root))
		return root;
	text_clean(text, sizeof(text), error.text, strlen(error.text), 70);
	if (!in->line)
		in->line = root ? 1 : error.line;
	json_in_refuse(in, -EINVAL, "%s; was it cut short?", root ? "not a JSON object" : text);
	json_decref(root);
	return NULL;
}

/* ---- members ------------------------------------------------------------- */

/* o may not be there; something else in its place is no object without members. */
static json_t *member(struct json_in *in, const json_t *o, const char *key)
{
	if (o && !json_is_object(o))
		wrong(in, key, "inside an object");
	json_t *v = in->err ? NULL : json_object_get(o, key);

	return json_is_null(v) ? NULL : v;
}

void json_in_int(struct json_in *in, const json_t *o, const char *key,
		 int64_t least, int64_t most, int64_t *out)
{
	json_t *v = member(in, o, key);

	if (!v)
		return;
	if (!json_is_integer(v) || json_integer_value(v) < least || json_integer_value(v) > most)
		json_in_refuse(in, -EINVAL, "\"%s\" is not a whole number in %" PRId64 "..%" PRId64
			       "; the file is damaged", key, least, most);
	else
		*out = json_integer_value(v);
}

void json_in_count(struct json_in *in, const json_t *o, const char *key, uint64_t *out)
{
	int64_t value = (int64_t)*out;

	json_in_int(in, o, key, 0, (int64_t)SNAPSHOT_COUNT_MAX, &value);
	*out = (uint64_t)value;
}

void json_in_real(struct json_in *in, const json_t *o, const char *key, double *out)
{
	json_t *v = member(in, o, key);

	if (v && json_is_number(v))
		*out = json_number_value(v);
	else if (v)
		wrong(in, key, "a number");
}

void json_in_bool(struct json_in *in, const json_t *o, const char *key, bool *out)
{
	json_t *v = member(in, o, key);

	if (v && json_is_boolean(v))
		*out = json_is_true(v);
	else if (v)
		wrong(in, key, "true or false");
}

void json_in_text(struct json_in *in, const json_t *o, const char *key, char *out, size_t size)
{
	json_t *v = member(in, o, key);

	if (v && json_is_string(v))
		text_clean(out, size, json_string_value(v), json_string_length(v), (unsigned)size);
	else if (v)
		wrong(in, key, "text");
}

json_t *json_in_array(struct json_in *in, const json_t *o, const char *key)
{
	json_t *v = member(in, o, key);

	if (v && !json_is_array(v))
		wrong(in, key, "a list");
	return json_is_array(v) ? v : NULL;
}

json_t *json_in_object(struct json_in *in, const json_t *o, const char *key)
{
	json_t *v = member(in, o, key);

	if (v && !json_is_object(v))
		wrong(in, key, "an object");
	return json_is_object(v) ? v : NULL;
}

static void in_unsigned(struct json_in *in, const json_t *o, const char *key, unsigned *out)
{
	int64_t value = *out;

	json_in_int(in, o, key, 0, INT32_MAX, &value);
	*out = (unsigned)value;
}

static void in_int32(struct json_in *in, const json_t *o, const char *key, int *out)
{
	int64_t value = *out;

	json_in_int(in, o, key, INT32_MIN, INT32_MAX, &value);
	*out = (int)value;
}

/* ---- head ---------------------------------------------------------------- */

void json_in_version(struct json_in *in, const json_t *root, const char *format, int newest)
{
	const char *word = json_string_value(json_object_get(root, "format"));
	int64_t version = 0;

	if (!word || strcmp(word, format)) {
		json_in_refuse(in, -EINVAL, "no \"format\": \"%s\" in it; give a file of that kind",
			       format);
		return;
	}
	json_in_int(in, root, "version", 1, INT32_MAX, &version);
	if (!in->err && !version)
		wrong(in, "version", "there");
	else if (version > newest)
		json_in_refuse(in, -ENOTSUP,
			       "version %" PRId64 " of the format, this program knows "
			       "%d; read it with a newer jitterscope",
			       version, newest);
}

static void in_command(struct json_in *in, const json_t *root, struct snapshot *s)
{
	json_t *list = json_in_array(in, root, "command"), *word;
	size_t i;

	json_array_foreach(list, i, word) {
		if (json_in_full(in, s->nr_command, SNAPSHOT_WORDS_MAX, "words of a command"))
			return;
		if (!json_is_string(word))
			wrong(in, "command", "a list of words");
		else if (!snapshot_add_word(s, json_string_value(word)))
			no_memory(in);
		if (in->err)
			return;
	}
}

static void in_isolated(struct json_in *in, const json_t *o, struct cpuset *isolated)
{
	const json_t *list = json_object_get(o, "cpus_isolated");
	struct why why;

	if (list && (!json_is_string(list) ||
		     cpuset_parse(isolated, json_string_value(list), true, &why)))
		wrong(in, "cpus_isolated", "a list of CPUs");
}

static void in_system(struct json_in *in, const json_t *root, struct snapshot *s)
{
	json_t *o = json_in_object(in, root, "system");
	struct sysinfo *y = &s->system;

	y->autogroup = -1;
	if (!o)
		return;
	json_in_text(in, o, "host", y->host, sizeof(y->host));
	json_in_text(in, o, "kernel", y->kernel, sizeof(y->kernel));
	json_in_text(in, o, "version", y->version, sizeof(y->version));
	json_in_text(in, o, "preempt", y->preempt, sizeof(y->preempt));
	in_int32(in, o, "hz", &y->hz);
	json_in_text(in, o, "clocksource", y->clocksource, sizeof(y->clocksource));
	json_in_text(in, o, "cpu_model", y->cpu_model, sizeof(y->cpu_model));
	in_unsigned(in, o, "cpus_online", &s->cpus_online);
	in_unsigned(in, o, "cpus_measured", &s->cpus_measured);
	in_isolated(in, o, &y->isolated);
	json_in_text(in, o, "governor", y->governor, sizeof(y->governor));
	json_in_text(in, o, "virtual", y->virtualization, sizeof(y->virtualization));
	json_in_text(in, o, "cmdline", y->cmdline, sizeof(y->cmdline));
	json_in_int(in, o, "mem_total_kb", 0, INT64_MAX, &y->mem_total_kb);
	in_int32(in, o, "autogroup", &y->autogroup);
	json_t *avg = json_in_array(in, o, "loadavg");

	for (size_t i = 0; i < 3 && i < json_array_size(avg); i++)
		s->loadavg[i] = json_number_value(json_array_get(avg, i));
	json_in_real(in, o, "steal_s", &s->steal_s);
}

static void in_tiers(struct json_in *in, const json_t *root, struct snapshot *s)
{
	json_t *o = json_in_object(in, root, "tiers");

	if (!o)
		return;
	json_in_text(in, o, "rt", s->tier_rt, sizeof(s->tier_rt));
	json_in_text(in, o, "cleanup", s->tier_cleanup, sizeof(s->tier_cleanup));
	json_in_text(in, o, "blame", s->tier_blame, sizeof(s->tier_blame));
	json_in_text(in, o, "blame_how", s->blame_how, sizeof(s->blame_how));
	json_in_bool(in, o, "locked", &s->locked);
	json_in_text(in, o, "cstates", s->tier_cstates, sizeof(s->tier_cstates));
}

static void in_validity(struct json_in *in, const json_t *root, struct snapshot *s)
{
	json_t *list = json_in_array(in, root, "validity"), *o;
	size_t i;

	if (list)
		s->nr_badges = 0;	/* a later statement replaces the earlier */
	json_array_foreach(list, i, o) {
		if (json_in_full(in, s->nr_badges, SNAPSHOT_BADGES_MAX, "doubts"))
			return;
		struct badge *b = snapshot_add_badge(s, "", "", "");

		if (!b) {
			no_memory(in);
			return;
		}
		json_in_text(in, o, "badge", b->name, sizeof(b->name));
		json_in_text(in, o, "level", b->level, sizeof(b->level));
		json_in_text(in, o, "text", b->text, sizeof(b->text));
	}
}

static void in_self(struct json_in *in, const json_t *root, struct snapshot *s)
{
	json_t *o = json_in_object(in, root, "self");

	if (!o)
		return;
	s->self.cpu_pct = s->self.sampler_cpu_pct = s->self.helper_cpu_pct = NAN;
	s->self.switches_per_s = s->self.bytes_per_s_to_terminal = NAN;
	json_in_real(in, o, "cpu_pct", &s->self.cpu_pct);
	json_in_real(in, o, "sampler_cpu_pct", &s->self.sampler_cpu_pct);
	json_in_real(in, o, "helper_cpu_pct", &s->self.helper_cpu_pct);
	json_in_count(in, o, "switches", &s->self.switches);
	json_in_real(in, o, "switches_per_s", &s->self.switches_per_s);
	json_in_count(in, o, "minor_faults", &s->self.minor_faults);
	json_in_int(in, o, "rss_kb", 0, INT64_MAX, &s->self.rss_kb);
	json_in_real(in, o, "bytes_per_s_to_terminal", &s->self.bytes_per_s_to_terminal);
}

void json_in_state(struct json_in *in, const json_t *root, struct snapshot *s)
{
	in_tiers(in, root, s);
	in_validity(in, root, s);
	s->deadline_ns = 0;	/* may have been taken back since the line before */
	json_in_int(in, root, "deadline_ns", 0, INT64_MAX, &s->deadline_ns);
}

void json_in_head(struct json_in *in, const json_t *root, struct snapshot *s)
{
	json_in_text(in, root, "program", s->program, sizeof(s->program));
	json_in_text(in, root, "created", s->created, sizeof(s->created));
	json_in_text(in, root, "label", s->label, sizeof(s->label));
	json_in_real(in, root, "duration_s", &s->duration_s);
	in_command(in, root, s);
	in_system(in, root, s);
	json_in_state(in, root, s);
	in_self(in, root, s);
}

/* ---- series -------------------------------------------------------------- */

static void in_pairs(struct json_in *in, const json_t *o, struct snapshot_series *one)
{
	json_t *list = json_in_array(in, o, "histogram"), *pair;
	size_t i;

	json_array_foreach(list, i, pair) {
		json_t *value = json_array_get(pair, 0), *count = json_array_get(pair, 1);

		if (!json_is_integer(value) || !json_is_integer(count) ||
		    json_array_size(pair) != 2 || json_integer_value(count) < 0)
			wrong(in, "histogram", "a list of [value_ns, count]");
		else if (snapshot_add_pair(one, json_integer_value(value),
					   (uint64_t)json_integer_value(count)))
			no_memory(in);
		if (in->err)
			return;
	}
}

static void in_counters(struct json_in *in, const json_t *o, struct snapshot_series *one)
{
	json_t *counters = json_in_object(in, o, "counters"), *v;
	const char *key;

	json_object_foreach(counters, key, v) {
		struct snapshot_counter *c = &one->counter[one->counters];

		if (one->counters == PROBE_COUNTERS_MAX || !json_is_integer(v) ||
		    json_integer_value(v) < 0) {
			wrong(in, "counters", "a few names with numbers");
			return;
		}
		text_clean(c->name, sizeof(c->name), key, strlen(key), sizeof(c->name) - 1);
		c->value = json_integer_value(v);
		one->counters++;
	}
}

void json_in_series(struct json_in *in, const json_t *o, struct snapshot *s)
{
	if (json_in_full(in, s->nr_series, SNAPSHOT_SERIES_MAX, "series"))
		return;
	struct snapshot_series *one = snapshot_add_series(s, "", -1);

	if (!one) {
		no_memory(in);
		return;
	}
	json_in_text(in, o, "probe", one->probe, sizeof(one->probe));
	in_int32(in, o, "cpu", &one->cpu);
	json_in_text(in, o, "policy", one->policy, sizeof(one->policy));
	in_int32(in, o, "priority", &one->priority);
	json_in_int(in, o, "interval_ns", 0, INT64_MAX, &one->interval_ns);
	json_in_int(in, o, "phase_ns", 0, INT64_MAX, &one->phase_ns);
	json_in_count(in, o, "due", &one->counts.due);
	json_in_count(in, o, "count", &one->counts.count);
	json_in_count(in, o, "missed", &one->counts.missed);
	json_in_count(in, o, "interrupted", &one->counts.interrupted);
	json_in_count(in, o, "early", &one->counts.early);
	json_in_count(in, o, "over", &one->counts.over);
	json_in_count(in, o, "unplaced", &one->counts.unplaced);
	json_in_count(in, o, "errors", &one->counts.errors);
	json_in_int(in, o, "in_flight_ns", 0, INT64_MAX, &one->in_flight_ns);
	json_in_int(in, o, "min_ns", 0, INT64_MAX, &one->min_ns);
	one->mean_ns = one->counts.count ? NAN : 0;
	json_in_real(in, o, "mean_ns", &one->mean_ns);
	json_in_int(in, o, "max_ns", 0, INT64_MAX, &one->max_ns);
	json_in_int(in, o, "bin_ns", 0, INT64_MAX, &one->bin_ns);
	in_counters(in, o, one);
	in_pairs(in, o, one);
	if (!in->err && !one->probe[0])
		json_in_refuse(in, -EINVAL, "a series without \"probe\"; the file is damaged");
}

/* ---- lists --------------------------------------------------------------- */

static void in_knobs(struct json_in *in, const json_t *o, struct snapshot_load *l)
{
	json_t *knobs = json_in_object(in, o, "knobs"), *v;
	const char *key;

	json_object_foreach(knobs, key, v) {
		if (l->knobs == LOAD_KNOBS_MAX || !json_is_string(v)) {
			wrong(in, "knobs", "a few names with text");
			return;
		}
		text_clean(l->knob[l->knobs].name, sizeof(l->knob[0].name), key, strlen(key), 15);
		text_clean(l->knob[l->knobs].value, sizeof(l->knob[0].value),
			   json_string_value(v), json_string_length(v), 23);
		l->knobs++;
	}
}

/* A number, or text beyond 63 bits. */
static void in_seed(struct json_in *in, const json_t *o, uint64_t *seed)
{
	json_t *v = member(in, o, "seed");
	const char *text = json_string_value(v);
	char *end = NULL;

	if (!v)
		return;
	errno = 0;
	if (json_is_integer(v) && json_integer_value(v) >= 0)
		*seed = (uint64_t)json_integer_value(v);
	else if (text && *text >= '0' && *text <= '9')
		*seed = strtoull(text, &end, 10);
	else
		errno = EINVAL;
	if (errno || (end && *end))
		wrong(in, "seed", "a 64-bit number");
}

void json_in_load(struct json_in *in, const json_t *o, struct snapshot_load *l)
{
	json_in_text(in, o, "name", l->name, sizeof(l->name));
	in_unsigned(in, o, "workers", &l->workers);
	json_in_real(in, o, "start_s", &l->start_s);
	json_in_real(in, o, "stop_s", &l->stop_s);
	json_in_real(in, o, "done", &l->done);
	json_in_text(in, o, "unit", l->unit, sizeof(l->unit));
	json_in_real(in, o, "rate", &l->rate);
	json_in_text(in, o, "rate_unit", l->rate_unit, sizeof(l->rate_unit));
	json_in_real(in, o, "cpu_pct", &l->cpu_pct);
	json_in_int(in, o, "max_op_ns", 0, INT64_MAX, &l->max_op_ns);
	json_in_count(in, o, "passes", &l->passes);
	in_knobs(in, o, l);
	json_in_text(in, o, "cpus", l->cpus, sizeof(l->cpus));
	in_seed(in, o, &l->seed);
	in_unsigned(in, o, "mix_version", &l->mix_version);
	json_in_text(in, o, "end", l->end, sizeof(l->end));
	json_in_text(in, o, "why", l->why, sizeof(l->why));
}

void json_in_event(struct json_in *in, const json_t *o, struct snapshot *s)
{
	if (json_in_full(in, s->nr_events, SNAPSHOT_EVENTS_MAX, "events"))
		return;
	struct snapshot_event *e = snapshot_add_event(s, 0, "", "");

	if (!e) {
		no_memory(in);
		return;
	}
	json_in_real(in, o, "t_s", &e->t_s);
	json_in_text(in, o, "kind", e->kind, sizeof(e->kind));
	json_in_text(in, o, "text", e->text, sizeof(e->text));
}

static void in_culprits(struct json_in *in, const json_t *o, struct snapshot_spike *k)
{
	json_t *list = json_in_array(in, o, "culprits"), *one;
	size_t i;

	json_array_foreach(list, i, one) {
		if (k->culprits == SPIKE_CULPRITS)
			return;
		in_int32(in, one, "pid", &k->culprit[i].pid);
		json_in_text(in, one, "comm", k->culprit[i].comm, sizeof(k->culprit[i].comm));
		json_in_int(in, one, "ns", 0, INT64_MAX, &k->culprit[i].ns);
		k->culprits++;
	}
}

static void in_words(struct json_in *in, const json_t *o, const char *key, char *out, size_t size)
{
	json_t *list = json_in_array(in, o, key), *word;
	size_t i, used = 0;

	json_array_foreach(list, i, word) {
		if (!json_is_string(word) || used + 2 >= size)
			return;
		if (used)
			out[used++] = ' ';
		text_clean(out + used, size - used, json_string_value(word),
			   json_string_length(word), (unsigned)size);
		used += strlen(out + used);
	}
}

static void in_spike(struct json_in *in, const json_t *o, struct snapshot_spike *k)
{
	*k = (struct snapshot_spike){ .cpu = -1 };
	json_in_real(in, o, "t_s", &k->t_s);
	json_in_text(in, o, "probe", k->probe, sizeof(k->probe));
	in_int32(in, o, "cpu", &k->cpu);
	json_in_int(in, o, "late_ns", 0, INT64_MAX, &k->late_ns);
	in_culprits(in, o, k);
	in_words(in, o, "loads", k->loads, sizeof(k->loads));
	json_in_bool(in, o, "steal", &k->steal);
	json_in_bool(in, o, "incomplete", &k->incomplete);
	json_in_text(in, o, "note", k->note, sizeof(k->note));
}

void json_in_spike(struct json_in *in, const json_t *o, struct snapshot *s)
{
	struct snapshot_spike k;

	in_spike(in, o, &k);
	if (!in->err && snapshot_keep_spike(s, &k))
		no_memory(in);
}

void json_in_latest(struct json_in *in, const json_t *o, struct snapshot *s)
{
	struct snapshot_spike k;

	in_spike(in, o, &k);
	if (!in->err && snapshot_keep_latest(s, &k))
		no_memory(in);
}

static void in_part(struct json_in *in, const json_t *o, struct blamed *b)
{
	struct taken t = { .ns = 0 };

	json_in_text(in, o, "comm", t.comm, sizeof(t.comm));
	json_in_int(in, o, "ns", 0, INT64_MAX, &t.ns);
	json_in_count(in, o, "spikes", &t.spikes);
	if (b->parts < BLAMED_NAMES)
		b->part[b->parts++] = t;
}

static void in_table(struct json_in *in, const json_t *o, struct snapshot *s)
{
	struct blamed b = { .ns = 0 };
	json_t *part;
	size_t i;

	json_in_text(in, o, "loads", b.loads, sizeof(b.loads));
	json_in_int(in, o, "ns", 0, INT64_MAX, &b.ns);
	json_in_count(in, o, "spikes", &b.spikes);
	json_array_foreach(json_in_array(in, o, "parts"), i, part)
		in_part(in, part, &b);
	if (!in->err && snapshot_add_blamed(s, &b))
		no_memory(in);
}

void json_in_blame(struct json_in *in, const json_t *root, struct snapshot *s)
{
	json_t *o = json_in_object(in, root, "blame"), *table;
	size_t i;

	if (!o)
		return;
	json_in_count(in, o, "read", &s->spikes_seen);
	json_in_count(in, o, "incomplete", &s->spikes_incomplete);
	json_in_count(in, o, "unread", &s->spikes_unread);
	s->nr_blamed = 0;
	json_array_foreach(json_in_array(in, o, "tables"), i, table)
		in_table(in, table, s);
}

void json_in_figure(struct json_in *in, const json_t *o, struct snapshot *s)
{
	if (json_in_full(in, s->nr_figures, SNAPSHOT_FIGURES_MAX, "figures"))
		return;
	struct snapshot_figure *f = snapshot_add_figure(s, "", "", "", "");

	if (!f) {
		no_memory(in);
		return;
	}
	f->value = NAN;
	json_in_text(in, o, "table", f->table, sizeof(f->table));
	json_in_text(in, o, "row", f->row, sizeof(f->row));
	json_in_text(in, o, "name", f->name, sizeof(f->name));
	json_in_text(in, o, "unit", f->unit, sizeof(f->unit));
	json_in_real(in, o, "value", &f->value);
	json_in_text(in, o, "text", f->text, sizeof(f->text));
}
