/* blame.c - see blame.h. */
#include "src/blame.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "src/blame_ask.h"
#include "src/blame_budget.h"
#include "src/blame_gather.h"
#include "src/blame_hints.h"
#include "src/blame_names.h"
#include "src/blame_rings.h"
#include "src/blame_steal.h"
#include "src/blame_walk.h"
#include "src/fds.h"
#include "src/text.h"

#define DATA_BYTES (512u << 10)		/* fits perf_event_mlock_kb without more rights */
/* A switch is 24 bytes without tracepoints and 88 with them: 43,000 and 23,000
 * of them.  To make and map 4 MiB took a millisecond or two a CPU. */
#define DATA_BYTES_LOCKED (1u << 20)
#define DATA_BYTES_POINTS (2u << 20)
#define NAME_BYTES (64u << 10)	/* a birth and a death: 128 bytes */
#define NAME_BYTES_LOCKED (512u << 10)
#define NAME_RINGS 64		/* with more CPUs the rings of switches are asked for names */
#define ALL_BYTES_MOST ((size_t)256 << 20)
#define FDS_KEPT 64		/* for samplers, files and the terminal */
#define EVENTS 16384
#define IDLE_LOOKS 16		/* rings a second */
#define ASK_NS NS_PER_MS	/* of CPU, for the names that other CPUs may know */
#define WORST 20		/* of the run are looked at on credit */
#define NOT_LOOKED_AT "not looked at: over 3 % of a CPU"	/* BLAME_CPU_PCT */
#define TURN_OVER "not looked at: over 4 ms in a turn"	/* BLAME_TURN_NS */
#define RING_SHORT_NS (500 * NS_PER_MS)	/* main must come more often below this */
#define WAIT_SHORT_NS (20 * NS_PER_MS)
/* While more spikes come than a turn may look at there are more turns. */
#define WAIT_SPIKES_NS (100 * NS_PER_MS)
#define SPIKES_FOR_NS (2 * NS_PER_S)

struct blame {
	enum blame_level level;
	struct why why[BLAME_LEVEL_TRACEPOINTS + 1];	/* why a level was refused */
	struct trace_layout layout;
	size_t data_bytes;
	struct blame_ring *ring;	/* [nr], CPUs ascending; levels switch and tracepoints */
	unsigned nr;
	struct blame_ring *names_ring;	/* [nr_names_rings]: every CPU, measured or not */
	unsigned nr_names_rings;
	struct blame_names *names;
	struct blame_hints *hints;
	struct blame_steal *steal;
	int *watched;			/* [nr_watched], by series: tid of its sampler; 0: none */
	unsigned nr_watched;
	struct trace_event *events;	/* [EVENTS], scratch of a walk */
	struct blame_result result;
	struct blame_gathered gathered;
	unsigned next_asked;		/* the ring that is asked first for a name from elsewhere */
	unsigned next_idle;		/* and for what it tells of its idle task */
	struct blame_budget budget;
	int64_t rate_ns;		/* last look at the rates */
};

/* ---- opening ------------------------------------------------------------- */

static bool may_lock_much(void)
{
	struct rlimit limit;

	return geteuid() == 0 ||
		(!getrlimit(RLIMIT_MEMLOCK, &limit) && limit.rlim_cur == RLIM_INFINITY);
}

static size_t ring_bytes_for(enum blame_level level, unsigned cpus)
{
	size_t bytes = !may_lock_much() ? DATA_BYTES
		: level == BLAME_LEVEL_TRACEPOINTS ? DATA_BYTES_POINTS : DATA_BYTES_LOCKED;

	while (bytes > 64u << 10 && bytes * cpus > ALL_BYTES_MOST)
		bytes /= 2;
	return bytes;
}

static const struct trace_layout *layout_of(const struct blame *b)
{
	return b->level == BLAME_LEVEL_TRACEPOINTS ? &b->layout : NULL;
}

static void close_rings(struct blame *b)
{
	for (unsigned i = 0; i < b->nr; i++)
		blame_ring_close(&b->ring[i]);
	b->nr = 0;
	for (unsigned i = 0; i < b->nr_names_rings; i++)
		blame_ring_close(&b->names_ring[i]);
	free(b->names_ring);
	b->names_ring = NULL;
	b->nr_names_rings = 0;
}

static size_t names_bytes(void)
{
	return may_lock_much() ? NAME_BYTES_LOCKED : NAME_BYTES;
}

/* A task may have been named or born on a CPU that is not measured.  Without
 * these rings fewer names are known. */
static void open_names_rings(struct blame *b)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	struct fds_room room = fds_room();

	if (cpus < 1 || cpus > NAME_RINGS || room.open + (uint64_t)cpus + FDS_KEPT > room.limit)
		return;
	b->names_ring = calloc((size_t)cpus, sizeof(*b->names_ring));
	for (int cpu = 0; b->names_ring && cpu < cpus; cpu++)
		blame_ring_open_names(&b->names_ring[b->nr_names_rings++], cpu, names_bytes());
}

/* All CPUs or none; but a CPU that is offline (ENODEV) may come later. */
static int open_rings(struct blame *b, const struct cpuset *cpus, struct why *why)
{
	unsigned open = 0;

	cpuset_each(cpu, cpus) {
		int err = blame_ring_open(&b->ring[b->nr++], cpu, layout_of(b), b->data_bytes, why);

		if (err && err != -ENODEV) {
			close_rings(b);
			return err;
		}
		open += !err;
	}
	return open ? 0 : -ENODEV;
}

/* Blame must not take the descriptors that everything else needs. */
static int check_fds(enum blame_level level, const struct cpuset *cpus, struct why *why)
{
	unsigned each = level == BLAME_LEVEL_TRACEPOINTS ? 1 + BLAME_POINTS : 1;
	unsigned want = (unsigned)cpuset_count(cpus) * each;
	struct fds_room room = fds_room();
	uint64_t need = (uint64_t)room.open + want + FDS_KEPT;

	if (need <= room.limit)
		return 0;
	return why_set(why, -EMFILE, "takes %u descriptors of %u; raise nofile to %" PRIu64
		       " in /etc/security/limits.d, or ulimit -n as root", want, room.limit, need);
}

static bool try_level(struct blame *b, enum blame_level level, const struct cpuset *cpus)
{
	struct why *why = &b->why[level];

	if (check_fds(level, cpus, why))
		return false;
	if (level == BLAME_LEVEL_TRACEPOINTS && blame_layout_read(&b->layout, why))
		return false;
	b->level = level;
	b->data_bytes = ring_bytes_for(level, (unsigned)cpuset_count(cpus));
	return !open_rings(b, cpus, why);
}

static void find_level(struct blame *b, const struct cpuset *cpus, enum blame_level most)
{
	for (enum blame_level level = most; level > BLAME_LEVEL_PROC; level--) {
		bool raised = blame_rights_raise(), done = try_level(b, level, cpus);

		if (done)
			open_names_rings(b);
		blame_rights_drop(raised);
		if (done)
			return;
	}
	b->level = most < BLAME_LEVEL_PROC ? most : BLAME_LEVEL_PROC;
	if (b->level == BLAME_LEVEL_PROC && access("/proc/interrupts", R_OK)) {
		why_set(&b->why[BLAME_LEVEL_PROC], -errno, "/proc/interrupts: %s", strerror(errno));
		b->level = BLAME_LEVEL_NONE;
	}
}

struct blame *blame_new(const struct cpuset *cpus, enum blame_level most)
{
	struct blame *b = calloc(1, sizeof(*b));
	unsigned n = (unsigned)cpuset_count(cpus);

	if (!b)
		return NULL;
	b->ring = calloc(n ? n : 1, sizeof(*b->ring));
	b->events = calloc(EVENTS, sizeof(*b->events));
	b->names = blame_names_new();
	b->hints = blame_hints_new();
	b->steal = blame_steal_new();
	if (!b->ring || !b->events || !b->names || !b->hints || !b->steal) {
		blame_free(b);
		return NULL;
	}
	find_level(b, cpus, most);
	return b;
}

void blame_free(struct blame *b)
{
	if (!b)
		return;
	close_rings(b);
	blame_names_free(b->names);
	blame_hints_free(b->hints);
	blame_steal_free(b->steal);
	free(b->ring);
	free(b->events);
	free(b->watched);
	free(b);
}

enum blame_level blame_level(const struct blame *b)
{
	return b->level;
}

const char *blame_level_name(enum blame_level level)
{
	static const char *const names[] = {
		[BLAME_LEVEL_NONE] = "none",
		[BLAME_LEVEL_PROC] = "proc",
		[BLAME_LEVEL_SWITCH] = "switch",
		[BLAME_LEVEL_TRACEPOINTS] = "tracepoints",
	};

	return names[level];
}

const char *blame_how(const struct blame *b, char *buf, size_t size)
{
	static const char *const tells[] = {
		[BLAME_LEVEL_NONE] = "no blame",
		[BLAME_LEVEL_PROC] = "hints only, no culprits",
		[BLAME_LEVEL_SWITCH] = "tasks, interrupts inside their shares",
		[BLAME_LEVEL_TRACEPOINTS] = "tasks, interrupts and softirqs",
	};
	const char *name = blame_level_name(b->level);

	if (b->level == BLAME_LEVEL_TRACEPOINTS)
		snprintf(buf, size, "%s: %s", name, tells[b->level]);
	else if (b->why[b->level + 1].err)
		snprintf(buf, size, "%s: %s; not %s: %s", name, tells[b->level],
			 blame_level_name(b->level + 1), b->why[b->level + 1].text);
	else
		snprintf(buf, size, "%s: %s; turned off by --no-blame", name, tells[b->level]);
	return buf;
}

/* ---- who samples where --------------------------------------------------- */

static int by_cpu(const void *key, const void *ring)
{
	int cpu = *(const int *)key, its = ((const struct blame_ring *)ring)->cpu;

	return (cpu > its) - (cpu < its);
}

static struct blame_ring *ring_of(struct blame *b, int cpu)
{
	return bsearch(&cpu, b->ring, b->nr, sizeof(*b->ring), by_cpu);
}

static struct blame_ring *names_ring_of(struct blame *b, int cpu)
{
	bool there = cpu >= 0 && (unsigned)cpu < b->nr_names_rings;

	return there && b->names_ring[cpu].fd >= 0 ? &b->names_ring[cpu] : NULL;
}

static int tid_of(const struct blame *b, unsigned series)
{
	return series < b->nr_watched ? b->watched[series] : 0;
}

/* Out of memory: its waking is not told apart. */
static void note_tid(struct blame *b, unsigned series, int tid)
{
	if (series >= b->nr_watched) {
		unsigned room = 2 * series + 16;
		int *w = realloc(b->watched, room * sizeof(*w));

		if (!w)
			return;
		memset(w + b->nr_watched, 0, (room - b->nr_watched) * sizeof(*w));
		b->watched = w;
		b->nr_watched = room;
	}
	b->watched[series] = tid;
}

void blame_watch(struct blame *b, unsigned series, int cpu, pid_t tid)
{
	struct blame_ring *r = ring_of(b, cpu);

	note_tid(b, series, tid);
	if (r && tid)
		blame_ring_watch(r, tid);
}

/* ---- a spike ------------------------------------------------------------- */

/* Is it among the worst of the run so far? */
static bool is_of_the_worst(const struct model *m, const struct spike *s)
{
	return m->nr_spikes < WORST || s->late_ns > m->spikes[WORST - 1].late_ns;
}

/* Why this spike is not to be looked at; NULL: it may. */
static const char *out_of_budget(struct blame *b, const struct model *m, const struct spike *s)
{
	blame_budget_turn(&b->budget, m->now_ns);
	if (blame_budget_allows(&b->budget, is_of_the_worst(m, s)))
		return NULL;
	return b->budget.turn_ns < BLAME_TURN_NS ? NOT_LOOKED_AT : TURN_OVER;
}

static void note(struct spike *s, const char *fmt, const char *arg)
{
	size_t used = strlen(s->note);

	if (used && used + 3 < sizeof(s->note))
		used += (size_t)snprintf(s->note + used, sizeof(s->note) - used, "; ");
	if (used < sizeof(s->note))
		snprintf(s->note + used, sizeof(s->note) - used, fmt, arg);
}

/* ---- over all spikes ----------------------------------------------------- */

#define HYPERVISOR "hypervisor"
#define STOLEN_LEAST_NS (100 * NS_PER_US)	/* not worth a look */
#define ITSELF "itself: IRQ or host"	/* the sampler was on, and yet late */
#define IDLE_OR_ITSELF "idle or itself"	/* where nothing tells the end of idle */

/* Nobody ran, or the sampler itself: what the host had of that is its. */
static void blame_host(struct blame *b, struct spike *s, struct blamed *parts, const char *name,
		       int64_t ns)
{
	int64_t stolen_ns = ns < STOLEN_LEAST_NS ? 0 : blame_steal_take(b->steal, s->cpu, ns);

	s->steal |= stolen_ns > 0;
	blamed_part(parts, HYPERVISOR, stolen_ns);
	blamed_part(parts, name, ns - stolen_ns);
}

static void add_blamed(struct blame *b, struct model *m, struct spike *spike)
{
	struct blamed parts = { .ns = 0 };

	for (unsigned i = 0; i < b->gathered.nr; i++) {
		const struct blame_entry *e = &b->gathered.entry[i];

		if (e->host)
			blame_host(b, spike, &parts, e->name, e->ns);
		else
			blamed_part(&parts, e->general, e->ns);
	}
	model_blamed(m, spike, &parts);
}

/* Nobody looked, for want of time or of a ring. */
static void add_unread(struct model *m, const struct spike *s)
{
	struct blamed parts = { .ns = 0 };

	blamed_part(&parts, BLAMED_UNREAD, s->late_ns);
	model_blamed(m, s, &parts);
}

/* Is part of the window charged to the next task, for want of the end of an idle
 * time?  At level switch that cannot be told from the ring. */
static bool lacks_idle(const struct blame *b, const struct blame_ring *ring)
{
	return ring->idle == BLAME_IDLE_MISSING && b->level == BLAME_LEVEL_SWITCH;
}

/* What the shares mean as a whole. */
static void judge(const struct blame *b, const struct blame_ring *ring,
		  const struct blame_window *w, bool paused, struct spike *s)
{
	const struct blame_result *r = &b->result;
	const struct blame_share *first = r->nr ? &r->share[0] : NULL;
	bool task = first && first->who == BLAME_TASK;
	bool itself = task && first->id && first->id == w->sampler_tid;
	char text[16];

	/* Its own name says of what the sampler's share is. */
	if (b->level == BLAME_LEVEL_SWITCH && !(itself && r->nr == 1))
		note(s, "%s", "incl. IRQ");
	if (lacks_idle(b, ring) || (w->endless && !w->endless_tid))
		note(s, "%s", "end of idle not recorded here");
	else if (w->endless)
		note(s, "%s", "end of a task not recorded here");
	else if (paused || r->bridged)
		note(s, "%s", "ring was paused meanwhile");
	else if (itself)
		note(s, "%s", "or irqs-off");
	else if (task && !first->id && first->ns > (w->woke_ns - w->due_ns) / 2)
		note(s, "%s", "CPU was idle: C-state, timer or host");
	else if (task && !r->switches && !r->unknown_ns)
		note(s, "%s", "no switch: IRQ, irqs-off or host");
	if (r->waking_ns - w->due_ns > (w->woke_ns - w->due_ns) / 2)
		note(s, "woken %s late", text_time(text, sizeof(text), r->waking_ns - w->due_ns));
	if (r->broken)
		note(s, "%s", "record broken");
	else if (r->unknown_ns && !w->endless)
		note(s, "%s",
		     r->unknown_ns == w->woke_ns - w->due_ns ? "no record" : "ring too short");
}

static bool was_paused(const struct blame_ring *r, int64_t due_ns, int64_t woke_ns)
{
	for (unsigned i = 0; i < BLAME_PAUSES; i++) {
		const struct blame_pause *p = &r->pause[i];

		if (p->to_ns && due_ns <= p->to_ns && woke_ns >= p->from_ns)
			return true;
	}
	return false;
}

struct asking { struct blame *blame; struct blame_ring *own; };

static void ask_rings(void *ctx, struct blame_name *names, unsigned nr, bool elsewhere)
{
	const struct asking *a = ctx;
	struct blame *b = a->blame;
	struct blame_ring *here = names_ring_of(b, a->own->cpu);
	struct blame_others others = {
		.ring = b->nr_names_rings ? b->names_ring : b->ring,
		.rings = b->nr_names_rings ? b->nr_names_rings : b->nr,
		.own_cpu = a->own->cpu, .next = &b->next_asked, .budget_ns = ASK_NS,
	};

	if (elsewhere)
		blame_ask_others(&others, layout_of(b), names, nr);
	else
		blame_ask_ring(here ? here : a->own, layout_of(b), names, nr);
}

/* While it runs on: a pause loses what comes meanwhile, and a task that takes
 * main off its CPU then is the next spike's culprit.  A ring that is too short
 * for that is paused and read whole. */
static void walk_ring(struct blame *b, struct blame_ring *r, struct blame_window *w)
{
	struct perf_ring_bytes bytes = blame_ring_bytes(r, true);

	w->pause = r->pause;
	w->pauses = BLAME_PAUSES;
	blame_walk(w, &bytes, &b->result);
	if (!b->result.incomplete && blame_ring_intact(r, &bytes))
		return;
	blame_ring_pause(r);
	bytes = blame_ring_bytes(r, false);
	blame_walk(w, &bytes, &b->result);
	blame_ring_resume(r);
}

/* It is late, and nobody else had its CPU: not a culprit by its own name. */
static void name_itself(const struct blame_result *r, int sampler_tid, bool or_idle,
			char name[BLAME_SHARES][BLAME_NAME])
{
	for (unsigned i = 0; i < r->nr; i++)
		if (r->share[i].who == BLAME_TASK && r->share[i].id && r->share[i].id == sampler_tid)
			snprintf(name[i], BLAME_NAME, "%s", or_idle ? IDLE_OR_ITSELF : ITSELF);
}

/* What was read while it was written over tells nothing. */
static void look_at_idle(const struct blame *b, struct blame_ring *r)
{
	struct perf_ring_bytes bytes = blame_ring_bytes(r, true);
	enum blame_idle now = blame_idle_look(&bytes, layout_of(b));

	if (now != BLAME_IDLE_UNTOLD && blame_ring_intact(r, &bytes))
		r->idle = now;
}

/* That the ring was paused meanwhile is no reason for a switch that is missing,
 * where all of that task are. */
static void walk_endless(struct blame *b, struct blame_ring *r, struct blame_window *w)
{
	int tid = b->result.bridged_from;
	struct perf_ring_bytes bytes = blame_ring_bytes(r, true);

	if (!b->result.bridged ||
	    (tid ? blame_idle_task(&bytes, layout_of(b), tid) : r->idle) != BLAME_IDLE_MISSING ||
	    !blame_ring_intact(r, &bytes))
		return;
	w->endless = true;
	w->endless_tid = tid;
	walk_ring(b, r, w);
}

static void read_ring(struct blame *b, struct model *m, struct blame_ring *r,
		      struct blame_window *w, struct spike *s)
{
	char name[BLAME_SHARES][BLAME_NAME];
	bool paused = was_paused(r, w->due_ns, w->woke_ns);
	int64_t begun_ns = clock_thread_cpu_ns();

	walk_ring(b, r, w);
	if (b->result.incomplete || r->idle != BLAME_IDLE_RECORDED)
		look_at_idle(b, r);
	walk_endless(b, r, w);
	blame_names_find(b->names, &b->result, ask_rings, &(struct asking){ b, r }, name);
	name_itself(&b->result, w->sampler_tid, lacks_idle(b, r), name);
	blame_gather(m, w, &b->result, name, &b->gathered);
	blame_gather_spike(&b->gathered, s);
	add_blamed(b, m, s);
	blame_budget_spend(&b->budget, clock_thread_cpu_ns() - begun_ns);
	s->incomplete = b->result.incomplete || paused || lacks_idle(b, r);
	judge(b, r, w, paused, s);
	m->spikes_seen++;
	m->spikes_incomplete += s->incomplete;
}

static void hint(struct blame *b, int tid, struct spike *s)
{
	const char *text = blame_hints_text(b->hints);

	if (text[0])
		note(s, "hint: %s", text);
	else if (tid && blame_hints_preempted(b->hints, tid))
		note(s, "%s", "hint: the sampler was preempted");
	else
		note(s, "%s", "hints only");
}

static bool is_operation(const struct model *m, const struct series *series)
{
	const struct probe *p = m->groups[series->group].probe;

	return p && p->flags & PROBE_HELPER;
}

/* The group measured CPU by CPU that waits as this one does, in real time or
 * not: its spikes name who held the CPU; NULL: there is none. */
static const struct group *pinned_like(const struct model *m, const struct probe *p)
{
	for (unsigned i = 0; p && i < m->nr_groups; i++) {
		const struct probe *other = m->groups[i].probe;

		if (other && other->flags & PROBE_PER_CPU &&
		    (other->flags & PROBE_RT) == (p->flags & PROBE_RT))
			return &m->groups[i];
	}
	return NULL;
}

/* Where it ran is not known: which probe would tell. */
static const char *unpinned(const struct model *m, const struct series *series, char *buf,
			    size_t size)
{
	const struct group *g = pinned_like(m, m->groups[series->group].probe);

	if (!g)
		snprintf(buf, size, "not pinned");
	else
		snprintf(buf, size, g->on ? "any CPU: see %s of that time"
				 : "any CPU: -P %s names who", g->name);
	return buf;
}

/* Why no ring can tell, maybe in buf; NULL: one can. */
static const char *no_ring(const struct model *m, const struct series *series,
			   const struct blame_ring *r, char *buf, size_t size)
{
	if (is_operation(m, series))
		return "an operation: no single CPU";
	if (series->cpu < 0)
		return unpinned(m, series, buf, size);
	if (!r || r->fd < 0)
		return "no record of this CPU";
	return NULL;
}

void blame_spike(struct blame *b, struct model *m, unsigned series, int64_t due_ns, struct spike *s)
{
	struct blame_ring *r = ring_of(b, m->series[series].cpu);
	struct blame_window w = {
		.due_ns = due_ns, .woke_ns = s->t_ns,
		.sampler_tid = tid_of(b, series),
		.layout = layout_of(b), .room = b->events, .rooms = EVENTS,
	};
	char text[64];
	const char *why = no_ring(m, &m->series[series], r, text, sizeof(text));
	bool one_cpu = m->series[series].cpu >= 0 && !is_operation(m, &m->series[series]);

	if (!why && b->level >= BLAME_LEVEL_SWITCH)
		why = out_of_budget(b, m, s);
	if (!why && b->level >= BLAME_LEVEL_SWITCH) {
		read_ring(b, m, r, &w, s);
		return;
	}
	m->spikes_unread++;
	if (one_cpu)
		add_unread(m, s);
	if (b->level == BLAME_LEVEL_PROC) {
		hint(b, w.sampler_tid, s);
		return;
	}
	note(s, "%s", b->level == BLAME_LEVEL_NONE ? "no blame" : why);
}

/* ---- each second and in between ------------------------------------------ */

static void reopen(struct blame *b, struct blame_ring *r)
{
	bool raised = blame_rights_raise();
	int watched[BLAME_WATCHED];

	memcpy(watched, r->watched, sizeof(watched));
	int err = blame_ring_open(r, r->cpu, layout_of(b), b->data_bytes, NULL);

	/* What its ring of names knows is kept while it is tried again. */
	if (!err && (unsigned)r->cpu < b->nr_names_rings) {
		blame_ring_close(&b->names_ring[r->cpu]);
		blame_ring_open_names(&b->names_ring[r->cpu], r->cpu, names_bytes());
	}
	blame_rights_drop(raised);
	for (int i = BLAME_WATCHED; i-- > 0;)
		if (watched[i])
			blame_ring_watch(r, watched[i]);
}

/* A few each second, until each has told once: after that a spike that is not
 * known whole looks again. */
static void look_at_idles(struct blame *b)
{
	for (unsigned i = 0, looks = 0; i < b->nr && looks < IDLE_LOOKS; i++) {
		struct blame_ring *r = &b->ring[b->next_idle++ % b->nr];

		if (r->fd < 0 || r->idle == BLAME_IDLE_RECORDED)
			continue;
		look_at_idle(b, r);
		looks++;
	}
}

void blame_second(struct blame *b, struct model *m, int64_t now_ns)
{
	if (b->level == BLAME_LEVEL_PROC)
		blame_hints_read(b->hints, now_ns);
	if (b->level >= BLAME_LEVEL_SWITCH)
		blame_steal_second(b->steal);
	look_at_idles(b);
	for (unsigned i = 0; i < m->nr_series; i++) {
		struct series *s = &m->series[i];
		/* Of a probe that is off nobody knows whether its CPU is there. */
		bool known = s->cpu >= 0 && m->groups[s->group].on;
		struct blame_ring *r = known ? ring_of(b, s->cpu) : NULL;

		if (!r)
			continue;
		if (s->offline && r->fd >= 0)
			blame_ring_close(r);
		else if (!s->offline && r->fd < 0)
			reopen(b, r);
		s->idle_unrecorded = r->fd >= 0 && r->idle == BLAME_IDLE_MISSING;
	}
}

int64_t blame_wait_ns(struct blame *b, int64_t now_ns)
{
	int64_t span_ns = now_ns - b->rate_ns, wait_ns = INT64_MAX;
	/* Only where the last turn was too short for them: each turn costs, too. */
	bool spikes = b->budget.turn_ns >= BLAME_TURN_NS &&
		      now_ns - b->budget.now_ns < SPIKES_FOR_NS;

	for (unsigned i = 0; i < b->nr; i++) {
		struct blame_ring *r = &b->ring[i];

		if (r->fd < 0)
			continue;
		uint64_t head = blame_ring_head(r), written = r->last_head - head;

		r->last_head = head;
		/* bytes written in span -> the time in which the ring is full */
		if (b->rate_ns && written &&
		    (double)r->data_bytes * (double)span_ns / (double)written < RING_SHORT_NS)
			wait_ns = WAIT_SHORT_NS;
	}
	b->rate_ns = now_ns;
	return spikes && wait_ns > WAIT_SPIKES_NS ? WAIT_SPIKES_NS : wait_ns;
}
