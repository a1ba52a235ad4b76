/*
 * stream.h - one large file per worker: what the loads write and read share.
 */
#ifndef JS_LOADS_STREAM_H
#define JS_LOADS_STREAM_H

#include "src/load.h"

#define STREAM_BLOCK 65536
/* Knob 0 of both. */
#define STREAM_SIZE_KNOB { .name = "size", .least = 0, .value = 0, .most = 1048576, \
			   .help = "MiB per file; 0: memory, 1 GiB or the budget" }

/* Bytes per file: what size_mib says, or for 0 the least of the memory of the
 * machine, 1 GiB and what the disk budget allows each worker.  When a size was
 * asked for that does not fit: -ENOSPC with why. */
int stream_size(const struct load_worker *w, long size_mib, uint64_t *bytes, struct why *why);
/* What to ask of the disk budget. */
uint64_t stream_disk(unsigned workers, long size_mib);
uint64_t stream_disk_wanted(unsigned workers, const long *knob);
/* What the tables of both loads say alike. */
#define STREAM_LOAD \
	.unit = "MB", .rate_unit = "MB/s", .pass_name = "full files", .figure = LOAD_BYTES, \
	.flags = LOAD_SCRATCH | LOAD_CONTEST, .version = 1, .default_plus = 1, .max_workers = 16, \
	.disk_bytes = stream_disk_wanted, .tasks_per_worker = 1, .fds_per_worker = 2

/* "stream.007" */
void stream_name(char *buf, size_t size, unsigned index);
/* Fills a file with the block again and again.  0 or -errno; a stop ends it early. */
int stream_fill(struct load_worker *w, int fd, const void *block, uint64_t bytes, bool counted);

#endif
