/* blame_rings.c - see blame_rings.h. */
#include "src/blame_rings.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/capability.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "src/clock.h"
#include "src/procfile.h"
#include "src/rt.h"

#define DATA_LEAST (64u << 10)
#define RECORD_BEGUN 4096	/* more than a record that is being written takes */

#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif

/* ---- rights -------------------------------------------------------------- */

static bool set_perfmon(cap_flag_value_t value)
{
	cap_t caps = cap_get_proc();
	cap_value_t which = CAP_PERFMON;
	cap_flag_value_t permitted = CAP_CLEAR, effective = CAP_CLEAR;
	bool done = false;

	if (!caps)
		return false;
	cap_get_flag(caps, which, CAP_PERMITTED, &permitted);
	cap_get_flag(caps, which, CAP_EFFECTIVE, &effective);
	if (permitted == CAP_SET && effective != value)
		done = !cap_set_flag(caps, CAP_EFFECTIVE, 1, &which, value) && !cap_set_proc(caps);
	cap_free(caps);
	return done;
}

bool blame_rights_raise(void)
{
	return set_perfmon(CAP_SET);
}

void blame_rights_drop(bool raised)
{
	if (raised)
		set_perfmon(CAP_CLEAR);
}

/* ---- tracepoints --------------------------------------------------------- */

static const char *const roots[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };

struct point {
	const char *name;
	size_t place;			/* in struct trace_layout */
	const char *field[4];
};

static const struct point points[BLAME_POINTS] = {
	{ "sched/sched_switch", offsetof(struct trace_layout, sched_switch),
	  { "next_pid", "next_comm", "prev_pid" } },
	{ "sched/sched_waking", offsetof(struct trace_layout, sched_waking), { "pid" } },
	{ "irq/irq_handler_entry", offsetof(struct trace_layout, irq_in), { "irq", "name" } },
	{ "irq/irq_handler_exit", offsetof(struct trace_layout, irq_out), { "irq" } },
	{ "irq/softirq_entry", offsetof(struct trace_layout, softirq_in), { "vec" } },
	{ "irq/softirq_exit", offsetof(struct trace_layout, softirq_out), { "vec" } },
};
#define WAKING 1	/* of points[] */

static struct trace_point *place_of(struct trace_layout *l, const struct point *p)
{
	return (struct trace_point *)((char *)l + p->place);
}

static int read_point(const char *root, const struct point *p, struct trace_point *out)
{
	char path[256], text[4096];
	long n;

	snprintf(path, sizeof(path), "%s/events/%s/format", root, p->name);
	n = procfile_read(path, text, sizeof(text));
	if (n < 0)
		return (int)n;
	out->id = trace_format_id(text);
	if (!out->id)
		return -EINVAL;
	for (int i = 0; i < 4 && p->field[i]; i++) {
		int offset = trace_format_offset(text, p->field[i]);

		if (offset < 0)
			return -EINVAL;
		out->offset[i] = (unsigned)offset;
	}
	return 0;
}

static int read_root(const char *root, struct trace_layout *out)
{
	for (int i = 0; i < BLAME_POINTS; i++) {
		int err = read_point(root, &points[i], place_of(out, &points[i]));

		if (err)
			return err;
	}
	return 0;
}

int blame_layout_read(struct trace_layout *out, struct why *why)
{
	int err = -ENOENT;

	for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]); i++) {
		*out = (struct trace_layout){ 0 };
		int now = read_root(roots[i], out);

		if (!now)
			return 0;
		if (err == -ENOENT)
			err = now;
	}
	if (err == -ENOENT)
		return why_set(why, err, "%s: not mounted; sudo mount -t tracefs none %s", roots[0],
			       roots[0]);
	if (err == -EACCES)
		return why_set(why, err, "%s: not readable; run as root", roots[0]);
	return why_set(why, err, "%s: %s", roots[0], strerror(-err));
}

/* ---- events -------------------------------------------------------------- */

static int perf_open(struct perf_event_attr *attr, int cpu)
{
	int fd = (int)syscall(SYS_perf_event_open, attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* Stamps equal the samplers', records go backward, nobody is ever woken.  A
 * field more in each record is time lost at each switch: a tracepoint tells the
 * task itself. */
static struct perf_event_attr common_attr(void)
{
	return (struct perf_event_attr){
		.size = sizeof(struct perf_event_attr),
		.sample_type = PERF_SAMPLE_TIME,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.write_backward = 1,
		.watermark = 1,
		.wakeup_watermark = 1u << 30,
	};
}

/* Names, births and deaths; and a sample for each task that stops running,
 * unless a tracepoint tells.  The records that `context_switch` asks for say no
 * more, but come twice a switch and cost a third more. */
static int open_tasks(int cpu, bool with_switches)
{
	struct perf_event_attr attr = common_attr();

	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_DUMMY;
	attr.comm = 1;
	attr.task = 1;
	if (with_switches) {
		attr.config = PERF_COUNT_SW_CONTEXT_SWITCHES;
		attr.sample_period = 1;
		attr.sample_type |= PERF_SAMPLE_TID;
	}
	return perf_open(&attr, cpu);
}

static int open_point(struct blame_ring *r, int which, unsigned id)
{
	struct perf_event_attr attr = common_attr();
	int fd;

	attr.type = PERF_TYPE_TRACEPOINT;
	attr.config = id;
	attr.sample_period = 1;
	attr.sample_type |= PERF_SAMPLE_RAW;
	/* Wakings are many; only the sampler's count, and its tid comes later. */
	attr.disabled = which == WAKING;
	fd = perf_open(&attr, r->cpu);
	if (fd < 0)
		return fd;
	if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, r->fd)) {
		int err = -errno;

		close(fd);
		return err;
	}
	r->point_fd[which] = fd;
	return 0;
}

static int open_points(struct blame_ring *r, const struct trace_layout *layout)
{
	for (int i = 0; i < BLAME_POINTS; i++) {
		const struct trace_point *p =
			(const void *)((const char *)layout + points[i].place);
		int err = open_point(r, i, p->id);

		if (err)
			return err;
	}
	return 0;
}

/* Read-only: that is what makes the kernel overwrite old records. */
static int map_ring(struct blame_ring *r, size_t data_bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int err = -ENOMEM;

	for (size_t bytes = data_bytes; bytes >= DATA_LEAST && bytes >= page; bytes /= 2) {
		void *map = mmap(NULL, page + bytes, PROT_READ, MAP_SHARED, r->fd, 0);

		if (map != MAP_FAILED) {
			r->map = map;
			r->data_bytes = bytes;
			return 0;
		}
		err = -errno;
		if (err != -EPERM && err != -ENOMEM)
			break;
	}
	return err;
}

#define PARANOID "kernel.perf_event_paranoid"
#define PARANOID_MOST 2		/* of the kernel itself; Debian and others have stricter ones */

static int paranoid_level(void)
{
	char text[16];

	if (!procfile_line("/proc/sys/kernel/perf_event_paranoid", text, sizeof(text)))
		return PARANOID_MOST;
	return atoi(text);
}

/* Above the kernel's own levels CAP_PERFMON may not be enough (Debian's 3). */
static int no_right(int err, const char *what, struct why *why)
{
	const char *without_cap = *what == 't' ? "-1" : "0";
	int level = paranoid_level();

	if (level <= PARANOID_MOST)
		return why_set(why, err, "%s: refused; setcap cap_perfmon or sysctl " PARANOID "=%s",
			       what, without_cap);
	return why_set(why, err, "%s: refused, " PARANOID " is %d; sudo sysctl " PARANOID "=%s", what,
		       level, rt_has_capability(CAP_PERFMON, false) ? "2" : without_cap);
}

static int refused(struct blame_ring *r, int err, const char *what, struct why *why)
{
	blame_ring_close(r);
	if (err == -EACCES || err == -EPERM)
		return no_right(err, what, why);
	return why_set(why, err, "%s: %s", what, strerror(-err));
}

static struct blame_ring closed_ring(int cpu)
{
	struct blame_ring r = { .cpu = cpu, .fd = -1 };

	for (int i = 0; i < BLAME_POINTS; i++)
		r.point_fd[i] = -1;
	return r;
}

int blame_ring_open(struct blame_ring *r, int cpu, const struct trace_layout *layout,
		    size_t data_bytes, struct why *why)
{
	int err;

	*r = closed_ring(cpu);
	r->fd = open_tasks(cpu, !layout);
	if (r->fd < 0) {
		err = r->fd;
		r->fd = -1;
		return refused(r, err, "perf events", why);
	}
	err = map_ring(r, data_bytes);
	if (err)
		return refused(r, err, "perf ring", why);
	err = layout ? open_points(r, layout) : 0;
	if (err)
		return refused(r, err, "tracepoints", why);
	r->last_head = blame_ring_head(r);
	return 0;
}

int blame_ring_open_names(struct blame_ring *r, int cpu, size_t data_bytes)
{
	*r = closed_ring(cpu);
	r->fd = open_tasks(cpu, false);
	if (r->fd < 0)
		return refused(r, r->fd, "perf events", NULL);
	int err = map_ring(r, data_bytes);

	return err ? refused(r, err, "perf ring", NULL) : 0;
}

void blame_ring_close(struct blame_ring *r)
{
	for (int i = 0; i < BLAME_POINTS; i++) {
		if (r->point_fd[i] >= 0)
			close(r->point_fd[i]);
		r->point_fd[i] = -1;
	}
	if (r->map)
		munmap(r->map, (size_t)sysconf(_SC_PAGESIZE) + r->data_bytes);
	r->map = NULL;
	if (r->fd >= 0)
		close(r->fd);
	r->fd = -1;
}

static void remember(struct blame_ring *r, int tid)
{
	for (int i = BLAME_WATCHED - 1; i > 0; i--)
		r->watched[i] = r->watched[i - 1];
	r->watched[0] = tid;
}

void blame_ring_watch(struct blame_ring *r, int tid)
{
	char filter[128] = "";
	size_t used = 0;

	remember(r, tid);
	if (r->fd < 0 || r->point_fd[WAKING] < 0)
		return;
	for (int i = 0; i < BLAME_WATCHED && r->watched[i]; i++)
		used += (size_t)snprintf(filter + used, sizeof(filter) - used, "%spid == %d",
					 i ? " || " : "", r->watched[i]);
	if (!ioctl(r->point_fd[WAKING], PERF_EVENT_IOC_SET_FILTER, filter))
		ioctl(r->point_fd[WAKING], PERF_EVENT_IOC_ENABLE, 0);
}

/* ---- reading ------------------------------------------------------------- */

void blame_ring_pause(struct blame_ring *r)
{
	r->pause[r->pauses % BLAME_PAUSES] = (struct blame_pause){ .from_ns = clock_now_ns() };
	ioctl(r->fd, PERF_EVENT_IOC_PAUSE_OUTPUT, 1);
}

void blame_ring_resume(struct blame_ring *r)
{
	ioctl(r->fd, PERF_EVENT_IOC_PAUSE_OUTPUT, 0);
	r->pause[r->pauses++ % BLAME_PAUSES].to_ns = clock_now_ns();
}

struct perf_ring_bytes blame_ring_bytes(const struct blame_ring *r, bool running)
{
	return (struct perf_ring_bytes){
		.data = (const char *)r->map + sysconf(_SC_PAGESIZE),
		.size = r->data_bytes,
		.head = blame_ring_head(r),
		.most = running ? r->data_bytes / 4 * 3 : 0,
	};
}

bool blame_ring_intact(const struct blame_ring *r, const struct perf_ring_bytes *bytes)
{
	/* The records were read before the head is looked at again. */
#ifdef __SANITIZE_THREAD__
	__asm__ __volatile__("" ::: "memory");	/* it knows no fences, nor the kernel */
#else
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
#endif
	uint64_t written = bytes->head - blame_ring_head(r);

	return written + RECORD_BEGUN <= bytes->size - bytes->most;
}

uint64_t blame_ring_head(const struct blame_ring *r)
{
	const struct perf_event_mmap_page *page = r->map;

	/* acquire: the records below were written before the head says so */
	return __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
}
