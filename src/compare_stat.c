/* compare_stat.c - see compare_stat.h. */
#include "src/compare_stat.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/load.h"
#include "src/snapshot_build.h"

#define ROUNDS 400
#define BLOCKS_MOST 60
#define SEED 20260111

const char *verdict_text(enum verdict v)
{
	static const char *const text[] = {"too few samples", "no difference shown", "better",
					   "WORSE"};

	return text[v];
}

/* One run as blocks of coarse counts; one block when it has no timeline. */
struct blocks {
	unsigned n;
	bool timed;
	double (*counts)[SLOTS];
};

static unsigned blocks_of(const struct snapshot *s)
{
	double n = floor(s->duration_s);

	return n < COMPARE_BLOCKS_LEAST ? 0 : n > BLOCKS_MOST ? BLOCKS_MOST : (unsigned)n;
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

static int make_blocks(struct blocks *b, const struct snapshot *s, const struct dist *d)
{
	int group = snapshot_group(s, d->probe);

	b->n = group >= 0 && s->nr_rows ? blocks_of(s) : 0;
	b->timed = b->n > 0;
	if (!b->timed)
		b->n = 1;
	b->counts = calloc(b->n, sizeof(*b->counts));
	if (!b->counts)
		return -ENOMEM;
	if (b->timed)
		fill_rows(b, s, (unsigned)group);
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

static double ratio_of(const double base[SLOTS], const double file[SLOTS], double percent)
{
	double b = compare_slots_percentile(base, percent);

	return b > 0 ? compare_slots_percentile(file, percent) / b : NAN;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* The middle 95 % of what was drawn; false: there is nothing to go by. */
static bool middle(double *ratio, unsigned n, double *low, double *high)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < n; i++)
		if (isfinite(ratio[i]))
			ratio[kept++] = ratio[i];
	if (kept < n / 2)
		return false;
	qsort(ratio, kept, sizeof(*ratio), by_size);
	*low = ratio[(unsigned)(0.025 * (kept - 1))];
	*high = ratio[(unsigned)ceil(0.975 * (kept - 1))];
	return true;
}

/* ---- judging --------------------------------------------------------------- */

static void judge(struct compare_value *v, double low, double high)
{
	/* Never a range that leaves out what was measured. */
	v->low = fmin(low, v->ratio);
	v->high = fmax(high, v->ratio);
	v->has_range = true;
	if (v->low > 1 && v->ratio > 1 + COMPARE_SLACK)
		v->verdict = VERDICT_WORSE;
	else if (v->high < 1 && v->ratio < 1 - COMPARE_SLACK)
		v->verdict = VERDICT_BETTER;
	else
		v->verdict = VERDICT_SAME;
}

static void ranges(struct compare *c, const struct blocks *base, const struct blocks *file,
		   double (*ratio)[ROUNDS])
{
	struct load_rng rng;
	double a[SLOTS], b[SLOTS];

	load_rng_seed(&rng, SEED);
	for (unsigned round = 0; round < ROUNDS; round++) {
		draw(base, &rng, a);
		draw(file, &rng, b);
		for (unsigned i = 0; i + 1 < DIST_PERCENTS; i++)
			ratio[i][round] = ratio_of(a, b, dist_percents[i]);
	}
	for (unsigned i = 0; i + 1 < DIST_PERCENTS; i++) {
		double low, high;

		if (c->value[i].known && middle(ratio[i], ROUNDS, &low, &high))
			judge(&c->value[i], low, high);
	}
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

int compare_make(struct compare *c, const struct snapshot *base, const struct dist *base_dist,
		 const struct snapshot *file, const struct dist *file_dist)
{
	struct blocks a = { 0 }, b = { 0 };
	double (*ratio)[ROUNDS] = calloc(DIST_PERCENTS, sizeof(*ratio));
	int err = ratio ? make_blocks(&a, base, base_dist) : -ENOMEM;

	if (!err)
		err = make_blocks(&b, file, file_dist);
	*c = (struct compare){ 0 };
	if (!err) {
		values(c, base_dist, file_dist);
		c->base_blocks = a.timed ? a.n : 0;
		c->file_blocks = b.timed ? b.n : 0;
		ranges(c, &a, &b, ratio);
		c->verdict = overall(c);
	}
	free(a.counts);
	free(b.counts);
	free(ratio);
	return err;
}
