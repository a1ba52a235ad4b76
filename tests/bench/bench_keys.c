/*
 * bench_keys.c - key to screen: from the byte written to the terminal to the
 * word it changes on the screen, idle and under loads, with real time and
 * without.  The reader runs in real time itself, or it would measure its own
 * waiting.
 *
 * A byte on a pty is carried by an ordinary worker of the kernel, there and
 * back, and no program can be quicker than that.  So beside each key the line
 * alone is timed in the same moment: a process of a few lines, of the same
 * rights, that sends back what it gets.
 *
 * JS_KEYS (60): keys a row.  JS_ROW: only the rows of that load.
 */
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
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

/* ---- the line alone -------------------------------------------------------- */
struct line { struct pty *pty; pid_t pid; };

static void echo_for_ever(struct pty *p, bool rt)
{
	struct sched_param own = { .sched_priority = 1 };
	char byte;

	pty_adopt(p);
	if (!rt || sched_setscheduler(0, SCHED_FIFO, &own))
		sched_setscheduler(0, SCHED_OTHER, &(struct sched_param){ 0 });
	while (read(0, &byte, 1) == 1)
		if (write(0, &byte, 1) != 1)
			break;
	_exit(0);
}

static void line_open(struct line *l, bool rt)
{
	struct termios t;

	l->pty = pty_open(80, 24);
	pty_termios(l->pty, &t);
	cfmakeraw(&t);
	tcsetattr(pty_master(l->pty), TCSANOW, &t);
	l->pid = fork();
	if (l->pid == 0)
		echo_for_ever(l->pty, rt);
}

static void line_close(struct line *l)
{
	if (l->pid > 1) {
		kill(l->pid, SIGKILL);
		waitpid(l->pid, NULL, 0);
	}
	pty_free(l->pty);
}

static double line_once(struct line *l)
{
	int64_t began_ns = clock_now_ns();
	uint64_t before = pty_bytes(l->pty);

	pty_send(l->pty, "x");
	while (pty_bytes(l->pty) == before && clock_now_ns() - began_ns < 10 * NS_PER_S)
		pty_pump(l->pty, 20);
	return (double)(clock_now_ns() - began_ns) / 1e6;
}

/* ---- rows ------------------------------------------------------------------- */
struct figures { double p50, p99, max; };

static struct figures figures(double *ms, unsigned n)
{
	qsort(ms, n, sizeof(ms[0]), by_value);
	return (struct figures){ ms[n / 2], ms[n * 99 / 100], ms[n - 1] };
}

static struct pty *start(const char *const *loads_text, unsigned n, bool rt)
{
	static const char *const without[] = { "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
					       "--bounding-set=-all", "--inh-caps=-all" };
	const char *argv[64] = { NULL };
	struct pty *p = pty_open(120, 40);
	unsigned a = 0;

	for (unsigned i = 0; !rt && i < 6; i++)
		argv[a++] = without[i];
	argv[a++] = prog_path();
	for (unsigned i = 0; i < n; i++) {
		argv[a++] = "-l";
		argv[a++] = loads_text[i];
	}
	pty_spawn(p, argv, (const char *const[]){ "TERM=xterm-256color", "LANG=C.UTF-8", NULL });
	return p;
}

static void pump_for(struct pty *p, int64_t ns)
{
	for (int64_t end_ns = clock_now_ns() + ns; clock_now_ns() < end_ns;)
		pty_pump(p, 50);
}

static void finish(struct pty *p, const char *name)
{
	int64_t began_ns = clock_now_ns();
	int status = -1;

	pty_send(p, "0");
	pty_wait_no_text(p, " RUN", 10000);
	pty_send(p, "q");
	pty_wait_exit(p, 10000, &status);
	printf("# %s: loads stopped and left after %.1f s, exit %d\n", name,
	       (double)(clock_now_ns() - began_ns) / 1e9, status >> 8);
	pty_free(p);
}

static void row(const char *name, const char *const *loads_text, unsigned n, bool rt, unsigned keys)
{
	const char *only = getenv("JS_ROW");
	double key_ms[512], line_ms[512];
	struct line line;

	if (only && strcmp(only, name))
		return;
	struct pty *p = start(loads_text, n, rt);

	line_open(&line, rt);
	if (!pty_wait_text(p, "LIVE", 20000))
		printf("# %s: no screen\n", name);
	pump_for(p, (n ? 6 : 2) * NS_PER_S);
	for (unsigned k = 0; k < keys; k++) {
		key_ms[k] = one_key(p, k % 2 ? "LIVE" : "PAUSED");
		pty_pump(p, 20 + (int)(k * 7 % 40));
		line_ms[k] = line_once(&line);
	}
	struct figures key = figures(key_ms, keys), alone = figures(line_ms, keys);

	printf("key_to_screen_%-7s %-8s %6.1f %6.1f %6.1f ms   line alone %6.1f %6.1f %6.1f ms\n",
	       name, rt ? "rt" : "norights", key.p50, key.p99, key.max, alone.p50, alone.p99,
	       alone.max);
	fflush(stdout);
	line_close(&line);
	finish(p, name);
}

int main(void)
{
	static const char *const fork16[] = { "fork:16" }, *const cpu16[] = { "cpu:16" },
			 *const write4[] = { "write:4" };
	const char *all[64];
	unsigned n = 0, keys = getenv("JS_KEYS") ? (unsigned)atoi(getenv("JS_KEYS")) : 60;
	struct sched_param own = { .sched_priority = 2 };

	if (keys < 10 || keys > 512)
		keys = 60;
	if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &own))
		printf("# the reader is not in real time: its own waiting is in these figures\n");
	for (unsigned i = 0; loads[i] && n < 25; i++)
		all[n++] = loads[i]->name;
	printf("# %u keys a row                p50    p99    max                 p50    p99    max\n", keys);
	for (int rt = geteuid() == 0 ? 1 : 0; rt >= 0; rt--) {
		row("idle", NULL, 0, rt, keys);
		row("fork16", fork16, 1, rt, keys);
		row("cpu16", cpu16, 1, rt, keys);
		row("write4", write4, 1, rt, keys);
		row("all", all, n, rt, keys);
	}
	return 0;
}
