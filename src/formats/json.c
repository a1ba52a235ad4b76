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
#include "src/json_rows.h"
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
	json_out_deadline(out, s);
	fputs(",\n  \"command\": ", out);
	json_out_command(out, s);
	fputs(",\n  \"system\": ", out);
	json_out_system(out, s);
	fputs(",\n  \"tiers\": ", out);
	json_out_tiers(out, s);
	fputs(",\n  \"validity\": ", out);
	json_out_validity(out, s, &json_lines);
}

static int write_series(FILE *out, const struct snapshot *s)
{
	int err = 0;

	fputs(",\n  \"series\": [", out);
	for (unsigned i = 0; i < s->nr_series && !err; i++) {
		fputs(i ? ",\n    " : "\n    ", out);
		err = json_out_series(out, &s->series[i], s->deadline_ns);
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
	putc(']', out);
	json_out_seen(out, s, &json_lines);
	fputs(",\n  \"figures\": [", out);
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

static const struct json_style style = {
	.comma = ", ", .colon = ": ", .series = "series", .loads = "loads", .empty_loads = true,
	.extra = { [JSON_MAX] = "max_ns", [JSON_MISSED] = "missed",
		   [JSON_INTERRUPTED] = "interrupted", [JSON_FLAGS] = "flags" },
	.cells = write_cells, .rate = json_out_real,
};

static void write_timeline(FILE *out, const struct snapshot *s)
{
	struct json_span span = { 0 };

	fputs(",\n  \"timeline\": {\"row_s\": ", out);
	json_out_real(out, s->row_s);
	fprintf(out, ", \"slots_per_octave\": %d, \"rows\": [", SLOTS_PER_OCTAVE);
	for (bool first = true; json_span_next(s, &span); first = false) {
		fputs(first ? "\n    {\"t_s\": " : ",\n    {\"t_s\": ", out);
		json_out_real(out, span.t_s);
		if (span.len_s != s->row_s) {
			fputs(", \"len_s\": ", out);
			json_out_real(out, span.len_s);
		}
		json_rows_out(out, &style, s, &span);
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
			json_in_refuse(in, -EINVAL, "timeline: a row cannot be read, of at most %d "
				       "probes; the file is damaged", SNAPSHOT_PROBES_MAX);
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

	if (json_object_size(rates) > SNAPSHOT_LOADS_MAX) {
		json_in_full(in, SNAPSHOT_LOADS_MAX, SNAPSHOT_LOADS_MAX, "loads in a row");
		return;
	}
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
		if (json_in_full(in, s->nr_loads, SNAPSHOT_RUNS_MAX, "runs of loads"))
			return;
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
	json_array_foreach(json_in_array(in, root, "latest_spikes"), i, o)
		json_in_latest(in, o, s);
	snapshot_trim_latest(s);
	json_in_blame(in, root, s);
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
