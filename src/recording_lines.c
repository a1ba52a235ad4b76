/* recording_lines.c - see recording_lines.h. */
#include "src/recording_lines.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "src/hdr_codec.h"
#include "src/json_out.h"
#include "src/json_rows.h"

#define GAP 2	/* so many empty slots end a run */

void recording_head(FILE *out, const struct snapshot *s)
{
	fprintf(out, "{\"format\": \"%s\", \"version\": %d, \"program\": ", RECORDING_WORD,
		RECORDING_VERSION);
	json_out_text(out, s->program);
	fputs(", \"created\": ", out);
	json_out_text(out, s->created);
	fputs(", \"label\": ", out);
	json_out_text(out, s->label);
	fputs(", \"command\": ", out);
	json_out_command(out, s);
	fputs(", \"system\": ", out);
	json_out_system(out, s);
	fputs(", \"tiers\": ", out);
	json_out_tiers(out, s);
	json_out_deadline(out, s);
	fprintf(out, ", \"slots_per_octave\": %d}\n", SLOTS_PER_OCTAVE);
}

/* ---- rows ------------------------------------------------------------------ */

/* [88,3,250,0,1]: counts of slots 88, 89, 90, 91. */
static void runs(FILE *out, const struct snapshot_row *row)
{
	putc('[', out);
	for (unsigned i = 0; i < row->cells;) {
		fprintf(out, "%s[%u", i ? "," : "", row->cell[i].slot);
		for (;;) {
			fprintf(out, ",%" PRIu32, row->cell[i].count);
			if (++i == row->cells || row->cell[i].slot > row->cell[i - 1].slot + GAP)
				break;
			for (unsigned empty = row->cell[i - 1].slot + 1u; empty < row->cell[i].slot;
			     empty++)
				fputs(",0", out);
		}
		putc(']', out);
	}
	putc(']', out);
}

static void rate(FILE *out, double value)
{
	fprintf(out, "%.6g", value);
}

static const struct json_style style = {
	.comma = ",", .colon = ":", .series = "s", .loads = "l",
	.extra = { [JSON_MAX] = "x", [JSON_MISSED] = "m", [JSON_INTERRUPTED] = "i",
		   [JSON_FLAGS] = "f" },
	.cells = runs, .rate = rate,
};

void recording_rows(FILE *out, const struct snapshot *s)
{
	struct json_span span = { 0 };

	while (json_span_next(s, &span)) {
		fprintf(out, "{\"t\":%.15g", span.t_s);
		if (span.len_s != 1)
			fprintf(out, ",\"len\":%.15g", span.len_s);
		json_rows_out(out, &style, s, &span);
		fputs("}\n", out);
	}
}

void recording_empty_row(FILE *out, double t_s, double len_s)
{
	fprintf(out, "{\"t\":%.15g,\"len\":%.15g,\"s\":{}}\n", t_s, len_s);
}

/* ---- marks ----------------------------------------------------------------- */

void recording_event(FILE *out, const struct snapshot_event *e)
{
	fputs("{\"event\": ", out);
	json_out_event(out, e);
	fputs("}\n", out);
}

void recording_spike(FILE *out, const struct snapshot_spike *k)
{
	fputs("{\"spike\": ", out);
	json_out_spike(out, k);
	fputs("}\n", out);
}

void recording_load(FILE *out, const struct snapshot_load *l, uint64_t n)
{
	fputs("{\"load\": ", out);
	json_out_load(out, l);
	fprintf(out, ", \"n\": %" PRIu64 "}\n", n);
}

static void state_members(FILE *out, const struct snapshot *s)
{
	fputs("\"tiers\": ", out);
	json_out_tiers(out, s);
	fputs(", \"validity\": ", out);
	json_out_validity(out, s, &json_one_line);
	json_out_deadline(out, s);
}

void recording_state(FILE *out, const struct snapshot *s)
{
	fputs("{\"state\": {", out);
	state_members(out, s);
	fputs("}}\n", out);
}

/* ---- exact parts ------------------------------------------------------------- */

void recording_exact_begin(FILE *out, double t_s)
{
	fprintf(out, "{\"exact\": %.15g, \"s\": {", t_s);
}

int recording_exact(FILE *out, const struct recording_part *part, bool first)
{
	const struct counts *c = &part->counts;
	char *text = hdr_encode(part->more);

	if (!text)
		return -ENOMEM;
	fputs(first ? "" : ", ", out);
	json_out_text(out, part->probe);
	fputs(": {\"policy\": ", out);
	json_out_text(out, part->policy);
	fprintf(out,
		", \"priority\": %d, \"interval_ns\": %" PRId64 ", \"missed\": %" PRIu64
		", \"interrupted\": %" PRIu64 ", \"early\": %" PRIu64 ", \"over\": %" PRIu64
		", \"errors\": %" PRIu64,
		part->priority, part->interval_ns, c->missed, c->interrupted, c->early, c->over,
		c->errors);
	fprintf(out,
		", \"min_ns\": %" PRId64 ", \"max_ns\": %" PRId64
		", \"mean_ns\": %.9g, \"hist\": \"%s\"}",
		part->min_ns, part->max_ns, part->mean_ns, text);
	free(text);
	return 0;
}

void recording_exact_end(FILE *out)
{
	fputs("}}\n", out);
}

/* ---- the end ----------------------------------------------------------------- */

void recording_finish(FILE *out, const struct snapshot *s)
{
	for (unsigned i = 0; i < s->nr_series; i++) {
		fputs("{\"series\": ", out);
		json_out_series_line(out, &s->series[i], s->deadline_ns);
		fputs("}\n", out);
	}
	fputs("{\"end\": {\"created\": ", out);
	json_out_text(out, s->created);
	fputs(", \"duration_s\": ", out);
	json_out_real(out, s->duration_s);
	fputs(", \"system\": ", out);
	json_out_system(out, s);
	fputs(", ", out);
	state_members(out, s);
	json_out_seen(out, s, &json_one_line);
	fputs(", \"self\": ", out);
	json_out_self(out, s);
	fputs("}}\n", out);
}
