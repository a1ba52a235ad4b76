/*
 * fault.c - how long does a page fault take?
 *
 * One touch of one page: of our own memory just given back, of a file in the
 * page cache whose mapping was dropped, and a write to a read-only page until
 * the first line of the signal handler.  Nothing is subtracted.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "probes/op.h"
#include "probes/victim.h"

enum { FAULT_OWN, FAULT_FILE, FAULT_PROT, FAULTS };

static const char *const variants[] = {
	[FAULT_OWN] = "fault", [FAULT_FILE] = "fault-file", [FAULT_PROT] = "fault-prot", NULL,
};

struct fault {
	struct op op;
	unsigned kind;		/* whose turn it is */
	volatile char *page[FAULTS];
	size_t page_bytes;
	volatile int64_t handled_ns;	/* when the handler began; 0: it did not */
};

/* A handler has no other way to it. */
static struct fault *_Atomic faulting;

/* Any other fault is a bug: it comes again, without us. */
static void on_fault(int number, siginfo_t *info, void *context)
{
	struct fault *f = faulting;
	int64_t now_ns = f ? f->op.env->now_ns(f->op.env->ctx) : 0;

	(void)context;
	if (!f || info->si_addr != (void *)f->page[FAULT_PROT] ||
	    mprotect((void *)f->page[FAULT_PROT], f->page_bytes, PROT_READ | PROT_WRITE)) {
		signal(number, SIG_DFL);
		return;
	}
	f->handled_ns = now_ns;
}

static void *map_pages(const struct fault *f, int prot, int flags, int fd)
{
	void *map = mmap(NULL, f->page_bytes, prot, flags, fd, 0);

	return map == MAP_FAILED ? NULL : map;
}

static int map_file(struct fault *f, struct why *why)
{
	int fd = victim_keep(f->op.env->scratch_fd, "faulted", (unsigned)f->page_bytes, "fault", why);

	if (fd < 0)
		return fd;
	f->page[FAULT_FILE] = map_pages(f, PROT_READ, MAP_SHARED, fd);
	close(fd);
	return 0;
}

static int map_all(struct fault *f, struct why *why)
{
	int err = map_file(f, why);

	if (err)
		return err;
	f->page[FAULT_OWN] = map_pages(f, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	f->page[FAULT_PROT] = map_pages(f, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	for (unsigned i = 0; i < FAULTS; i++)
		if (!f->page[i])
			return why_set(why, -ENOMEM, "fault: mmap: %s", strerror(ENOMEM));
	*f->page[FAULT_PROT] = 1;
	return 0;
}

static int fault_open(void *state, const struct probe_env *env, struct why *why)
{
	const struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
	struct fault *f = state;

	*f = (struct fault){ .page_bytes = (size_t)sysconf(_SC_PAGESIZE) };
	op_open(&f->op, env, FAULTS);
	if (env->operation)
		return 0;
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	faulting = f;
	if (sigaction(SIGSEGV, &action, NULL))
		return why_set(why, -errno, "fault: sigaction: %s", strerror(errno));
	return map_all(f, why);
}

/* So that the next touch faults. */
static int prepare(const struct fault *f)
{
	void *page = (void *)f->page[f->kind];

	if (f->op.env->operation)
		return 0;
	if (f->kind == FAULT_PROT)
		return mprotect(page, f->page_bytes, PROT_READ) ? errno : 0;
	return madvise(page, f->page_bytes, MADV_DONTNEED) ? errno : 0;
}

static int touch(void *state)
{
	struct fault *f = state;

	if (f->kind == FAULT_FILE)
		(void)*f->page[FAULT_FILE];
	else
		*f->page[f->kind] = 1;
	return 0;
}

static int fault_sample(void *state, struct probe_sample *out)
{
	struct fault *f = state;
	int err = op_wait(&f->op, out), error;

	if (err)
		return err;
	f->kind = out->variant;
	f->handled_ns = 0;
	error = prepare(f);
	if (error) {
		op_failed(&f->op, out, error);
		return 0;
	}
	op_time(&f->op, out, touch, f);
	if (f->handled_ns)
		op_value(out, f->handled_ns - out->due_ns);
	return 0;
}

static void fault_close(void *state)
{
	struct fault *f = state;

	signal(SIGSEGV, SIG_DFL);
	faulting = NULL;
	for (unsigned i = 0; i < FAULTS; i++)
		if (f->page[i])
			munmap((void *)f->page[i], f->page_bytes);
}

const struct probe probe_fault = {
	.name = "fault",
	.summary = "touch one page: new, of a file, read-only",
	.flags = PROBE_HELPER | PROBE_LIGHT | PROBE_SCRATCH,
	.period_ns = 50 * NS_PER_MS,
	.knobs = { PROBE_PERIOD_KNOB(50) },
	.variants = variants,
	.state_size = sizeof(struct fault),
	.open = fault_open,
	.sample = fault_sample,
	.close = fault_close,
};
