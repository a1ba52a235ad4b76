/*
 * realfeel.c - the histogram of 2002: "milliseconds count", bins of 0.1 ms,
 * only those with samples.  Integers all the way: an edge belongs to the bin
 * that begins there.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "src/format.h"
#include "src/formats/lines.h"
#include "src/formats/pick.h"
#include "src/snapshot_build.h"

#define BIN_NS 100000
#define BIN_LIMIT (HIST_HIGHEST_NS / BIN_NS)	/* 3600000.0 ms */

static int realfeel_write(FILE *out, const struct snapshot *s, struct why *why)
{
	struct dist d;
	uint64_t n = 0;
	int64_t bin = -1;

	if (pick_dist(&d, s))
		return why_set(why, -ENOMEM, "realfeel: no memory; stop a load and try again");
	for (size_t i = 0; i <= d.pairs; i++) {
		int64_t next = i < d.pairs ? d.pair[i].value_ns / BIN_NS : -1;

		if (next > BIN_LIMIT)
			next = BIN_LIMIT;
		if (n && next != bin) {
			fprintf(out, "%" PRId64 ".%" PRId64 " %" PRIu64 "\n", bin / 10, bin % 10,
				n);
			n = 0;
		}
		bin = next;
		n += i < d.pairs ? d.pair[i].count : 0;
	}
	dist_free(&d);
	return 0;
}

/* "12.3 45": the bin and its count. */
static bool take_bin(const char *p, uint64_t *bin, uint64_t *count)
{
	uint64_t ms, tenth;

	take_blanks(&p);
	if (!take_number(&p, HIST_HIGHEST_NS / 1000000, &ms) || !take_word(&p, ".") ||
	    !take_number(&p, 9, &tenth) || p[-2] != '.' || !take_blanks(&p) ||
	    !take_number(&p, SNAPSHOT_COUNT_MAX, count))
		return false;
	take_blanks(&p);
	*bin = ms * 10 + tenth;
	return !*p && *count;
}

static int realfeel_sniff(const char *bytes, size_t n, const char *name)
{
	char line[64];
	uint64_t bin, count;
	size_t length = strlen(name);

	if (!n)
		return length > 9 && !strcmp(name + length - 9, ".realfeel") ? 50 : 0;
	return take_bin(first_line(bytes, n, line, sizeof(line)), &bin, &count) ? 60 : 0;
}

static int add_bin(struct lines *l, struct snapshot_series *one, uint64_t bin, uint64_t count)
{
	int64_t last = (int64_t)bin * BIN_NS + BIN_NS - 1;

	if (one->pairs && one->histogram[one->pairs - 1].value_ns >= last)
		return lines_refuse(l, "bins do not rise; give the file as it was written");
	if (bin > BIN_LIMIT)
		return lines_refuse(l, "above 1 h; not a latency");
	if (count > SNAPSHOT_COUNT_MAX - one->counts.count)
		return lines_refuse(l, "count too large; 2^53 - 1 is the limit");
	if (!one->pairs)
		one->min_ns = last - BIN_NS + 1;
	if (snapshot_add_pair(one, last, count))
		return lines_no_memory(l);
	/* The middle of the bin is the best guess there is. */
	one->mean_ns += (double)count * ((double)last - (BIN_NS - 1) / 2.0);
	one->counts.count += count;
	one->counts.due += count;
	one->max_ns = last;
	return 0;
}

static int realfeel_read(const char *bytes, size_t n, const char *name, struct snapshot *s,
			 struct why *why)
{
	struct snapshot_series *one = snapshot_add_series(s, "realfeel", -1);
	struct lines l;
	int err = lines_open(&l, bytes, n, name, why);

	if (!one && !err)
		err = lines_no_memory(&l);
	while (!err && lines_next(&l)) {
		uint64_t bin, count;

		if (!l.length || l.text[0] == '#')
			continue;
		if (!take_bin(l.text, &bin, &count))
			err = lines_refuse(&l, "not \"milliseconds.tenth count\"; "
					   "is it a realfeel histogram?");
		else
			err = add_bin(&l, one, bin, count);
	}
	err = err ? err : l.err;
	lines_close(&l);
	if (err)
		return err;
	one->bin_ns = BIN_NS;
	if (one->counts.count)
		one->mean_ns /= (double)one->counts.count;
	snprintf(s->note, sizeof(s->note),
		 "bins are 0.1 ms wide: a percentile is the end of its bin");
	return 0;
}

const struct format format_realfeel = {
	.name = "realfeel",
	.suffix = ".realfeel",
	.summary = "histogram text of 2002: milliseconds and count",
	.takes = pick_probe,
	.write = realfeel_write,
	.sniff = realfeel_sniff,
	.read = realfeel_read,
};
