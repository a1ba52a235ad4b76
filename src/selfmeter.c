/* selfmeter.c - see selfmeter.h. */
#include "src/selfmeter.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "src/clock.h"

#define AT_ONCE 32	/* samplers asked a second: each may cost a file in /proc */
#define RSS_NS (10 * NS_PER_S)

struct part {			/* a sampler or a helper */
	const struct sampler *sampler;
	const struct helper_line *line;
	bool begun;
	int64_t cpu_ns, read_ns;
	uint64_t faults;	/* at the first reading: those of the set-up */
	uint64_t grown;		/* since then */
	uint64_t others_faults;	/* of all threads when `faults` was last asked */
	double pct;
};

struct selfmeter {
	struct part *parts;
	unsigned nr, room, turn;
	bool begun;
	int64_t read_ns, process_ns, samplers_ns;
	uint64_t faults;	/* of the whole process */
	uint64_t switches;	/* of all threads at the last reading */
	uint64_t others_faults;	/* of all threads but this one, which has some at any time */
	uint64_t rss_faults;	/* ... when its memory was last asked */
	int64_t rss_ns, rss_kb;
};

struct selfmeter *selfmeter_new(void)
{
	return calloc(1, sizeof(struct selfmeter));
}

void selfmeter_free(struct selfmeter *s)
{
	if (!s)
		return;
	free(s->parts);
	free(s);
}

static int add(struct selfmeter *s, const struct part *part)
{
	for (unsigned i = 0; i < s->nr; i++)
		if (s->parts[i].sampler == part->sampler && s->parts[i].line == part->line)
			return 0;
	if (s->nr == s->room) {
		unsigned room = s->room ? 2 * s->room : 16;
		struct part *parts = realloc(s->parts, room * sizeof(*parts));

		if (!parts)
			return -ENOMEM;
		s->parts = parts;
		s->room = room;
	}
	s->parts[s->nr++] = *part;
	return 0;
}

int selfmeter_add_sampler(struct selfmeter *s, const struct sampler *sampler)
{
	return add(s, &(struct part){ .sampler = sampler });
}

int selfmeter_add_helper(struct selfmeter *s, const struct helper_line *line)
{
	return add(s, &(struct part){ .line = line });
}

void selfmeter_remove(struct selfmeter *s, const void *sampler_or_line)
{
	for (unsigned i = 0; i < s->nr; i++) {
		const struct part *p = &s->parts[i];

		if (p->sampler != sampler_or_line && p->line != sampler_or_line)
			continue;
		/* What it used so far leaves the sum; the next reading is no rate. */
		s->begun = false;
		s->parts[i] = s->parts[--s->nr];
		return;
	}
}

/* A file in /proc is opened for a thread's page faults: not while all threads
 * together, which the kernel tells in one call, have had none. */
static void read_faults(struct part *p, uint64_t others_faults)
{
	uint64_t minor, major;

	if (p->begun && p->others_faults == others_faults)
		return;
	sampler_faults(p->sampler, &minor, &major);
	if (!p->begun)
		p->faults = minor + major;
	else if (minor + major > p->faults)
		p->grown = minor + major - p->faults;
	p->others_faults = others_faults;
}

static void read_part(struct part *p, uint64_t others_faults, int64_t now_ns)
{
	int64_t cpu_ns;

	if (p->sampler) {
		cpu_ns = sampler_cpu_ns(p->sampler);
		read_faults(p, others_faults);
	} else {
		cpu_ns = (int64_t)atomic_load_explicit(&p->line->cpu_ns, memory_order_relaxed);
	}
	if (cpu_ns < p->cpu_ns)		/* a helper gone mad, or a thread gone */
		cpu_ns = p->cpu_ns;
	if (p->begun && now_ns > p->read_ns)
		p->pct = 100 * (double)(cpu_ns - p->cpu_ns) / (double)(now_ns - p->read_ns);
	p->begun = true;
	p->cpu_ns = cpu_ns;
	p->read_ns = now_ns;
}

static void read_parts(struct selfmeter *s, int64_t now_ns)
{
	unsigned n = s->nr < AT_ONCE ? s->nr : AT_ONCE;

	for (unsigned i = 0; i < n; i++)
		read_part(&s->parts[s->turn++ % s->nr], s->others_faults, now_ns);
}

/* Memory grows by page faults; what is given back is seen a little later. */
static void read_memory(struct selfmeter *s, int64_t now_ns)
{
	long size, pages;

	if (s->rss_kb && s->faults == s->rss_faults && now_ns - s->rss_ns < RSS_NS)
		return;
	FILE *f = fopen("/proc/self/statm", "re");

	if (!f)
		return;
	if (fscanf(f, "%ld %ld", &size, &pages) == 2)
		s->rss_kb = pages * (sysconf(_SC_PAGESIZE) / 1024);
	fclose(f);
	s->rss_faults = s->faults;
	s->rss_ns = now_ns;
}

static void read_process(struct selfmeter *s, int64_t now_ns, struct self_usage *out)
{
	struct rusage u, mine;

	if (getrusage(RUSAGE_SELF, &u) == 0 && getrusage(RUSAGE_THREAD, &mine) == 0) {
		out->minor_faults = (uint64_t)u.ru_minflt;
		out->major_faults = (uint64_t)u.ru_majflt;
		out->switches = (uint64_t)(u.ru_nvcsw + u.ru_nivcsw);
		s->faults = out->minor_faults + out->major_faults;
		s->others_faults = s->faults - (uint64_t)(mine.ru_minflt + mine.ru_majflt);
	}
	read_memory(s, now_ns);
	out->rss_kb = s->rss_kb;
}

void selfmeter_read(struct selfmeter *s, int64_t now_ns, struct self_usage *out)
{
	int64_t process_ns = clock_process_cpu_ns(), samplers_ns = 0;

	read_process(s, now_ns, out);
	read_parts(s, now_ns);
	out->sampler_cpu_pct = out->sampler_work_pct = out->helper_cpu_pct = 0;
	out->sampler_faults = 0;
	for (unsigned i = 0; i < s->nr; i++) {
		const struct part *p = &s->parts[i];

		if (p->sampler) {
			out->sampler_cpu_pct += p->pct;
			if (sampler_config(p->sampler)->probe->flags & PROBE_WORKS)
				out->sampler_work_pct += p->pct;
			out->sampler_faults += p->grown;
			samplers_ns += p->cpu_ns;
		} else {
			out->helper_cpu_pct += p->pct;
		}
	}
	if (s->begun && now_ns > s->read_ns) {
		double all = (double)(process_ns - s->process_ns);
		double samplers = s->nr <= AT_ONCE ? (double)(samplers_ns - s->samplers_ns)
			: out->sampler_cpu_pct / 100 * (double)(now_ns - s->read_ns);

		out->switches_per_s = 1e9 * (double)(out->switches - s->switches) /
			(double)(now_ns - s->read_ns);
		out->cpu_pct = 100 * (all - samplers) / (double)(now_ns - s->read_ns);
		if (out->cpu_pct < 0)
			out->cpu_pct = 0;
		out->measured = true;
	}
	s->begun = true;
	s->read_ns = now_ns;
	s->switches = out->switches;
	s->process_ns = process_ns;
	s->samplers_ns = samplers_ns;
}

double selfmeter_busiest_pct(const struct selfmeter *s)
{
	double most = 0;

	for (unsigned i = 0; i < s->nr; i++)
		if (s->parts[i].sampler && s->parts[i].pct > most)
			most = s->parts[i].pct;
	return most;
}
