/*
 * bench_screen.c - what the live screen costs, over a pty that is read at once:
 * exec to first frame, CPU of all threads but the samplers, bytes a second,
 * memory; htop beside it in the same run where it is installed.
 *
 * JS_SECONDS (20) sets the length.
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

#define W 120
#define H 40

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

static void cost(const char *name, const char *const *argv, const char *until, int seconds)
{
	struct pty *p = pty_open(W, H);
	int status;

	pty_spawn(p, argv, (const char *const[]){ "TERM=xterm-256color", "LANG=C.UTF-8", NULL });
	if (!pty_wait_text(p, until, 5000))
		printf("# %s: no screen\n", name);
	pump_for(p, 3 * NS_PER_S);
	double before_ns = tree_cpu_ns(pty_pid(p));
	uint64_t bytes = pty_bytes(p);
	int64_t began_ns = clock_now_ns();

	pump_for(p, seconds * NS_PER_S);
	double ran_ns = (double)(clock_now_ns() - began_ns);

	printf("%s_cpu %.3f %%\n", name, 100 * (tree_cpu_ns(pty_pid(p)) - before_ns) / ran_ns);
	printf("%s_terminal %.2f kB/s\n", name, (double)(pty_bytes(p) - bytes) / (ran_ns / 1e9) / 1000);
	printf("%s_rss %ld kB\n", name, rss_kb(pty_pid(p)));
	pty_send(p, "q");
	pty_wait_exit(p, 5000, &status);
	pty_free(p);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void first_frame(void)
{
	double ms[15];
	int n = (int)(sizeof(ms) / sizeof(ms[0])), status;

	for (int i = 0; i < n; i++) {
		struct pty *p = pty_open(W, H);
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

int main(void)
{
	int seconds = getenv("JS_SECONDS") ? atoi(getenv("JS_SECONDS")) : 20;

	first_frame();
	cost("screen_120x40", (const char *const[]){ prog_path(), NULL }, "PERCENTILES", seconds);
	if (prog_have("htop", "bench_screen htop"))
		cost("beside_htop_1.5s", (const char *const[]){ "htop", "-d", "15", NULL }, "Load average", seconds);
	if (prog_have("btop", "bench_screen btop"))
		cost("beside_btop_2s", (const char *const[]){ "btop", NULL }, "cpu", seconds);
	return 0;
}
