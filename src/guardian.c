/* guardian.c - see guardian.h. */
#include "src/guardian.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/clock.h"

#define WRITE_LIMIT_NS (100 * NS_PER_MS)

/* The control characters the kernel knows; above them libc pads. */
#define CONTROL_CHARS 17

void guardian_init(struct guardian *g, int fd)
{
	memset(g, 0, sizeof(*g));
	g->fd = fd;
}

void guardian_arm(struct guardian *g, const struct termios *saved, const struct termios *raw)
{
	g->saved = *saved;
	g->raw = *raw;
	g->armed = true;
}

void guardian_disarm(struct guardian *g)
{
	g->armed = false;
}

bool guardian_same(const struct termios *a, const struct termios *b)
{
	return a->c_iflag == b->c_iflag && a->c_oflag == b->c_oflag &&
	       a->c_lflag == b->c_lflag && !memcmp(a->c_cc, b->c_cc, CONTROL_CHARS);
}

/* A terminal that takes nothing for 100 ms is left as it is. */
static void write_all(int fd, const char *text, size_t bytes)
{
	int64_t until_ns = clock_now_ns() + WRITE_LIMIT_NS;

	while (bytes) {
		ssize_t n = write(fd, text, bytes);

		if (n > 0) {
			text += n;
			bytes -= (size_t)n;
			continue;
		}
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return;
		if (clock_now_ns() >= until_ns)
			return;
		poll(&(struct pollfd){ .fd = fd, .events = POLLOUT }, 1, 10);
	}
}

/* The kernel starts a line that ^S has stopped when it no longer knows ^S. */
static void start_output(int fd, const struct termios *now)
{
	struct termios without = *now;

	without.c_iflag &= ~(tcflag_t)IXON;
	tcsetattr(fd, TCSANOW, &without);
}

bool guardian_restore(struct guardian *g, const char *line)
{
	struct termios now;

	if (g->fd < 0 || !g->armed)
		return false;
	g->armed = false;
	/* The descriptor may block, and this process must not.  Nobody else
	 * is left to mind: it was main's own. */
	fcntl(g->fd, F_SETFL, fcntl(g->fd, F_GETFL) | O_NONBLOCK);
	/* Half a frame that is still queued, perhaps behind a ^S. */
	tcflush(g->fd, TCOFLUSH);
	tcflow(g->fd, TCOON);
	if (!tcgetattr(g->fd, &now)) {
		start_output(g->fd, &now);
		tcsetattr(g->fd, TCSANOW, guardian_same(&now, &g->raw) ? &g->saved : &now);
	}
	/* In pieces: a buffer that is too small would cost the line its end, and
	 * the shell would write over it. */
	write_all(g->fd, GUARDIAN_RESET_BYTES "\r\n", sizeof(GUARDIAN_RESET_BYTES "\r\n") - 1);
	write_all(g->fd, line, strlen(line));
	write_all(g->fd, "\r\n", 2);
	return true;
}
