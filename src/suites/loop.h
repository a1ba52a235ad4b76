/*
 * loop.h - sockets on the loopback device, for kernels.
 *
 * Connections are closed by reset, so that none stays behind for minutes.
 * Kernel processes.
 */
#ifndef JS_LOOP_H
#define JS_LOOP_H

#include <netinet/in.h>

/* A TCP listener on 127.0.0.1 and its address; -errno. */
int loop_listen(struct sockaddr_in *at);
/* A connection to it, without delay; -errno. */
int loop_connect(const struct sockaddr_in *at);
/* Two ends: SOCK_STREAM (TCP, without delay) or SOCK_DGRAM (UDP).  0, -errno. */
int loop_pair(int type, int fd[2]);
void loop_reset(int fd);
/* All of it, across short reads and writes; 0 or -errno (-EPIPE: the end). */
int loop_read(int fd, void *buf, unsigned long bytes);
int loop_write(int fd, const void *buf, unsigned long bytes);

#endif
