/*
 * recording.h - a run written down while it goes on, as lines of JSON that are
 * only ever appended: after kill -9 the file is good up to the last second.
 *
 * Main makes the lines and puts them into a pipe that never blocks it; an
 * ordinary thread carries them to the disk.  When the disk cannot keep up
 * lines are left out and counted; when it fails the recording ends, says why,
 * and measuring goes on.  A day of two CPUs takes some 45 MB.
 *
 * Main thread only.
 */
#ifndef JS_RECORDING_H
#define JS_RECORDING_H

#include "src/model.h"
#include "src/why.h"

struct recording;

/* A new file, mode 0600; an existing one is not touched (-EEXIST).  NULL with
 * why, and no file is left. */
struct recording *recording_open(const char *path, const struct model *m, char *const *argv,
				 struct why *why);
/* After each tick of the collector; does nothing but once a second.  0, or
 * -errno with why, once, when the file cannot be written any more. */
int recording_tick(struct recording *r, const struct model *m, struct why *why);
/* The orderly end: exact series by CPU.  Waits for the disk, at most wait_ms.
 * Frees r in any case.  0 or -errno with why. */
int recording_close(struct recording *r, const struct model *m, int wait_ms, struct why *why);

#endif
