/* result.c - see result.h. */
#include "src/result.h"

#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/stat.h>

#include "src/clock.h"
#include "src/fds.h"
#include "src/newfile.h"
#include "src/probe.h"
#include "src/snapshot_write.h"

static bool to_stdout(const struct options *o)
{
	return !o->output || !strcmp(o->output, "-");
}

const struct format *result_format(const struct options *o, const char *otherwise,
				   struct why *why)
{
	const struct format *f = o->format ? format_by_name(o->format)
				 : to_stdout(o) ? format_by_name(otherwise)
						: format_by_suffix(o->output);

	if (f && f->write)
		return f;
	why_set(why, -EINVAL, "%s: no format has this suffix; name one with -f",
		o->output ? o->output : otherwise);
	return NULL;
}

/* Some formats hold tables of suites or a screen only. */
static int check_format(const struct format *f, struct why *why)
{
	struct pair sample = { .value_ns = 1000, .count = 1 };
	struct snapshot_series one = { .cpu = -1, .counts = { .due = 1, .count = 1 }, .min_ns = 1000,
				       .max_ns = 1000, .mean_ns = 1000, .interval_ns = NS_PER_MS,
				       .histogram = &sample, .pairs = 1 };
	struct snapshot *s = snapshot_new();
	FILE *null = fopen("/dev/null", "w");
	int err = -ENOMEM;

	if (s && null) {
		snprintf(one.probe, sizeof(one.probe), "%s", probes[0]->name);
		s->series = &one;
		s->nr_series = 1;
		err = format_write(null, f, s, why);
		s->series = NULL;
		s->nr_series = 0;
	}
	snapshot_free(s);
	if (null)
		fclose(null);
	return err == -ENODATA ? why_set(why, -EINVAL, "-f %s: this format cannot hold a run; "
					 "use json, text or svg", f->name) : 0;
}

static int check_place(const char *path, struct why *why)
{
	struct newfile f;
	struct stat st;
	int err;

	/* Devices and pipes are written to as they are: opening one may act. */
	if (!stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return 0;
	err = newfile_open(&f, path, why);
	if (!err)
		newfile_abandon(&f);
	return err;
}

bool result_wanted(const struct options *o)
{
	return o->output || o->format;
}

bool result_grows(const struct options *o)
{
	const struct format *f = to_stdout(o) ? NULL : result_format(o, "", NULL);

	return f && !strcmp(f->name, "recording");
}

int result_check(const struct options *o, const char *otherwise, const char *tables,
		 struct why *why)
{
	const struct format *f = result_format(o, otherwise, why);
	int err = f ? 0 : -EINVAL;

	if (f && !(tables && !strcmp(f->name, tables)))
		err = check_format(f, why);
	if (!err && to_stdout(o) && !fds_can_print())
		return why_set(why, -EBADF, "standard output is closed; name a file with -o");
	return err || to_stdout(o) ? err : check_place(o->output, why);
}

int result_flush(struct why *why)
{
	errno = 0;
	if (!fflush(stdout) && !ferror(stdout))
		return 0;
	int err = errno ? -errno : -EIO;

	if (err == -EBADF)
		why_set(why, err, "standard output is closed; give it somewhere to go");
	else
		why_set(why, err, "standard output: %s; %s", strerror(-err),
			err == -ENOSPC || err == -EDQUOT ? "free some space or write elsewhere"
							 : "write elsewhere");
	__fpurge(stdout);	/* said once: main must not stumble over it again */
	clearerr(stdout);
	return err;
}

int result_print(const struct format *f, const struct snapshot *s, struct why *why)
{
	int err = format_write(stdout, f, s, why);

	return err ? err : result_flush(why);
}

int result_write(const struct options *o, const struct format *f, const struct snapshot *s,
		 struct why *why)
{
	int err = to_stdout(o) ? result_print(f, s, why) : snapshot_write(s, f, o->output, why);

	if (!err)
		format_tell_left_out(f, s);
	return err;
}
