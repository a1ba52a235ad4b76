/* blame_steal.c - see blame_steal.h. */
#include "src/blame_steal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/clock.h"
#include "src/cpuset.h"
#include "src/procfile.h"

#define STEAL_FIELD 7		/* user nice system idle iowait irq softirq steal */

struct blame_steal {
	int64_t tick_ns;
	unsigned cpus;			/* the highest number and one */
	struct cpuset known;		/* those that had a line: offline ones have none */
	/* Ticks at the latest mark of a second and at the one before; what was told
	 * since each. */
	uint64_t seen[CPUSET_MAX], seen_before[CPUSET_MAX];
	int64_t told_ns[CPUSET_MAX], told_before_ns[CPUSET_MAX];
	uint64_t now[CPUSET_MAX];
	char *buf;
	size_t size;
};

#define BUF_BYTES (32u << 10)
#define BUF_BYTES_MOST (2u << 20)	/* CPUSET_MAX lines of 11 numbers take 1 MB at most */

struct blame_steal *blame_steal_new(void)
{
	struct blame_steal *s = calloc(1, sizeof(*s));

	if (!s || !(s->buf = malloc(BUF_BYTES))) {
		free(s);
		return NULL;
	}
	s->size = BUF_BYTES;
	s->tick_ns = NS_PER_S / sysconf(_SC_CLK_TCK);
	blame_steal_second(s);
	return s;
}

void blame_steal_free(struct blame_steal *s)
{
	if (!s)
		return;
	free(s->buf);
	free(s);
}

static void read_line(struct blame_steal *s, const char *p)
{
	uint64_t cpu = number_at(&p), ticks = 0;

	for (int field = 0; field <= STEAL_FIELD; field++)
		ticks = number_at(&p);
	if (cpu >= CPUSET_MAX)
		return;
	s->now[cpu] = ticks;
	if (cpuset_has(&s->known, (int)cpu))
		return;
	/* What it had lost before it came is of no spike. */
	cpuset_add(&s->known, (int)cpu);
	s->seen[cpu] = s->seen_before[cpu] = ticks;
	if (cpu >= s->cpus)
		s->cpus = (unsigned)cpu + 1;
}

/* The lines of CPUs come first.  false: not all of them are in the buffer; one
 * that is cut is not read. */
static bool read_lines(struct blame_steal *s)
{
	const char *line = s->buf, *end;

	for (; !strncmp(line, "cpu", 3); line = end + 1) {
		end = strchr(line, '\n');
		if (!end)
			return false;
		if (line[3] >= '0' && line[3] <= '9')
			read_line(s, line + 3);
	}
	return *line;
}

static bool grow(struct blame_steal *s)
{
	char *more = s->size < BUF_BYTES_MOST ? realloc(s->buf, 2 * s->size) : NULL;

	if (!more)
		return false;
	s->buf = more;
	s->size *= 2;
	return true;
}

static void look(struct blame_steal *s)
{
	long n;

	do {
		n = procfile_read("/proc/stat", s->buf, s->size);
	} while (n > 0 && !read_lines(s) && (size_t)n + 1 >= s->size && grow(s));
}

/* A spike of before the mark may be told of after it. */
void blame_steal_second(struct blame_steal *s)
{
	look(s);
	memcpy(s->seen_before, s->seen, s->cpus * sizeof(s->seen[0]));
	memcpy(s->told_before_ns, s->told_ns, s->cpus * sizeof(s->told_ns[0]));
	memcpy(s->seen, s->now, s->cpus * sizeof(s->seen[0]));
	memset(s->told_ns, 0, s->cpus * sizeof(s->told_ns[0]));
}

int64_t blame_steal_take(struct blame_steal *s, int cpu, int64_t most_ns)
{
	if (cpu < 0 || cpu >= CPUSET_MAX || most_ns <= 0)
		return 0;
	look(s);
	uint64_t now = s->now[cpu], before = s->seen_before[cpu];
	int64_t grown_ns = now > before ? (int64_t)(now - before) * s->tick_ns : 0;
	int64_t left_ns = grown_ns - s->told_before_ns[cpu] - s->told_ns[cpu];

	if (left_ns > most_ns)
		left_ns = most_ns;
	if (left_ns <= 0)
		return 0;
	s->told_ns[cpu] += left_ns;
	return left_ns;
}
