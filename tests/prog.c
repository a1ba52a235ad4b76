/* prog.c - see prog.h. */
#include "tests/prog.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NAP_MS 5

/* Benchmarks use this file too, where no Check test runs: say why and abort. */
#define must(condition, ...) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "prog: " __VA_ARGS__); \
			fputc('\n', stderr); \
			abort(); \
		} \
	} while (0)

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void nap_ms(int ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000L };

	nanosleep(&t, NULL);
}

const char *prog_path(void)
{
	return JS_BUILD "/jitterscope";
}

bool prog_have(const char *tool, const char *test)
{
	char path[512];
	char *dirs = strdup(getenv("PATH") ? getenv("PATH") : "/usr/bin:/bin");
	bool found = false;

	for (char *save, *dir = strtok_r(dirs, ":", &save); dir && !found; dir = strtok_r(NULL, ":", &save)) {
		snprintf(path, sizeof(path), "%s/%s", dir, tool);
		found = access(path, X_OK) == 0;
	}
	free(dirs);
	if (!found)
		printf("SKIP %s: no %s\n", test, tool);
	return found;
}

static void child(struct prog *p, const char *const *argv, int out, int err)
{
	int null = open("/dev/null", O_RDONLY);

	dup2(null, 0);
	dup2(out, 1);
	dup2(err, 2);
	closefrom(3);
	setenv("JS_TOKEN", p->token, 1);
	setenv("TMPDIR", p->scratch, 1);
	if (argv[0][0] == '\0') {
		execv(prog_path(), (char *const *)argv);
		_exit(127);
	}
	if (!strcmp(argv[0], "strace"))
		setenv("ASAN_OPTIONS", "detect_leaks=0", 1);	/* the leak check wants to trace, too */
	execvp(argv[0], (char *const *)argv);
	_exit(127);
}

void prog_start(struct prog *p, const char *const *argv)
{
	int out[2], err[2];
	static unsigned serial;

	memset(p, 0, sizeof(*p));
	snprintf(p->token, sizeof(p->token), "js-%d-%u", (int)getpid(), serial++);
	/* /var/tmp is a disk: a scratch in memory would change the loads. */
	snprintf(p->scratch, sizeof(p->scratch), "/var/tmp/jstest-XXXXXX");
	must(mkdtemp(p->scratch), "no scratch folder");
	must(chmod(p->scratch, 01777) == 0, "chmod failed");
	must(pipe2(out, O_CLOEXEC) == 0 && pipe2(err, O_CLOEXEC) == 0, "no pipe");
	p->ran_ns = now_ns();
	p->pid = fork();
	must(p->pid >= 0, "no process");
	if (p->pid == 0)
		child(p, argv, out[1], err[1]);
	close(out[1]);
	close(err[1]);
	p->out_fd = out[0];
	p->err_fd = err[0];
}

struct gather { int fd; char *text; size_t used, room; };

static bool gather_more(struct gather *g)
{
	if (g->room - g->used < 65536) {
		g->room = g->room * 2 + 131072;
		g->text = realloc(g->text, g->room);
	}
	ssize_t n = read(g->fd, g->text + g->used, 65536);

	if (n <= 0)
		return false;
	g->used += (size_t)n;
	return true;
}

static char *gather_done(struct gather *g)
{
	g->text = realloc(g->text, g->used + 1);
	g->text[g->used] = '\0';
	return g->text;
}

void prog_end(struct prog *p, int timeout_ms)
{
	struct gather g[2] = { { .fd = p->out_fd }, { .fd = p->err_fd } };
	int64_t limit = now_ns() + timeout_ms * INT64_C(1000000);
	bool open[2] = { true, true };
	int status = 0;
	struct rusage usage;
	pid_t got = 0;

	while (got == 0) {
		struct pollfd fds[2] = { { open[0] ? g[0].fd : -1, POLLIN, 0 }, { open[1] ? g[1].fd : -1, POLLIN, 0 } };

		if (open[0] || open[1])
			poll(fds, 2, 20);
		else
			nap_ms(5);
		for (int i = 0; i < 2; i++)
			if (open[i] && fds[i].revents && !gather_more(&g[i]))
				open[i] = false;
		got = wait4(p->pid, &status, WNOHANG, &usage);
		if (got == 0 && now_ns() > limit) {
			kill(p->pid, SIGKILL);
			wait4(p->pid, &status, 0, &usage);
			must(false, "no end within %d ms", timeout_ms);
		}
	}
	p->ran_ns = now_ns() - p->ran_ns;
	for (int i = 0; i < 2; i++)
		while (open[i] && poll(&(struct pollfd){ g[i].fd, POLLIN, 0 }, 1, 50) > 0 && gather_more(&g[i]))
			;
	p->out_bytes = g[0].used;
	p->out = gather_done(&g[0]);
	p->err = gather_done(&g[1]);
	p->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	p->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	p->cpu_ns = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * INT64_C(1000000000)
		+ (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * INT64_C(1000);
	close(p->out_fd);
	close(p->err_fd);
	p->pid = 0;
}

void prog_run(struct prog *p, int timeout_ms, const char *const *argv)
{
	prog_start(p, argv);
	prog_end(p, timeout_ms);
}

/* A process is of the run when its environment holds the token; zombies have
 * no environment and do not count. */
static bool carries(const char *pid, const char *token)
{
	char path[300], env[16384], want[64];
	size_t n = 0;

	snprintf(path, sizeof(path), "/proc/%s/environ", pid);
	FILE *f = fopen(path, "r");

	if (!f)
		return false;
	n = fread(env, 1, sizeof(env), f);
	fclose(f);
	int length = snprintf(want, sizeof(want), "JS_TOKEN=%s", token);

	return memmem(env, n, want, (size_t)length + 1) != NULL;
}

static unsigned each_left(const struct prog *p, int sig)
{
	DIR *proc = opendir("/proc");
	unsigned n = 0;

	for (struct dirent *e; proc && (e = readdir(proc));) {
		int pid = atoi(e->d_name);

		if (pid <= 1 || pid == getpid() || !carries(e->d_name, p->token))
			continue;
		n++;
		if (sig)
			kill(pid, sig);
	}
	if (proc)
		closedir(proc);
	return n;
}

static int64_t own_cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* Only time counts that we were given ourselves: while this process does not
 * get to run when it wants to, those that are to end may not either. */
unsigned prog_left(const struct prog *p, int wait_ms, int64_t *last_ns)
{
	int64_t began = now_ns(), began_cpu = own_cpu_ns(), napped_ms = 0;
	unsigned left;

	while ((left = each_left(p, 0)) > 0 &&
	       napped_ms * 1000000 + own_cpu_ns() - began_cpu < wait_ms * INT64_C(1000000)) {
		nap_ms(NAP_MS);
		napped_ms += NAP_MS;
	}
	if (last_ns)
		*last_ns = now_ns() - began;
	return left;
}

/* It keeps one event of a task that is being delayed, and a second is too much
 * for it: then it stops with a word, whoever it ran. */
bool prog_strace_gave_up(const struct prog *p)
{
	return p->exit_code == 1 && strstr(p->err, "strace: dispatch_event: ");
}

static unsigned clean_below(int dir_fd, bool remove)
{
	DIR *dir = fdopendir(dir_fd);
	unsigned n = 0;

	for (struct dirent *e; dir && (e = readdir(dir));) {
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		n++;
		int sub = openat(dirfd(dir), e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

		if (sub >= 0)
			n += clean_below(sub, remove);
		if (remove && unlinkat(dirfd(dir), e->d_name, 0) && errno == EISDIR)
			unlinkat(dirfd(dir), e->d_name, AT_REMOVEDIR);
	}
	if (dir)
		closedir(dir);
	return n;
}

unsigned prog_scratch_left(const struct prog *p)
{
	int fd = open(p->scratch, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? 0 : clean_below(fd, false);
}

void prog_free(struct prog *p)
{
	each_left(p, SIGKILL);
	if (p->pid > 0)
		waitpid(p->pid, NULL, 0);
	int fd = open(p->scratch, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0)
		clean_below(fd, true);
	rmdir(p->scratch);
	free(p->out);
	free(p->err);
	memset(p, 0, sizeof(*p));
}

json_t *prog_json(const struct prog *p)
{
	json_error_t error;
	json_t *root = json_loads(p->out, JSON_REJECT_DUPLICATES, &error);

	must(root != NULL, "not JSON: line %d: %s\nstderr: %s\nstdout: %.400s", error.line, error.text, p->err, p->out);
	return root;
}

static json_int_t number(const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);

	must(json_is_integer(v), "%s is not a whole number", key);
	return json_integer_value(v);
}

void prog_check_sums(const json_t *snapshot)
{
	json_t *series = json_object_get(snapshot, "series"), *one;
	size_t i, k;

	must(json_array_size(series) > 0, "no series");
	json_array_foreach(series, i, one) {
		json_int_t sum = 0;
		json_t *pair;

		json_array_foreach(json_object_get(one, "histogram"), k, pair)
			sum += json_integer_value(json_array_get(pair, 1));
		must(number(one, "due") == number(one, "count") + number(one, "missed") + number(one, "interrupted"),
			      "series %zu: due %lld != count %lld + missed %lld + interrupted %lld", i, (long long)number(one, "due"),
			      (long long)number(one, "count"), (long long)number(one, "missed"), (long long)number(one, "interrupted"));
		must(sum == number(one, "count"), "series %zu: buckets hold %lld, count is %lld", i, (long long)sum,
			      (long long)number(one, "count"));
	}
}

json_t *prog_series(const json_t *snapshot, const char *probe, int cpu)
{
	json_t *one;
	size_t i;

	json_array_foreach(json_object_get(snapshot, "series"), i, one)
		if (!strcmp(json_string_value(json_object_get(one, "probe")), probe) && number(one, "cpu") == cpu)
			return one;
	return NULL;
}
