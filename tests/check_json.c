/* check_json.c - the snapshot file: what is written comes back, what does not
 * add up is refused. */
#include <check.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/format.h"
#include "src/snapshot_build.h"
#include "src/snapshot_write.h"
#include "tests/fake_snapshot.h"
#include "tests/skip.h"

extern const struct format format_json;

static json_t *written(const struct snapshot *s)
{
	size_t n;
	char *bytes = fake_write(&format_json, s, &n);
	json_error_t error;
	json_t *root = json_loadb(bytes, n, JSON_REJECT_DUPLICATES, &error);

	ck_assert_msg(root != NULL, "line %d: %s", error.line, error.text);
	free(bytes);
	return root;
}

/* Reads what root says; NULL with why. */
static struct snapshot *read_back(const json_t *root, struct why *why)
{
	char *text = json_dumps(root, 0);
	struct snapshot *s = fake_read(&format_json, text, strlen(text), why);

	free(text);
	if (s && snapshot_check(s, why)) {
		snapshot_free(s);
		return NULL;
	}
	return s;
}

START_TEST(the_contract_fields_are_there)
{
	static const char *const top[] = { "format", "version", "program", "created", "label",
		"duration_s", "command", "system", "tiers", "validity", "series", "loads", "events",
		"timeline", "spikes", "self" };
	static const char *const series[] = { "probe", "cpu", "policy", "priority", "interval_ns",
		"due", "count", "missed", "interrupted", "early", "over", "unplaced", "errors",
		"in_flight_ns", "min_ns", "mean_ns", "max_ns", "percentiles_ns",
		"corrected_percentiles_ns", "histogram" };
	static const char *const loads_of[] = { "name", "workers", "start_s", "stop_s", "done", "unit",
		"rate", "rate_unit", "cpu_pct", "max_op_ns", "passes", "knobs", "cpus", "seed",
		"mix_version", "end", "why" };
	struct snapshot *s = fake_snapshot(1);
	json_t *root = written(s);

	for (size_t i = 0; i < sizeof(top) / sizeof(top[0]); i++)
		ck_assert_msg(json_object_get(root, top[i]) != NULL, "%s", top[i]);
	for (size_t i = 0; i < sizeof(series) / sizeof(series[0]); i++)
		ck_assert_msg(json_object_get(json_array_get(json_object_get(root, "series"), 0),
					      series[i]) != NULL, "%s", series[i]);
	for (size_t i = 0; i < sizeof(loads_of) / sizeof(loads_of[0]); i++)
		ck_assert_msg(json_object_get(json_array_get(json_object_get(root, "loads"), 0),
					      loads_of[i]) != NULL, "%s", loads_of[i]);
	ck_assert_str_eq(json_string_value(json_object_get(root, "format")), "jitterscope-snapshot");
	ck_assert_int_eq(json_integer_value(json_object_get(root, "version")), 1);
	json_decref(root);
	snapshot_free(s);
}
END_TEST

START_TEST(own_cost_that_was_not_measured_is_null)
{
	static const char *const of_a_second[] = { "cpu_pct", "sampler_cpu_pct", "helper_cpu_pct",
						   "switches_per_s", "bytes_per_s_to_terminal" };
	const struct model_spec spec = { .digits = 3, .start_ns = 1 };
	struct model *m = model_new(&spec);

	for (int measured = 0; measured < 2; measured++) {
		struct why why = { 0 };

		m->self.measured = measured;
		struct snapshot *s = snapshot_take(m, NULL, &why);
		json_t *root = written(s), *self = json_object_get(root, "self");

		for (size_t i = 0; i < sizeof(of_a_second) / sizeof(of_a_second[0]); i++)
			ck_assert_int_eq(json_is_null(json_object_get(self, of_a_second[i])),
					 !measured);
		json_decref(root);
		snapshot_free(s);
	}
	model_free(m);
}
END_TEST

/* What was later than the deadline is in each series, and the deadline comes back. */
START_TEST(a_deadline_is_kept_with_what_was_late)
{
	static const int64_t ns[] = { 1000, 300000, 300000, 301000, 5000000 };
	struct why why = { 0 };

	for (int with = 0; with < 2; with++) {
		struct snapshot *s = snapshot_new();

		fake_series(s, "one", 0, ns, 5);
		fake_series(s, "one", 1, ns, 2);
		s->deadline_ns = with ? 300031 : 0;	/* the end of the slot of 300 us */
		json_t *root = written(s), *series = json_object_get(root, "series");
		json_t *first = json_object_get(json_array_get(series, 0), "late");
		json_t *second = json_object_get(json_array_get(series, 1), "late");

		ck_assert_int_eq(!!json_object_get(root, "deadline_ns"), with);
		ck_assert_int_eq(!!first, with);
		ck_assert_int_eq(json_integer_value(first), with ? 2 : 0);
		ck_assert_int_eq(json_integer_value(second), 0);
		size_t n;
		char *text = fake_write(&format_json, s, &n);
		struct snapshot *again = fake_read(&format_json, text, n, &why);

		ck_assert_int_eq(again->deadline_ns, s->deadline_ns);
		free(text);
		json_decref(root);
		snapshot_free(again);
		snapshot_free(s);
	}
}
END_TEST

START_TEST(all_of_it_comes_back)
{
	struct snapshot *a = fake_snapshot(2);
	struct why why = { 0 };
	size_t n, m;
	char *text = fake_write(&format_json, a, &n);
	struct snapshot *b = fake_read(&format_json, text, n, &why);

	ck_assert_msg(b != NULL, "%s", why.text);
	ck_assert_int_eq(snapshot_check(b, &why), 0);
	fake_same_series(a, b);
	ck_assert_str_eq(b->loads[0].cpus, "0,2-3");
	ck_assert_str_eq(b->loads[1].cpus, "");
	ck_assert(!memcmp(&a->system.isolated, &b->system.isolated, sizeof(a->system.isolated)));
	char *again = fake_write(&format_json, b, &m);

	ck_assert_uint_eq(n, m);
	ck_assert_int_eq(memcmp(text, again, n), 0);
	free(text);
	free(again);
	snapshot_free(a);
	snapshot_free(b);
}
END_TEST

/* F47: valid at every size, from zero up. */
START_TEST(f47_nothing_at_all_is_valid_too)
{
	struct snapshot *a = snapshot_new(), *b;
	struct why why = { 0 };
	json_t *root = written(a);

	b = read_back(root, &why);
	ck_assert_msg(b != NULL, "%s", why.text);
	ck_assert_uint_eq(b->nr_series, 0);
	json_decref(root);
	snapshot_free(b);
	snapshot_add_series(a, "stall", -1);	/* a series without one sample */
	snapshot_add_load(a, "");
	snapshot_add_figure(a, "", "", "", "")->value = NAN;
	root = written(a);
	b = read_back(root, &why);
	ck_assert_msg(b != NULL, "%s", why.text);
	ck_assert(isnan(b->figures[0].value));
	json_decref(root);
	snapshot_free(a);
	snapshot_free(b);
}
END_TEST

START_TEST(hostile_text_is_escaped_and_cleaned)
{
	struct snapshot *a = snapshot_new();
	struct why why = { 0 };

	snprintf(a->label, sizeof(a->label), "q\"b\\ \x1b]52;c;x\x07 \xff \xe2\x80\xae<&>\n\t\x7f");
	json_t *root = written(a);
	struct snapshot *b = read_back(root, &why);

	ck_assert_msg(b != NULL, "%s", why.text);
	ck_assert_str_eq(b->label, "q\"b\\ ?]52;c;x? ? ?<&>???");
	json_decref(root);
	snapshot_free(a);
	snapshot_free(b);
}
END_TEST

START_TEST(percentiles_are_those_of_the_histogram)
{
	struct snapshot *s = snapshot_new();
	int64_t ns[1000];

	for (int i = 0; i < 1000; i++)
		ns[i] = (i + 1) * 1000;
	fake_series(s, "stall", 0, ns, 1000);
	json_t *root = written(s);
	json_t *one = json_array_get(json_object_get(root, "series"), 0);
	json_t *p = json_object_get(one, "percentiles_ns");
	struct hist *h = snapshot_hist(s, "stall");

	ck_assert_int_eq(json_integer_value(json_object_get(p, "50")), hist_percentile(h, 50));
	ck_assert_int_eq(json_integer_value(json_object_get(p, "99")), hist_percentile(h, 99));
	ck_assert(json_is_null(json_object_get(p, "99.9")));	/* 1000 do not carry it */
	ck_assert(json_is_null(json_object_get(json_object_get(one, "corrected_percentiles_ns"),
					       "99.99")));
	ck_assert_int_eq(json_integer_value(json_object_get(one, "max_ns")), 1000000);
	hist_free(h);
	json_decref(root);
	snapshot_free(s);
}
END_TEST

/* ---- what must be refused -------------------------------------------------- */

typedef void damage(json_t *root);

static json_t *first_series(json_t *root)
{
	return json_array_get(json_object_get(root, "series"), 0);
}

static json_t *first_row(json_t *root)
{
	return json_array_get(json_object_get(json_object_get(root, "timeline"), "rows"), 0);
}

static void set(json_t *o, const char *key, json_t *v)
{
	ck_assert_int_eq(json_object_set_new(o, key, v), 0);
}

static void newer(json_t *r) { set(r, "version", json_integer(2)); }
static void no_version(json_t *r) { json_object_del(r, "version"); }
static void other_format(json_t *r) { set(r, "format", json_string("other")); }
static void count_up(json_t *r) { set(first_series(r), "count", json_integer(6001)); }
static void due_up(json_t *r) { set(first_series(r), "due", json_integer(6005)); }
static void negative(json_t *r) { set(first_series(r), "missed", json_integer(-1)); }
static void fraction(json_t *r) { set(first_series(r), "due", json_real(6004.5)); }
static void as_text(json_t *r) { set(first_series(r), "due", json_string("6004")); }
static void huge(json_t *r) { set(first_series(r), "due", json_integer(INT64_C(1) << 53)); }
static void cpu_high(json_t *r) { set(first_series(r), "cpu", json_integer(4096)); }
static void cpu_low(json_t *r) { set(first_series(r), "cpu", json_integer(-2)); }
static void cpu_int(json_t *r) { set(first_series(r), "cpu", json_integer(INT64_C(1) << 31)); }
static void no_probe(json_t *r) { json_object_del(first_series(r), "probe"); }
static void series_word(json_t *r) { set(r, "series", json_string("x")); }
static void min_over_max(json_t *r) { set(first_series(r), "min_ns", json_integer(INT64_MAX)); }
static void endless(json_t *r) { set(r, "duration_s", json_real(1e300)); }
static void early_over(json_t *r) { set(first_series(r), "early", json_integer(6001)); }

static json_t *first_pair(json_t *root)
{
	return json_array_get(json_object_get(first_series(root), "histogram"), 0);
}

static void pair_falls(json_t *r) { json_array_set_new(first_pair(r), 0, json_integer(INT64_C(1) << 41)); }
static void pair_high(json_t *r) { json_array_set_new(first_pair(r), 0, json_integer(INT64_MAX)); }
static void pair_below(json_t *r) { json_array_set_new(first_pair(r), 0, json_integer(-1)); }
static void pair_zero(json_t *r) { json_array_set_new(first_pair(r), 1, json_integer(0)); }
static void pair_long(json_t *r) { json_array_append_new(first_pair(r), json_integer(0)); }

static json_t *first_cells(json_t *root)
{
	return json_object_get(json_object_get(first_row(root), "series"), "wakeup-fifo");
}

static void slot_high(json_t *r) { json_array_set_new(json_array_get(first_cells(r), 0), 0, json_integer(320)); }
static void slot_twice(json_t *r) { json_array_append(first_cells(r), json_array_get(first_cells(r), 0)); }
static void row_when(json_t *r) { set(first_row(r), "t_s", json_real(-1e300)); }
static void row_short(json_t *r) { set(first_row(r), "len_s", json_real(0)); }
static void octave(json_t *r) { set(json_object_get(r, "timeline"), "slots_per_octave", json_integer(7)); }
static void spike_cpu(json_t *r) { set(json_array_get(json_object_get(r, "spikes"), 0), "cpu", json_integer(5000)); }

static const struct { const char *name; damage *damage; int err; } damages[] = {
	{ "newer", newer, -ENOTSUP }, { "no version", no_version, -EINVAL },
	{ "other format", other_format, -EINVAL }, { "count up", count_up, -EINVAL },
	{ "due up", due_up, -EINVAL }, { "negative", negative, -EINVAL }, { "fraction", fraction, -EINVAL },
	{ "text", as_text, -EINVAL }, { "huge", huge, -EINVAL }, { "cpu high", cpu_high, -EINVAL },
	{ "cpu low", cpu_low, -EINVAL }, { "cpu 2^31", cpu_int, -EINVAL }, { "no probe", no_probe, -EINVAL },
	{ "series is a word", series_word, -EINVAL }, { "min over max", min_over_max, -EINVAL },
	{ "endless", endless, -EINVAL }, { "early over count", early_over, -EINVAL },
	{ "pair falls", pair_falls, -EINVAL }, { "pair high", pair_high, -EINVAL },
	{ "pair below", pair_below, -EINVAL }, { "pair zero", pair_zero, -EINVAL },
	{ "pair long", pair_long, -EINVAL }, { "slot high", slot_high, -EINVAL },
	{ "slot twice", slot_twice, -EINVAL }, { "row when", row_when, -EINVAL },
	{ "row short", row_short, -EINVAL }, { "octave", octave, -EINVAL }, { "spike cpu", spike_cpu, -EINVAL },
};

/* F45: numbers of a file are judged before they index. */
START_TEST(f45_what_does_not_add_up_is_refused)
{
	struct snapshot *a = fake_snapshot(3);
	json_t *root = written(a);
	struct why why = { 0 };

	damages[_i].damage(root);
	struct snapshot *b = read_back(root, &why);

	ck_assert_msg(b == NULL, "%s was accepted", damages[_i].name);
	ck_assert_int_eq(why.err, damages[_i].err);
	ck_assert_msg(strstr(why.text, "; ") != NULL, "no remedy: %s", why.text);
	json_decref(root);
	snapshot_free(a);
}
END_TEST

/* A member by its path ("loads/0/seed"), and what it says instead. */
static const struct { const char *path, *value; } lies[] = {
	{ "duration_s", "\"x\"" }, { "duration_s", "5e-324" }, { "duration_s", "-1.0" },
	{ "timeline/rows/0/len_s", "1e-300" }, { "label", "5" }, { "tiers/locked", "1" }, { "command/0", "5" },
	{ "system/cpus_isolated", "5" }, { "system/cpus_isolated", "\"3-1\"" },
	{ "series/0/counters", "{\"a\": \"x\"}" }, { "series/0/counters", "{\"a\": -1}" },
	{ "series/0/counters", "5" }, { "series/0/mean_ns", "1e300" }, { "series/0/mean_ns", "-1" },
	{ "series/0/missed", "9007199254740991" }, { "series/0/histogram", "[5]" },
	{ "loads", "5" }, { "loads/0", "5" }, { "loads/0/knobs", "{\"a\": 1}" }, { "loads/0/knobs", "[]" },
	{ "loads/0/cpus", "3" }, { "loads/0/seed", "-5" }, { "loads/0/seed", "\"x\"" },
	{ "loads/0/seed", "\"99999999999999999999\"" }, { "loads/0/seed", "\"12x\"" },
	{ "loads/0/start_s", "1e300" }, { "loads/0/max_op_ns", "-1" }, { "loads/0/workers", "-1" },
	{ "events/0", "5" }, { "events/0/t_s", "1e300" }, { "spikes/0/late_ns", "-1" },
	{ "spikes/0/culprits", "5" }, { "spikes/0/t_s", "1e300" }, { "timeline", "5" },
	{ "timeline/rows/0/loads", "5" }, { "timeline/rows/0/missed", "{\"wakeup-fifo\": -1}" },
	{ "blame", "{\"tables\": [{\"loads\": \"all\", \"ns\": 5, \"spikes\": 1, \"parts\": []}]}" },
	{ "blame", "{\"tables\": [{\"loads\": \"all\", \"ns\": -5, \"spikes\": 1, "
		   "\"parts\": [{\"comm\": \"a\", \"ns\": -5, \"spikes\": 1}]}]}" },
};

static json_t *step_into(json_t *o, const char *name)
{
	return json_is_array(o) ? json_array_get(o, (size_t)atoi(name)) : json_object_get(o, name);
}

static void replace(json_t *o, const char *path, json_t *value)
{
	char part[40];

	for (const char *slash; (slash = strchr(path, '/')); path = slash + 1) {
		snprintf(part, sizeof(part), "%.*s", (int)(slash - path), path);
		o = step_into(o, part);
		ck_assert_msg(o != NULL, "no %s", part);
	}
	ck_assert_int_eq(json_is_array(o) ? json_array_set_new(o, (size_t)atoi(path), value)
					  : json_object_set_new(o, path, value), 0);
}

START_TEST(a_value_of_the_wrong_kind_or_size_is_refused)
{
	struct snapshot *a = fake_snapshot(3);
	json_t *root = written(a);
	struct why why = { 0 };

	replace(root, lies[_i].path, json_loads(lies[_i].value, JSON_DECODE_ANY, NULL));
	struct snapshot *b = read_back(root, &why);

	ck_assert_msg(b == NULL, "%s: %s was accepted", lies[_i].path, lies[_i].value);
	ck_assert_int_eq(why.err, -EINVAL);
	ck_assert_msg(strstr(why.text, "; ") != NULL, "no remedy: %s", why.text);
	json_decref(root);
	snapshot_free(a);
}
END_TEST

START_TEST(counters_and_large_seeds_come_back)
{
	struct snapshot *a = fake_snapshot(3);
	struct why why = { 0 };

	a->loads[0].seed = UINT64_MAX;
	a->loads[1].seed = INT64_MAX;
	a->series[0].counters = 2;
	a->series[0].counter[0] = (struct snapshot_counter){ .name = "skips", .value = 7 };
	a->series[0].counter[1] = (struct snapshot_counter){ .name = "CPU_got_ns", .value = INT64_MAX };
	json_t *root = written(a);
	struct snapshot *b = read_back(root, &why);

	ck_assert_msg(b != NULL, "%s", why.text);
	ck_assert(b->loads[0].seed == UINT64_MAX && b->loads[1].seed == INT64_MAX);
	ck_assert_uint_eq(b->series[0].counters, 2);
	for (int i = 0; i < 2; i++) {
		ck_assert_str_eq(b->series[0].counter[i].name, a->series[0].counter[i].name);
		ck_assert_int_eq(b->series[0].counter[i].value, a->series[0].counter[i].value);
	}
	json_decref(root);
	snapshot_free(a);
	snapshot_free(b);
}
END_TEST

START_TEST(any_order_and_unknown_members_are_fine)
{
	struct snapshot *a = fake_snapshot(4), *b;
	struct why why = { 0 };
	json_t *root = written(a);

	set(root, "colour", json_string("blue"));
	set(first_series(root), "mood", json_real(1.5));
	char *sorted = json_dumps(root, JSON_SORT_KEYS);

	b = fake_read(&format_json, sorted, strlen(sorted), &why);
	ck_assert_msg(b != NULL, "%s", why.text);
	fake_same_series(a, b);
	free(sorted);
	json_decref(root);
	snapshot_free(a);
	snapshot_free(b);
}
END_TEST

static const char *const garbage[] = {
	"", "{", "[]", "null", "{\"format\": \"jitterscope-snapshot\"", "{\"a\":1,\"a\":2}",
	"{\"format\": \"jitterscope-snapshot\", \"version\": 1} x", "\"jitterscope-snapshot\"",
	"{\"format\": \"jitterscope-snapshot\", \"version\": 1, \"duration_s\": NaN}",
};

START_TEST(garbage_is_refused_in_one_line)
{
	struct why why = { 0 };

	ck_assert_ptr_null(fake_read(&format_json, garbage[_i], strlen(garbage[_i]), &why));
	ck_assert_int_lt(why.err, 0);
	ck_assert_ptr_null(strchr(why.text, '\n'));
	ck_assert(strncmp(why.text, "FILE:", 5) == 0);
}
END_TEST

/* Tables are looked through again and again. */
START_TEST(more_figures_than_a_table_may_have_are_refused)
{
	struct snapshot *s = fake_snapshot(1);
	struct why why = { 0 };

	while (s->nr_figures < SNAPSHOT_FIGURES_MAX)
		ck_assert_ptr_nonnull(snapshot_add_figure(s, "t", "r", "n", ""));
	ck_assert_int_eq(snapshot_check(s, &why), 0);
	ck_assert_ptr_nonnull(snapshot_add_figure(s, "t", "r", "n", ""));
	ck_assert_int_eq(snapshot_check(s, &why), -E2BIG);
	ck_assert_ptr_nonnull(strstr(why.text, "20001 figures"));
	snapshot_free(s);
}
END_TEST

/* So are probes, and groups of a timeline. */
START_TEST(more_probes_than_a_file_may_have_are_refused)
{
	struct snapshot *s = snapshot_new();
	struct why why = { 0 };
	char name[40];

	for (unsigned i = 0; i < SNAPSHOT_PROBES_MAX; i++) {
		snprintf(name, sizeof(name), "p%u", i);
		ck_assert_ptr_nonnull(snapshot_add_series(s, name, -1));
		ck_assert_ptr_nonnull(snapshot_add_series(s, name, 0));
	}
	ck_assert_int_eq(snapshot_check(s, &why), 0);
	ck_assert_ptr_nonnull(snapshot_add_series(s, "one more", -1));
	ck_assert_int_eq(snapshot_check(s, &why), -E2BIG);
	ck_assert_ptr_nonnull(strstr(why.text, "more than 256 probes"));
	snapshot_free(s);
}
END_TEST

START_TEST(more_loads_than_a_file_may_have_are_refused)
{
	struct snapshot *s = snapshot_new();
	const struct snapshot_load *last[SNAPSHOT_LOADS_MAX];
	struct why why = { 0 };
	char name[24];

	for (unsigned i = 0; i < 2 * SNAPSHOT_LOADS_MAX; i++) {
		snprintf(name, sizeof(name), "l%u", i % SNAPSHOT_LOADS_MAX);
		ck_assert_ptr_nonnull(snapshot_add_load(s, name));
	}
	ck_assert_int_eq(snapshot_check(s, &why), 0);
	ck_assert_uint_eq(snapshot_loads(s, last), SNAPSHOT_LOADS_MAX);
	ck_assert_ptr_eq(last[3], &s->loads[SNAPSHOT_LOADS_MAX + 3]);
	ck_assert_ptr_nonnull(snapshot_add_load(s, "one more"));
	ck_assert_int_eq(snapshot_check(s, &why), -E2BIG);
	ck_assert_ptr_nonnull(strstr(why.text, "more than 256 loads"));
	snapshot_free(s);
}
END_TEST

START_TEST(a_timeline_finds_its_groups_by_the_names_it_keeps)
{
	struct snapshot *s = snapshot_new();
	const char *odd = "\033[31m a name that is longer than what is kept of it";
	char name[40];

	for (unsigned i = 0; i < 3; i++)
		ck_assert_ptr_nonnull(snapshot_add_row(s, odd));
	ck_assert_uint_eq(s->nr_groups, 1);
	for (unsigned i = 1; i < SNAPSHOT_PROBES_MAX; i++) {
		snprintf(name, sizeof(name), "p%u", i);
		ck_assert_ptr_nonnull(snapshot_add_row(s, name));
	}
	ck_assert_ptr_null(snapshot_add_row(s, "one more"));
	ck_assert_ptr_nonnull(snapshot_add_row(s, "p7"));
	snapshot_free(s);
}
END_TEST

/* A list that is longer than any of ours, of members that say nothing. */
START_TEST(p12_lists_too_long_are_refused)
{
	static const struct { const char *list, *one; int most; } list[] = {
		{ "series", "{\"probe\":\"a\"}", SNAPSHOT_SERIES_MAX },
		{ "loads", "{}", SNAPSHOT_RUNS_MAX },
		{ "events", "{}", SNAPSHOT_EVENTS_MAX },
		{ "validity", "{}", SNAPSHOT_BADGES_MAX },
		{ "command", "\"\"", SNAPSHOT_WORDS_MAX },
		{ "figures", "{}", SNAPSHOT_FIGURES_MAX },
	};

	for (int more = 0; more < 2; more++) {
		struct why why = { 0 };
		char *text = NULL;
		size_t n = 0;
		FILE *out = open_memstream(&text, &n);

		fprintf(out, "{\"format\":\"jitterscope-snapshot\",\"version\":1,\"%s\":[", list[_i].list);
		for (int i = 0; i < list[_i].most + more; i++)
			fprintf(out, "%s%s", i ? "," : "", list[_i].one);
		fputs("]}", out);
		fclose(out);
		struct snapshot *s = fake_read(&format_json, text, n, &why);

		if (more) {
			ck_assert_msg(!s, "%d more %s are read", more, list[_i].list);
			ck_assert_int_eq(why.err, -E2BIG);
			ck_assert_ptr_nonnull(strstr(why.text, "; "));
		} else {
			ck_assert_msg(s != NULL, "%s", why.text);
		}
		snapshot_free(s);
		free(text);
	}
}
END_TEST

START_TEST(deep_nesting_is_refused_before_parsing)
{
	struct why why = { 0 };
	char deep[4000];

	memset(deep, '[', sizeof(deep));
	memcpy(deep, "{\"x\":", 5);
	ck_assert_ptr_null(fake_read(&format_json, deep, sizeof(deep), &why));
	ck_assert_ptr_nonnull(strstr(why.text, "nested"));
}
END_TEST

/* { } is three bytes in a file and half a kilobyte in memory. */
START_TEST(lists_of_spikes_longer_than_ours_are_cut)
{
	static const int n = 4 * MODEL_LATEST + 1;
	struct snapshot *s = fake_snapshot(1);
	json_t *root = written(s), *list = json_array();
	struct why why = { 0, "" };

	for (int i = 0; i < n; i++)
		json_array_append_new(list, json_pack("{s:f,s:i}", "t_s", i * 1e-3, "late_ns",
						      i * 7919 % n));
	json_object_set(root, "spikes", list);
	json_object_set_new(root, "latest_spikes", list);
	snapshot_free(s);
	s = read_back(root, &why);
	ck_assert_msg(s != NULL, "%s", why.text);
	ck_assert_uint_eq(s->nr_spikes, MODEL_SPIKES);
	for (int i = 0; i < MODEL_SPIKES; i++)
		ck_assert_int_eq(s->spikes[i].late_ns, n - 1 - i);
	ck_assert_uint_eq(s->nr_latest, MODEL_LATEST);
	for (int i = 0; i < MODEL_LATEST; i++)
		ck_assert_int_eq(s->latest[i].late_ns, (n - MODEL_LATEST + i) * 7919 % n);
	snapshot_free(s);
	json_decref(root);
}
END_TEST

/* A short file of every kind of part, for the loop over all its bytes. */
static struct snapshot *small(void)
{
	struct snapshot *s = snapshot_new(), *big = fake_snapshot(5);
	static const int64_t ns[] = { 5, 1000, 99999, 5000000 };

	fake_series(s, "stall", 0, ns, 4);
	s->duration_s = 2;
	s->row_s = 1;
	struct snapshot_row *row = snapshot_add_row(s, "stall");

	row->len_s = 1;
	snapshot_add_cell(row, 40, 3);
	*snapshot_add_spike(s) = big->spikes[0];
	*snapshot_add_load(s, "x") = big->loads[0];
	*snapshot_add_load_row(s) = big->load_rows[0];
	snapshot_add_event(s, 1, "mark", "m");
	snapshot_add_badge(s, "vm", "info", "kvm");
	snapshot_free(big);
	return s;
}

/* P12: whatever one byte becomes, the reader answers; what it lets pass adds up.
 * Quick: all values of every 64th byte, every 19th of the others.  JS_LONG=1: all. */
START_TEST(p12_every_change_of_one_byte_is_survived)
{
	struct snapshot *a = small();
	size_t n, accepted = 0, tried = 0;
	char *text = fake_write(&format_json, a, &n);
	bool full = getenv("JS_LONG");

	for (size_t i = (size_t)_i; i < n; i += 8) {
		int step = full || i / 8 % 8 == 0 ? 1 : 19;

		for (int c = (int)i % step; c < 256; c += step) {
			char was = text[i];
			struct why why = { 0 };

			text[i] = (char)c;
			struct snapshot *b = fake_read(&format_json, text, n, &why);

			text[i] = was;
			tried++;
			if (b && snapshot_check(b, &why) == 0)
				accepted++;
			snapshot_free(b);
		}
	}
	ck_assert_uint_gt(tried, 0);
	ck_assert_uint_lt(accepted, tried);
	free(text);
	snapshot_free(a);
}
END_TEST

START_TEST(every_shorter_file_is_refused)
{
	struct snapshot *a = small();
	size_t n;
	char *text = fake_write(&format_json, a, &n);

	for (size_t i = 0; i + 2 < n; i++) {
		struct why why = { 0 };

		ck_assert_ptr_null(fake_read(&format_json, text, i, &why));
	}
	free(text);
	snapshot_free(a);
}
END_TEST

/* A locale whose decimal sign is a comma changes nothing. */
START_TEST(a_comma_locale_writes_the_same_bytes)
{
	struct snapshot *s = fake_snapshot(6);
	size_t n, m;
	char *a = fake_write(&format_json, s, &n);

#ifdef JS_ASAN
	bool made = false;	/* setlocale() with LOCPATH leaks */
#else
	bool made = fake_comma_locale();
#endif

	if (!made) {
		SKIP("no locale de_DE here");
	} else {
		char *b = fake_write(&format_json, s, &m);
		char comma[16];

		snprintf(comma, sizeof(comma), "%.1f", 1.5);
		ck_assert_str_eq(comma, "1,5");
		ck_assert_uint_eq(n, m);
		ck_assert_int_eq(memcmp(a, b, n), 0);
		free(b);
	}
	free(a);
	snapshot_free(s);
}
END_TEST

Suite *json_suite(void);

Suite *json_suite(void)
{
	Suite *s = suite_create("json");
	TCase *tc = tcase_create("json");

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, the_contract_fields_are_there);
	tcase_add_test(tc, a_deadline_is_kept_with_what_was_late);
	tcase_add_test(tc, own_cost_that_was_not_measured_is_null);
	tcase_add_test(tc, all_of_it_comes_back);
	tcase_add_test(tc, f47_nothing_at_all_is_valid_too);
	tcase_add_test(tc, hostile_text_is_escaped_and_cleaned);
	tcase_add_test(tc, percentiles_are_those_of_the_histogram);
	tcase_add_loop_test(tc, f45_what_does_not_add_up_is_refused, 0,
			    (int)(sizeof(damages) / sizeof(damages[0])));
	tcase_add_loop_test(tc, a_value_of_the_wrong_kind_or_size_is_refused, 0,
			    (int)(sizeof(lies) / sizeof(lies[0])));
	tcase_add_test(tc, counters_and_large_seeds_come_back);
	tcase_add_test(tc, any_order_and_unknown_members_are_fine);
	tcase_add_loop_test(tc, garbage_is_refused_in_one_line, 0,
			    (int)(sizeof(garbage) / sizeof(garbage[0])));
	tcase_add_test(tc, more_figures_than_a_table_may_have_are_refused);
	tcase_add_test(tc, more_probes_than_a_file_may_have_are_refused);
	tcase_add_test(tc, more_loads_than_a_file_may_have_are_refused);
	tcase_add_test(tc, a_timeline_finds_its_groups_by_the_names_it_keeps);
	tcase_add_loop_test(tc, p12_lists_too_long_are_refused, 0, 6);
	tcase_add_test(tc, deep_nesting_is_refused_before_parsing);
	tcase_add_test(tc, lists_of_spikes_longer_than_ours_are_cut);
	tcase_add_loop_test(tc, p12_every_change_of_one_byte_is_survived, 0, 8);
	tcase_add_test(tc, every_shorter_file_is_refused);
	tcase_add_test(tc, a_comma_locale_writes_the_same_bytes);
	suite_add_tcase(s, tc);
	return s;
}
