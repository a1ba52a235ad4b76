/* json_rows.c - see json_rows.h. */
#include "src/json_rows.h"

#include <inttypes.h>

#include "src/json_out.h"

/* Both lists are in order of time: walk them side by side. */
bool json_span_next(const struct snapshot *s, struct json_span *span)
{
	unsigned r = span->rows_end, l = span->loads_end;

	if (r == s->nr_rows && l == s->nr_load_rows)
		return false;
	bool rows = r < s->nr_rows && (l == s->nr_load_rows ||
				       s->rows[r].t_s <= s->load_rows[l].t_s);
	double t_s = rows ? s->rows[r].t_s : s->load_rows[l].t_s;
	double len_s = rows ? s->rows[r].len_s : s->load_rows[l].len_s;

	*span = (struct json_span){ t_s, len_s, r, r, l, l };
	while (span->rows_end < s->nr_rows && s->rows[span->rows_end].t_s == t_s &&
	       s->rows[span->rows_end].len_s == len_s)
		span->rows_end++;
	while (span->loads_end < s->nr_load_rows && s->load_rows[span->loads_end].t_s == t_s &&
	       s->load_rows[span->loads_end].len_s == len_s)
		span->loads_end++;
	return true;
}

static void begin(FILE *out, const struct json_style *y, const char *member)
{
	fputs(y->comma, out);
	json_out_text(out, member);
	fprintf(out, "%s{", y->colon);
}

static void name(FILE *out, const struct json_style *y, const char *text, bool first)
{
	if (!first)
		fputs(y->comma, out);
	json_out_text(out, text);
	fputs(y->colon, out);
}

static const char *group_of(const struct snapshot *s, unsigned row)
{
	return s->group_name[s->rows[row].group];
}

static int64_t extra_of(const struct snapshot_row *row, int extra)
{
	switch (extra) {
	case JSON_MAX: return row->max_ns;
	case JSON_MISSED: return (int64_t)row->missed;
	case JSON_INTERRUPTED: return (int64_t)row->interrupted;
	default: return row->flags;
	}
}

static void extras(FILE *out, const struct json_style *y, const struct snapshot *s,
		   const struct json_span *span, int extra)
{
	bool any = false;

	for (unsigned i = span->row; i < span->rows_end; i++) {
		int64_t value = extra_of(&s->rows[i], extra);

		if (!value)
			continue;
		if (!any)
			begin(out, y, y->extra[extra]);
		name(out, y, group_of(s, i), !any);
		fprintf(out, "%" PRId64, value);
		any = true;
	}
	if (any)
		putc('}', out);
}

static void load_rates(FILE *out, const struct json_style *y, const struct snapshot *s,
		       const struct json_span *span)
{
	begin(out, y, y->loads);
	for (unsigned i = span->load; i < span->loads_end; i++) {
		name(out, y, s->load_rows[i].name, i == span->load);
		y->rate(out, s->load_rows[i].rate);
	}
	putc('}', out);
}

void json_rows_out(FILE *out, const struct json_style *y, const struct snapshot *s,
		   const struct json_span *span)
{
	begin(out, y, y->series);
	for (unsigned i = span->row; i < span->rows_end; i++) {
		name(out, y, group_of(s, i), i == span->row);
		y->cells(out, &s->rows[i]);
	}
	putc('}', out);
	for (int extra = 0; extra < JSON_EXTRAS; extra++)
		extras(out, y, s, span, extra);
	if (y->empty_loads || span->load < span->loads_end)
		load_rates(out, y, s, span);
}
