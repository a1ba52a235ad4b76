/* tty.c - see tty.h. */
#include "ui/tty.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define TTY_MOST 1000

static int open_path(const char *path)
{
	int fd = open(path, O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	if (fd >= 0 && !isatty(fd)) {
		close(fd);
		errno = ENOTTY;
		return -1;
	}
	return fd;
}

int tty_open(struct why *why)
{
	int fd = open_path("/dev/tty");
	int err = errno;

	for (int std = 0; fd < 0 && std <= 2; std++) {
		char path[64];

		if (ttyname_r(std, path, sizeof(path)) == 0)
			fd = open_path(path);
	}
	if (fd >= 0)
		return fd;
	return why_set(why, -err,
		       "terminal: %s; start it from a terminal, or use `jitterscope record`",
		       err == ENXIO || err == ENOENT ? "there is none" : strerror(err));
}

void tty_make_raw(const struct termios *saved, struct termios *raw)
{
	*raw = *saved;
	/* ISIG and IXON stay: ^C, ^Z and ^S keep their meaning. */
	raw->c_lflag &= ~(tcflag_t)(ICANON | ECHO | ECHONL | IEXTEN);
	raw->c_lflag |= ISIG;
	raw->c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IGNCR | ISTRIP);
	/* Cursor movement by LF and TAB must arrive as it was sent. */
	raw->c_oflag &= ~(tcflag_t)OPOST;
	/* With VMIN 0 an empty line would read like a hang-up. */
	raw->c_cc[VMIN] = 1;
	raw->c_cc[VTIME] = 0;
}

static int bounded(int value, int otherwise)
{
	if (value <= 0)
		return otherwise;
	return value < TTY_MOST ? value : TTY_MOST;
}

void tty_size(int fd, int *w, int *h)
{
	struct winsize size = { 0 };

	if (ioctl(fd, TIOCGWINSZ, &size))
		size = (struct winsize){ 0 };
	bool known = size.ws_col || size.ws_row;

	*w = bounded(size.ws_col, known ? 1 : 80);
	*h = bounded(size.ws_row, known ? 1 : 24);
}

bool tty_foreground(int fd)
{
	pid_t group = tcgetpgrp(fd);

	return group < 0 || group == getpgrp();
}

void tty_wait_foreground(int fd)
{
	while (!tty_foreground(fd))
		raise(SIGSTOP);
}

void tty_start_output(int fd)
{
	struct termios now;

	tcflow(fd, TCOON);
	if (tcgetattr(fd, &now))
		return;
	/* The kernel starts a stopped line when it no longer knows ^S. */
	now.c_iflag &= ~(tcflag_t)IXON;
	tcsetattr(fd, TCSANOW, &now);
}

int tty_queued(int fd)
{
	int bytes = 0;

	return ioctl(fd, TIOCOUTQ, &bytes) ? 0 : bytes;
}

long tty_write(int fd, const char *bytes, size_t n)
{
	ssize_t wrote;

	do {
		wrote = write(fd, bytes, n);
	} while (wrote < 0 && errno == EINTR);
	if (wrote >= 0)
		return wrote;
	return errno == EAGAIN ? 0 : -EIO;
}

long tty_read(int fd, char *bytes, size_t room)
{
	ssize_t got;

	do {
		got = read(fd, bytes, room);
	} while (got < 0 && errno == EINTR);
	if (got > 0)
		return got;
	/* With signals blocked a background read fails with EIO too: not a hang-up. */
	if (got < 0 && (errno == EAGAIN || (errno == EIO && !tty_foreground(fd))))
		return 0;
	return -EIO;
}
