/*
 * bench_keys.c - key to screen: from the byte written to the terminal to the
 * word it changes on the screen, idle and under loads, with real time and
 * without.  The reader runs in real time itself, or it would measure its own
 * waiting.
 *
 * JS_KEYS (60): keys a row.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/clock.h"
#include "src/load.h"
#include "tests/prog.h"
#include "tests/pty.h"

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Space freezes the view: the header's word turns, whatever else is shown. */
static double one_key(struct pty *p, const char *word)
{
	int64_t began_ns = clock_now_ns();

	pty_send(p, " ");
	if (!pty_wait_text(p, word, 10000))
		return 10000;
	return (double)(clock_now_ns() - began_ns) / 1e6;
}

static void row(const char *name, const char *const *loads_text, unsigned n, bool rt, unsigned keys)
{
	const char *argv[64] = { NULL };
	unsigned a = 0;
	double ms[512];
	int status;
	struct pty *p = pty_open(120, 40);

	if (!rt) {
		static const char *const without[] = { "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
						       "--bounding-set=-all", "--inh-caps=-all" };

		for (unsigned i = 0; i < 6; i++)
			argv[a++] = without[i];
	}
	argv[a++] = prog_path();
	for (unsigned i = 0; i < n; i++) {
		argv[a++] = "-l";
		argv[a++] = loads_text[i];
	}
	pty_spawn(p, argv, (const char *const[]){ "TERM=xterm-256color", "LANG=C.UTF-8", NULL });
	if (!pty_wait_text(p, "LIVE", 20000))
		printf("# %s: no screen\n", name);
	for (int64_t end_ns = clock_now_ns() + (n ? 6 : 2) * NS_PER_S; clock_now_ns() < end_ns;)
		pty_pump(p, 50);
	for (unsigned k = 0; k < keys; k++) {
		ms[k] = one_key(p, k % 2 ? "LIVE" : "PAUSED");
		pty_pump(p, 20 + (int)(k * 7 % 40));
	}
	qsort(ms, keys, sizeof(ms[0]), by_value);
	printf("key_to_screen_%s_%s p50 %.1f p99 %.1f max %.1f ms\n", name, rt ? "rt" : "norights", ms[keys / 2],
	       ms[keys * 99 / 100], ms[keys - 1]);
	fflush(stdout);
	int64_t began_ns = clock_now_ns();

	pty_send(p, "0");
	for (int64_t end_ns = clock_now_ns() + 2 * NS_PER_S; clock_now_ns() < end_ns;)
		pty_pump(p, 50);
	pty_send(p, "q");
	pty_wait_exit(p, 10000, &status);
	printf("# %s: stopped and left after %.1f s, exit %d\n", name, (double)(clock_now_ns() - began_ns) / 1e9, status >> 8);
	pty_free(p);
}

int main(void)
{
	static const char *const fork16[] = { "fork:16" }, *const cpu16[] = { "cpu:16" }, *const write4[] = { "write:4" };
	const char *all[64];
	unsigned n = 0, keys = getenv("JS_KEYS") ? (unsigned)atoi(getenv("JS_KEYS")) : 60;
	struct sched_param own = { .sched_priority = 2 };

	if (keys < 10 || keys > 512)
		keys = 60;
	if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &own))
		printf("# the reader is not in real time: its own waiting is in these figures\n");
	for (unsigned i = 0; loads[i] && n < 25; i++)
		all[n++] = loads[i]->name;
	for (int rt = geteuid() == 0 ? 1 : 0; rt >= 0; rt--) {
		row("idle", NULL, 0, rt, keys);
		row("fork16", fork16, 1, rt, keys);
		row("cpu16", cpu16, 1, rt, keys);
		row("write4", write4, 1, rt, keys);
		row("all", all, n, rt, keys);
	}
	return 0;
}
