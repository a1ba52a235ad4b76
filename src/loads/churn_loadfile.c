/*
 * churn_loadfile.c - see churn_loadfile.h: the file, its limits, its lines.
 *
 * What a line means is churn_line.c's (formats 2 to 5) and churn_old_line.c's
 * (format 1) business; churn_build.c keeps what they find.
 */
#include "src/loads/churn_loadfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/loads/churn_build.h"

/* ---- the text ---- */

static int check_file(const char *path, const struct stat *st, struct why *why)
{
	if (!S_ISREG(st->st_mode))
		return why_set(why, -EINVAL, "%s: not a regular file; give a dbench load file",
			       path);
	if ((uint64_t)st->st_size > LOADFILE_BYTES_MAX)
		return why_set(why, -EFBIG, "%s: longer than 64 MiB; give a shorter load file",
			       path);
	return 0;
}

static int read_whole(int fd, char *text, size_t size, size_t *got)
{
	*got = 0;
	while (*got < size) {
		ssize_t n = read(fd, text + *got, size - *got);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		*got += (size_t)n;
	}
	return 0;
}

static int load_text(int fd, const char *path, char **text, size_t *size, struct why *why)
{
	struct stat st;
	int err;

	if (fstat(fd, &st))
		return why_set(why, -errno, "%s: %s; give loadfile= a dbench load file", path,
			       strerror(errno));
	err = check_file(path, &st, why);
	if (err)
		return err;
	*text = malloc((size_t)st.st_size + 1);
	if (!*text)
		return why_set(why, -ENOMEM, "%s: out of memory; close something", path);
	err = read_whole(fd, *text, (size_t)st.st_size, size);
	if (err) {
		free(*text);
		return why_set(why, err, "%s: %s; give loadfile= a dbench load file", path,
			       strerror(-err));
	}
	(*text)[*size] = '\0';
	return 0;
}

static int open_text(const char *path, char **text, size_t *size, struct why *why)
{
	/* Not blocking: a FIFO would hold up the start for ever. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), err;

	if (fd < 0)
		return why_set(why, -errno, "%s: %s; give loadfile= a dbench load file", path,
			       strerror(errno));
	err = load_text(fd, path, text, size, why);
	close(fd);
	if (err)
		return err;
	if (*size >= 2 && !memcmp(*text, "\x1f\x8b", 2))
		err = why_set(why, -EINVAL, "%s: compressed by gzip; unpack it first", path);
	else if (memchr(*text, '\0', *size))
		err = why_set(why, -EINVAL, "%s: holds NUL bytes; give a dbench load file", path);
	if (err)
		free(*text);
	return err;
}

/* ---- lines ---- */

/* A word ends at a blank, a quoted one at its quote. */
static char *take_word(char *at, struct word *word)
{
	word->quoted = *at == '"';
	word->text = word->quoted ? ++at : at;
	at += strcspn(at, word->quoted ? "\"" : " \t");
	if (word->quoted && !*at)
		return NULL;
	if (*at)
		*at++ = '\0';
	return at;
}

static int split(struct build *b, char *line, struct word *words, unsigned *count)
{
	char *at = line + strspn(line, " \t");

	*count = 0;
	while (*at && !(*at == '#' && *count == 0)) {
		if (*count == BUILD_WORDS)
			return build_refuse(b, "more than %d words", BUILD_WORDS);
		at = take_word(at, &words[(*count)++]);
		if (!at)
			return build_refuse(b, "a quote is not closed");
		at += strspn(at, " \t");
	}
	return 0;
}

static int parse_line(struct build *b, unsigned *format, char *line)
{
	struct word words[BUILD_WORDS];
	unsigned count;
	int err = split(b, line, words, &count);

	if (err || !count)
		return err;
	if (!*format)
		*format = strncmp(words[0].text, "SMB", 3) ? 2 : 1;
	return *format == 1 ? build_old_line(b, words, count) : build_line(b, words, count);
}

static int parse_lines(struct build *b, unsigned *format, char *text)
{
	char *next;
	int err = 0;

	if (!strncmp(text, "\xef\xbb\xbf", 3))
		text += 3;
	for (; text && *text && !err; text = next) {
		size_t length = strcspn(text, "\n");

		next = text[length] ? text + length + 1 : NULL;
		text[length] = '\0';
		if (length && text[length - 1] == '\r')
			text[--length] = '\0';
		if (++b->line > LOADFILE_LINES_MAX)
			return build_refuse(b, "more than %d lines", LOADFILE_LINES_MAX);
		if (length > LOADFILE_LINE_MAX)
			return build_refuse(b, "longer than %d bytes", LOADFILE_LINE_MAX);
		err = parse_line(b, format, text);
	}
	return err;
}

static int check_end(struct build *b)
{
	if (b->loop_line) {
		b->line = b->loop_line;
		return build_refuse(b, "LOOP without ENDLOOP");
	}
	if (b->repeats)
		return build_refuse(b, "REPEAT without a line after it");
	if (!b->count)
		return why_set(b->why, -EINVAL, "%s: nothing to play; give a dbench load file",
			       b->path);
	return 0;
}

/* ---- the finished program ---- */

static struct loadfile *freeze(const struct build *b, unsigned format)
{
	size_t steps = b->count * sizeof(*b->steps), terms = b->term_count * sizeof(*b->terms);
	size_t bytes = sizeof(struct loadfile) + steps + terms + b->name_bytes;
	char *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct loadfile *file = (void *)map;

	if (map == MAP_FAILED)
		return NULL;
	map += sizeof(*file);
	memcpy(map, b->steps, steps);
	if (terms)
		memcpy(map + steps, b->terms, terms);
	memcpy(map + steps + terms, b->names, b->name_bytes);
	*file = (struct loadfile){
		.map_bytes = bytes, .format = format, .count = b->count, .io_max = b->io_max,
		.steps = (void *)map, .terms = (void *)(map + steps),
		.names = map + steps + terms,
	};
	mprotect(file, bytes, PROT_READ);
	return file;
}

static struct loadfile *parse_text(const char *path, char *text, struct why *why)
{
	struct build *b = calloc(1, sizeof(*b));
	struct loadfile *file = NULL;
	unsigned format = 0;
	uint32_t none;
	int err;

	if (!b) {
		why_set(why, -ENOMEM, "%s: out of memory; close something", path);
		return NULL;
	}
	b->path = path;
	b->why = why;
	err = build_text(b, "", &none);	/* offset 0 is "no name" */
	if (!err)
		err = parse_lines(b, &format, text);
	if (!err)
		err = check_end(b);
	if (!err) {
		file = freeze(b, format);
		if (!file)
			why_set(why, -ENOMEM, "%s: out of memory; close something", path);
	}
	free(b->steps);
	free(b->terms);
	free(b->names);
	free(b);
	return file;
}

struct loadfile *loadfile_parse(const char *path, struct why *why)
{
	struct loadfile *file;
	char *text = NULL;
	size_t size = 0;

	if (open_text(path, &text, &size, why))
		return NULL;
	file = parse_text(path, text, why);
	free(text);
	return file;
}

void loadfile_free(struct loadfile *file)
{
	if (file)
		munmap(file, file->map_bytes);
}

bool loadfile_climbs(const char *path)
{
	for (const char *at = path; (at = strstr(at, "..")) != NULL; at += 2)
		if ((at == path || at[-1] == '/') && (!at[2] || at[2] == '/'))
			return true;
	return false;
}

/* ---- numbers ---- */

static uint64_t apply(const struct loadfile_term *t, uint64_t n, uint64_t previous,
		      unsigned client, unsigned clients, struct load_rng *rng)
{
	switch (t->kind) {
	case TERM_LITERAL:
		return t->value;
	case TERM_RANDOM:
		return load_rng_next(rng);
	case TERM_PREVIOUS:
		return previous;
	case TERM_MODULO:
		return n % t->value;
	case TERM_ROUND:
		return n - n % t->value;
	case TERM_ADD:
		return n + t->value;
	case TERM_CHILD:
		return n + client;
	case TERM_CHILDREN:
		return n + clients;
	case TERM_END:
		break;
	}
	return n;
}

uint64_t loadfile_number(const struct loadfile *file, const struct loadfile_step *step,
			 unsigned i, uint64_t previous, unsigned client, unsigned clients,
			 struct load_rng *rng)
{
	const struct loadfile_term *t;
	uint64_t n = 0;

	if (!(step->dynamic >> i & 1))
		return step->number[i];
	for (t = &file->terms[step->number[i]]; t->kind != TERM_END; t++)
		n = apply(t, n, previous, client, clients, rng);
	return n;
}
