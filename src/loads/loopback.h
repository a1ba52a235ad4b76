/*
 * loopback.h - pairs of sockets on 127.0.0.1, on ports the kernel picks.
 */
#ifndef JS_LOADS_LOOPBACK_H
#define JS_LOADS_LOOPBACK_H

#include <stdbool.h>

#include "src/why.h"

struct loopback {
	int client, server;	/* tcp: connected; udp: sender (connected), receiver */
};

/* EADDRNOTAVAIL is tried once more.  0 or -errno with why. */
int loopback_tcp(struct loopback *l, bool nodelay, struct why *why);
int loopback_udp(struct loopback *l, struct why *why);
/* A reset rather than a farewell: no TIME_WAIT is left behind. */
void loopback_close(int fd);

#endif
