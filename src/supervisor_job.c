/* supervisor_job.c - see supervisor_job.h. */
#include "src/supervisor_job.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/budget.h"
#include "src/clock.h"
#include "src/kin.h"
#include "src/nanny.h"

#define MB UINT64_C(1000000)
#define DISK_LEAST MB		/* less is no use to any load */
#define FILE_BYTES_WITHOUT_SCRATCH MB

static struct slot *slot_of_job(struct job_world *w, unsigned id)
{
	return &w->counters->slot[id];
}

static void say(struct job_world *w, enum wire_kind kind, unsigned id, int number, int64_t wide)
{
	struct wire r = { .kind = kind, .id = id, .number = number, .wide = wide };

	w->say(w->ctx, &r);
}

/* The first reason stands. */
static void set_why(struct slot *slot, const struct why *why)
{
	if (atomic_load_explicit(&slot->failed, memory_order_acquire))
		return;
	snprintf(slot->why, sizeof(slot->why), "%s", why->text);
	atomic_store_explicit(&slot->failed, why->err, memory_order_release);
}

/* ---- may it start? ---- */

static int check_order(const struct job_world *w, unsigned id, unsigned workers,
		       const int32_t *knob, struct why *why)
{
	const struct load *l = loads[id];

	if (w->job[id].state != JOB_IDLE)
		return why_set(why, -EBUSY, "it is still there; stop it first");
	if (workers < 1 || workers > l->max_workers || workers > LOAD_LINES)
		return why_set(why, -EINVAL, "%u workers; give 1 to %u", workers, l->max_workers);
	for (unsigned i = 0; l->knobs[i].name; i++)
		if (knob[i] < l->knobs[i].least || knob[i] > l->knobs[i].most)
			return why_set(why, -EINVAL, "%s=%d; give %ld to %ld",
				       l->knobs[i].name, knob[i], l->knobs[i].least,
				       l->knobs[i].most);
	return 0;
}

static int grant_tasks(struct job_world *w, const struct load *l, struct nanny_order *o,
		       struct why *why)
{
	unsigned want = 1 + (l->tasks ? l->tasks(o->workers, o->knob)
				      : o->workers * (l->tasks_per_worker ? l->tasks_per_worker : 1));
	unsigned used = 0;
	struct budget_tasks room;

	for (unsigned i = 0; i < JOBS_MAX; i++)
		used += w->job[i].tasks;
	budget_tasks("", &room);
	if (room.room > BUDGET_TASKS_MAX - used)
		room.room = BUDGET_TASKS_MAX - used;
	o->tasks = want;
	if (want <= room.room)
		return 0;
	return why_set(why, -EAGAIN, "needs %u tasks, %u allowed (%s); use fewer workers",
		       want, room.room, room.limit);
}

static int grant_fds(const struct load *l, struct nanny_order *o, struct why *why)
{
	unsigned want = l->fds_per_worker;	/* each is a process with a limit of its own */

	o->fds = budget_fds();
	if (want <= o->fds)
		return 0;
	return why_set(why, -EMFILE,
		       "needs %u descriptors, %u allowed (a quarter of ulimit -n); use fewer workers",
		       want, o->fds);
}

/* Files in a file system in memory count as memory. */
static int grant_memory(struct job_world *w, const struct load *l, struct nanny_order *o,
			struct why *why)
{
	uint64_t budget = budget_memory_bytes(""), used = 0, want = 0;

	for (unsigned i = 0; i < JOBS_MAX; i++)
		used += w->job[i].memory_bytes;
	budget = budget > used ? budget - used : 0;
	if (l->memory_bytes)
		want = l->memory_bytes(o->workers, o->knob, budget);
	if (o->disk_bytes && scratch_in_memory(w->scratch[0].parent_fd))
		want += o->disk_bytes;
	o->memory_bytes = want;
	/* The loads that ask first have been allowed more by a person; the
	 * floor still stops them. */
	if (want <= budget || l->flags & LOAD_ASKS)
		return budget_memory_floor("", why);
	return why_set(why, -ENOMEM,
		       "needs %" PRIu64 " MB of memory, %" PRIu64 " allowed; use fewer workers",
		       (want + MB - 1) / MB, budget / MB);
}

static int grant_disk(struct job_world *w, const struct load *l, struct nanny_order *o,
		      struct why *why)
{
	uint64_t budget, used = 0, want;
	struct statvfs fs;
	int err;

	if (!load_needs_scratch(l, o->workers, o->knob))
		return 0;
	if (w->scratch[0].parent_fd < 0) {
		*why = w->scratch_why;
		return why->err;
	}
	if (fstatvfs(w->scratch[0].parent_fd, &fs))
		return why_set(why, -errno, "scratch: statvfs: %s", strerror(errno));
	err = budget_disk_floor(&fs, why);
	if (err)
		return err;
	for (unsigned i = 0; i < JOBS_MAX; i++)
		used += w->job[i].disk_bytes;
	budget = budget_disk_bytes(&fs);
	budget = budget > used ? budget - used : 0;
	want = l->disk_bytes ? l->disk_bytes(o->workers, o->knob) : budget;
	o->disk_bytes = want < budget ? want : budget;
	if (o->disk_bytes >= want || o->disk_bytes >= DISK_LEAST)
		return 0;
	return why_set(why, -ENOSPC,
		       "needs %" PRIu64 " MB of disk, %" PRIu64 " MB allowed; stop another load",
		       (want + MB - 1) / MB, budget / MB);
}

static int open_folders(struct job_world *w, const struct load *l, struct nanny_order *o,
			struct why *why)
{
	o->confine.scratch[0] = o->confine.scratch[1] = -1;
	if (!load_needs_scratch(l, o->workers, o->knob))
		return 0;
	for (unsigned i = 0; i < SCRATCH_DIRS_MAX; i++) {
		if (i && w->scratch[i].parent_fd < 0)
			break;
		int fd = scratch_folder(&w->scratch[i], l->name, why);

		if (fd < 0)
			return fd;
		o->confine.scratch[i] = fd;
	}
	return 0;
}

/* ---- start ---- */

void job_choose_tier(const struct job_world *w, enum tier *tier, struct confine *confine)
{
	*tier = w->no_namespaces ? TIER_SUBREAPER : TIER_NS;
	confine->userns = *tier == TIER_NS && !w->drop;
}

bool job_refused_tier(struct job_world *w, pid_t clone_result)
{
	if (w->no_namespaces || clone_result == -EAGAIN || clone_result == -ENOMEM)
		return false;
	w->no_namespaces = true;
	return true;
}

static void describe(struct job_world *w, unsigned id, unsigned workers, const int32_t *knob,
		     struct nanny_order *o)
{
	*o = (struct nanny_order){
		.load = loads[id], .id = id, .slot = slot_of_job(w, id),
		.tick = &w->counters->tick, .workers = workers, .seed = w->seed,
		.file = w->load_file ? w->load_file[id] : NULL, .ncpu = w->ncpu,
		.confine = {
			.drop = w->drop, .uid = w->uid, .gid = w->gid,
			.scratch = { -1, -1 },
			.file_bytes = FILE_BYTES_WITHOUT_SCRATCH,
			.execs = loads[id]->flags & LOAD_EXECS,
			.reads_all = loads[id]->flags & LOAD_READS_ALL,
		},
	};
	snprintf(o->confine.name, sizeof(o->confine.name), "js-%s", loads[id]->name);
	for (unsigned i = 0; i < LOAD_KNOBS_MAX; i++)
		o->knob[i] = knob[i];
}

static int grant(struct job_world *w, struct nanny_order *o, struct why *why)
{
	int err = grant_tasks(w, o->load, o, why);

	if (!err)
		err = grant_fds(o->load, o, why);
	if (!err)
		err = grant_disk(w, o->load, o, why);
	if (!err)
		err = grant_memory(w, o->load, o, why);
	if (!err)
		err = open_folders(w, o->load, o, why);
	if (!err && o->confine.scratch[0] >= 0)
		o->confine.file_bytes = o->disk_bytes;
	return err;
}

static void close_folders(struct nanny_order *o)
{
	for (unsigned i = 0; i < 2; i++)
		if (o->confine.scratch[i] >= 0)
			close(o->confine.scratch[i]);
}

/* Root needs no user namespace, others get their pid namespace through one.
 * When the kernel refuses, the next tier is a step down, never up. */
static pid_t start_in_best_tier(struct job_world *w, struct nanny_order *o, int *pidfd)
{
	pid_t pid;

	job_choose_tier(w, &o->tier, &o->confine);
	pid = nanny_start(o, pidfd);
	if (pid > 0 || !job_refused_tier(w, pid))
		return pid;
	job_choose_tier(w, &o->tier, &o->confine);
	return nanny_start(o, pidfd);
}

static void keep(struct confine *c, int fd)
{
	if (fd >= 0)
		c->keep[c->kept++] = fd;
}

static int clone_nanny(struct job_world *w, struct nanny_order *o, struct job *j, struct why *why)
{
	int pair[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return why_set(why, -errno, "socketpair: %s; raise ulimit -n", strerror(errno));
	o->control = pair[1];
	keep(&o->confine, pair[1]);
	keep(&o->confine, o->confine.scratch[0]);
	keep(&o->confine, o->confine.scratch[1]);
	pid = start_in_best_tier(w, o, &j->pidfd);
	close(pair[1]);
	if (pid < 0) {
		close(pair[0]);
		return why_set(why, pid, "clone: %s; free some processes or memory", strerror(-pid));
	}
	j->control = pair[0];
	j->pid = pid;
	j->tier = o->tier;
	return 0;
}

int job_start(struct job_world *w, unsigned id, unsigned workers,
	      const int32_t knob[WIRE_ARGS], struct why *why)
{
	struct job *j = &w->job[id];
	struct nanny_order o;
	char go = NANNY_GO;
	int err = check_order(w, id, workers, knob, why);

	if (err)
		return err;
	describe(w, id, workers, knob, &o);
	err = grant(w, &o, why);
	if (!err) {
		counters_clear(o.slot);
		*j = (struct job){ .pidfd = -1, .control = -1, .oom_kills = budget_oom_kills("") };
		err = clone_nanny(w, &o, j, why);
	}
	close_folders(&o);
	if (err) {
		if (load_needs_scratch(o.load, workers, o.knob))
			for (unsigned i = 0; i < SCRATCH_DIRS_MAX; i++)
				scratch_remove_folder(&w->scratch[i], o.load->name, NULL);
		return err;
	}
	j->state = JOB_PREPARING;
	j->deadline_ns = clock_now_ns() + JOB_PREPARE_NS;
	j->scratch = load_needs_scratch(o.load, workers, o.knob);
	j->disk_bytes = o.disk_bytes;
	/* What was allowed to hurt is no part of what all may have together: it
	 * would leave nothing, and has gone from what is available already. */
	j->memory_bytes = o.load->flags & LOAD_ASKS ? 0 : o.memory_bytes;
	j->tasks = o.tasks;
	say(w, WIRE_STARTED, id, j->tier, j->pid);
	/* Its descriptor lives as long as the job; a full socket cannot be. */
	if (send(j->control, &go, 1, MSG_NOSIGNAL) != 1)
		job_kill(w, id);
	return 0;
}

/* ---- end ---- */

static void say_exited(struct job_world *w, unsigned id)
{
	struct job *j = &w->job[id];
	struct wire r = { .kind = WIRE_EXITED, .id = id, .number = j->code,
			  .arg = { j->signal, j->oom } };

	*j = (struct job){ .pidfd = -1, .control = -1 };
	w->say(w->ctx, &r);
}

static void drop_fds(struct job *j)
{
	if (j->pidfd >= 0)
		close(j->pidfd);
	if (j->control >= 0)
		close(j->control);
	j->pidfd = j->control = -1;
}

/* TERM may come before the nanny has a handler for it. */
static bool went_as_asked(const struct job *j)
{
	return j->asked && (j->signal == SIGTERM || j->signal == SIGKILL || j->code == NANNY_ORPHAN);
}

/* A nanny that was asked to go went well, however it went. */
static void judge(struct job_world *w, unsigned id, int status)
{
	struct job *j = &w->job[id];
	struct slot *slot = slot_of_job(w, id);
	struct why why;

	j->code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
	j->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	if (j->code >= NANNY_SIGNAL)
		j->signal = j->code - NANNY_SIGNAL;
	if (went_as_asked(j))
		j->signal = j->code = 0;
	if (atomic_load_explicit(&slot->failed, memory_order_acquire))
		j->code = j->code ? j->code : NANNY_FAILED;
	if (!j->code && !j->signal)
		return;
	j->oom = j->signal == SIGKILL && budget_oom_kills("") > j->oom_kills;
	if (j->oom)
		why_set(&why, -ENOMEM, "out of memory, stopped: the kernel killed it; use less");
	else if (j->signal)
		why_set(&why, -EIO, "killed by SIG%s",
			sigabbrev_np(j->signal) ? sigabbrev_np(j->signal) : "?");
	else
		why_set(&why, -EIO, "ended with status %d", j->code);
	if (j->oom)
		atomic_store(&slot->failed, 0);	/* the better reason */
	set_why(slot, &why);
}

static void clean_folders(struct job_world *w, const char *name, struct why *why)
{
	for (unsigned i = 0; i < SCRATCH_DIRS_MAX; i++)
		scratch_remove_folder(&w->scratch[i], name, why);
}

pid_t job_clean(struct job_world *w, const char *name, char why[320])
{
	struct why left = { 0 };
	pid_t pid = fork();

	if (pid > 0)
		return pid;
	if (pid == 0)
		scratch_keep_only(w->scratch, SCRATCH_DIRS_MAX);
	clean_folders(w, name, &left);
	if (left.err)
		snprintf(why, 320, "%s", left.text);
	if (pid == 0)
		_exit(left.err ? NANNY_FAILED : NANNY_OK);
	return 0;
}

static void start_cleaning(struct job_world *w, unsigned id)
{
	struct job *j = &w->job[id];

	j->deadline_ns = 0;
	if (!w->closing && j->scratch)
		j->cleaner = job_clean(w, loads[id]->name, slot_of_job(w, id)->why);
	if (j->cleaner)
		j->state = JOB_CLEANING;
	else
		say_exited(w, id);
}

bool job_reaped(struct job_world *w, pid_t pid, int status)
{
	for (unsigned id = 0; id < JOBS_MAX; id++) {
		struct job *j = &w->job[id];

		if (j->state == JOB_IDLE)
			continue;
		if (j->pid == pid) {
			job_heard(w, id);	/* its last words */
			j->pid = 0;
			drop_fds(j);
			judge(w, id, status);
			start_cleaning(w, id);
			return true;
		}
		if (j->cleaner == pid) {
			if (status)
				j->code = j->code ? j->code : NANNY_FAILED;
			say_exited(w, id);
			return true;
		}
	}
	return false;
}

void job_kill(struct job_world *w, unsigned id)
{
	struct job *j = &w->job[id];

	if (j->pid) {
		j->asked = true;
		kin_signal(j->pidfd, SIGKILL);
	}
}

void job_stop(struct job_world *w, unsigned id, int grace_ms)
{
	struct job *j = &w->job[id];

	if (j->state == JOB_IDLE) {
		*j = (struct job){ .pidfd = -1, .control = -1 };
		say_exited(w, id);
		return;
	}
	if (!j->pid)
		return;		/* cleaning: EXITED comes by itself */
	if (grace_ms <= 0) {
		j->state = JOB_STOPPING;
		j->deadline_ns = 0;
		job_kill(w, id);
		return;
	}
	if (j->state == JOB_STOPPING)
		return;
	j->asked = true;
	j->state = JOB_STOPPING;
	j->deadline_ns = clock_now_ns() + grace_ms * NS_PER_MS;
	kin_signal(j->pidfd, SIGTERM);
}

void job_break(struct job_world *w, unsigned id, const struct why *why)
{
	enum job_state state = w->job[id].state;

	if (state != JOB_PREPARING && state != JOB_RUNNING)
		return;
	set_why(slot_of_job(w, id), why);
	say(w, WIRE_STATE, id, why->err, 0);
	job_stop(w, id, JOB_GRACE_MS);
}

void job_heard(struct job_world *w, unsigned id)
{
	struct job *j = &w->job[id];
	char byte = 0;
	ssize_t got = j->control < 0 ? -1 : recv(j->control, &byte, 1, MSG_DONTWAIT);

	if (got == 1 && byte == NANNY_RUNS && j->state == JOB_PREPARING) {
		j->state = JOB_RUNNING;
		j->deadline_ns = 0;
		say(w, WIRE_RUNNING, id, 0, 0);
	}
	/* The end of the file means that the nanny is ending. */
	if (got == 0) {
		close(j->control);
		j->control = -1;
	}
}

void job_tick(struct job_world *w, int64_t now_ns)
{
	struct why late;

	for (unsigned id = 0; id < JOBS_MAX; id++) {
		struct job *j = &w->job[id];

		if (!j->deadline_ns || now_ns < j->deadline_ns)
			continue;
		j->deadline_ns = 0;
		if (j->state == JOB_PREPARING) {
			why_set(&late, -ETIMEDOUT, "preparing took over 120 s; use less");
			job_break(w, id, &late);
		} else if (j->state == JOB_STOPPING) {
			job_kill(w, id);
		}
	}
}

int64_t job_next_ns(const struct job_world *w)
{
	int64_t next_ns = INT64_MAX;

	for (unsigned i = 0; i < JOBS_MAX; i++)
		if (w->job[i].deadline_ns && w->job[i].deadline_ns < next_ns)
			next_ns = w->job[i].deadline_ns;
	return next_ns;
}

unsigned jobs_busy(const struct job_world *w)
{
	unsigned n = 0;

	for (unsigned i = 0; i < JOBS_MAX; i++)
		n += w->job[i].state != JOB_IDLE;
	return n;
}

static bool uses_disk(const struct job_world *w, unsigned id)
{
	return w->job[id].state != JOB_IDLE && w->job[id].scratch;
}

static int check_disks(const struct job_world *w, struct why *why)
{
	struct statvfs fs;
	int err = 0;

	for (unsigned i = 0; i < SCRATCH_DIRS_MAX && !err; i++)
		if (w->scratch[i].fd >= 0 && !fstatvfs(w->scratch[i].fd, &fs))
			err = budget_disk_floor(&fs, why);
	return err;
}

void jobs_check_floors(struct job_world *w)
{
	struct why why;
	int disk = check_disks(w, &why);

	for (unsigned id = 0; disk && id < JOBS_MAX; id++)
		if (uses_disk(w, id))
			job_break(w, id, &why);
	if (!budget_memory_floor("", &why))
		return;
	for (unsigned id = 0; id < JOBS_MAX; id++)
		job_break(w, id, &why);
}

unsigned jobs_pids(const struct job_world *w, pid_t out[2 * JOBS_MAX])
{
	unsigned n = 0;

	for (unsigned i = 0; i < JOBS_MAX; i++) {
		if (w->job[i].pid)
			out[n++] = w->job[i].pid;
		if (w->job[i].cleaner)
			out[n++] = w->job[i].cleaner;
	}
	return n;
}
