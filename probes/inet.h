/*
 * inet.h - sockets on 127.0.0.1, on ports that the kernel picks, for probes.
 * Calls return a descriptor or 0, or -errno.
 */
#ifndef JS_PROBES_INET_H
#define JS_PROBES_INET_H

#include <netinet/in.h>

/* Bound; its address in *at. */
int inet_bound(int type, struct sockaddr_in *at);
/* Connected to that address. */
int inet_connected(int type, const struct sockaddr_in *to);
int inet_listener(struct sockaddr_in *at);
/* pair[0] connected to pair[1], no delay. */
int inet_tcp_pair(int pair[2]);
int inet_udp_pair(int pair[2]);
/* A reset rather than a farewell: no TIME_WAIT is left behind. */
void inet_reset(int fd);

#endif
