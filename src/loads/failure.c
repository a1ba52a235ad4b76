/* failure.c - see failure.h. */
#include "src/loads/failure.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define MB 1000000

bool failure_passes(int err)
{
	return err == -EAGAIN || err == -EMFILE || err == -ENFILE;
}

bool failure_is_full(int err)
{
	return err == -ENOSPC || err == -EDQUOT || err == -EFBIG;
}

int failure(struct why *why, int err, const char *call)
{
	if (failure_is_full(err))
		return why_set(why, err, "disk full, stopped");
	if (err == -ENOMEM)
		return why_set(why, err, "%s: out of memory", call);
	return why_set(why, err, "%s: %s", call, strerror(-err));
}

int failure_budget(struct why *why, uint64_t want_bytes, uint64_t granted_bytes,
		   const char *remedy)
{
	if (granted_bytes >= want_bytes)
		return 0;
	return why_set(why, -ENOSPC, "needs %" PRIu64 " MB of disk, budget %" PRIu64 " MB; use %s",
		       (want_bytes + MB - 1) / MB, granted_bytes / MB, remedy);
}
