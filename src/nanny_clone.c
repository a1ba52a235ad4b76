/* nanny_clone.c - see nanny_clone.h. */
#include "src/nanny_clone.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static unsigned long tier_flags(enum tier tier, bool userns)
{
	if (tier != TIER_NS)
		return 0;
	return CLONE_NEWPID | (userns ? CLONE_NEWUSER : 0);
}

pid_t nanny_clone(enum tier tier, bool userns, int *pidfd)
{
	unsigned long flags = tier_flags(tier, userns) | CLONE_PIDFD | SIGCHLD;
#if defined(__s390__) || defined(__CRIS__)
	long pid = syscall(SYS_clone, 0, flags, pidfd, 0, 0);
#else
	long pid = syscall(SYS_clone, flags, 0, pidfd, 0, 0);
#endif

	return pid < 0 ? -errno : (pid_t)pid;
}

/* The go may have been sent before this process asked for its death signal,
 * and its sender have died in between.  A process closes its files before its
 * children get the signal: so when the other end is still open, the signal is
 * still to come. */
bool nanny_wait_for_go(int control)
{
	char byte = 0;
	ssize_t got;

	do
		got = read(control, &byte, 1);
	while (got < 0 && errno == EINTR);
	return got == 1 && byte == NANNY_GO && recv(control, &byte, 1, MSG_PEEK | MSG_DONTWAIT) != 0;
}
