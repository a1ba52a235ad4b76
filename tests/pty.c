/* pty.c - see pty.h. */
#include "tests/pty.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <vterm.h>

struct pty {
	int master, slave;
	pid_t pid;		/* 0: none, or reaped */
	VTerm *vt;
	VTermScreen *screen;
	int w, h;
	const char *directory;
	bool alternate, cursor, mouse;
	char *output;
	size_t output_bytes, output_room;
	size_t shown;		/* bytes of it the emulator has */
	uint64_t bytes;
};

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void die(const char *what)
{
	perror(what);
	abort();
}

static int on_property(VTermProp property, VTermValue *value, void *user)
{
	struct pty *p = user;

	if (property == VTERM_PROP_ALTSCREEN)
		p->alternate = value->boolean;
	else if (property == VTERM_PROP_CURSORVISIBLE)
		p->cursor = value->boolean;
	else if (property == VTERM_PROP_MOUSE)
		p->mouse = value->number != VTERM_PROP_MOUSE_NONE;
	return 1;
}

static const VTermScreenCallbacks callbacks = { .settermprop = on_property };

static void open_emulator(struct pty *p)
{
	p->vt = vterm_new(p->h, p->w);
	if (!p->vt)
		die("vterm_new");
	vterm_set_utf8(p->vt, 1);
	p->screen = vterm_obtain_screen(p->vt);
	vterm_screen_set_callbacks(p->screen, &callbacks, p);
	vterm_screen_enable_altscreen(p->screen, 1);
	vterm_screen_reset(p->screen, 1);
}

static void set_size(struct pty *p)
{
	struct winsize size = { .ws_col = (unsigned short)p->w, .ws_row = (unsigned short)p->h };

	ioctl(p->master, TIOCSWINSZ, &size);
}

struct pty *pty_open(int w, int h)
{
	struct pty *p = calloc(1, sizeof(*p));
	char path[64];

	if (!p)
		die("calloc");
	p->w = w;
	p->h = h;
	p->cursor = true;
	p->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (p->master < 0 || grantpt(p->master) || unlockpt(p->master) ||
	    ptsname_r(p->master, path, sizeof(path)))
		die("pty");
	/* Our own hold on the slave keeps the line alive between programs. */
	p->slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (p->slave < 0)
		die(path);
	fcntl(p->master, F_SETFL, O_NONBLOCK);
	set_size(p);
	open_emulator(p);
	return p;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void pty_free(struct pty *p)
{
	if (!p)
		return;
	if (p->pid > 1) {
		kill(p->pid, SIGKILL);
		waitpid(p->pid, NULL, 0);
	}
	close_fd(&p->slave);
	close_fd(&p->master);
	vterm_free(p->vt);
	free(p->output);
	free(p);
}

static void set_environment(const char *const env[])
{
	for (; env && *env; env++) {
		if (**env == '-')
			unsetenv(*env + 1);
		else
			putenv((char *)*env);
	}
}

static void fresh_signals(void)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
}

static pid_t spawn(struct pty *p, const char *const argv[], const char *const env[], bool control)
{
	p->pid = fork();
	if (p->pid < 0)
		die("fork");
	if (p->pid)
		return p->pid;
	setsid();
	fresh_signals();
	if (control)
		ioctl(p->slave, TIOCSCTTY, 0);
	for (int fd = 0; fd <= 2; fd++)
		dup2(p->slave, fd);
	set_environment(env);
	if (p->directory && chdir(p->directory))
		die(p->directory);
	execvp(argv[0], (char *const *)argv);
	fprintf(stderr, "cannot start %s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

pid_t pty_spawn(struct pty *p, const char *const argv[], const char *const env[])
{
	return spawn(p, argv, env, true);
}

void pty_directory(struct pty *p, const char *path)
{
	p->directory = path;
}

pid_t pty_spawn_detached(struct pty *p, const char *const argv[], const char *const env[])
{
	return spawn(p, argv, env, false);
}

void pty_adopt(struct pty *p)
{
	int own = open("/dev/tty", O_RDWR | O_CLOEXEC);

	if (own >= 0) {
		signal(SIGHUP, SIG_IGN);
		ioctl(own, TIOCNOTTY);
		close(own);
	}
	dup2(p->slave, 0);
}

static void keep(struct pty *p, const char *bytes, size_t n)
{
	if (p->output_bytes + n > p->output_room) {
		p->output_room = 2 * (p->output_bytes + n);
		p->output = realloc(p->output, p->output_room);
		if (!p->output)
			die("realloc");
	}
	memcpy(p->output + p->output_bytes, bytes, n);
	p->output_bytes += n;
	p->bytes += n;
}

/* How much of the end is the begin of a character: the emulator takes one that
 * comes in two pieces for two broken ones. */
static size_t begun(const char *bytes, size_t n)
{
	for (size_t back = 1; back <= 3 && back <= n; back++) {
		unsigned char c = (unsigned char)bytes[n - back];

		if (c >= 0xc0)
			return back < (c >= 0xf0 ? 4u : c >= 0xe0 ? 3u : 2u) ? back : 0;
		if (c < 0x80)
			return 0;
	}
	return 0;
}

static void show(struct pty *p)
{
	const char *from = p->output + p->shown;
	size_t n = p->output_bytes - p->shown;

	n -= begun(from, n);
	vterm_input_write(p->vt, from, n);
	p->shown += n;
}

long pty_pump(struct pty *p, int ms)
{
	struct pollfd poll_for = { .fd = p->master, .events = POLLIN };
	char bytes[16384];
	long sum = 0;

	if (p->master < 0)
		return -1;
	if (poll(&poll_for, 1, ms) <= 0)
		return 0;
	for (;;) {
		ssize_t n = read(p->master, bytes, sizeof(bytes));

		if (n <= 0)
			return sum || (n < 0 && errno == EAGAIN) ? sum : -1;
		keep(p, bytes, (size_t)n);
		show(p);
		sum += n;
	}
}

static char *append_utf8(char *at, uint32_t ch)
{
	if (ch < 0x80) {
		*at++ = (char)ch;
	} else if (ch < 0x800) {
		*at++ = (char)(0xc0 | ch >> 6);
		*at++ = (char)(0x80 | (ch & 0x3f));
	} else {
		if (ch >= 0x10000)
			*at++ = (char)(0xf0 | ch >> 18);
		*at++ = (char)(ch >= 0x10000 ? 0x80 | (ch >> 12 & 0x3f) : 0xe0 | ch >> 12);
		*at++ = (char)(0x80 | (ch >> 6 & 0x3f));
		*at++ = (char)(0x80 | (ch & 0x3f));
	}
	return at;
}

char *pty_screen(struct pty *p)
{
	char *text = malloc((size_t)p->h * (4 * p->w + 1) + 1), *at = text;

	if (!text)
		die("malloc");
	for (int y = 0; y < p->h; y++) {
		char *line = at;

		for (int x = 0; x < p->w; x++) {
			struct pty_cell cell = pty_cell(p, x, y);

			if (cell.ch)
				at = append_utf8(at, cell.ch);
		}
		while (at > line && at[-1] == ' ')
			at--;
		*at++ = '\n';
	}
	*at = '\0';
	return text;
}

static bool has_text(struct pty *p, const void *text)
{
	char *screen = pty_screen(p);
	bool found = strstr(screen, text);

	free(screen);
	return found;
}

static bool has_no_text(struct pty *p, const void *text)
{
	return !has_text(p, text);
}

static bool has_regex(struct pty *p, const void *regex)
{
	char *screen = pty_screen(p);
	bool found = regexec(regex, screen, 0, NULL, 0) == 0;

	free(screen);
	return found;
}

static bool wait_for(struct pty *p, bool (*there)(struct pty *, const void *), const void *what,
		     int ms)
{
	int64_t until = now_ms() + ms;

	while (!there(p, what)) {
		if (now_ms() >= until)
			return false;
		if (pty_pump(p, 20) < 0)
			return there(p, what);
	}
	return true;
}

bool pty_wait_text(struct pty *p, const char *text, int ms)
{
	return wait_for(p, has_text, text, ms);
}

bool pty_wait_no_text(struct pty *p, const char *text, int ms)
{
	return wait_for(p, has_no_text, text, ms);
}

bool pty_wait_regex(struct pty *p, const char *regex, int ms)
{
	regex_t compiled;

	if (regcomp(&compiled, regex, REG_EXTENDED | REG_NEWLINE | REG_NOSUB))
		die(regex);
	bool found = wait_for(p, has_regex, &compiled, ms);

	regfree(&compiled);
	return found;
}

static bool has_ended(struct pty *p, const void *status)
{
	if (p->pid && waitpid(p->pid, *(int *const *)status, WNOHANG) == p->pid)
		p->pid = 0;
	return !p->pid;
}

bool pty_wait_exit(struct pty *p, int ms, int *status)
{
	int64_t until = now_ms() + ms;

	while (!has_ended(p, &status)) {
		if (now_ms() >= until)
			return false;
		if (pty_pump(p, 10) < 0)
			usleep(1000);	/* hung up: nothing to poll any more */
	}
	pty_pump(p, 0);
	return true;
}

void pty_send(struct pty *p, const char *keys)
{
	size_t n = strlen(keys);

	while (n) {
		ssize_t sent = write(p->master, keys, n);

		if (sent < 0 && errno != EAGAIN)
			die("write to pty");
		if (sent > 0) {
			keys += sent;
			n -= (size_t)sent;
		} else if (pty_pump(p, 10) < 0) {
			return;
		}
	}
}

void pty_resize(struct pty *p, int w, int h)
{
	p->w = w;
	p->h = h;
	vterm_set_size(p->vt, h, w);
	set_size(p);
}

void pty_hang_up(struct pty *p)
{
	close_fd(&p->slave);
	close_fd(&p->master);
}

int pty_master(const struct pty *p)
{
	return p->master;
}

pid_t pty_pid(const struct pty *p)
{
	return p->pid;
}

void pty_termios(const struct pty *p, struct termios *out)
{
	if (tcgetattr(p->slave, out))
		die("tcgetattr");
}

pid_t pty_foreground(const struct pty *p)
{
	pid_t group = 0;

	return ioctl(p->master, TIOCGPGRP, &group) ? -1 : group;
}

static int colour_of(const VTermColor *c)
{
	if (VTERM_COLOR_IS_DEFAULT_FG(c) || VTERM_COLOR_IS_DEFAULT_BG(c))
		return -1;
	if (VTERM_COLOR_IS_INDEXED(c))
		return c->indexed.idx;
	return 0x1000000 | c->rgb.red << 16 | c->rgb.green << 8 | c->rgb.blue;
}

struct pty_cell pty_cell(const struct pty *p, int x, int y)
{
	VTermScreenCell cell;
	VTermPos at = { .row = y, .col = x };

	if (!vterm_screen_get_cell(p->screen, at, &cell))
		return (struct pty_cell){ .ch = ' ', .fg = -1, .bg = -1 };
	return (struct pty_cell){
		.ch = cell.chars[0] == (uint32_t)-1 ? 0
		      : cell.chars[0]		    ? cell.chars[0]
						    : ' ',
		.fg = colour_of(&cell.fg),
		.bg = colour_of(&cell.bg),
		.bold = cell.attrs.bold,
		.underline = cell.attrs.underline,
		.reverse = cell.attrs.reverse,
	};
}

bool pty_alternate(const struct pty *p)
{
	return p->alternate;
}

bool pty_cursor_shown(const struct pty *p)
{
	return p->cursor;
}

bool pty_mouse(const struct pty *p)
{
	return p->mouse;
}

const char *pty_output(const struct pty *p, size_t *bytes)
{
	*bytes = p->output_bytes;
	return p->output;
}

void pty_forget(struct pty *p)
{
	size_t left = p->output_bytes - p->shown;	/* of a character that is to come */

	if (left)
		memmove(p->output, p->output + p->shown, left);
	p->output_bytes = left;
	p->shown = 0;
}

uint64_t pty_bytes(const struct pty *p)
{
	return p->bytes;
}
