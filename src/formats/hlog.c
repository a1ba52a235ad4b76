/*
 * hlog.c - the HdrHistogram log: one line of compressed histogram per interval
 * and series, as Java, JavaScript and C readers take it.
 *
 * Every series stands once, under its tag.  The line without a tag is the main
 * probe added up, for viewers that know no tags; reading our own log it would
 * count twice and is left out.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/format.h"
#include "src/formats/lines.h"
#include "src/formats/pick.h"
#include "src/hdr_codec.h"
#include "src/snapshot_build.h"
#include "src/text.h"

#define TAG_MAX 63
#define SERIES_MAX 8192		/* in a log: each line looks for its own */
#define YEAR_S 31557600.0
#define TIME_MAX_S 9e9	/* what 64 bits of ns hold, and a date shows */

/* ---- writing --------------------------------------------------------------- */

static void tag_of(char *out, size_t size, const struct snapshot_series *one)
{
	size_t n = 0;

	for (const char *p = one->probe; *p && n < 48; p++)
		out[n++] =
			strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:-",
			       *p)
				? *p
				: '_';
	if (one->cpu < 0)
		snprintf(out + n, size - n, ".any");
	else
		snprintf(out + n, size - n, ".cpu%d", one->cpu);
}

static int write_row(FILE *out, const char *tag, double start_s, double length_s,
		     const struct hist *h)
{
	char *blob = h ? hdr_encode(h) : NULL;
	double max_ms = h && h->count ? (double)hist_slot_highest(h, h->high) / 1e6 : 0;

	if (!blob)
		return -ENOMEM;
	fprintf(out, "%s%s%s%.3f,%.3f,%.3f,%s\n", tag ? "Tag=" : "", tag ? tag : "", tag ? "," : "",
		start_s, length_s, max_ms, blob);
	free(blob);
	return 0;
}

static double start_of(const struct snapshot *s)
{
	int64_t began_ns = snapshot_began_ns(s);

	return began_ns > 0 ? (double)began_ns / 1e9 : 0;
}

static void write_head(FILE *out, const struct snapshot *s, double start_s)
{
	time_t t = (time_t)start_s;
	struct tm tm;
	char text[60] = "Thu Jan 01 00:00:00 UTC 1970";

	if (gmtime_r(&t, &tm))
		strftime(text, sizeof(text), "%a %b %d %H:%M:%S UTC %Y", &tm);
	fprintf(out,
		"#[Logged by jitterscope %.20s]\n#[Histogram log format version 1.3]\n"
		"#[StartTime: %.3f (seconds since epoch), %s]\n"
		"\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_"
		"Histogram\"\n",
		s->program, start_s, text);
}

static int hlog_write(FILE *out, const struct snapshot *s, struct why *why)
{
	double start = start_of(s);
	const char *probe = pick_probe(s);
	int err = 0;

	write_head(out, s, start);
	if (probe) {
		struct hist *h = snapshot_hist(s, probe);

		err = write_row(out, NULL, start, s->duration_s, h);
		hist_free(h);
	}
	for (unsigned i = 0; i < s->nr_series && !err; i++) {
		struct hist *h = snapshot_series_hist(&s->series[i]);
		char tag[TAG_MAX + 1];

		tag_of(tag, sizeof(tag), &s->series[i]);
		err = write_row(out, tag, start, s->duration_s, h);
		hist_free(h);
	}
	return err ? why_set(why, err, "hlog: no memory; stop a load and try again") : 0;
}

/* ---- reading --------------------------------------------------------------- */

struct row {
	char tag[TAG_MAX + 1];
	double start_s, length_s;
	const char *blob;
};

struct parse {
	struct lines l;
	struct snapshot *s;
	bool ours, relative_known;
	double start_time_s, base_s, first_s, end_s, last_start_s;
	bool any, unordered;
};

static bool take_tag(const char **p, struct row *r)
{
	if (!take_word(p, "Tag="))
		return true;
	size_t n = strcspn(*p, ", \t");

	if (!n || n > TAG_MAX || (*p)[n] != ',')
		return false;
	text_clean(r->tag, sizeof(r->tag), *p, n, TAG_MAX);
	*p += n + 1;
	return true;
}

static bool take_row(const char *p, struct row *r)
{
	double max;

	*r = (struct row){ .tag = "" };
	if (!take_tag(&p, r) || !take_real(&p, &r->start_s) || !take_word(&p, ",") ||
	    !take_real(&p, &r->length_s) || !take_word(&p, ",") || !take_real(&p, &max) ||
	    !take_word(&p, ","))
		return false;
	r->blob = p;
	return true;
}

/* "wakeup-fifo.cpu3": probe and CPU; other tags are names of their own. */
static void split_tag(const char *tag, char *probe, size_t size, int *cpu)
{
	const char *dot = strrchr(tag, '.');
	uint64_t n = 0;
	const char *p = dot ? dot + 1 : "";
	bool numbered = take_word(&p, "cpu") && take_number(&p, CPUSET_MAX - 1, &n) && !*p;
	bool any = dot && !strcmp(dot, ".any");

	*cpu = numbered ? (int)n : -1;
	snprintf(probe, size, "%.*s", numbered || any ? (int)(dot - tag) : (int)strlen(tag), tag);
}

static struct snapshot_series *series_of(struct snapshot *s, const char *tag)
{
	char whole[TAG_MAX + 1], probe[sizeof(s->series->probe)];
	int cpu;

	split_tag(tag[0] ? tag : "hlog", whole, sizeof(whole), &cpu);
	/* As it is kept, or it would never be found. */
	text_clean(probe, sizeof(probe), whole, strlen(whole), sizeof(probe));
	for (unsigned i = s->nr_series; i-- > 0;)
		if (s->series[i].cpu == cpu && !strcmp(s->series[i].probe, probe))
			return &s->series[i];
	return snapshot_add_series(s, probe, cpu);
}

static int add_hist(struct parse *p, struct snapshot_series *one, const struct hist *h)
{
	double before = one->mean_ns * (double)one->counts.count;
	bool first = !one->counts.count;

	if (!h->count)
		return 0;
	if (h->count > SNAPSHOT_COUNT_MAX - one->counts.count)
		return lines_refuse(&p->l, "count too large; 2^53 - 1 is the limit");
	for (unsigned i = h->low; i <= h->high; i++)
		if (h->counts[i] && snapshot_add_pair(one, hist_slot_highest(h, i), h->counts[i]))
			return lines_no_memory(&p->l);
	snapshot_join_pairs(one);
	one->counts.count += h->count;
	one->counts.due = one->counts.count;
	one->min_ns = first || h->min_ns < one->min_ns ? h->min_ns : one->min_ns;
	one->max_ns = h->max_ns > one->max_ns ? h->max_ns : one->max_ns;
	one->mean_ns = (before + hist_mean(h) * (double)h->count) / (double)one->counts.count;
	return 0;
}

static void note_time(struct parse *p, const struct row *r)
{
	double start = r->start_s + p->base_s;

	if (!p->any)
		p->first_s = start;
	p->unordered |= p->any && start < p->last_start_s;
	p->last_start_s = start;
	p->end_s = fmax(p->end_s, start + r->length_s);
	p->any = true;
}

static int read_row(struct parse *p)
{
	struct row r;
	struct why inner = { 0 };

	if (!take_row(p->l.text, &r))
		return lines_refuse(&p->l, "not \"[Tag=name,]start,length,max,histogram\"; "
				    "is it a histogram log?");
	note_time(p, &r);
	struct hist *h = hdr_decode(r.blob, strlen(r.blob), &inner);

	if (!h)
		return lines_refuse(&p->l, "%s", inner.text);
	int err = 0;

	if (r.tag[0] || !p->ours) {
		struct snapshot_series *one = series_of(p->s, r.tag);

		if (p->s->nr_series > SERIES_MAX)
			err = lines_refuse(&p->l, "more than %d tags; give a part of them", SERIES_MAX);
		else
			err = one ? add_hist(p, one, h) : lines_no_memory(&p->l);
	}
	hist_free(h);
	return err;
}

static void read_comment(struct parse *p)
{
	const char *at = p->l.text;

	if (take_word(&at, "#[Logged by jitterscope"))
		p->ours = true;
	else if (take_word(&at, "#[StartTime: "))
		take_real(&at, &p->start_time_s);
	else if (take_word(&at, "#[BaseTime: "))
		take_real(&at, &p->base_s);
}

static int hlog_sniff(const char *bytes, size_t n, const char *name)
{
	(void)name;
	return has_text(bytes, n, "#[Histogram log format version") ||
			       has_text(bytes, n, ",HISTFAAA")
		       ? 85
		       : 0;
}

static void finish(struct parse *p, bool cut)
{
	struct snapshot *s = p->s;
	double first = p->first_s;

	if (first < p->start_time_s - YEAR_S)	/* stamps relative to StartTime */
		first += p->start_time_s;
	double end = first + p->end_s - p->first_s;

	if (p->any && end >= 0 && end < TIME_MAX_S)
		snapshot_time_text(s->created, sizeof(s->created), (int64_t)(end * 1e9));
	s->duration_s = p->any ? p->end_s - p->first_s : 0;
	if (cut)
		snprintf(s->note, sizeof(s->note), "the last line has no end and is left out: "
			 "its writer was cut off");
	else if (p->unordered)
		snprintf(s->note, sizeof(s->note), "intervals are not in order of time");
}

static int hlog_read(const char *bytes, size_t n, const char *name, struct snapshot *s,
		     struct why *why)
{
	struct parse p = { .s = s };
	bool cut = false;
	int err = lines_open(&p.l, bytes, n, name, why);

	while (!err && lines_next(&p.l)) {
		if (p.l.text[0] == '#')
			read_comment(&p);
		else if (p.l.length && p.l.text[0] != '"') {
			cut = !p.l.whole;
			if (!cut)
				err = read_row(&p);
		}
	}
	err = err ? err : p.l.err;
	if (!err)
		finish(&p, cut);
	lines_close(&p.l);
	return err;
}

const struct format format_hlog = {
	.name = "hlog",
	.suffix = ".hlog",
	.summary = "HdrHistogram log, for its viewers",
	.streamed = true,
	.write = hlog_write,
	.sniff = hlog_sniff,
	.read = hlog_read,
};
