/* phase.c - see phase.h. */
#include "src/loads/phase.h"

#include <sys/resource.h>

#include "src/clock.h"

static int64_t used_ns(int who)
{
	struct rusage r;

	getrusage(who, &r);
	return (r.ru_utime.tv_sec + r.ru_stime.tv_sec) * NS_PER_S +
	       (r.ru_utime.tv_usec + r.ru_stime.tv_usec) * NS_PER_US;
}

int64_t phase_cpu_ns(void)
{
	return used_ns(RUSAGE_SELF) + used_ns(RUSAGE_CHILDREN);
}

void phase_begin(struct phase *p)
{
	*p = (struct phase){ .begun_ns = clock_now_ns(), .begun_cpu_ns = phase_cpu_ns() };
}

void phase_end(struct phase *p)
{
	p->wall_ns = clock_now_ns() - p->begun_ns;
	p->cpu_ns = phase_cpu_ns() - p->begun_cpu_ns;
}

double phase_seconds(const struct phase *p)
{
	return (double)p->wall_ns / 1e9;
}

double phase_cpu_pct(const struct phase *p)
{
	return p->wall_ns > 0 ? 100 * (double)p->cpu_ns / (double)p->wall_ns : 0;
}
