/*
 * saver.c - a thread per set of files, so that no frame waits for a disk.
 *
 * Main hands over a snapshot and forgets it.  The thread writes the files and
 * puts a result into a list; main is told through an event descriptor.  The
 * saver lives until main and the last thread have let go of it: a thread stuck
 * in a dead file system must not keep the program from ending.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "src/clock.h"
#include "src/format.h"
#include "src/newfile.h"
#include "src/snapshot.h"
#include "src/snapshot_write.h"
#include "src/text.h"
#include "src/thread.h"

#define SUFFIXES_MAX 8
#define NAMES_MAX 10000

struct done {
	struct saver_result result;
	struct done *next;
};

struct saver {
	pthread_mutex_t lock;
	pthread_cond_t idle;
	int event_fd;
	unsigned busy, holders;
	struct done *first, *last;
};

struct job {
	struct saver *saver;
	struct snapshot *snap;
	const struct format *format[SUFFIXES_MAX];
	unsigned formats;
	char stem[400];		/* "": the thread makes one up */
	struct done *done;	/* made beforehand: telling must not fail */
};

/* ---- names --------------------------------------------------------------- */

static void add_safe(char *out, size_t size, const char *text, size_t most)
{
	size_t n = strlen(out), end = n + most;

	for (; *text && n + 1 < size && n < end; text++) {
		char c = *text;
		bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			    (c >= '0' && c <= '9') || c == '.' || c == '_';

		out[n++] = fine ? c : '_';
	}
	out[n] = '\0';
}

/* jitterscope-<UTC>-<host>-<loads>, loads in the order they began. */
static void default_name(char *out, size_t size, const struct snapshot *s)
{
	time_t now = (time_t)(clock_wall_ns() / NS_PER_S);
	struct tm tm;

	out[0] = '\0';
	if (gmtime_r(&now, &tm))
		strftime(out, size, "jitterscope-%Y%m%dT%H%M%SZ-", &tm);
	add_safe(out, size, s->system.host[0] ? s->system.host : "host", 40);
	for (unsigned i = 0; i < s->nr_loads && strlen(out) < 120; i++) {
		bool seen = false;

		for (unsigned k = 0; k < i && !seen; k++)
			seen = !strcmp(s->loads[k].name, s->loads[i].name);
		if (seen)
			continue;
		snprintf(out + strlen(out), size - strlen(out), i ? "+" : "-");
		add_safe(out, size, s->loads[i].name, 24);
	}
	if (!s->nr_loads)
		snprintf(out + strlen(out), size - strlen(out), "-idle");
}

static void make_dirs(const char *path)
{
	char part[PATH_MAX];

	snprintf(part, sizeof(part), "%s", path);
	for (char *p = part + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		mkdir(part, 0700);
		*p = '/';
	}
	mkdir(part, 0700);
}

/* The current directory, or where data of the user lives. */
static void default_dir(char *out, size_t size)
{
	const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");

	snprintf(out, size, ".");
	if (faccessat(AT_FDCWD, ".", W_OK, AT_EACCESS) == 0)
		return;
	if (data && *data == '/')
		snprintf(out, size, "%s/jitterscope/snapshots", data);
	else if (home && *home == '/')
		snprintf(out, size, "%s/.local/share/jitterscope/snapshots", home);
}

static void default_stem(char *out, size_t size, const struct snapshot *s)
{
	char dir[240], name[140];

	default_dir(dir, sizeof(dir));
	default_name(name, sizeof(name), s);
	if (!strcmp(dir, ".")) {
		snprintf(out, size, "%s", name);
		return;
	}
	make_dirs(dir);
	snprintf(out, size, "%s/%s", dir, name);
}

static void path_of(char *out, size_t size, const struct job *job, unsigned format, unsigned nth)
{
	if (nth < 2)
		snprintf(out, size, "%s%s", job->stem, job->format[format]->suffix);
	else
		snprintf(out, size, "%s-%u%s", job->stem, nth, job->format[format]->suffix);
}

/* One stem serves the whole set: none of its files may exist. */
static bool is_free(const struct job *job, unsigned nth)
{
	char path[512];
	struct stat st;

	for (unsigned i = 0; i < job->formats; i++) {
		path_of(path, sizeof(path), job, i, nth);
		if (lstat(path, &st) == 0)
			return false;
	}
	return true;
}

/* ---- the thread ---------------------------------------------------------- */

static int write_set(struct job *job, unsigned nth)
{
	struct saver_result *r = &job->done->result;
	struct why why = { 0 };
	char path[512];

	for (unsigned i = 0; i < job->formats; i++) {
		path_of(path, sizeof(path), job, i, nth);
		int err = snapshot_write_new(job->snap, job->format[i], path, false, &why);

		if (err == -ENODATA)
			continue;	/* nothing of that kind in this snapshot */
		if (err == -EEXIST && !r->path[0])
			return err;	/* somebody was faster: the next name */
		r->err = err;
		if (err) {
			snprintf(r->text, sizeof(r->text), "%s", why.text);
			return err;
		}
		if (!r->path[0])
			snprintf(r->path, sizeof(r->path), "%s", path);
	}
	return 0;
}

static void write_job(struct job *job)
{
	struct saver_result *r = &job->done->result;

	if (!job->stem[0])
		default_stem(job->stem, sizeof(job->stem), job->snap);
	for (unsigned nth = 1; nth < NAMES_MAX; nth++)
		if (is_free(job, nth) && write_set(job, nth) != -EEXIST)
			return;
	r->err = -EEXIST;
	snprintf(r->text, sizeof(r->text), "%.200s: %d of them exist; tidy up", job->stem,
		 NAMES_MAX);
}

static void let_go(struct saver *s)	/* locked; unlocks */
{
	bool last = --s->holders == 0;

	pthread_mutex_unlock(&s->lock);
	if (!last)
		return;
	while (s->first) {
		struct done *d = s->first;

		s->first = d->next;
		free(d);
	}
	pthread_cond_destroy(&s->idle);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

static void tell(struct saver *s, struct done *done)
{
	uint64_t one = 1;

	pthread_mutex_lock(&s->lock);
	if (s->last)
		s->last->next = done;
	else
		s->first = done;
	s->last = done;
	s->busy--;
	/* Without a wake-up main finds the result at its next second. */
	if (s->event_fd >= 0 && write(s->event_fd, &one, sizeof(one)) < 0)
		one = 0;
	pthread_cond_broadcast(&s->idle);
	let_go(s);
}

static void *saver_thread(void *arg)
{
	struct job *job = arg;

	write_job(job);
	snapshot_free(job->snap);
	tell(job->saver, job->done);
	free(job);
	return NULL;
}

/* ---- the thread that tidies up -------------------------------------------- */

struct tidy {
	struct saver *saver;
	char output[512];	/* a file that will be written; "": none */
};

static void *tidy_thread(void *arg)
{
	struct tidy *t = arg;
	char dir[512];
	char *slash = strrchr(t->output, '/');

	default_dir(dir, sizeof(dir));
	newfile_sweep(dir);
	if (slash) {
		slash[slash == t->output] = '\0';
		newfile_sweep(t->output);
	} else if (t->output[0]) {
		newfile_sweep(".");
	}
	pthread_mutex_lock(&t->saver->lock);
	t->saver->busy--;
	pthread_cond_broadcast(&t->saver->idle);
	let_go(t->saver);
	free(t);
	return NULL;
}

/* ---- main's side --------------------------------------------------------- */

struct saver *saver_new(int event_fd)
{
	struct saver *s = calloc(1, sizeof(*s));
	pthread_mutexattr_t lock_attr;
	pthread_condattr_t attr;

	if (!s)
		return NULL;
	/* Main may be real-time: whoever holds the lock then runs as main does. */
	pthread_mutexattr_init(&lock_attr);
	pthread_mutexattr_setprotocol(&lock_attr, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&s->lock, &lock_attr);
	pthread_mutexattr_destroy(&lock_attr);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&s->idle, &attr);
	pthread_condattr_destroy(&attr);
	s->event_fd = event_fd;
	s->holders = 1;
	return s;
}

static int parse_suffixes(struct job *job, const char *text, struct why *why)
{
	while (*(text += strspn(text, " "))) {
		int n = (int)strcspn(text, " ");
		char name[32];

		snprintf(name, sizeof(name), "x.%.*s", n, text);
		const struct format *f = format_by_suffix(name);

		if (!f || !f->write || job->formats == SUFFIXES_MAX)
			return why_set(why, -EINVAL, "snapshot: cannot write .%.*s; "
				       "see list formats", n > 20 ? 20 : n, text);
		job->format[job->formats++] = f;
		text += n;
	}
	return job->formats ? 0 : why_set(why, -EINVAL, "snapshot: no file type given; try json");
}

static int start(struct saver *s, void *(*run)(void *), void *arg)
{
	pthread_mutex_lock(&s->lock);
	s->busy++;
	s->holders++;
	pthread_mutex_unlock(&s->lock);
	int err = thread_start_ordinary(run, arg);

	if (!err)
		return 0;
	pthread_mutex_lock(&s->lock);
	s->busy--;
	let_go(s);
	return err;
}

int saver_save(struct saver *s, struct snapshot *snap, const char *stem, const char *suffixes,
	       struct why *why)
{
	struct job *job = calloc(1, sizeof(*job));
	struct done *done = calloc(1, sizeof(*done));
	int err = job && done
			  ? parse_suffixes(job, suffixes, why)
			  : why_set(why, -ENOMEM, "snapshot: no memory; stop a load and try again");

	if (!err) {
		job->saver = s;
		job->snap = snap;
		job->done = done;
		snprintf(job->stem, sizeof(job->stem), "%s", stem ? stem : "");
		err = start(s, saver_thread, job);
		if (err)
			why_set(why, err, "snapshot: no thread to write it (%s); stop a load and "
				"try again", strerror(-err));
	}
	if (err) {
		snapshot_free(snap);
		free(done);
		free(job);
	}
	return err;
}

void saver_tidy(struct saver *s, const char *output)
{
	struct tidy *t = calloc(1, sizeof(*t));

	if (!t)
		return;
	t->saver = s;
	snprintf(t->output, sizeof(t->output), "%s", output ? output : "");
	if (start(s, tidy_thread, t))
		free(t);
}

int saver_result(struct saver *s, struct saver_result *out)
{
	pthread_mutex_lock(&s->lock);
	struct done *d = s->first;

	if (d) {
		s->first = d->next;
		if (!s->first)
			s->last = NULL;
	}
	pthread_mutex_unlock(&s->lock);
	if (!d)
		return 0;
	*out = d->result;
	free(d);
	return 1;
}

unsigned saver_threads(const struct saver *s)
{
	struct saver *own = (struct saver *)s;	/* the lock changes, what is seen does not */

	pthread_mutex_lock(&own->lock);
	unsigned busy = own->busy;

	pthread_mutex_unlock(&own->lock);
	return busy;
}

bool saver_busy(const struct saver *s)
{
	return saver_threads(s) > 0;
}

int saver_wait(struct saver *s, int wait_ms)
{
	struct timespec until;
	int err = 0;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += wait_ms / 1000;
	until.tv_nsec += wait_ms % 1000 * 1000000L;
	if (until.tv_nsec >= 1000000000L) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000L;
	}
	pthread_mutex_lock(&s->lock);
	while (s->busy && !err)
		err = pthread_cond_timedwait(&s->idle, &s->lock, &until);
	err = s->busy ? -ETIMEDOUT : 0;
	pthread_mutex_unlock(&s->lock);
	return err;
}

void saver_free(struct saver *s)
{
	if (!s)
		return;
	pthread_mutex_lock(&s->lock);
	s->event_fd = -1;
	let_go(s);
}
