/*
 * snapshot_read.c - any file we know, told by what is in it.
 *
 * The file is opened once and read with a limit; a reader sees bytes in
 * memory.  Only streamed formats (recordings, logs) get the path.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/format.h"
#include "src/numeric.h"
#include "src/snapshot.h"
#include "src/text.h"

#define SNIFF_BYTES (64u << 10)

struct input {
	char name[160];		/* cleaned, for messages */
	const char *path;
	int fd;
	bool regular;
	char *bytes;
	size_t n, room;
};

static int failed(const struct input *in, int err, struct why *why)
{
	const char *remedy = err == -EACCES || err == -EPERM ? "ask its owner to let you read it"
			     : err == -EISDIR		      ? "name a file in it"
							      : "is the name right?";

	return why_set(why, err, "%s: %s; %s", in->name, strerror(-err), remedy);
}

/* Reads until want bytes are there or the end comes. */
static int fill(struct input *in, size_t want)
{
	if (want > in->room) {
		char *more = realloc(in->bytes, want);

		if (!more)
			return -ENOMEM;
		in->bytes = more;
		in->room = want;
	}
	while (in->n < want) {
		ssize_t got = read(in->fd, in->bytes + in->n, want - in->n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			break;
		in->n += (size_t)got;
	}
	return 0;
}

/* The rest of the file, at most FORMAT_FILE_MAX in all. */
static int fill_all(struct input *in, struct why *why)
{
	size_t want = in->room;

	while (in->n == want) {
		if (want > FORMAT_FILE_MAX)
			return why_set(why, -EFBIG, "%s: larger than %u MiB; "
				       "is this the right file?", in->name, FORMAT_FILE_MAX >> 20);
		want = want < FORMAT_FILE_MAX / 2 ? want * 2 : FORMAT_FILE_MAX + 1;
		int err = fill(in, want);

		if (err)
			return failed(in, err, why);
	}
	return 0;
}

static int open_input(struct input *in, const char *path, struct why *why)
{
	struct stat st;
	bool standard = !strcmp(path, "-");

	*in = (struct input){ .path = path, .fd = -1 };
	text_clean(in->name, sizeof(in->name), standard ? "stdin" : path,
		   strlen(standard ? "stdin" : path), 120);
	in->fd = standard ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
			  : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (in->fd < 0)
		return failed(in, -errno, why);
	if (fstat(in->fd, &st) == 0 && S_ISDIR(st.st_mode))
		return why_set(why, -EISDIR, "%s: is a directory; name a file", in->name);
	in->regular = !standard && S_ISREG(st.st_mode);
	int err = fill(in, SNIFF_BYTES);

	return err ? failed(in, err, why) : 0;
}

static const struct format *known(const struct input *in)
{
	const struct format *best = NULL;
	int best_score = 0;

	for (const struct format *const *f = formats; *f; f++) {
		int score = (*f)->sniff ? (*f)->sniff(in->bytes, in->n, in->path) : 0;

		if (score > best_score) {
			best = *f;
			best_score = score;
		}
	}
	return best;
}

static void skip_bom(struct input *in)
{
	if (in->n < 3 || memcmp(in->bytes, "\xef\xbb\xbf", 3))
		return;
	in->n -= 3;
	in->room -= 3;
	memmove(in->bytes, in->bytes + 3, in->n);
}

static int read_format(struct input *in, const struct format *f, struct snapshot *s,
		       struct why *why)
{
	struct why inner = { 0 };
	int err;

	if (f->streamed && in->regular) {
		err = f->read(NULL, 0, in->path, s, why);
	} else {
		err = fill_all(in, why);
		if (!err)
			err = f->read(in->bytes, in->n, in->name, s, why);
	}
	if (err)
		return err;
	if (!s->source[0])
		snprintf(s->source, sizeof(s->source), "%s", f->name);
	err = snapshot_check(s, &inner);
	return err ? why_set(why, err, "%s: %s", in->name, inner.text) : 0;
}

static int read_input(struct input *in, struct snapshot *s, struct why *why)
{
	skip_bom(in);
	const struct format *f = known(in);

	if (!f)
		return why_set(why, -EINVAL, in->n ? "%s: none of the formats we know; "
			       "see list formats" : "%s: the file is empty; nothing to read",
			       in->name);
	struct numeric n = numeric_begin();
	int err = read_format(in, f, s, why);

	numeric_end(n);
	return err;
}

struct snapshot *snapshot_read(const char *path, struct why *why)
{
	struct input in;
	struct snapshot *s = snapshot_new();
	int err = s ? open_input(&in, path, why)
		    : why_set(why, -ENOMEM, "%s: no memory to read it; use a smaller file", path);

	if (s) {
		if (!err)
			err = read_input(&in, s, why);
		if (in.fd >= 0)
			close(in.fd);
		free(in.bytes);
	}
	if (!err)
		return s;
	snapshot_free(s);
	return NULL;
}
