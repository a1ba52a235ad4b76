/* threads.c - see threads.h. */
#include "src/formats/threads.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/formats/lines.h"
#include "src/snapshot_build.h"

static int by_value(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	return x->value_ns < y->value_ns ? -1 : x->value_ns > y->value_ns;
}

static bool whole(const char *key, uint64_t most, uint64_t *value)
{
	const char *p = key;

	return take_number(&p, most, value) && !*p;
}

static void refuse(struct json_in *in, const char *thread, const char *what)
{
	json_in_refuse(in, -EINVAL, "thread %.12s: %s; the file is damaged", thread, what);
}

static void read_bins(struct json_in *in, const char *thread, const json_t *o,
		      const struct threads_form *form, struct snapshot_series *one)
{
	json_t *bins = json_in_object(in, o, "histogram"), *n;
	const char *key;

	json_object_foreach(bins, key, n) {
		uint64_t v, count;

		if (in->err)
			return;
		if (!whole(key, (uint64_t)(HIST_HIGHEST_NS / form->unit_ns), &v) ||
		    !json_is_integer(n) || json_integer_value(n) < 0) {
			refuse(in, thread, "histogram is not values with counts");
			return;
		}
		count = (uint64_t)json_integer_value(n);
		if (count > SNAPSHOT_COUNT_MAX - one->counts.count)
			refuse(in, thread, "count too large");
		else if (count &&
			 snapshot_add_pair(one, (int64_t)v * form->unit_ns + form->unit_ns - 1,
					   count))
			json_in_refuse(in, -ENOMEM, "no memory to read it; use a smaller file");
		else
			one->counts.count += count;
	}
	if (one->pairs)
		qsort(one->histogram, one->pairs, sizeof(*one->histogram), by_value);
}

/* What is in the count but not in the table was above it: at the maximum. */
static void add_overflow(struct json_in *in, const char *thread, const struct threads_form *form,
			 uint64_t cycles, struct snapshot_series *one, struct snapshot *s)
{
	int64_t last = one->pairs ? one->histogram[one->pairs - 1].value_ns : -1;

	if (cycles + form->slack < one->counts.count) {
		refuse(in, thread, "the histogram holds more than were counted");
		return;
	}
	if (cycles <= one->counts.count)
		return;
	int64_t top = one->max_ns > HIST_HIGHEST_NS ? HIST_HIGHEST_NS : one->max_ns;

	if (top <= last)
		top = last + 1;
	if (snapshot_add_pair(one, top, cycles - one->counts.count))
		json_in_refuse(in, -ENOMEM, "no memory to read it; use a smaller file");
	if (one->max_ns < top)
		one->max_ns = top;
	one->counts.count = cycles;
	snapshot_add_note(s, "samples above the table stand at its maximum");
}

static void read_thread(struct json_in *in, const char *thread, const json_t *o,
			const struct threads_form *form, struct snapshot *s)
{
	uint64_t index, cycles = 0;
	int64_t cpu, min = 0, max = 0, most = HIST_HIGHEST_NS * 1000 / form->unit_ns;
	double avg = 0;

	if (!whole(thread, CPUSET_MAX - 1, &index)) {
		refuse(in, thread, "not a thread number");
		return;
	}
	struct snapshot_series *one = snapshot_add_series(s, form->probe, (int)index);

	if (!one) {
		json_in_refuse(in, -ENOMEM, "no memory to read it; use a smaller file");
		return;
	}
	cpu = (int64_t)index;
	json_in_int(in, o, "cpu", -1, CPUSET_MAX - 1, &cpu);
	json_in_count(in, o, form->count_key, &cycles);
	json_in_int(in, o, "min", 0, most, &min);
	json_in_int(in, o, "max", 0, most, &max);
	json_in_real(in, o, "avg", &avg);
	one->cpu = (int)cpu;
	one->bin_ns = form->unit_ns;
	one->min_ns = min * form->unit_ns;
	one->max_ns = max * form->unit_ns + form->unit_ns - 1;
	one->mean_ns = avg * (double)form->unit_ns;
	read_bins(in, thread, o, form, one);
	add_overflow(in, thread, form, cycles, one, s);
	one->counts.due = one->counts.count;
	if (one->pairs && one->histogram[one->pairs - 1].value_ns > one->max_ns)
		refuse(in, thread, "max is below the histogram");
	if (avg > (double)max + 1)
		refuse(in, thread, "avg is above max");
	if (!one->counts.count)
		one->min_ns = one->max_ns = 0;
}

void threads_read(struct json_in *in, json_t *threads, const struct threads_form *form,
		  struct snapshot *s)
{
	const char *key;
	json_t *o;

	json_object_foreach(threads, key, o) {
		if (in->err)
			return;
		if (!json_is_object(o))
			refuse(in, key, "not an object");
		else
			read_thread(in, key, o, form, s);
	}
}
