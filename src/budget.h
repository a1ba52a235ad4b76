/*
 * budget.h - how much of the machine loads may take, and when they must stop.
 *
 * Disk: min(2 GiB, 10 % of what is free) over all loads, stopped below
 * max(1 GiB, 5 %) free or 5 % of the inodes.  Memory: half of what is
 * available, stopped below 10 %.  Tasks: 512, and a quarter of the room under
 * every limit there is; counted by us, since a uid limit does not bind root.
 * Descriptors: a quarter of RLIMIT_NOFILE a load.
 *
 * Any ordinary thread.  `root` is put before /proc and /sys ("" in life), so
 * that tests can hand in faked files; a file that is missing limits nothing.
 */
#ifndef JS_BUDGET_H
#define JS_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/statvfs.h>

#include "src/why.h"

#define BUDGET_TASKS_MAX 512

struct budget_tasks {
	unsigned room;		/* that many more */
	char limit[48];		/* what binds: "pids.max 100", "threads-max 4096" */
};

uint64_t budget_disk_bytes(const struct statvfs *fs);
/* 0, or -ENOSPC and "disk full, ..." or "no inodes left, ...", or -ENOTSUP. */
int budget_disk_floor(const struct statvfs *fs, struct why *why);

/* Does this errno, of either sign, say that nothing more can be written?  Any
 * process; what a person reads then. */
bool budget_is_full(int err);
#define BUDGET_DISK_FULL "disk full; free some or give another --scratch"

uint64_t budget_memory_bytes(const char *root);	/* UINT64_MAX: unknown */
/* 0, or -ENOMEM and "memory floor, ...". */
int budget_memory_floor(const char *root, struct why *why);

void budget_tasks(const char *root, struct budget_tasks *out);
/* What to raise when a thread or process was refused with EAGAIN; returns buf. */
const char *budget_tasks_remedy(const char *root, char *buf, size_t size);
unsigned budget_fds(void);

/* How many processes the kernel has killed for memory so far; 0: unknown. */
uint64_t budget_oom_kills(const char *root);

#endif
