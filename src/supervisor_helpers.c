/* supervisor_helpers.c - see supervisor_helpers.h. */
#include "src/supervisor_helpers.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/budget.h"
#include "src/clock.h"
#include "src/helper.h"
#include "src/kin.h"
#include "src/nanny.h"

#define GRACE_NS (JOB_GRACE_MS * NS_PER_MS)
#define BUDGET_NS (BUDGET_WINDOW_S * NS_PER_S / 100)	/* 1 % of one CPU */
#define PERIOD_LEAST_NS NS_PER_MS
#define PERIOD_MOST_NS (3600 * NS_PER_S)
#define FILE_BYTES (UINT64_C(16) << 20)

/* ---- budget ---- */

void helper_budget_restart(struct helper_budget *b)
{
	*b = (struct helper_budget){ 0 };
}

/* Readings come about once a second; one that comes late is of a longer
 * window, which only makes the judgement milder by as much. */
bool helper_budget_read(struct helper_budget *b, int64_t now_ns, uint64_t cpu_ns)
{
	if (b->at_ns && now_ns - b->at_ns < NS_PER_S)
		return false;
	b->at_ns = now_ns;
	if (b->readings == BUDGET_WINDOW_S + 1)
		memmove(b->cpu_ns, b->cpu_ns + 1, BUDGET_WINDOW_S * sizeof(b->cpu_ns[0]));
	else
		b->readings++;
	b->cpu_ns[b->readings - 1] = cpu_ns;
	if (b->readings <= BUDGET_WINDOW_S || cpu_ns <= b->cpu_ns[0] ||
	    cpu_ns - b->cpu_ns[0] <= (uint64_t)BUDGET_NS || b->stretch >= HELPER_STRETCH_MAX)
		return false;
	b->stretch++;
	b->readings = 0;	/* the new periods get a window of their own */
	return true;
}

static void restart_budget(struct helpers *h)
{
	helper_budget_restart(&h->budget);
	atomic_store(helper_memory_stretch(h->memory), 0);
}

static void read_budget(struct helpers *h, int64_t now_ns)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < HELPERS_MAX; i++)
		if (h->job[i].state == HELPER_ON)
			sum += atomic_load(&helper_memory_of(h->memory, i)->line.cpu_ns);
	if (helper_budget_read(&h->budget, now_ns, sum))
		atomic_store(helper_memory_stretch(h->memory), h->budget.stretch);
}

/* ---- start ---- */

void helpers_init(struct helpers *h, struct job_world *world, struct helper_memory *memory)
{
	memset(h, 0, sizeof(*h));
	h->world = world;
	h->memory = memory;
	for (unsigned i = 0; i < HELPERS_MAX; i++)
		h->job[i].pidfd = h->job[i].control = -1;
}

static void say(struct helpers *h, enum wire_kind kind, unsigned id)
{
	const struct helper_job *j = &h->job[id];
	struct wire r = { .kind = kind, .id = id, .number = j->start };

	if (kind == WIRE_PROBE_EXITED) {
		r.arg[0] = j->signal;
		r.arg[1] = j->code;
	} else {
		r.wide = j->pid;
	}
	h->world->say(h->world->ctx, &r);
}

static int open_folder(struct helpers *h, const struct probe *p, const char *name, int *fd,
		       struct why *why)
{
	struct job_world *w = h->world;
	struct statvfs fs;
	int err = 0;

	*fd = -1;
	if (!(p->flags & PROBE_SCRATCH))
		return 0;
	if (w->scratch[0].parent_fd < 0) {
		*why = w->scratch_why;
		return why->err;
	}
	if (!fstatvfs(w->scratch[0].parent_fd, &fs))
		err = budget_disk_floor(&fs, why);
	if (err)
		return err;
	*fd = scratch_folder(&w->scratch[0], name, why);
	return *fd < 0 ? *fd : 0;
}

static void folder_name(unsigned id, char name[40])
{
	snprintf(name, 40, "probe-%s", probes[id]->name);
}

static int check_order(const struct wire *r, struct why *why)
{
	const struct probe *p = probes[r->id];

	if (r->wide < PERIOD_LEAST_NS || r->wide > PERIOD_MOST_NS)
		return why_set(why, -EINVAL, "%s: the period must be 1 ms to 1 h", p->name);
	for (unsigned i = 0; i < PROBE_KNOBS_MAX && p->knobs[i].name; i++)
		if (r->arg[i] < p->knobs[i].least || r->arg[i] > p->knobs[i].most)
			return why_set(why, -EINVAL, "%s: %s=%d; give %ld to %ld", p->name,
				       p->knobs[i].name, r->arg[i], p->knobs[i].least,
				       p->knobs[i].most);
	return 0;
}

static int describe(struct helpers *h, const struct wire *r, struct helper_order *o, struct why *why)
{
	const struct probe *p = probes[r->id];
	int err = check_order(r, why);
	char name[40];

	*o = (struct helper_order){
		.probe = p, .id = r->id, .memory = h->memory, .period_ns = r->wide,
		.seed = load_mix(h->world->seed, r->id, LOAD_LINES + 1), .control = -1,
		.confine = {
			.drop = h->world->drop, .uid = h->world->uid, .gid = h->world->gid,
			.scratch = { -1, -1 }, .file_bytes = FILE_BYTES,
			.execs = p->flags & PROBE_EXECS,
		},
	};
	if (err)
		return err;
	snprintf(o->confine.name, sizeof(o->confine.name), "jp-%s", p->name);
	for (unsigned i = 0; i < PROBE_KNOBS_MAX; i++)
		o->knob[i] = r->arg[i];
	folder_name(r->id, name);
	return open_folder(h, p, name, &o->confine.scratch[0], why);
}

static pid_t clone_in_best_tier(struct helpers *h, struct helper_order *o, int *pidfd)
{
	pid_t pid;

	job_choose_tier(h->world, &o->tier, &o->confine);
	pid = helper_start(o, pidfd);
	if (pid > 0 || !job_refused_tier(h->world, pid))
		return pid;
	job_choose_tier(h->world, &o->tier, &o->confine);
	return helper_start(o, pidfd);
}

static int clone_helper(struct helpers *h, struct helper_order *o, struct why *why)
{
	struct helper_job *j = &h->job[o->id];
	int pair[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return why_set(why, -errno, "socketpair: %s; raise ulimit -n", strerror(errno));
	o->control = pair[1];
	o->confine.keep[o->confine.kept++] = pair[1];
	if (o->confine.scratch[0] >= 0)
		o->confine.keep[o->confine.kept++] = o->confine.scratch[0];
	pid = clone_in_best_tier(h, o, &j->pidfd);
	close(pair[1]);
	if (pid < 0) {
		close(pair[0]);
		j->pidfd = -1;
		return why_set(why, pid, "clone: %s; free some processes or memory", strerror(-pid));
	}
	j->control = pair[0];
	j->pid = pid;
	j->state = HELPER_ON;
	return 0;
}

/* A probe that was refused has exited before it began, for reasons given. */
static void refuse(struct helpers *h, unsigned id, const struct why *why)
{
	struct helper_shared *shared = helper_memory_of(h->memory, id);

	snprintf(shared->why, sizeof(shared->why), "%s", why->text);
	h->job[id].code = NANNY_FAILED;
	h->job[id].signal = 0;
	say(h, WIRE_PROBE_EXITED, id);
}

void helpers_start(struct helpers *h, const struct wire *order)
{
	struct helper_job *j = &h->job[order->id];
	struct why why = { 0 };
	struct helper_order o;
	char go = NANNY_GO;

	if (j->state == HELPER_ON) {	/* a stop was lost on the way */
		j->start = order->number;
		return;
	}
	if (j->state != HELPER_OFF) {	/* the old process is still ending */
		j->again = true;
		j->order = *order;
		return;
	}
	*j = (struct helper_job){ .pidfd = -1, .control = -1, .start = order->number };
	int err = describe(h, order, &o, &why);

	if (!err)
		err = clone_helper(h, &o, &why);
	if (o.confine.scratch[0] >= 0)
		close(o.confine.scratch[0]);
	if (err) {
		refuse(h, order->id, &why);
		return;
	}
	restart_budget(h);
	if (send(j->control, &go, 1, MSG_NOSIGNAL) != 1)
		kin_signal(j->pidfd, SIGKILL);
}

/* ---- end ---- */

static void end_job(struct helpers *h, unsigned id)
{
	struct helper_job *j = &h->job[id];
	struct wire order = j->order;
	bool again = j->again;

	j->state = HELPER_OFF;
	j->cleaner = 0;
	j->deadline_ns = 0;
	restart_budget(h);
	say(h, WIRE_PROBE_EXITED, id);
	j->again = false;
	if (again)
		helpers_start(h, &order);
}

static void judge(struct helpers *h, unsigned id, int status)
{
	struct helper_job *j = &h->job[id];
	struct helper_shared *shared = helper_memory_of(h->memory, id);

	j->code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
	j->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	if (j->asked && (j->signal == SIGTERM || j->signal == SIGKILL))
		j->signal = 0;	/* TERM: before it had a handler */
	if (j->signal)
		snprintf(shared->why, sizeof(shared->why), "helper died (signal %d)", j->signal);
	/* Nobody is left to end a call that was in flight. */
	atomic_store(&shared->line.in_flight_ns, 0);
}

static void start_cleaning(struct helpers *h, unsigned id)
{
	struct helper_job *j = &h->job[id];
	char name[40];

	folder_name(id, name);
	if (!h->world->closing && probes[id]->flags & PROBE_SCRATCH)
		j->cleaner = job_clean(h->world, name, helper_memory_of(h->memory, id)->why);
	if (j->cleaner)
		j->state = HELPER_CLEANING;
	else
		end_job(h, id);
}

bool helpers_reaped(struct helpers *h, pid_t pid, int status)
{
	for (unsigned id = 0; id < HELPERS_MAX; id++) {
		struct helper_job *j = &h->job[id];

		if (j->state == HELPER_OFF)
			continue;
		if (j->pid == pid) {
			helpers_heard(h, id);	/* its last words */
			j->pid = 0;
			close(j->pidfd);
			if (j->control >= 0)
				close(j->control);
			j->pidfd = j->control = -1;
			judge(h, id, status);
			start_cleaning(h, id);
			return true;
		}
		if (j->cleaner == pid) {
			end_job(h, id);
			return true;
		}
	}
	return false;
}

void helpers_stop(struct helpers *h, unsigned id)
{
	struct helper_job *j = &h->job[id];

	j->again = false;
	if (j->state == HELPER_OFF) {
		j->code = j->signal = 0;
		say(h, WIRE_PROBE_EXITED, id);
	}
	if (j->state != HELPER_ON)
		return;
	j->state = HELPER_STOPPING;
	j->asked = true;
	j->deadline_ns = clock_now_ns() + GRACE_NS;
	kin_signal(j->pidfd, SIGTERM);
}

void helpers_stop_all(struct helpers *h, bool at_once)
{
	for (unsigned id = 0; id < HELPERS_MAX; id++) {
		struct helper_job *j = &h->job[id];

		j->again = false;
		if (j->state == HELPER_ON)
			helpers_stop(h, id);
		if (at_once && j->pid)
			kin_signal(j->pidfd, SIGKILL);
	}
}

void helpers_heard(struct helpers *h, unsigned id)
{
	struct helper_job *j = &h->job[id];
	char byte = 0;
	ssize_t got = j->control < 0 ? -1 : recv(j->control, &byte, 1, MSG_DONTWAIT);

	if (got == 1 && byte == NANNY_RUNS && j->state == HELPER_ON)
		say(h, WIRE_PROBE_STARTED, id);
	if (got == 0) {
		close(j->control);
		j->control = -1;
	}
}

void helpers_tick(struct helpers *h, int64_t now_ns)
{
	if (!helpers_busy(h))
		return;
	for (unsigned id = 0; id < HELPERS_MAX; id++) {
		struct helper_job *j = &h->job[id];

		if (!j->deadline_ns || now_ns < j->deadline_ns)
			continue;
		j->deadline_ns = 0;
		if (j->pid)
			kin_signal(j->pidfd, SIGKILL);
	}
	read_budget(h, now_ns);
}

int64_t helpers_next_ns(const struct helpers *h)
{
	int64_t next_ns = INT64_MAX;

	if (helpers_busy(h))
		next_ns = h->budget.at_ns ? h->budget.at_ns + NS_PER_S : 0;
	for (unsigned i = 0; i < HELPERS_MAX; i++)
		if (h->job[i].deadline_ns && h->job[i].deadline_ns < next_ns)
			next_ns = h->job[i].deadline_ns;
	return next_ns;
}

unsigned helpers_busy(const struct helpers *h)
{
	unsigned n = 0;

	for (unsigned i = 0; i < HELPERS_MAX; i++)
		n += h->job[i].state != HELPER_OFF;
	return n;
}

unsigned helpers_pids(const struct helpers *h, pid_t out[2 * HELPERS_MAX])
{
	unsigned n = 0;

	for (unsigned i = 0; i < HELPERS_MAX; i++) {
		if (h->job[i].pid)
			out[n++] = h->job[i].pid;
		if (h->job[i].cleaner)
			out[n++] = h->job[i].cleaner;
	}
	return n;
}
