/* sysrates.c - what the machine does right now; see sysinfo.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/clock.h"
#include "src/procfile.h"
#include "src/sysinfo.h"

#define BUFFER_FIRST (64u << 10)	/* /proc/stat of 256 CPUs */
#define BUFFER_MOST (4u << 20)
#define SECTOR_BYTES 512
#define PAGE_BYTES 4096			/* what a read of /proc is cut at, between two lines */
#define LINE_MOST_BYTES 1024		/* of the files that come line by line */

enum file { STAT, DISKSTATS, NETDEV, LOADAVG, PSI_CPU, PSI_IO, PSI_MEM, MEMINFO, FILES };

static const char *const paths[FILES] = {
	[STAT] = "/proc/stat",
	[DISKSTATS] = "/proc/diskstats",
	[NETDEV] = "/proc/net/dev",
	[LOADAVG] = "/proc/loadavg",
	[PSI_CPU] = "/proc/pressure/cpu",
	[PSI_IO] = "/proc/pressure/io",
	[PSI_MEM] = "/proc/pressure/memory",
	[MEMINFO] = "/proc/meminfo",
};

struct stat_totals { uint64_t forks, switches, interrupts, softirqs, busy, steal; };
struct io_totals { uint64_t disk_read, disk_write, net_rx, net_tx; };

struct sysrates_last {
	int fd[FILES];
	char *buf;
	size_t size;
	int64_t stat_ns, io_ns;		/* of the readings before; 0: none */
	struct stat_totals stat;
	struct io_totals io;
	uint64_t steal_first;		/* at the first reading */
	double ticks_per_s;
	uint64_t cpu_steal[CPUSET_MAX];
};

struct sysrates_last *sysrates_new(void)
{
	struct sysrates_last *l = calloc(1, sizeof(*l));
	char path[512];

	if (!l)
		return NULL;
	l->size = BUFFER_FIRST;
	l->buf = malloc(l->size);
	if (!l->buf) {
		free(l);
		return NULL;
	}
	for (int f = 0; f < FILES; f++)
		l->fd[f] = open(procfile_path(path, sizeof(path), paths[f]), O_RDONLY | O_CLOEXEC);
	l->ticks_per_s = (double)sysconf(_SC_CLK_TCK);
	return l;
}

void sysrates_free(struct sysrates_last *l)
{
	if (!l)
		return;
	for (int f = 0; f < FILES; f++)
		if (l->fd[f] >= 0)
			close(l->fd[f]);
	free(l->buf);
	free(l);
}

/* ---- reading ------------------------------------------------------------- */

static bool grow(struct sysrates_last *l)
{
	char *buf;

	if (l->size >= BUFFER_MOST)
		return false;
	buf = realloc(l->buf, 2 * l->size);
	if (!buf)
		return false;
	l->buf = buf;
	l->size *= 2;
	return true;
}

/* The whole file from its beginning; NULL: not there. */
static const char *read_file(struct sysrates_last *l, enum file f)
{
	size_t used = 0;
	ssize_t n;

	if (l->fd[f] < 0)
		return NULL;
	for (;;) {
		if (used + 1 >= l->size && !grow(l))
			break;
		n = pread(l->fd[f], l->buf + used, l->size - 1 - used, (off_t)used);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		used += (size_t)n;
		/* A page had room for more lines: there are none, and the
		 * read that says so is saved. */
		if (n < PAGE_BYTES - LINE_MOST_BYTES)
			break;
	}
	l->buf[used] = '\0';
	return used ? l->buf : NULL;
}

static const char *next_line(const char *p)
{
	p = strchr(p, '\n');
	return p ? p + 1 : NULL;
}

static double per_second(uint64_t now, uint64_t before, int64_t span_ns)
{
	if (span_ns <= 0 || now < before)
		return -1;
	return (double)(now - before) * 1e9 / (double)span_ns;
}

/* ---- /proc/stat ---------------------------------------------------------- */

/* user nice system idle iowait irq softirq steal (guest is inside user) */
static void take_cpu_times(const char *p, uint64_t *busy, uint64_t *steal)
{
	uint64_t field[8];

	for (int i = 0; i < 8; i++)
		field[i] = number_at(&p);
	*busy = field[0] + field[1] + field[2] + field[5] + field[6] + field[7];
	*steal = field[7];
}

static void take_cpu_line(struct sysrates_last *l, const char *p, struct cpuset *stolen)
{
	uint64_t cpu = number_at(&p), busy, steal;

	if (cpu >= CPUSET_MAX)
		return;
	take_cpu_times(p, &busy, &steal);
	if (stolen && l->stat_ns && steal > l->cpu_steal[cpu])
		cpuset_add(stolen, (int)cpu);
	l->cpu_steal[cpu] = steal;
}

static void take_counter(const char *line, struct stat_totals *t, struct sysrates *out)
{
	const struct { const char *key; uint64_t *total; double *now; } keys[] = {
		{ "ctxt ", &t->switches, NULL }, { "intr ", &t->interrupts, NULL },
		{ "softirq ", &t->softirqs, NULL }, { "processes ", &t->forks, NULL },
		{ "procs_running ", NULL, &out->run_queue },
		{ "procs_blocked ", NULL, &out->blocked },
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		size_t n = strlen(keys[i].key);

		if (strncmp(line, keys[i].key, n))
			continue;
		const char *p = line + n;

		if (keys[i].total)
			*keys[i].total = number_at(&p);
		else
			*keys[i].now = (double)number_at(&p);
		return;
	}
}

static void stat_unknown(struct sysrates *out)
{
	out->forks = out->switches = out->interrupts = out->softirqs = -1;
	out->cpu_busy_pct = out->steal_pct = -1;
}

static void stat_rates(struct sysrates_last *l, const struct stat_totals *t, int64_t now_ns,
		       struct sysrates *out)
{
	int64_t span = now_ns - l->stat_ns;

	if (!l->stat_ns) {
		stat_unknown(out);
		l->steal_first = t->steal;
	} else {
		out->forks = per_second(t->forks, l->stat.forks, span);
		out->switches = per_second(t->switches, l->stat.switches, span);
		out->interrupts = per_second(t->interrupts, l->stat.interrupts, span);
		out->softirqs = per_second(t->softirqs, l->stat.softirqs, span);
		out->cpu_busy_pct = 100 / l->ticks_per_s * per_second(t->busy, l->stat.busy, span);
		out->steal_pct = 100 / l->ticks_per_s * per_second(t->steal, l->stat.steal, span);
	}
	out->steal_s = t->steal > l->steal_first
			       ? (double)(t->steal - l->steal_first) / l->ticks_per_s
			       : 0;
	l->stat = *t;
	l->stat_ns = now_ns;
}

static void read_stat(struct sysrates_last *l, int64_t now_ns, struct sysrates *out,
		      struct cpuset *stolen)
{
	struct stat_totals t = { 0 };
	const char *line = read_file(l, STAT);

	if (!line) {
		stat_unknown(out);
		out->run_queue = out->blocked = -1;
		return;
	}
	for (; line && *line; line = next_line(line)) {
		if (!strncmp(line, "cpu ", 4))
			take_cpu_times(line + 4, &t.busy, &t.steal);
		else if (!strncmp(line, "cpu", 3))
			take_cpu_line(l, line + 3, stolen);
		else
			take_counter(line, &t, out);
	}
	stat_rates(l, &t, now_ns, out);
}

/* ---- disks and network --------------------------------------------------- */

/* Devices that only pass on what others do, or are memory. */
static bool counted_elsewhere(const char *name)
{
	static const char *const prefixes[] = { "loop", "ram", "zram", "dm-", "md", "sr", "fd" };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

/* sda1 after sda, nvme0n1p2 after nvme0n1: partitions follow their disk. */
static bool partition_of(const char *name, const char *disk)
{
	size_t n = strlen(disk);

	if (!n || strncmp(name, disk, n))
		return false;
	name += n;
	if (*name == 'p')
		name++;
	return *name >= '0' && *name <= '9';
}

/* major minor name reads merged sectors ms writes merged sectors ... */
static bool take_disks(const char *text, struct io_totals *t)
{
	char disk[32] = "", name[32];

	for (const char *line = text; line && *line; line = next_line(line)) {
		const char *p = line;

		number_at(&p);
		number_at(&p);
		p += strspn(p, " ");
		size_t n = strcspn(p, " \n");

		if (n == 0 || n >= sizeof(name))
			continue;
		memcpy(name, p, n);
		name[n] = '\0';
		p += n;
		if (counted_elsewhere(name) || partition_of(name, disk))
			continue;
		memcpy(disk, name, sizeof(disk));
		uint64_t field[7];

		for (int i = 0; i < 7; i++)
			field[i] = number_at(&p);
		t->disk_read += field[2] * SECTOR_BYTES;
		t->disk_write += field[6] * SECTOR_BYTES;
	}
	return text;
}

/* "  eth0: bytes packets errs drop fifo frame compressed multicast bytes ..." */
static bool take_net(const char *text, struct io_totals *t)
{
	for (const char *line = text; line && *line; line = next_line(line)) {
		const char *name = line + strspn(line, " ");
		const char *p = name + strcspn(name, ":\n");

		if (*p != ':' || !strncmp(name, "lo:", 3))
			continue;
		p++;
		uint64_t field[9];

		for (int i = 0; i < 9; i++)
			field[i] = number_at(&p);
		t->net_rx += field[0];
		t->net_tx += field[8];
	}
	return text;
}

static void read_io(struct sysrates_last *l, int64_t now_ns, struct sysrates *out)
{
	struct io_totals t = { 0 };
	bool disks = take_disks(read_file(l, DISKSTATS), &t);
	bool net = take_net(read_file(l, NETDEV), &t);
	int64_t span = l->io_ns ? now_ns - l->io_ns : 0;

	out->disk_read_bytes = disks ? per_second(t.disk_read, l->io.disk_read, span) : -1;
	out->disk_write_bytes = disks ? per_second(t.disk_write, l->io.disk_write, span) : -1;
	out->net_rx_bytes = net ? per_second(t.net_rx, l->io.net_rx, span) : -1;
	out->net_tx_bytes = net ? per_second(t.net_tx, l->io.net_tx, span) : -1;
	l->io = t;
	l->io_ns = now_ns;
}

/* ---- levels -------------------------------------------------------------- */

static double pressure(struct sysrates_last *l, enum file f)
{
	const char *p = line_of(read_file(l, f), "some avg10=");

	return p ? decimal_at(&p) : -1;
}

static void read_levels(struct sysrates_last *l, struct sysrates *out)
{
	const char *p = read_file(l, LOADAVG);

	for (int i = 0; i < 3; i++)
		out->loadavg[i] = p ? decimal_at(&p) : -1;
	out->psi_cpu = pressure(l, PSI_CPU);
	out->psi_io = pressure(l, PSI_IO);
	out->psi_mem = pressure(l, PSI_MEM);
	p = line_of(read_file(l, MEMINFO), "MemAvailable:");
	out->mem_available_kb = p ? (double)number_at(&p) : -1;
}

void sysrates_read(struct sysrates_last *l, int64_t now_ns, bool all,
		   struct sysrates *out, struct cpuset *stolen)
{
	read_stat(l, now_ns, out, stolen);
	if (!all)
		return;
	read_io(l, now_ns, out);
	read_levels(l, out);
}
