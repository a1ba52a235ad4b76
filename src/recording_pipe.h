/*
 * recording_pipe.h - bytes from main to a file that may be slow.
 *
 * Main writes into a pipe that never blocks; what does not fit waits in memory
 * up to a bound, beyond that whole pieces are left out.  An ordinary thread
 * empties the pipe into the file.  No lock is shared.  Main thread.
 */
#ifndef JS_RECORDING_PIPE_H
#define JS_RECORDING_PIPE_H

#include <stddef.h>

#include "src/why.h"

struct recording_pipe;

/* A new file that begins with head, written at once: NULL with why, and no file
 * is left. */
struct recording_pipe *recording_pipe_open(const char *path, const char *head, size_t n,
					   struct why *why);
/* A piece of whole lines: all of it or nothing. */
void recording_pipe_put(struct recording_pipe *p, const char *bytes, size_t n);
void recording_pipe_pump(struct recording_pipe *p);	/* what waits, as far as it fits */
/* 0, or why the file is not written any more (-errno); a piece left out is
 * -EAGAIN, told once. */
int recording_pipe_error(struct recording_pipe *p, struct why *why);
/* Waits until all is on the disk, at most wait_ms.  Frees. 0 or -errno. */
int recording_pipe_close(struct recording_pipe *p, int wait_ms, struct why *why);

#endif
