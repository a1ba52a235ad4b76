/* wire.c - see wire.h. */
#include "src/wire.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

_Static_assert(NCCS >= 19, "control characters of the kernel");

int wire_send(int fd, const struct wire *record)
{
	ssize_t n;

	do
		n = send(fd, record, sizeof(*record), MSG_DONTWAIT | MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	if (n == (ssize_t)sizeof(*record))
		return 0;
	return n < 0 && (errno == EAGAIN || errno == ENOBUFS) ? -EAGAIN : -EPIPE;
}

int wire_receive(int fd, struct wire *record)
{
	ssize_t n;

	/* A peer that died with records unread makes this call fail once, in
	 * front of what the peer itself had sent: that is still to be had. */
	do
		n = recv(fd, record, sizeof(*record), MSG_DONTWAIT | MSG_TRUNC);
	while (n < 0 && (errno == EINTR || errno == ECONNRESET));
	if (n < 0)
		return errno == EAGAIN ? 0 : -EPIPE;
	if (n == 0)
		return -EPIPE;
	if (n != (ssize_t)sizeof(*record) || record->version != WIRE_VERSION)
		return -EBADMSG;
	return 1;
}

void wire_put_termios(struct wire *record, const struct termios *t)
{
	struct wire_termios *w = &record->tty;

	w->iflag = t->c_iflag;
	w->oflag = t->c_oflag;
	w->cflag = t->c_cflag;
	w->lflag = t->c_lflag;
	w->ispeed = cfgetispeed(t);
	w->ospeed = cfgetospeed(t);
	w->line = t->c_line;
	memcpy(w->cc, t->c_cc, sizeof(w->cc));
}

void wire_get_termios(const struct wire *record, struct termios *t)
{
	const struct wire_termios *w = &record->tty;

	memset(t, 0, sizeof(*t));
	t->c_iflag = w->iflag;
	t->c_oflag = w->oflag;
	t->c_cflag = w->cflag;
	t->c_lflag = w->lflag;
	t->c_line = w->line;
	memcpy(t->c_cc, w->cc, sizeof(w->cc));
	cfsetispeed(t, w->ispeed);
	cfsetospeed(t, w->ospeed);
}
