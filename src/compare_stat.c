/* compare_stat.c - see compare_stat.h. */
#include "src/compare_stat.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/load.h"
#include "src/snapshot_build.h"

#define ROUNDS 400
#define SEED 20260111
#define JUDGED (DIST_PERCENTS - 1)	/* the maximum is one sample */
/*
 * Five percentiles are looked at together, so each gets a range of 99 %: of
 * Student's t with 5 degrees of freedom for the few blocks there are, of the
 * normal distribution where samples are taken one by one.
 */
#define T_BLOCKS 4.03
#define T_SAMPLES 2.58

const char *verdict_text(enum verdict v)
{
	static const char *const text[] = {
		[VERDICT_UNKNOWN] = "too few samples",
		[VERDICT_SHORT] = "run too short",
		[VERDICT_SAME] = "no difference shown",
		[VERDICT_BETTER] = "better",
		[VERDICT_WORSE] = "WORSE",
	};

	return text[v];
}

const char *compare_ratio_text(char *buf, size_t size, double ratio)
{
	if (!isfinite(ratio))
		snprintf(buf, size, "-");
	else if (ratio < 0.0995)
		snprintf(buf, size, "%.3g", ratio);
	else
		snprintf(buf, size,
			 ratio < 9.995	 ? "%.2f"
			 : ratio < 99.95 ? "%.1f"
					 : "%.0f",
			 ratio);
	return buf;
}

/* One run as blocks of coarse counts; one block when it has no timeline. */
struct blocks {
	unsigned n;
	bool timed;
	double (*counts)[SLOTS];
};

/* Into how many blocks a run is cut, finest last; a run of n s into n at most. */
static const unsigned cuts[] = { 4, 8, 16, 32, 60 };
#define CUTS (sizeof(cuts) / sizeof(cuts[0]))

static unsigned finest_cut(const struct snapshot *s, const struct dist *d)
{
	double n = floor(s->duration_s);
	double most = cuts[CUTS - 1];

	if (snapshot_group(s, d->probe) < 0 || !s->nr_rows || n < COMPARE_BLOCKS_LEAST)
		return 0;
	return (unsigned)fmin(n, most);
}

static void fill_rows(struct blocks *b, const struct snapshot *s, unsigned group)
{
	for (unsigned i = 0; i < s->nr_rows; i++) {
		const struct snapshot_row *row = &s->rows[i];
		double at = (row->t_s + row->len_s / 2) / s->duration_s * b->n;

		if (row->group != group || at < 0 || at >= b->n)
			continue;
		for (unsigned k = 0; k < row->cells; k++)
			b->counts[(unsigned)at][row->cell[k].slot] += row->cell[k].count;
	}
}

static void fill_pairs(struct blocks *b, const struct dist *d)
{
	for (size_t i = 0; i < d->pairs; i++)
		b->counts[0][slot_of(d->pair[i].value_ns)] += (double)d->pair[i].count;
}

/* n 0: no timeline. */
static int make_blocks(struct blocks *b, const struct snapshot *s, const struct dist *d, unsigned n)
{
	b->timed = n > 0;
	b->n = n ? n : 1;
	b->counts = calloc(b->n, sizeof(*b->counts));
	if (!b->counts)
		return -ENOMEM;
	if (b->timed)
		fill_rows(b, s, (unsigned)snapshot_group(s, d->probe));
	else
		fill_pairs(b, d);
	return 0;
}

/* ---- drawing --------------------------------------------------------------- */

static double uniform(struct load_rng *r)
{
	return ((double)(load_rng_next(r) >> 11) + 0.5) / 9007199254740992.0;
}

/* How often would something that was seen n times be seen another time? */
static double poisson(struct load_rng *r, double n)
{
	if (n > 50) {
		double normal = sqrt(-2 * log(uniform(r))) * cos(2 * M_PI * uniform(r));

		return fmax(0, round(n + sqrt(n) * normal));
	}
	double limit = exp(-n), product = uniform(r);
	double k = 0;

	for (; product > limit; k++)
		product *= uniform(r);
	return k;
}

static void draw(const struct blocks *b, struct load_rng *r, double out[SLOTS])
{
	memset(out, 0, SLOTS * sizeof(*out));
	for (unsigned i = 0; b->timed && i < b->n; i++) {
		const double *one = b->counts[load_rng_below(r, b->n)];

		for (unsigned k = 0; k < SLOTS; k++)
			out[k] += one[k];
	}
	for (unsigned k = 0; !b->timed && k < SLOTS; k++)
		if (b->counts[0][k] > 0)
			out[k] = poisson(r, b->counts[0][k]);
}

double compare_slots_percentile(const double counts[SLOTS], double percent)
{
	double total = 0, seen = 0;

	for (unsigned i = 0; i < SLOTS; i++)
		total += counts[i];
	double rank = percent / 100 * total;

	for (unsigned i = 0; i < SLOTS; i++) {
		if (counts[i] > 0 && seen + counts[i] >= rank) {
			double part = (rank - seen) / counts[i];
			double low = (double)slot_lowest_ns(i),
			       high = (double)slot_highest_ns(i) + 1;

			return low + part * (high - low);
		}
		seen += counts[i];
	}
	return 0;
}

/* The variance of the logarithm of each percentile over many draws. */
static void draw_variances(const struct blocks *b, struct load_rng *rng, double var[JUDGED])
{
	double sum[JUDGED] = { 0 }, squares[JUDGED] = { 0 }, counts[SLOTS];

	for (unsigned round = 0; round < ROUNDS; round++) {
		draw(b, rng, counts);
		for (unsigned i = 0; i < JUDGED; i++) {
			double v = log(fmax(1, compare_slots_percentile(counts, dist_percents[i])));

			sum[i] += v;
			squares[i] += v * v;
		}
	}
	for (unsigned i = 0; i < JUDGED; i++) {
		double mean = sum[i] / ROUNDS;

		var[i] = fmax(0, squares[i] / ROUNDS - mean * mean) *
			 (b->timed ? b->n / (b->n - 1.0) : 1);
	}
}

/*
 * A machine is quieter in one minute than in the next.  Then longer blocks
 * differ more than chance within short ones explains; how fast the variance
 * grows with their length says how much whole runs would differ.  Growth with
 * a power of 0: seconds do not depend on each other; of 1: a run is as
 * uncertain as one of its parts.
 */
static double extrapolate(const unsigned *n, const double *var, unsigned cut)
{
	double sx = 0, sy = 0, sxx = 0, sxy = 0, most = 0;

	for (unsigned i = 0; i < cut; i++) {
		double x = -log(n[i]), y = log(fmax(var[i], 1e-12));

		sx += x;
		sy += y;
		sxx += x * x;
		sxy += x * y;
		most = fmax(most, var[i]);
	}
	double spread = cut * sxx - sx * sx;
	double power = spread > 0 ? (cut * sxy - sx * sy) / spread : 0;

	return fmax(most, var[0] * pow(n[0], fmin(1, fmax(0, power))));
}

/* How uncertain the percentiles of a run are, as variances of logarithms. */
static int run_variances(const struct snapshot *s, const struct dist *d, unsigned finest,
			 struct load_rng *rng, double out[JUDGED])
{
	double var[CUTS][JUDGED], one[CUTS];
	unsigned n[CUTS], cut = 0;

	do {
		struct blocks b;

		n[cut] = cuts[cut] < finest ? cuts[cut] : finest;
		if (make_blocks(&b, s, d, n[cut]))
			return -ENOMEM;
		draw_variances(&b, rng, var[cut]);
		free(b.counts);
	} while (n[cut++] < finest);
	for (unsigned i = 0; i < JUDGED; i++) {
		for (unsigned k = 0; k < cut; k++)
			one[k] = var[k][i];
		out[i] = finest ? extrapolate(n, one, cut) : one[0];
	}
	return 0;
}

/* ---- judging --------------------------------------------------------------- */

static void judge(struct compare_value *v, double variance, bool timed)
{
	double half = (timed ? T_BLOCKS : T_SAMPLES) * sqrt(variance);

	v->low = v->ratio * exp(-half);
	v->high = v->ratio * exp(half);
	v->has_range = true;
	if (v->low > 1 && v->ratio > 1 + COMPARE_SLACK)
		v->verdict = VERDICT_WORSE;
	else if (v->high < 1 && v->ratio < 1 - COMPARE_SLACK)
		v->verdict = VERDICT_BETTER;
	else
		v->verdict = VERDICT_SAME;
}

static void values(struct compare *c, const struct dist *base, const struct dist *file)
{
	for (unsigned i = 0; i < DIST_PERCENTS; i++) {
		struct compare_value *v = &c->value[i];

		v->percent = dist_percents[i];
		v->base_ns = dist_percentile(base, v->percent);
		v->file_ns = dist_percentile(file, v->percent);
		v->known = hist_carries(base->counts.count, v->percent) &&
			   hist_carries(file->counts.count, v->percent) && v->base_ns > 0;
		v->ratio = v->known ? (double)v->file_ns / (double)v->base_ns : NAN;
	}
}

/* The tail decides: the highest percentile with a difference names it. */
static enum verdict overall(const struct compare *c)
{
	enum verdict v = VERDICT_UNKNOWN;

	for (unsigned i = 0; i + 1 < DIST_PERCENTS; i++) {
		if (!c->value[i].has_range)
			continue;
		if (c->value[i].verdict != VERDICT_SAME || v == VERDICT_UNKNOWN)
			v = c->value[i].verdict;
	}
	return v;
}

static int ranges(struct compare *c, const struct snapshot *base, const struct dist *base_dist,
		  const struct snapshot *file, const struct dist *file_dist)
{
	double a[JUDGED], b[JUDGED];
	struct load_rng rng;

	load_rng_seed(&rng, SEED);
	if (run_variances(base, base_dist, c->base_blocks, &rng, a) ||
	    run_variances(file, file_dist, c->file_blocks, &rng, b))
		return -ENOMEM;
	for (unsigned i = 0; i < JUDGED; i++)
		if (c->value[i].known)
			judge(&c->value[i], a[i] + b[i], c->base_blocks || c->file_blocks);
	return 0;
}

static bool is_short(const struct snapshot *s)
{
	return s->duration_s > 0 && s->duration_s < COMPARE_BLOCKS_LEAST;
}

/* Nobody can tell one burst from a change of the machine. */
static void refuse_short(struct compare *c)
{
	for (unsigned i = 0; i < JUDGED; i++) {
		if (!c->value[i].known)
			continue;
		c->value[i].verdict = VERDICT_SHORT;
		c->verdict = VERDICT_SHORT;
	}
}

int compare_make(struct compare *c, const struct snapshot *base, const struct dist *base_dist,
		 const struct snapshot *file, const struct dist *file_dist)
{
	*c = (struct compare){ .base_blocks = finest_cut(base, base_dist),
			       .file_blocks = finest_cut(file, file_dist) };
	c->sure = c->base_blocks && c->file_blocks;
	values(c, base_dist, file_dist);
	if (is_short(base) || is_short(file)) {
		refuse_short(c);
		return 0;
	}
	int err = ranges(c, base, base_dist, file, file_dist);

	if (!err)
		c->verdict = overall(c);
	return err;
}
