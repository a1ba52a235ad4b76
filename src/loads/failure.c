/* failure.c - see failure.h. */
#include "src/loads/failure.h"

#include <errno.h>
#include <string.h>

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
