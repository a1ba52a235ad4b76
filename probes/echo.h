/*
 * echo.h - a message to a partner process and the answer back.
 *
 * What pipe, unix, udp and tcp have in common.  The partner is an ordinary
 * process, pinned nowhere, that sleeps in read() until it is asked.
 */
#ifndef JS_PROBES_ECHO_H
#define JS_PROBES_ECHO_H

#include "probes/op.h"

#define ECHO_BYTES_MOST 4

struct echo_ends {		/* of one side; the same descriptor twice for a socket */
	int read_fd, write_fd;
};

struct echo {
	struct op op;
	struct echo_ends ours;
	unsigned ask_bytes, answer_bytes;	/* at most ECHO_BYTES_MOST */
	bool counted;		/* datagrams: an answer that came too late is not the next one */
	uint32_t number;
};

/*
 * Starts the partner on its ends, which are closed here; e->ours, the sizes
 * and counted are set before.  0, or -errno with why: then ours are closed too.
 */
int echo_open(struct echo *e, const struct probe_env *env, struct echo_ends theirs,
	      const char *name, struct why *why);
int echo_sample(void *echo, struct probe_sample *out);
void echo_close(void *echo);

#endif
