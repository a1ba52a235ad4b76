/*
 * cyclictest_json.c - cyclictest --json.  Two of its keys end in a colon; a
 * quote in its command line is not escaped there, which makes such a file no
 * JSON: it is refused.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/clock.h"
#include "src/format.h"
#include "src/formats/lines.h"
#include "src/formats/pick.h"
#include "src/formats/threads.h"
#include "src/json_out.h"
#include "src/snapshot_build.h"

#define US 1000000
#define DATE "%a, %d %b %Y %H:%M:%S %z"

/* ---- writing --------------------------------------------------------------- */

/* To the nearest second; "": not known. */
static void write_times(FILE *out, const struct snapshot *s)
{
	static const char *const names[] = { "start_time", "end_time" };
	int64_t began_ns = snapshot_began_ns(s), end_ns = snapshot_time_ns(s->created);

	for (int i = 0; i < 2; i++) {
		time_t t = (time_t)((i ? end_ns : began_ns + NS_PER_S / 2) / NS_PER_S);
		char text[40] = "";
		struct tm tm;

		if (end_ns < 0 || !gmtime_r(&t, &tm) || !strftime(text, sizeof(text), DATE, &tm))
			text[0] = '\0';
		fprintf(out, ",\n  \"%s\": ", names[i]);
		json_out_text(out, text);
	}
}

static void write_head(FILE *out, const struct snapshot *s, unsigned threads)
{
	fputs("{\n  \"file_version\": 1,\n  \"cmdline:\": ", out);
	char line[400] = "";

	for (unsigned i = 0; i < s->nr_command; i++)
		snprintf(line + strlen(line), sizeof(line) - strlen(line), "%s%s", i ? " " : "",
			 s->command[i]);
	json_out_text(out, line);
	fputs(",\n  \"rt_test_version:\": ", out);
	snprintf(line, sizeof(line), "jitterscope %s", s->program);
	json_out_text(out, line);
	write_times(out, s);
	fputs(",\n  \"return_code\": 0,\n  \"sysinfo\": {\n    \"sysname\": \"Linux\",\n    "
	      "\"nodename\": ",
	      out);
	json_out_text(out, s->system.host);
	fputs(",\n    \"release\": ", out);
	json_out_text(out, s->system.kernel);
	fputs(",\n    \"version\": ", out);
	json_out_text(out, s->system.version);
	fprintf(out, ",\n    \"machine\": \"\",\n    \"realtime\": %d\n  },\n",
		!strcmp(s->system.preempt, "rt"));
	fprintf(out, "  \"num_threads\": %u,\n  \"resolution_in_ns\": 0,\n  \"thread\": {",
		threads);
}

static void write_thread(FILE *out, const struct snapshot_series *one, unsigned index)
{
	bool any = false;

	fprintf(out, "%s\n    \"%u\": {\n      \"histogram\": {", index ? "," : "", index);
	for (size_t i = 0; i < one->pairs;) {
		int64_t row = pick_value_ns(one, i) / 1000;
		uint64_t n = 0;

		while (i < one->pairs && pick_value_ns(one, i) / 1000 == row)
			n += one->histogram[i++].count;
		if (row >= US)
			break;	/* above the table: cycles say how many */
		fprintf(out, "%s\n        \"%" PRId64 "\": %" PRIu64, any ? "," : "", row, n);
		any = true;
	}
	fprintf(out,
		"%s},\n      \"cycles\": %" PRIu64 ",\n      \"min\": %" PRId64
		",\n      \"max\": %" PRId64
		",\n      \"avg\": %.2f,\n      \"cpu\": %d,\n      \"node\": -1\n    }",
		any ? "\n      " : "", one->counts.count, one->min_ns / 1000, one->max_ns / 1000,
		snapshot_series_mean(one) / 1000, one->cpu);
}

static int cyclictest_json_write(FILE *out, const struct snapshot *s, struct why *why)
{
	const struct snapshot_series **series = calloc(PICK_CPUS_MAX, sizeof(*series));

	if (!series)
		return why_set(why, -ENOMEM,
			       "cyclictest-json: no memory; stop a load and try again");
	unsigned n = pick_series(s, series, PICK_CPUS_MAX);

	write_head(out, s, n);
	for (unsigned i = 0; i < n; i++)
		write_thread(out, series[i], i);
	fputs(n ? "\n  }\n}\n" : "}\n}\n", out);
	free(series);
	return 0;
}

/* ---- reading --------------------------------------------------------------- */

static int cyclictest_json_sniff(const char *bytes, size_t n, const char *name)
{
	(void)name;
	if (!has_text(bytes, n, "\"file_version\"") || !has_text(bytes, n, "\"num_threads\""))
		return 0;
	return 90;
}

/* Seconds since the epoch; -1: no such date. */
static int64_t date_of(struct json_in *in, json_t *root, const char *name)
{
	char text[40] = "";
	struct tm tm = { 0 };

	json_in_text(in, root, name, text, sizeof(text));
	const char *end = strptime(text, DATE, &tm);
	long east_s = tm.tm_gmtoff;

	return end && !*end ? (int64_t)timegm(&tm) - east_s : -1;
}

static void read_times(struct json_in *in, json_t *root, struct snapshot *s)
{
	int64_t start = date_of(in, root, "start_time"), end = date_of(in, root, "end_time");

	if (start < 0 || end < start || end > INT64_MAX / NS_PER_S)
		return;
	snapshot_time_text(s->created, sizeof(s->created), end * NS_PER_S);
	s->duration_s = (double)(end - start);
}

static void read_all(struct json_in *in, json_t *root, struct snapshot *s)
{
	struct threads_form form = { "cyclictest", "cycles", 1000, 1 };
	int64_t version = 0, ns = 0;
	json_t *threads = json_in_object(in, root, "thread"),
	       *y = json_in_object(in, root, "sysinfo");

	json_in_int(in, root, "file_version", 1, 1, &version);
	json_in_int(in, root, "resolution_in_ns", 0, 1, &ns);
	if (!in->err && (!threads || !version))
		json_in_refuse(in, -EINVAL, "no \"%s\"; is it from cyclictest --json?",
			       threads ? "file_version" : "thread");
	if (ns)
		form.unit_ns = 1;
	if (y) {
		json_in_text(in, y, "nodename", s->system.host, sizeof(s->system.host));
		json_in_text(in, y, "release", s->system.kernel, sizeof(s->system.kernel));
		json_in_text(in, y, "version", s->system.version, sizeof(s->system.version));
	}
	read_times(in, root, s);
	threads_read(in, threads, &form, s);
}

static int cyclictest_json_read(const char *bytes, size_t n, const char *name, struct snapshot *s,
				struct why *why)
{
	struct json_in in = { .name = name, .why = why };
	json_t *root = json_in_parse(&in, bytes, n);

	if (root)
		read_all(&in, root, s);
	json_decref(root);
	return in.err;
}

const struct format format_cyclictest_json = {
	.name = "cyclictest-json",
	.suffix = ".cyclictest.json",
	.summary = "cyclictest --json",
	.takes = pick_probe,
	.write = cyclictest_json_write,
	.sniff = cyclictest_json_sniff,
	.read = cyclictest_json_read,
};
