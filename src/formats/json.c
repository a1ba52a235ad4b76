/*
 * json.c - the snapshot file, the truth from which everything else can be
 * made again: jitterscope-snapshot(5).
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "src/format.h"
#include "src/json_in.h"
#include "src/json_out.h"
#include "src/snapshot_build.h"
#include "src/text.h"

#define FORMAT_WORD "jitterscope-snapshot"

/* ---- writing ------------------------------------------------------------- */

static void write_head(FILE *out, const struct snapshot *s)
{
	fprintf(out, "{\n  \"format\": \"%s\",\n  \"version\": %d,\n  \"program\": ", FORMAT_WORD,
		SNAPSHOT_VERSION);
	json_out_text(out, s->program);
	fputs(",\n  \"created\": ", out);
	json_out_text(out, s->created);
	fputs(",\n  \"label\": ", out);
	json_out_text(out, s->label);
	fputs(",\n  \"duration_s\": ", out);
	json_out_real(out, s->duration_s);
	fputs(",\n  \"command\": ", out);
	json_out_command(out, s);
	fputs(",\n  \"system\": ", out);
	json_out_system(out, s);
	fputs(",\n  \"tiers\": ", out);
	json_out_tiers(out, s);
	fputs(",\n  \"validity\": ", out);
	json_out_validity(out, s);
}

static int write_series(FILE *out, const struct snapshot *s)
{
	int err = 0;

	fputs(",\n  \"series\": [", out);
	for (unsigned i = 0; i < s->nr_series && !err; i++) {
		fputs(i ? ",\n    " : "\n    ", out);
		err = json_out_series(out, &s->series[i]);
	}
	putc(']', out);
	return err;
}

static void write_lists(FILE *out, const struct snapshot *s)
{
	fputs(",\n  \"loads\": [", out);
	for (unsigned i = 0; i < s->nr_loads; i++) {
		fputs(i ? ",\n    " : "\n    ", out);
		json_out_load(out, &s->loads[i]);
	}
	fputs("],\n  \"events\": [", out);
	for (unsigned i = 0; i < s->nr_events; i++) {
		fputs(i ? ",\n    " : "\n    ", out);
		json_out_event(out, &s->events[i]);
	}
	fputs("],\n  \"spikes\": [", out);
	for (unsigned i = 0; i < s->nr_spikes; i++) {
		fputs(i ? ",\n    " : "\n    ", out);
		json_out_spike(out, &s->spikes[i]);
	}
	fputs("],\n  \"figures\": [", out);
	for (unsigned i = 0; i < s->nr_figures; i++) {
		fputs(i ? ",\n    " : "\n    ", out);
		json_out_figure(out, &s->figures[i]);
	}
	putc(']', out);
}

static void write_cells(FILE *out, const struct snapshot_row *row)
{
	putc('[', out);
	for (unsigned i = 0; i < row->cells; i++)
		fprintf(out, "%s[%u,%" PRIu32 "]", i ? "," : "", row->cell[i].slot,
			row->cell[i].count);
	putc(']', out);
}

/* One number per group of rows[from..to), only where it is not 0. */
static void write_extra(FILE *out, const struct snapshot *s, unsigned from, unsigned to,
			const char *key, int64_t (*value)(const struct snapshot_row *))
{
	bool any = false;

	for (unsigned i = from; i < to; i++) {
		if (!value(&s->rows[i]))
			continue;
		if (any)
			fputs(", ", out);
		else
			fprintf(out, ", \"%s\": {", key);
		json_out_text(out, s->group_name[s->rows[i].group]);
		fprintf(out, ": %" PRId64, value(&s->rows[i]));
		any = true;
	}
	if (any)
		putc('}', out);
}

static int64_t missed_of(const struct snapshot_row *row) { return (int64_t)row->missed; }
static int64_t interrupted_of(const struct snapshot_row *row) { return (int64_t)row->interrupted; }
static int64_t max_of(const struct snapshot_row *row) { return row->max_ns; }
static int64_t flags_of(const struct snapshot_row *row) { return row->flags; }

static void write_series_of_row(FILE *out, const struct snapshot *s, unsigned from, unsigned to)
{
	fputs(", \"series\": {", out);
	for (unsigned i = from; i < to; i++) {
		if (i > from)
			fputs(", ", out);
		json_out_text(out, s->group_name[s->rows[i].group]);
		fputs(": ", out);
		write_cells(out, &s->rows[i]);
	}
	putc('}', out);
	write_extra(out, s, from, to, "max_ns", max_of);
	write_extra(out, s, from, to, "missed", missed_of);
	write_extra(out, s, from, to, "interrupted", interrupted_of);
	write_extra(out, s, from, to, "flags", flags_of);
}

static void write_loads_of_row(FILE *out, const struct snapshot *s, unsigned from, unsigned to)
{
	fputs(", \"loads\": {", out);
	for (unsigned i = from; i < to; i++) {
		if (i > from)
			fputs(", ", out);
		json_out_text(out, s->load_rows[i].name);
		fputs(": ", out);
		json_out_real(out, s->load_rows[i].rate);
	}
	putc('}', out);
}

/* Both lists are in order of time: walk them side by side. */
static void write_timeline(FILE *out, const struct snapshot *s)
{
	unsigned r = 0, l = 0;

	fputs(",\n  \"timeline\": {\"row_s\": ", out);
	json_out_real(out, s->row_s);
	fprintf(out, ", \"slots_per_octave\": %d, \"rows\": [", SLOTS_PER_OCTAVE);
	for (bool first = true; r < s->nr_rows || l < s->nr_load_rows; first = false) {
		bool rows = r < s->nr_rows && (l == s->nr_load_rows ||
					       s->rows[r].t_s <= s->load_rows[l].t_s);
		double t = rows ? s->rows[r].t_s : s->load_rows[l].t_s;
		double len = rows ? s->rows[r].len_s : s->load_rows[l].len_s;
		unsigned r0 = r, l0 = l;

		while (r < s->nr_rows && s->rows[r].t_s == t && s->rows[r].len_s == len)
			r++;
		while (l < s->nr_load_rows && s->load_rows[l].t_s == t &&
		       s->load_rows[l].len_s == len)
			l++;
		fputs(first ? "\n    {\"t_s\": " : ",\n    {\"t_s\": ", out);
		json_out_real(out, t);
		if (len != s->row_s) {
			fputs(", \"len_s\": ", out);
			json_out_real(out, len);
		}
		write_series_of_row(out, s, r0, r);
		write_loads_of_row(out, s, l0, l);
		putc('}', out);
	}
	fputs("]}", out);
}

static int json_write(FILE *out, const struct snapshot *s, struct why *why)
{
	write_head(out, s);
	if (write_series(out, s))
		return why_set(why, -ENOMEM,
			       "json: no memory for percentiles; stop a load and try again");
	write_lists(out, s);
	write_timeline(out, s);
	fputs(",\n  \"self\": ", out);
	json_out_self(out, s);
	if (s->source[0] && strcmp(s->source, "json")) {
		fputs(",\n  \"source\": ", out);
		json_out_text(out, s->source);
	}
	if (s->note[0]) {
		fputs(",\n  \"note\": ", out);
		json_out_text(out, s->note);
	}
	fputs("\n}\n", out);
	return 0;
}

/* ---- reading ------------------------------------------------------------- */

static int json_sniff(const char *bytes, size_t n, const char *name)
{
	size_t i = 0;

	(void)name;
	while (i < n && strchr(" \t\r\n", bytes[i]) && bytes[i])
		i++;
	if (i == n || bytes[i] != '{')
		return 0;
	return memmem(bytes, n, "\"" FORMAT_WORD "\"", sizeof(FORMAT_WORD) + 1) ? 100 : 10;
}

static void read_cells(struct json_in *in, const json_t *list, struct snapshot_row *row)
{
	const json_t *cell;
	size_t i;

	json_array_foreach(list, i, cell) {
		json_t *slot = json_array_get(cell, 0), *count = json_array_get(cell, 1);

		if (!json_is_integer(slot) || !json_is_integer(count) ||
		    json_integer_value(slot) < 0 || json_integer_value(slot) >= SLOTS ||
		    json_integer_value(count) < 1 || json_integer_value(count) > UINT32_MAX) {
			json_in_refuse(in, -EINVAL, "timeline: not a list of [slot, count]; "
				       "the file is damaged");
			return;
		}
		if (snapshot_add_cell(row, (unsigned)json_integer_value(slot),
				      (uint32_t)json_integer_value(count)))
			json_in_refuse(in, -ENOMEM, "no memory to read it; use a smaller file");
	}
}

static void read_row_series(struct json_in *in, json_t *o, struct snapshot *s, double t_s,
			    double len_s)
{
	json_t *list, *series = json_in_object(in, o, "series");
	const char *name;

	json_object_foreach(series, name, list) {
		struct snapshot_row *row = snapshot_add_row(s, name);
		int64_t flags = 0;

		if (!row || !json_is_array(list)) {
			json_in_refuse(in, row ? -EINVAL : -ENOMEM,
				       "timeline: a row cannot be read");
			return;
		}
		row->t_s = t_s;
		row->len_s = len_s;
		read_cells(in, list, row);
		json_in_count(in, json_in_object(in, o, "missed"), name, &row->missed);
		json_in_count(in, json_in_object(in, o, "interrupted"), name, &row->interrupted);
		json_in_int(in, json_in_object(in, o, "max_ns"), name, 0, INT64_MAX, &row->max_ns);
		json_in_int(in, json_in_object(in, o, "flags"), name, 0, INT32_MAX, &flags);
		row->flags = (unsigned)flags;
		if (in->err)
			return;
	}
}

static void read_row_loads(struct json_in *in, json_t *o, struct snapshot *s, double t_s,
			   double len_s)
{
	json_t *rate, *rates = json_in_object(in, o, "loads");
	const char *name;

	json_object_foreach(rates, name, rate) {
		struct snapshot_load_row *row = snapshot_add_load_row(s);

		if (!row) {
			json_in_refuse(in, -ENOMEM, "no memory to read it; use a smaller file");
			return;
		}
		row->t_s = t_s;
		row->len_s = len_s;
		row->rate = json_number_value(rate);
		text_clean(row->name, sizeof(row->name), name, strlen(name), 23);
	}
}

static void read_timeline(struct json_in *in, const json_t *root, struct snapshot *s)
{
	json_t *timeline = json_in_object(in, root, "timeline"), *o;
	int64_t slots = SLOTS_PER_OCTAVE;
	size_t i;

	if (!timeline)
		return;
	json_in_real(in, timeline, "row_s", &s->row_s);
	json_in_int(in, timeline, "slots_per_octave", SLOTS_PER_OCTAVE, SLOTS_PER_OCTAVE, &slots);
	json_array_foreach(json_in_array(in, timeline, "rows"), i, o) {
		double t_s = 0, len_s = s->row_s;

		json_in_real(in, o, "t_s", &t_s);
		json_in_real(in, o, "len_s", &len_s);
		read_row_series(in, o, s, t_s, len_s);
		read_row_loads(in, o, s, t_s, len_s);
		if (in->err)
			return;
	}
	snapshot_sort_rows(s);
}

static void read_lists(struct json_in *in, const json_t *root, struct snapshot *s)
{
	json_t *o;
	size_t i;

	json_array_foreach(json_in_array(in, root, "series"), i, o) {
		json_in_series(in, o, s);
		if (in->err)
			return;
	}
	json_array_foreach(json_in_array(in, root, "loads"), i, o) {
		struct snapshot_load *l = snapshot_add_load(s, "");

		if (!l)
			json_in_refuse(in, -ENOMEM, "no memory to read it; use a smaller file");
		else
			json_in_load(in, o, l);
		if (in->err)
			return;
	}
	json_array_foreach(json_in_array(in, root, "events"), i, o)
		json_in_event(in, o, s);
	json_array_foreach(json_in_array(in, root, "spikes"), i, o)
		json_in_spike(in, o, s);
	json_array_foreach(json_in_array(in, root, "figures"), i, o)
		json_in_figure(in, o, s);
}

static int json_read(const char *bytes, size_t n, const char *name, struct snapshot *s,
		     struct why *why)
{
	struct json_in in = { .name = name, .why = why };
	json_t *root = json_in_parse(&in, bytes, n);

	if (!root)
		return in.err;
	json_in_version(&in, root, FORMAT_WORD, SNAPSHOT_VERSION);
	json_in_head(&in, root, s);
	if (!in.err)
		read_lists(&in, root, s);
	if (!in.err)
		read_timeline(&in, root, s);
	json_in_text(&in, root, "note", s->note, sizeof(s->note));
	json_in_text(&in, root, "source", s->source, sizeof(s->source));
	json_decref(root);
	return in.err;
}

const struct format format_json = {
	.name = "json",
	.suffix = ".json",
	.summary = "the snapshot: everything, to be read again",
	.write = json_write,
	.sniff = json_sniff,
	.read = json_read,
};
