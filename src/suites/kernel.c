/* kernel.c - see kernel.h: the tables in a row, and how kernels measure. */
#include "src/suites/kernel.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "src/clock.h"

#define RATES_MAX 64
#define STRETCHES 10		/* of a rate */
#define STRETCH_LEAST_NS (20 * NS_PER_MS)
#define SAMPLES_LEAST 5		/* however short the time */
#define COST_NS (50 * NS_PER_MS)

static const struct kernel *const tables[] = {
	kernels_calls, kernels_process, kernels_talk, kernels_unix, kernels_shell, kernels_file,
	kernels_map, kernels_memory, kernels_tcp,
};
#define TABLES (sizeof(tables) / sizeof(tables[0]))

const struct kernel *kernel_nth(unsigned n)
{
	for (size_t t = 0; t < TABLES; t++) {
		for (const struct kernel *k = tables[t]; k->name; k++) {
			if (!n--)
				return k;
		}
	}
	return NULL;
}

unsigned kernel_count(void)
{
	unsigned n = 0;

	while (kernel_nth(n))
		n++;
	return n;
}

/* ---- measuring ----------------------------------------------------------- */

bool kernel_going(const struct kernel_run *r, int64_t end_ns)
{
	return load_going(r->w) && clock_now_ns() < end_ns;
}

int kernel_failed(struct kernel_run *r, int err, const char *what)
{
	if (err > 0)
		err = -err;
	return why_set(r->why, err ? err : -EIO, "%s: %s", what, strerror(err ? -err : EIO));
}

static int one_batch(kernel_op *op, void *ctx, unsigned batch, int64_t *took_ns)
{
	int64_t begun_ns = clock_now_ns();
	int err = 0;

	for (unsigned i = 0; i < batch && !err; i++)
		err = op(ctx);
	*took_ns = clock_now_ns() - begun_ns;
	return err;
}

static int time_for(struct kernel_run *r, kernel_op *op, void *ctx, unsigned batch,
		    int64_t length_ns, struct hist *h)
{
	int64_t took_ns, end_ns;
	int err = one_batch(op, ctx, batch, &took_ns);

	end_ns = clock_now_ns() + length_ns;
	while (!err && load_going(r->w) &&
	       (h->count < SAMPLES_LEAST || clock_now_ns() < end_ns)) {
		err = one_batch(op, ctx, batch, &took_ns);
		if (!err)
			hist_record(h, took_ns);
	}
	return err;
}

int kernel_time(struct kernel_run *r, kernel_op *op, void *ctx, unsigned batch, struct hist *h)
{
	return time_for(r, op, ctx, batch, r->length_ns, h);
}

static double less_cost(double batch_ns, double batch, double cost_ns, double unit_ns)
{
	double ns = batch_ns / batch - cost_ns;

	return (ns > 0 ? ns : 0) / unit_ns;
}

/* A slot's upper end may lie above the true maximum. */
double kernel_percentile(const struct hist *h, double percent)
{
	int64_t ns = hist_percentile(h, percent);

	return (double)(ns < h->max_ns ? ns : h->max_ns);
}

void kernel_times(struct kernel_run *r, const struct hist *h, double batch, double cost_ns,
		  double unit_ns)
{
	const double figure[] = {
		[KERNEL_MEDIAN] = less_cost(kernel_percentile(h, 50), batch, cost_ns, unit_ns),
		[KERNEL_P99] = less_cost(kernel_percentile(h, 99), batch, cost_ns, unit_ns),
		[KERNEL_MAX] = less_cost((double)h->max_ns, batch, cost_ns, unit_ns),
		[KERNEL_N] = (double)h->count,
		[KERNEL_MEAN] = less_cost(hist_mean(h), batch, cost_ns, unit_ns),
		[KERNEL_LEAST] = less_cost((double)h->min_ns, batch, cost_ns, unit_ns),
	};

	load_publish(r->w, figure, KERNEL_MORE, NULL);
}

int kernel_time_us(struct kernel_run *r, kernel_op *op, void *ctx, unsigned batch)
{
	struct hist *h = hist_new(3);
	int err = h ? kernel_time(r, op, ctx, batch, h) : -ENOMEM;

	if (!err)
		kernel_times(r, h, batch, 0, NS_PER_US);
	hist_free(h);
	return err;
}

double kernel_cost_ns(struct kernel_run *r, kernel_op *op, void *ctx, unsigned batch)
{
	struct hist *h = hist_new(3);
	double cost_ns = 0;

	if (h && !time_for(r, op, ctx, batch, COST_NS, h))
		cost_ns = (double)hist_percentile(h, 50) / batch;
	hist_free(h);
	return cost_ns;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

void kernel_publish_rates(struct kernel_run *r, double *rate, unsigned n)
{
	double figure[KERNEL_MORE] = { 0 }, sum = 0;

	if (!n)
		return;
	qsort(rate, n, sizeof(*rate), by_size);
	for (unsigned i = 0; i < n; i++)
		sum += rate[i];
	figure[KERNEL_MEDIAN] = (rate[(n - 1) / 2] + rate[n / 2]) / 2;
	figure[KERNEL_WORST] = rate[0];
	figure[KERNEL_BEST] = rate[n - 1];
	figure[KERNEL_N] = n;
	figure[KERNEL_MEAN] = sum / n;
	figure[KERNEL_LEAST] = rate[0];
	load_publish(r->w, figure, KERNEL_MORE, NULL);
}

/* One stretch: whole operations, at least one. */
static int one_stretch(const struct kernel_run *r, kernel_op *op, void *ctx, int64_t length_ns,
		       double *per_ns)
{
	int64_t begun_ns = clock_now_ns(), now_ns = begun_ns;
	uint64_t done = 0;
	int err = 0;

	while (!err && load_going(r->w) && (!done || now_ns - begun_ns < length_ns)) {
		err = op(ctx);
		done++;
		now_ns = clock_now_ns();
	}
	*per_ns = now_ns > begun_ns ? (double)done / (double)(now_ns - begun_ns) : 0;
	return err;
}

int kernel_rates(struct kernel_run *r, kernel_op *op, void *ctx, double per_op, double per_s)
{
	int64_t stretch_ns = r->length_ns / STRETCHES, end_ns;
	double rate[RATES_MAX], per_ns;
	unsigned n = 0;
	int err = op(ctx);	/* warm */

	if (stretch_ns < STRETCH_LEAST_NS)
		stretch_ns = STRETCH_LEAST_NS;
	end_ns = clock_now_ns() + r->length_ns;
	while (!err && n < RATES_MAX && load_going(r->w) && (!n || clock_now_ns() < end_ns)) {
		err = one_stretch(r, op, ctx, stretch_ns, &per_ns);
		rate[n++] = per_ns * 1e9 * per_s * per_op;
	}
	if (!err)
		kernel_publish_rates(r, rate, n);
	return err;
}

int kernel_reap(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			return -errno;
	}
	return status ? -ECHILD : 0;
}

int kernel_birth(void *ctx)
{
	pid_t pid = fork();

	(void)ctx;
	if (pid == 0)
		_exit(0);
	return pid < 0 ? -errno : kernel_reap(pid);
}

void kernel_end_child(pid_t pid)
{
	if (pid <= 1)
		return;
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}
