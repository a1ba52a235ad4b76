/*
 * kernel_tcp.c - messages over a TCP connection, each answered by one byte;
 * and soakers, which tell how much of the machine that takes.
 *
 * A soaker is a process of the lowest priority on each CPU that does one piece
 * of work after another.  What it cannot do any more, somebody else took: also
 * the kernel, an interrupt, a cache that was emptied.  It keeps its CPU out of
 * idle, so round trips are timed without it.
 */
#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/clock.h"
#include "src/cpuset.h"
#include "src/suites/kernel.h"
#include "src/suites/kernel_tcp.h"
#include "src/suites/loop.h"

#define SIZE_MOST 65536
#define SOAKERS_MAX 256
#define WORK 2000		/* steps of a unit: some microseconds */
#define SETTLE_NS (100 * NS_PER_MS)

enum { ARG_SIZE, ARG_MESSAGES, ARG_UNITS };

/* ---- messages ---- */

struct line {
	int fd;			/* ours */
	pid_t server;
	unsigned long size;
	char *buf;
};

static _Noreturn void serve(int fd, char *buf, unsigned long size)
{
	while (!loop_read(fd, buf, size) && !loop_write(fd, buf, 1))
		;
	_exit(0);
}

static int open_line(struct kernel_run *r, struct line *l)
{
	int pair[2], err;

	*l = (struct line){ .fd = -1, .server = -1, .size = (unsigned long)r->arg[ARG_SIZE] };
	l->buf = calloc(1, SIZE_MOST);
	if (!l->buf || l->size < 1 || l->size > SIZE_MOST)
		return l->buf ? -EINVAL : -ENOMEM;
	err = loop_pair(SOCK_STREAM, pair);
	if (err)
		return err;
	l->server = load_child(r->w);
	if (l->server == 0) {
		close(pair[0]);
		serve(pair[1], l->buf, l->size);
	}
	close(pair[1]);
	l->fd = pair[0];
	return l->server < 0 ? -errno : 0;
}

/* The server sees the end and ends, so that its CPU time is known. */
static void close_line(struct line *l)
{
	if (l->fd >= 0)
		loop_reset(l->fd);
	if (l->server > 0) {
		while (waitpid(l->server, NULL, 0) < 0 && errno == EINTR)
			;
	}
	free(l->buf);
}

static int one_message(struct line *l)
{
	int err = loop_write(l->fd, l->buf, l->size);

	return err ? err : loop_read(l->fd, l->buf, 1);
}

static int send_messages(struct kernel_run *r, struct line *l, struct hist *h)
{
	int64_t end_ns = clock_now_ns() + r->length_ns;
	uint64_t most = (uint64_t)r->arg[ARG_MESSAGES];
	int err = one_message(l);	/* warm */

	/* Once at least: on a busy machine the time may be over already. */
	for (uint64_t n = 0; !err && n < most && (!n || kernel_going(r, end_ns)); n++) {
		int64_t begun_ns = clock_now_ns();

		err = one_message(l);
		if (!err)
			hist_record(h, clock_now_ns() - begun_ns);
	}
	return err;
}

static double cpu_us(int who)
{
	struct rusage u;

	getrusage(who, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e6 +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static void publish_trip(struct kernel_run *r, const struct hist *h, double used_us)
{
	const double figure[] = {
		[KERNEL_MEDIAN] = kernel_percentile(h, 50) / 1e3,
		[KERNEL_P99] = kernel_percentile(h, 99) / 1e3,
		[KERNEL_MAX] = (double)h->max_ns / 1e3,
		[KERNEL_N] = (double)h->count,
		[KERNEL_MEAN] = hist_mean(h) / 1e3,
		[KERNEL_LEAST] = (double)h->min_ns / 1e3,
		[KERNEL_TCP_CPU] = h->count ? used_us / (double)h->count : 0,
	};

	load_publish(r->w, figure, KERNEL_TCP_CPU + 1, NULL);
}

static int run_trips(struct kernel_run *r)
{
	double before_us = cpu_us(RUSAGE_SELF) + cpu_us(RUSAGE_CHILDREN);
	struct hist *h = hist_new(3);
	struct line l;
	int err = open_line(r, &l);

	if (!err)
		err = h ? send_messages(r, &l, h) : -ENOMEM;
	close_line(&l);
	if (!err)
		publish_trip(r, h, cpu_us(RUSAGE_SELF) + cpu_us(RUSAGE_CHILDREN) - before_us);
	hist_free(h);
	return err ? kernel_failed(r, err, "TCP on loopback") : 0;
}

/* ---- soakers ---- */

struct count { _Alignas(64) _Atomic uint64_t units; };

struct soakers {
	struct count *count;
	pid_t pid[SOAKERS_MAX];
	unsigned n;
};

static _Noreturn void soak(struct count *count, int cpu)
{
	struct sched_param none = { 0 };
	struct cpuset one;
	volatile unsigned long value = 1;

	cpuset_clear(&one);
	cpuset_add(&one, cpu);
	if (cpuset_pin(0, &one, NULL) || sched_setscheduler(0, SCHED_IDLE, &none))
		_exit(1);
	for (;;) {
		for (unsigned i = 0; i < WORK; i++)
			value = value * 6364136223846793005u + 1442695040888963407u;
		atomic_fetch_add_explicit(&count->units, 1, memory_order_relaxed);
	}
}

static int raise_soakers(struct kernel_run *r, struct soakers *s)
{
	struct cpuset allowed;

	*s = (struct soakers){ .n = 0 };
	if (cpuset_allowed(&allowed, NULL))
		return -EIO;
	s->count = mmap(NULL, SOAKERS_MAX * sizeof(*s->count), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (s->count == MAP_FAILED) {
		s->count = NULL;
		return -errno;
	}
	cpuset_each(cpu, &allowed) {
		if (s->n == SOAKERS_MAX)
			break;
		s->pid[s->n] = load_child(r->w);
		if (s->pid[s->n] == 0)
			soak(&s->count[s->n], cpu);
		if (s->pid[s->n] < 0)
			return -errno;
		s->n++;
	}
	clock_wait_until(clock_now_ns() + SETTLE_NS);
	return 0;
}

static void end_soakers(struct soakers *s)
{
	for (unsigned i = 0; i < s->n; i++)
		kernel_end_child(s->pid[i]);
	if (s->count)
		munmap(s->count, SOAKERS_MAX * sizeof(*s->count));
}

static uint64_t units_of(const struct soakers *s)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < s->n; i++)
		sum += atomic_load_explicit(&s->count[i].units, memory_order_relaxed);
	return sum;
}

static double per_second(uint64_t units, int64_t ns)
{
	return ns > 0 ? (double)units * 1e9 / (double)ns : 0;
}

/* In pieces, so that a stop is heard. */
static void let_pass(struct kernel_run *r, int64_t ns)
{
	int64_t end_ns = clock_now_ns() + ns;

	while (kernel_going(r, end_ns)) {
		int64_t next_ns = clock_now_ns() + SETTLE_NS;

		clock_wait_until(next_ns < end_ns ? next_ns : end_ns);
	}
}

static double rate_alone(struct kernel_run *r, const struct soakers *s)
{
	uint64_t units = units_of(s);
	int64_t begun_ns = clock_now_ns();

	let_pass(r, r->length_ns);
	return per_second(units_of(s) - units, clock_now_ns() - begun_ns);
}

/* What they can do when they are alone. */
static int run_calibration(struct kernel_run *r)
{
	double figure[KERNEL_MORE] = { 0 };
	struct soakers s;
	int err = raise_soakers(r, &s);

	if (!err) {
		figure[KERNEL_MEDIAN] = rate_alone(r, &s);
		figure[KERNEL_N] = s.n;
		load_publish(r->w, figure, KERNEL_MORE, NULL);
	}
	end_soakers(&s);
	return err ? kernel_failed(r, err, "soakers") : 0;
}

/* What a try at messages beside the soakers found. */
struct soaked { double alone, beside; int64_t ran_ns; };

static double share_of(const struct soaked *k)
{
	return 1 - k->beside / k->alone;
}

static void publish_load(struct kernel_run *r, const struct soakers *s, const struct hist *h,
			 const struct soaked *k)
{
	double share = share_of(k);
	const double figure[] = {
		[KERNEL_MEDIAN] = 100 * share,
		[KERNEL_N] = (double)h->count,
		[KERNEL_MEAN] = h->count ? share * s->n * (double)k->ran_ns / 1e3 / (double)h->count : 0,
		[KERNEL_LEAST] = 0,
		[KERNEL_TCP_ALONE] = k->alone,
	};

	load_publish(r->w, figure, KERNEL_TCP_ALONE + 1, NULL);
}

static int try_soaked(struct kernel_run *r, struct line *l, const struct soakers *s,
		      struct hist *h, struct soaked *k)
{
	uint64_t units = units_of(s);
	int64_t begun_ns = clock_now_ns();
	int err;

	hist_clear(h);
	err = send_messages(r, l, h);
	k->ran_ns = clock_now_ns() - begun_ns;
	k->beside = per_second(units_of(s) - units, k->ran_ns);
	return err;
}

/*
 * Soakers that do more beside messages than alone were not alone when they
 * were calibrated.  Then both are found again, one right after the other; what
 * is below nothing after the last try is left to the suite.
 */
static int soak_until_sound(struct kernel_run *r, struct line *l, const struct soakers *s,
			    struct hist *h)
{
	struct soaked k = { .alone = (double)r->arg[ARG_UNITS] };
	int err = try_soaked(r, l, s, h, &k);

	for (unsigned i = 1; i < KERNEL_TCP_TRIES && !err && share_of(&k) < 0 && load_going(r->w); i++) {
		double alone = rate_alone(r, s);

		k.alone = alone > k.alone ? alone : k.alone;
		err = try_soaked(r, l, s, h, &k);
	}
	publish_load(r, s, h, &k);
	return err;
}

static int run_soaked(struct kernel_run *r)
{
	struct hist *h = hist_new(3);
	struct soakers s;
	struct line l;
	int err = raise_soakers(r, &s), line_err = open_line(r, &l);

	if (!err)
		err = !h ? -ENOMEM : r->arg[ARG_UNITS] <= 0 ? -EINVAL : line_err;
	if (!err)
		err = soak_until_sound(r, &l, &s, h);
	close_line(&l);
	end_soakers(&s);
	hist_free(h);
	return err ? kernel_failed(r, err, "TCP beside soakers") : 0;
}

#define MESSAGES 10000

const struct kernel kernels_tcp[] = {
	{ "tcp", KERNEL_TCP_TRIP, "us", false, run_trips, { 4, MESSAGES } },
	{ "tcp", KERNEL_TCP_UNITS, "units/s", false, run_calibration, { 0 } },
	{ "tcp", KERNEL_TCP_SOAKED, "%", false, run_soaked, { 4, MESSAGES } },
	{ NULL, NULL, NULL, false, NULL, { 0 } },
};
