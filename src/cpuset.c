/* cpuset.c - see cpuset.h. */
#include "src/cpuset.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORD_BITS 64

/* The kernel's mask is an array of long; with 64-bit longs it is ours as well. */
_Static_assert(sizeof(long) == sizeof(uint64_t), "cpuset.bits is handed to the kernel");

static bool in_range(int cpu)
{
	return cpu >= 0 && cpu < CPUSET_MAX;
}

static uint64_t bit_of(int cpu)
{
	return UINT64_C(1) << (cpu % WORD_BITS);
}

void cpuset_clear(struct cpuset *set)
{
	memset(set, 0, sizeof(*set));
}

void cpuset_add(struct cpuset *set, int cpu)
{
	if (in_range(cpu))
		set->bits[cpu / WORD_BITS] |= bit_of(cpu);
}

void cpuset_remove(struct cpuset *set, int cpu)
{
	if (in_range(cpu))
		set->bits[cpu / WORD_BITS] &= ~bit_of(cpu);
}

bool cpuset_has(const struct cpuset *set, int cpu)
{
	return in_range(cpu) && (set->bits[cpu / WORD_BITS] & bit_of(cpu));
}

int cpuset_count(const struct cpuset *set)
{
	int count = 0;

	for (int i = 0; i < CPUSET_MAX / WORD_BITS; i++)
		count += __builtin_popcountll(set->bits[i]);
	return count;
}

int cpuset_next(const struct cpuset *set, int after)
{
	int cpu = after < 0 ? 0 : after + 1;

	while (cpu < CPUSET_MAX) {
		uint64_t rest = set->bits[cpu / WORD_BITS] >> (cpu % WORD_BITS);

		if (rest)
			return cpu + __builtin_ctzll(rest);
		cpu += WORD_BITS - cpu % WORD_BITS;
	}
	return -1;
}

/* ---- text ---------------------------------------------------------------- */

/* Reads a CPU number and moves *at past it; -1: none there, or too large. */
static int parse_cpu(const char **at)
{
	const char *p = *at;
	int cpu = 0;

	if (*p < '0' || *p > '9')
		return -1;
	for (; *p >= '0' && *p <= '9'; p++) {
		cpu = cpu * 10 + (*p - '0');
		if (cpu >= CPUSET_MAX)
			return -1;
	}
	*at = p;
	return cpu;
}

/* One "a" or "a-b"; false: malformed. */
static bool parse_range(struct cpuset *set, const char **at)
{
	int first = parse_cpu(at), last = first;

	if (first >= 0 && **at == '-') {
		(*at)++;
		last = parse_cpu(at);
	}
	if (first < 0 || last < first)
		return false;
	for (int cpu = first; cpu <= last; cpu++)
		cpuset_add(set, cpu);
	return true;
}

static bool at_end(const char *p)
{
	return *p == '\0' || (*p == '\n' && p[1] == '\0');
}

int cpuset_parse(struct cpuset *set, const char *text, bool empty_ok, struct why *why)
{
	const char *at = text;

	cpuset_clear(set);
	if (at_end(at) && empty_ok)
		return 0;
	while (parse_range(set, &at)) {
		if (at_end(at))
			return 0;
		if (*at++ != ',')
			break;
	}
	cpuset_clear(set);
	return why_set(why, -EINVAL,
		       "CPU list \"%.60s\": not a list of CPUs 0 to %d; write it like 0-3,8",
		       text, CPUSET_MAX - 1);
}

size_t cpuset_text(const struct cpuset *set, char *buf, size_t size)
{
	size_t used = 0;

	if (size)
		buf[0] = '\0';
	for (int first = cpuset_next(set, -1); first >= 0;) {
		int last = first;
		char part[32];

		while (cpuset_has(set, last + 1))
			last++;
		int length = snprintf(part, sizeof(part), last > first ? "%s%d-%d" : "%s%d",
				      used ? "," : "", first, last);

		if (used < size)
			snprintf(buf + used, size - used, "%s", part);
		used += (size_t)length;
		first = cpuset_next(set, last);
	}
	return used;
}

const char *cpuset_brief(const struct cpuset *set, char *buf, size_t size)
{
	static const char more[] = ",...";

	if (cpuset_text(set, buf, size) < size || size < sizeof(more))
		return buf;
	/* A part that is cut would be another CPU's number. */
	buf[size - sizeof(more)] = '\0';
	char *end = strrchr(buf, ',');

	memcpy(end ? end : buf, end ? more : more + 1, end ? sizeof(more) : sizeof(more) - 1);
	return buf;
}

/* ---- the kernel's masks -------------------------------------------------- */

/* Reads tid's mask with a buffer that grows until the kernel's fits.  CPUs
 * from CPUSET_MAX on are left out.  0 or -errno. */
static int read_mask(pid_t tid, struct cpuset *set)
{
	const size_t most_bytes = 1 << 20;

	for (size_t bytes = sizeof(*set); bytes <= most_bytes; bytes *= 2) {
		cpu_set_t *mask = calloc(1, bytes);

		if (!mask)
			return -ENOMEM;
		int err = sched_getaffinity(tid, bytes, mask) ? errno : 0;

		if (!err)
			memcpy(set, mask, sizeof(*set));
		free(mask);
		if (err != EINVAL)
			return -err;
	}
	return -EINVAL;
}

int cpuset_allowed(struct cpuset *set, struct why *why)
{
	cpuset_clear(set);
	int err = read_mask(0, set);

	if (err)
		return why_set(why, err, "allowed CPUs: %s; name them with --cpus", strerror(-err));
	return 0;
}

int cpuset_of_thread(pid_t tid, struct cpuset *set)
{
	cpuset_clear(set);
	return read_mask(tid, set);
}

int cpuset_read_file(struct cpuset *set, const char *path, struct why *why)
{
	char text[CPUSET_MAX * 5];	/* every second CPU: at most 4 digits and a comma each */
	size_t used = 0;
	ssize_t got;

	cpuset_clear(set);
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return why_set(why, -errno, "%s: %s", path, strerror(errno));
	while (used < sizeof(text) - 1 &&
	       (got = read(fd, text + used, sizeof(text) - 1 - used)) > 0)
		used += (size_t)got;
	close(fd);
	text[used] = '\0';
	return cpuset_parse(set, text, true, why);
}

/* Why did the kernel refuse?  The usual reason is a CPU that is not online. */
static int refused(const struct cpuset *set, int err, struct why *why)
{
	struct cpuset online;
	char text[80];

	if (cpuset_read_file(&online, "/sys/devices/system/cpu/online", NULL) == 0) {
		cpuset_each(cpu, set) {
			if (!cpuset_has(&online, cpu))
				return why_set(why, err,
					       "CPU %d: not online; choose others with --cpus", cpu);
		}
	}
	cpuset_text(set, text, sizeof(text));
	return why_set(why, err,
		       "CPU %s: %s: outside the CPUs allowed to this process; choose others with --cpus",
		       text, strerror(-err));
}

int cpuset_pin(pid_t tid, const struct cpuset *set, struct why *why)
{
	struct cpuset now;

	if (sched_setaffinity(tid, sizeof(*set), (const cpu_set_t *)set->bits))
		return refused(set, -errno, why);
	int err = read_mask(tid, &now);

	if (!err && memcmp(&now, set, sizeof(now)) != 0)
		err = -EINVAL;
	return err ? refused(set, err, why) : 0;
}
