/* stream.c - see stream.h. */
#include "src/loads/stream.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "src/loads/failure.h"

#define MIB (UINT64_C(1) << 20)
#define SIZE_MOST (UINT64_C(1) << 30)

static uint64_t machine_bytes(void)
{
	return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint64_t stream_disk(unsigned workers, long size_mib)
{
	uint64_t each = size_mib ? (uint64_t)size_mib * MIB : least(machine_bytes(), SIZE_MOST);

	return workers * each;
}

uint64_t stream_disk_wanted(unsigned workers, const long *knob)
{
	return stream_disk(workers, knob[0]);
}

int stream_size(const struct load_worker *w, long size_mib, uint64_t *bytes, struct why *why)
{
	uint64_t each = w->disk_budget_bytes / w->workers;

	*bytes = stream_disk(1, size_mib);
	if (!size_mib)
		*bytes = least(*bytes, each) / STREAM_BLOCK * STREAM_BLOCK;
	if (*bytes < STREAM_BLOCK)
		*bytes = STREAM_BLOCK;
	return failure_budget(why, w->workers * *bytes, w->disk_budget_bytes, "a smaller size");
}

void stream_name(char *buf, size_t size, unsigned index)
{
	snprintf(buf, size, "stream.%03u", index);
}

static ssize_t write_block(struct load_worker *w, int fd, const void *block, size_t size)
{
	int64_t begun_ns = load_begin(w);
	ssize_t n = write(fd, block, size);
	int err = errno;

	load_end(w, begun_ns);
	return n < 0 ? -err : n;
}

int stream_fill(struct load_worker *w, int fd, const void *block, uint64_t bytes, bool counted)
{
	for (uint64_t done = 0; done < bytes && load_going(w);) {
		ssize_t n = write_block(w, fd, block, (size_t)least(STREAM_BLOCK, bytes - done));

		if (n == -EINTR)
			continue;
		if (n < 0)
			return (int)n;
		done += (uint64_t)n;
		if (counted)
			load_add(w, 1, (uint64_t)n);
		load_cpu(w);
	}
	return 0;
}
