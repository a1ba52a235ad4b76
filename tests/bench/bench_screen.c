/*
 * bench_screen.c - what the live screen costs, over a pty that is read at once:
 * exec to first frame, CPU of all threads but the samplers, bytes a second,
 * memory; htop and btop beside it in the same run where they are installed.
 *
 * JS_SECONDS (20) sets the length, JS_ROUNDS (3) how often each has its turn:
 * medians are printed.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/clock.h"
#include "tests/prog.h"
#include "tests/pty.h"

#define ROUNDS_MOST 9

/* CPU ns of one thread from its schedstat, 0 when it is gone. */
static double thread_cpu_ns(int pid, const char *tid)
{
	char path[300];
	double ns = 0;

	snprintf(path, sizeof(path), "/proc/%d/task/%s/schedstat", pid, tid);
	FILE *f = fopen(path, "r");

	if (f) {
		if (fscanf(f, "%lf", &ns) != 1)
			ns = 0;
		fclose(f);
	}
	return ns;
}

static bool is_sampler(int pid, const char *tid)
{
	char path[300], comm[32] = "";

	snprintf(path, sizeof(path), "/proc/%d/task/%s/comm", pid, tid);
	FILE *f = fopen(path, "r");

	if (f) {
		if (!fgets(comm, sizeof(comm), f))
			comm[0] = '\0';
		fclose(f);
	}
	return strncmp(comm, "wakeup", 6) == 0 || strstr(comm, "sampler") != NULL;
}

/* Of a process: its threads, samplers left out. */
static double process_cpu_ns(int pid)
{
	char path[64];
	double ns = 0;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	DIR *dir = opendir(path);

	for (struct dirent *e; dir && (e = readdir(dir));)
		if (e->d_name[0] != '.' && !is_sampler(pid, e->d_name))
			ns += thread_cpu_ns(pid, e->d_name);
	if (dir)
		closedir(dir);
	return ns;
}

/* With the children (the supervisor). */
static double tree_cpu_ns(int pid)
{
	char path[80];
	double ns = process_cpu_ns(pid);
	int child;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", pid, pid);
	FILE *f = fopen(path, "r");

	while (f && fscanf(f, "%d", &child) == 1)
		ns += process_cpu_ns(child);
	if (f)
		fclose(f);
	return ns;
}

static long rss_kb(int pid)
{
	char path[64], line[256];
	long kb = 0;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	FILE *f = fopen(path, "r");

	while (f && fgets(line, sizeof(line), f))
		sscanf(line, "VmRSS: %ld", &kb);
	if (f)
		fclose(f);
	return kb;
}

static void pump_for(struct pty *p, int64_t ns)
{
	int64_t end_ns = clock_now_ns() + ns;

	while (clock_now_ns() < end_ns)
		pty_pump(p, 50);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* One program at one size, in its turn. */
struct candidate {
	const char *name, *tool;
	const char *const *argv;
	const char *until;
	int w, h;
	double cpu_pct[ROUNDS_MOST], kb_per_s[ROUNDS_MOST], rss_kb[ROUNDS_MOST];
};

static void turn(struct candidate *c, int round, int seconds)
{
	struct pty *p = pty_open(c->w, c->h);
	int status;

	pty_spawn(p, c->argv, (const char *const[]){ "TERM=xterm-256color", "LANG=C.UTF-8", NULL });
	if (!pty_wait_text(p, c->until, 5000))
		printf("# %s: no screen\n", c->name);
	pump_for(p, 3 * NS_PER_S);
	double before_ns = tree_cpu_ns(pty_pid(p));
	uint64_t bytes = pty_bytes(p);
	int64_t began_ns = clock_now_ns();

	pump_for(p, seconds * NS_PER_S);
	double ran_ns = (double)(clock_now_ns() - began_ns);

	c->cpu_pct[round] = 100 * (tree_cpu_ns(pty_pid(p)) - before_ns) / ran_ns;
	c->kb_per_s[round] = (double)(pty_bytes(p) - bytes) / (ran_ns / 1e9) / 1000;
	c->rss_kb[round] = (double)rss_kb(pty_pid(p));
	pty_send(p, "q");
	pty_wait_exit(p, 5000, &status);
	pty_free(p);
}

static double median(double *values, int n)
{
	qsort(values, (size_t)n, sizeof(values[0]), by_value);
	return values[n / 2];
}

static void print(struct candidate *c, int rounds)
{
	double cpu = median(c->cpu_pct, rounds), kb = median(c->kb_per_s, rounds),
	       rss = median(c->rss_kb, rounds);

	printf("%-24s cpu %.3f %% (%.3f..%.3f)  terminal %.2f kB/s  rss %.0f kB\n", c->name, cpu,
	       c->cpu_pct[0], c->cpu_pct[rounds - 1], kb, rss);
}

static void first_frame(void)
{
	double ms[15];
	int n = (int)(sizeof(ms) / sizeof(ms[0])), status;

	for (int i = 0; i < n; i++) {
		struct pty *p = pty_open(120, 40);
		int64_t began_ns = clock_now_ns();

		pty_spawn(p, (const char *const[]){ prog_path(), NULL }, (const char *const[]){ "TERM=xterm-256color", "LANG=C.UTF-8", NULL });
		pty_wait_text(p, "PERCENTILES", 5000);
		ms[i] = (double)(clock_now_ns() - began_ns) / 1e6;
		pty_send(p, "q");
		pty_wait_exit(p, 5000, &status);
		pty_free(p);
	}
	qsort(ms, (size_t)n, sizeof(ms[0]), by_value);
	printf("exec_to_first_frame %.1f ms (median of %d; worst %.1f)\n", ms[n / 2], n, ms[n - 1]);
}

static int number_of(const char *name, int otherwise, int most)
{
	int n = getenv(name) ? atoi(getenv(name)) : otherwise;

	return n < 1 ? 1 : n > most ? most : n;
}

int main(void)
{
	const char *const own[] = { prog_path(), NULL }, *const htop[] = { "htop", "-d", "15", NULL },
		   *const btop[] = { "btop", NULL };
	struct candidate all[] = {
		{ "screen_120x40", NULL, own, "PERCENTILES", 120, 40 },
		{ "beside_htop_1.5s_120x40", "htop", htop, "Load average", 120, 40 },
		{ "beside_btop_2s_120x40", "btop", btop, "cpu", 120, 40 },
		{ "screen_200x60", NULL, own, "PERCENTILES", 200, 60 },
		{ "beside_htop_1.5s_200x60", "htop", htop, "Load average", 200, 60 },
		{ "beside_btop_2s_200x60", "btop", btop, "cpu", 200, 60 },
	};
	int n = (int)(sizeof(all) / sizeof(all[0])), seconds = number_of("JS_SECONDS", 20, 3600),
	    rounds = number_of("JS_ROUNDS", 3, ROUNDS_MOST);
	bool have[sizeof(all) / sizeof(all[0])];

	for (int i = 0; i < n; i++)
		have[i] = !all[i].tool || prog_have(all[i].tool, "bench_screen");
	first_frame();
	for (int round = 0; round < rounds; round++)
		for (int i = 0; i < n; i++)
			if (have[i])
				turn(&all[i], round, seconds);
	for (int i = 0; i < n; i++)
		if (have[i])
			print(&all[i], rounds);
	return 0;
}
