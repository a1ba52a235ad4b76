/* compare_limit.c - see compare_limit.h. */
#include "src/compare_limit.h"

#include <errno.h>
#include <stdio.h>

#include "src/commands.h"
#include "src/complain.h"
#include "src/dist.h"
#include "src/hist.h"

int compare_worse_code(int a, int b)
{
	return a == EXIT_FAILED || b == EXIT_FAILED ? EXIT_FAILED : a > b ? a : b;
}

static bool carried(const struct compare_series *s, double percent)
{
	return hist_carries(s->base.counts.count, percent) &&
	       hist_carries(s->file.counts.count, percent);
}

/* "p99.9", as asked for: "p100" would be another one. */
static void name_percent(char buf[24], double percent)
{
	if (percent < 100)
		snprintf(buf, 24, "p%.15g", percent);
	else
		snprintf(buf, 24, "max");
}

static int judge(const struct compare_series *s, const struct options *o, const char *file,
		 struct why *why)
{
	double base = (double)dist_percentile(&s->base, o->fail_ratio_pct);
	double now = (double)dist_percentile(&s->file, o->fail_ratio_pct);
	char what[24];

	name_percent(what, o->fail_ratio_pct);
	if (!carried(s, o->fail_ratio_pct)) {
		why_set(why, -ENODATA,
			"%.80s: %s: too few samples for %s; measure longer or judge a lower "
			"percentile",
			file, s->file.probe, what);
		return EXIT_FAILED;
	}
	if (base <= 0) {
		why_set(why, -ENODATA,
			"%.80s: %s: %s of the base is 0, which has no multiple; judge a higher "
			"percentile",
			file, s->file.probe, what);
		return EXIT_FAILED;
	}
	if (now <= o->fail_ratio * base)
		return EXIT_OK;
	bool close = now / base - o->fail_ratio < 0.01;	/* two decimals do not tell them apart */

	complain("%s: %s of %s is %.*f times the base, the limit is %.9g", file, what,
		 s->file.probe, close ? 9 : 2, now / base, o->fail_ratio);
	return EXIT_LIMIT;
}

int compare_limit(const struct compare_pair *p, const struct options *o, const char *file,
		  struct why *why)
{
	int code = EXIT_OK;

	if (!(o->fail_ratio > 0))
		return EXIT_OK;
	if (!p->nr_series) {
		why_set(why, -ENODATA, "%.80s: no latency to judge; compare runs of one probe",
			file);
		return EXIT_FAILED;
	}
	for (unsigned i = 0; i < p->nr_series; i++) {
		struct why *first = code == EXIT_FAILED ? NULL : why;

		code = compare_worse_code(code, judge(&p->series[i], o, file, first));
	}
	return code;
}
