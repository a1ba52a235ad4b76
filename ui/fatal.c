/* fatal.c - see fatal.h. */
#include "ui/fatal.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "src/guardian.h"
#include "ui/tty.h"

/* The string the guardian writes too, so that all ways out look alike. */
const char fatal_reset[] = GUARDIAN_RESET_BYTES "\r\n";
const unsigned fatal_reset_bytes = sizeof(fatal_reset) - 1;

static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };

/* A handler gets no argument: what it needs has to lie here. */
static struct {
	volatile sig_atomic_t armed;
	int fd;
	struct termios saved;
	_Alignas(64) char stack[64 * 1024];
} fatal = { .fd = -1 };

static void set_all(void (*action)(int), int flags)
{
	struct sigaction sa = { .sa_handler = action, .sa_flags = flags };

	sigemptyset(&sa.sa_mask);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &sa, NULL);
}

static void on_fatal(int sig)
{
	/* A second crash, in here too, takes the default action. */
	set_all(SIG_DFL, 0);
	if (fatal.armed) {
		fatal.armed = 0;
		tty_start_output(fatal.fd);
		ssize_t wrote = write(fatal.fd, fatal_reset, fatal_reset_bytes);

		(void)wrote;	/* nobody is left to be told */
		tcsetattr(fatal.fd, TCSANOW, &fatal.saved);
	}
	raise(sig);
}

void fatal_install(void)
{
	stack_t stack = { .ss_sp = fatal.stack, .ss_size = sizeof(fatal.stack) };

	sigaltstack(&stack, NULL);
	set_all(on_fatal, SA_ONSTACK);
}

void fatal_arm(int fd, const struct termios *saved)
{
	fatal.armed = 0;
	fatal.fd = fd;
	fatal.saved = *saved;
	fatal.armed = 1;
}

void fatal_disarm(void)
{
	fatal.armed = 0;
}
