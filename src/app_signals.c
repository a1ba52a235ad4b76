/*
 * app_signals.c - every signal comes by signalfd; faults keep their handlers.
 */
#include <errno.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "src/app_internal.h"

/* Blocked, these would kill without a handler (faults) or go to the wrong
 * thread (XCPU): RELIABILITY, real-time rule 4. */
static const int left_open[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS,
				 SIGXCPU };
static const int read_here[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGWINCH, SIGTSTP,
				 SIGCONT };
/* A shell without job control starts `record &` with these ignored; they are
 * how a record ends.  SIGHUP stays as it is: nohup means it. */
static const int never_ignored[] = { SIGINT, SIGQUIT, SIGTERM, SIGUSR1 };

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* What is blocked is never ignored: a signalfd would have it all the same. */
static void leave_ignored(int signal, sigset_t *blocked, sigset_t *wanted)
{
	struct sigaction now;

	if (sigaction(signal, NULL, &now) || now.sa_handler != SIG_IGN)
		return;
	sigdelset(blocked, signal);
	sigdelset(wanted, signal);
}

int app_signals_open(struct app *app, struct why *why)
{
	sigset_t blocked, wanted;

	sigfillset(&blocked);
	for (size_t i = 0; i < COUNT(left_open); i++)
		sigdelset(&blocked, left_open[i]);
	sigemptyset(&wanted);
	for (size_t i = 0; i < COUNT(read_here); i++)
		sigaddset(&wanted, read_here[i]);
	leave_ignored(SIGHUP, &blocked, &wanted);
	sigprocmask(SIG_SETMASK, &blocked, NULL);
	for (size_t i = 0; i < COUNT(never_ignored); i++)
		signal(never_ignored[i], SIG_DFL);
	app->signal_fd = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
	if (app->signal_fd < 0)
		return why_set(why, -errno, "signalfd: %s; raise the limit of open files",
			       strerror(errno));
	return 0;
}

/* A job that is continued without being brought to the front must not touch
 * the terminal: it belongs to the user's shell. */
static bool in_front(const struct app *app)
{
	pid_t group;

	if (app->tty_fd < 0)
		return true;
	group = tcgetpgrp(app->tty_fd);
	return group < 0 || group == getpgrp();
}

static void stop_here(struct app *app)
{
	if (app->collector)
		app->last_turn_ns = clock_now_ns();
	kill(getpid(), SIGSTOP);
}

void app_suspend(struct app *app)
{
	app_loads_stop(app);
	if (app->front->suspend)
		app->front->suspend(app->self);
	stop_here(app);
}

static void continued(struct app *app)
{
	int64_t now_ns = clock_now_ns();

	if (app->terminal_gone)
		return;		/* comes with SIGHUP: nothing was stopped */
	if (app->collector && app->phase < APP_STOPPING)
		collector_gap(app->collector, GAP_STOP, app->last_turn_ns, now_ns);
	if (!in_front(app)) {
		stop_here(app);
		return;
	}
	if (app->front->resume)
		app->front->resume(app->self);
	app->next_tick_ns = app->next_frame_ns = now_ns;
}

static void interrupted(struct app *app)
{
	const struct order quit = { .what = CMD_QUIT };

	if (app->front->interrupt)
		app->front->interrupt(app->self);
	else
		app_do(app, &quit);
}

static void one_signal(struct app *app, int signal)
{
	static const struct order quit = { .what = CMD_QUIT };
	static const struct order snapshot = { .what = CMD_SNAPSHOT };

	switch (signal) {
	case SIGINT:
		interrupted(app);
		break;
	case SIGHUP:
		app_terminal_gone(app);
		break;
	case SIGTERM:
	case SIGQUIT:
		app_do(app, &quit);
		break;
	case SIGUSR1:
		app_do(app, &snapshot);
		break;
	case SIGWINCH:
		if (app->front->resize)
			app->front->resize(app->self);
		break;
	case SIGTSTP:
		app_suspend(app);
		break;
	case SIGCONT:
		continued(app);
		break;
	}
}

/* Nobody reads them any more.  After a hang-up a second one says nothing new. */
void app_signals_release(struct app *app)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGQUIT };
	struct signalfd_siginfo info;
	sigset_t open;

	while (app->signal_fd >= 0 &&
	       read(app->signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		app->quits += info.ssi_signo == SIGINT || info.ssi_signo == SIGTERM;
	sigemptyset(&open);
	for (size_t i = 0; i < COUNT(ends); i++)
		sigaddset(&open, ends[i]);
	if (!app->terminal_gone)
		sigaddset(&open, SIGHUP);
	sigprocmask(SIG_UNBLOCK, &open, NULL);
}

void app_signals_read(struct app *app)
{
	struct signalfd_siginfo info;

	while (read(app->signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		one_signal(app, (int)info.ssi_signo);
}
