/* supervisor.c - see supervisor.h: main's end of the channel. */
#include "src/supervisor.h"

#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/clock.h"
#include "src/kin.h"
#include "src/scratch.h"
#include "src/supervisor_child.h"
#include "src/supervisor_internal.h"
#include "src/text.h"
#include "src/wire.h"

#define STUCK_NAMED 8
#define BELOW_MOST 256
#define ADOPTION_NS (10 * NS_PER_S)	/* after its death, orphans are looked for so long */

int supervisor_order(struct supervisor *s, struct wire *r, enum wire_kind kind)
{
	if (!s->alive)
		return -EPIPE;
	r->version = WIRE_VERSION;
	r->kind = (uint16_t)kind;
	r->sequence = atomic_fetch_add(&s->sequence, 1) + 1;
	return wire_send(s->fd, r);
}

int supervisor_explain(int err, struct why *why)
{
	if (err == -EPIPE)
		return why_set(why, err, "loads are off: the supervisor has ended; start the program again");
	if (err)
		return why_set(why, err, "the supervisor is busy: %s; try again", strerror(-err));
	return 0;
}

/* ---- start ---- */

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Everything by path is opened here, before the fork: no record names one. */
static void open_parents(const struct supervisor_config *config, struct supervisor_child_config *child)
{
	for (unsigned i = 0; i < SCRATCH_DIRS_MAX; i++) {
		struct why why = { 0 };

		child->parent_fd[i] = -1;
		if (i && !config->scratch[i])
			continue;
		int fd = scratch_open_parent(config->scratch[i], &why);

		if (fd >= 0)
			child->parent_fd[i] = fd;
		else if (i == 0)
			child->scratch_why = why;
	}
}

static int fork_child(struct supervisor *s, struct supervisor_child_config *child, struct why *why)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return why_set(why, -errno, "supervisor: socketpair: %s; loads are off", strerror(errno));
	child->fd = pair[1];
	child->main_pidfd = kin_pidfd(getpid());
	s->pid = fork();
	if (s->pid == 0)
		supervisor_child_main(child);
	if (child->main_pidfd >= 0)
		close(child->main_pidfd);
	close(pair[1]);
	s->fd = pair[0];
	if (s->pid < 0)
		return why_set(why, -errno, "supervisor: fork: %s; loads are off", strerror(errno));
	s->pidfd = kin_pidfd(s->pid);
	s->alive = true;
	supervisor_order(s, &(struct wire){ 0 }, WIRE_HELLO);
	return 0;
}

struct supervisor *supervisor_start(const struct supervisor_config *config, struct why *why)
{
	struct supervisor_child_config child = { .config = config };
	struct supervisor *s;

	if (load_count() > JOBS_MAX) {
		why_set(why, -E2BIG, "supervisor: more loads than slots");
		return NULL;
	}
	s = calloc(1, sizeof(*s));
	if (!s) {
		why_set(why, -ENOMEM, "supervisor: no memory; loads are off");
		return NULL;
	}
	s->fd = s->pidfd = -1;
	s->counters = config->counters;
	if (!config->no_probes)
		s->helpers = child.helpers = helper_memory_new();
	open_parents(config, &child);
	int err = fork_child(s, &child, why);

	for (unsigned i = 0; i < SCRATCH_DIRS_MAX; i++)
		close_fd(&child.parent_fd[i]);
	if (err) {
		supervisor_free(s);
		return NULL;
	}
	return s;
}

int supervisor_fd(const struct supervisor *s)
{
	return s->alive ? s->fd : -1;
}

bool supervisor_alive(const struct supervisor *s)
{
	return s->alive;
}

pid_t supervisor_pid(const struct supervisor *s)
{
	return s->pid;
}

/* ---- orders ---- */

int supervisor_load_start(struct supervisor *s, unsigned load, unsigned workers,
			  const long knob[LOAD_KNOBS_MAX], struct why *why)
{
	struct wire r = { .id = load, .number = (int32_t)workers };

	if (load >= load_count() || workers > INT32_MAX)
		return why_set(why, -EINVAL, "no such load");
	for (unsigned i = 0; i < LOAD_KNOBS_MAX; i++) {
		if (knob[i] < INT32_MIN || knob[i] > INT32_MAX)
			return why_set(why, -EINVAL, "knob %u out of range", i);
		r.arg[i] = (int32_t)knob[i];
	}
	return supervisor_explain(supervisor_order(s, &r, WIRE_START), why);
}

int supervisor_load_stop(struct supervisor *s, unsigned load)
{
	return supervisor_order(s, &(struct wire){ .id = load }, WIRE_STOP);
}

int supervisor_kill_all(struct supervisor *s)
{
	return supervisor_order(s, &(struct wire){ 0 }, WIRE_KILLALL);
}

/* They arrive generation after generation while their parents die. */
static void end_adopted(struct supervisor *s)
{
	if (s->adopts && clock_now_ns() - s->lost_ns < ADOPTION_NS)
		kin_kill_marked_children();
}

void supervisor_ping(struct supervisor *s)
{
	if (s->lost_told)
		end_adopted(s);
	supervisor_order(s, &(struct wire){ .wide = clock_now_ns() }, WIRE_PING);
}

int supervisor_tty(struct supervisor *s, const struct termios *saved,
		   const struct termios *raw, bool cooked)
{
	struct wire first = { 0 }, second = { 0 };
	int err;

	if (cooked)
		return supervisor_order(s, &first, WIRE_TTY_COOKED);
	wire_put_termios(&first, saved);
	wire_put_termios(&second, raw);
	err = supervisor_order(s, &first, WIRE_TTY_SAVED);
	return err ? err : supervisor_order(s, &second, WIRE_TTY_RAW);
}

/* ---- events ---- */

/* Words come from memory that loads can write: copied once, then cleaned. */
static void take_words(const char *from, size_t room, char text[320])
{
	char raw[320];

	memcpy(raw, from, room);
	text_clean(text, 320, raw, strnlen(raw, room), 319);
}

static void take_why(const struct supervisor *s, unsigned load, char text[320])
{
	const struct slot *slot = &s->counters->slot[load];

	atomic_load_explicit(&slot->failed, memory_order_acquire);
	take_words(slot->why, sizeof(slot->why), text);
}

/* In the weaker tier orphans of loads reach us when the supervisor dies, if
 * we have said that we take them. */
static void adopt(struct supervisor *s)
{
	if (!s->adopts)
		prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	s->adopts = true;
}

static void note_tier(struct supervisor *s, const struct wire *r)
{
	bool known = r->number >= TIER_NONE && r->number <= TIER_NS;

	s->tier[r->id] = known ? (enum tier)r->number : TIER_NONE;
	if (s->tier[r->id] == TIER_SUBREAPER)
		adopt(s);
}

static bool translate_tier(struct supervisor *s, const struct wire *r, struct supervisor_event *out)
{
	if (r->number != TIER_NS && r->number != TIER_SUBREAPER)
		return false;
	if (r->number == TIER_SUBREAPER)
		adopt(s);
	*out = (struct supervisor_event){ .kind = SUP_TIER, .tier = (enum tier)r->number };
	return true;
}

static const struct {
	enum wire_kind wire;
	enum supervisor_event_kind kind;
	bool failure;		/* number is an errno or exit code, why may say more */
} kinds[] = {
	{ WIRE_STARTED, SUP_STARTED, false },
	{ WIRE_RUNNING, SUP_RUNNING, false },
	{ WIRE_STATE, SUP_STATE, true },
	{ WIRE_EXITED, SUP_EXITED, true },
	{ WIRE_REFUSED, SUP_REFUSED, true },
	{ WIRE_PONG, SUP_PONG, false },
};

static bool translate_load(struct supervisor *s, const struct wire *r, unsigned i,
			   struct supervisor_event *out)
{
	if (r->id >= load_count())
		return false;
	*out = (struct supervisor_event){ .kind = kinds[i].kind, .load = r->id };
	if (out->kind == SUP_STARTED) {
		note_tier(s, r);
		out->pid = (pid_t)r->wide;
	}
	out->tier = s->tier[r->id];
	if (kinds[i].failure) {
		out->err = r->number;
		take_why(s, r->id, out->text);
	}
	if (out->kind == SUP_EXITED) {
		out->signal = r->arg[0];
		out->oom = r->arg[1];
	}
	return true;
}

static bool translate_probe(struct supervisor *s, const struct wire *r, struct supervisor_event *out)
{
	const struct helper_shared *shared = helper_memory_of(s->helpers, r->id);

	/* Of a process before the one that was asked for last: no news of that. */
	if (!shared || r->number != s->started[r->id])
		return false;
	*out = (struct supervisor_event){ .load = r->id };
	take_words(shared->why, sizeof(shared->why), out->text);
	if (r->kind == WIRE_PROBE_STARTED) {
		out->kind = SUP_PROBE_STARTED;
		out->pid = (pid_t)r->wide;
		return true;
	}
	out->kind = SUP_PROBE_EXITED;
	out->signal = r->arg[0];
	out->err = r->arg[1];
	return true;
}

static bool translate(struct supervisor *s, const struct wire *r, struct supervisor_event *out)
{
	if (r->kind == WIRE_TIER)
		return translate_tier(s, r, out);
	if (r->kind == WIRE_PROBE_STARTED || r->kind == WIRE_PROBE_EXITED)
		return translate_probe(s, r, out);
	for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (kinds[i].wire == r->kind)
			return translate_load(s, r, i, out);
	return false;
}

static void try_reap(struct supervisor *s)
{
	if (!s->reaped && s->pid > 0 && waitpid(s->pid, NULL, WNOHANG) == s->pid)
		s->reaped = true;
}

static bool lose(struct supervisor *s, struct supervisor_event *out)
{
	s->alive = false;
	if (s->lost_told)
		return false;
	s->lost_told = true;
	s->lost_ns = clock_now_ns();
	try_reap(s);
	end_adopted(s);
	*out = (struct supervisor_event){ .kind = SUP_LOST, .pid = s->pid };
	snprintf(out->text, sizeof(out->text), "stopped: supervisor died");
	return true;
}

bool supervisor_read(struct supervisor *s, struct supervisor_event *out)
{
	struct wire r;
	int got;

	while (s->alive && (got = wire_receive(s->fd, &r)) != 0) {
		if (got == -EPIPE)
			return lose(s, out);
		if (got == 1 && translate(s, &r, out))
			return true;
		s->ignored++;
	}
	return false;
}

/* ---- end ---- */

static bool ended(struct supervisor *s, int64_t until_ns)
{
	struct pollfd p = { .fd = s->pidfd, .events = POLLIN };
	int64_t left_ns;

	if (s->pidfd < 0)
		return true;
	do {
		left_ns = until_ns - clock_now_ns();
		if (poll(&p, 1, left_ns > 0 ? (int)(left_ns / NS_PER_MS + 1) : 0) > 0)
			return true;
	} while (left_ns > 0);
	return false;
}

int supervisor_wait(struct supervisor *s, int wait_ms)
{
	if (!s->reaped && !ended(s, clock_now_ns() + wait_ms * NS_PER_MS))
		return -EBUSY;
	s->alive = false;
	s->lost_told = true;
	try_reap(s);
	return 0;
}

/* Who only deletes scratch is no load that does not end. */
static unsigned loads_left(const struct supervisor *s, pid_t left[BELOW_MOST])
{
	unsigned n = kin_below(s->pid, left, BELOW_MOST), loads_n = 0;

	for (unsigned i = 0; i < n; i++)
		if (kin_is_marked(left[i]))
			left[loads_n++] = left[i];
	return loads_n;
}

int supervisor_quit(struct supervisor *s, int grace_ms, int wait_ms, struct why *why)
{
	struct wire r = { .number = grace_ms };
	pid_t left[BELOW_MOST];
	char names[240], clean[240];
	unsigned n;

	supervisor_order(s, &r, WIRE_QUIT);
	if (!supervisor_wait(s, wait_ms))
		return 0;
	n = loads_left(s, left);
	if (!n)
		return why_set(why, -EBUSY, "scratch is still being deleted; "
			       "the supervisor goes on with it");
	kin_text(left, n < STUCK_NAMED ? n : STUCK_NAMED, names, sizeof(names));
	text_clean(clean, sizeof(clean), names, strlen(names), sizeof(clean) - 1);
	why_set(why, -EBUSY, "loads do not end: %s; they are killed as soon as they can be", clean);
	return (int)n;
}

void supervisor_free(struct supervisor *s)
{
	if (!s)
		return;
	close_fd(&s->fd);
	if (s->alive)
		ended(s, clock_now_ns() + NS_PER_S);
	try_reap(s);
	close_fd(&s->pidfd);
	helper_memory_free(s->helpers);
	free(s);
}
