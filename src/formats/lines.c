/* lines.c - see lines.h. */
#include "src/formats/lines.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "src/format.h"

int lines_open(struct lines *l, const char *bytes, size_t n, const char *name, struct why *why)
{
	*l = (struct lines){ .name = name, .why = why, .at = bytes, .end = bytes + n };
	if (bytes)
		return 0;
	l->in = fopen(name, "re");
	if (l->in)
		return 0;
	return l->err = why_set(why, -errno, "%s: %s; is the name right?", name, strerror(errno));
}

void lines_close(struct lines *l)
{
	if (l->in)
		fclose(l->in);
	free(l->text);
	l->in = NULL;
	l->text = NULL;
}

int lines_refuse(struct lines *l, const char *fmt, ...)
{
	char text[240];
	va_list args;

	if (l->err)
		return l->err;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return l->err = why_set(l->why, -EINVAL, "%s:%ld: %s", l->name, l->line, text);
}

int lines_no_memory(struct lines *l)
{
	if (!l->err)
		l->err = why_set(l->why, -ENOMEM, "%s: no memory to read it; use a smaller file",
				 l->name);
	return l->err;
}

static int next_byte(struct lines *l)
{
	if (l->in)
		return getc_unlocked(l->in);
	return l->at < l->end ? (unsigned char)*l->at++ : EOF;
}

static bool add_byte(struct lines *l, int c)
{
	if (l->length + 1 >= l->room) {
		size_t room = l->room ? 2 * l->room : 256;
		char *more = room <= 2 * FORMAT_LINE_MAX ? realloc(l->text, room) : NULL;

		if (!more) {
			if (room > 2 * FORMAT_LINE_MAX)
				lines_refuse(l, "line too long; not a file of this kind");
			else
				lines_no_memory(l);
			return false;
		}
		l->text = more;
		l->room = room;
	}
	l->text[l->length++] = (char)c;
	return true;
}

bool lines_next(struct lines *l)
{
	int c;

	if (l->err)
		return false;
	l->length = 0;
	l->whole = false;
	l->line++;
	while ((c = next_byte(l)) != EOF) {
		if (c == '\n') {
			l->whole = true;
			break;
		}
		if (c == '\0')
			return lines_refuse(l, "a NUL byte; not a text file"), false;
		if (!add_byte(l, c))
			return false;
	}
	if (c == EOF && !l->length)
		return false;
	if (!add_byte(l, '\0'))
		return false;
	l->length--;
	if (l->length && l->text[l->length - 1] == '\r')
		l->text[--l->length] = '\0';
	return true;
}

/* ---- words ----------------------------------------------------------------- */

bool take_blanks(const char **p)
{
	size_t n = strspn(*p, " \t");

	*p += n;
	return n > 0;
}

bool take_word(const char **p, const char *word)
{
	size_t n = strlen(word);

	if (strncmp(*p, word, n))
		return false;
	*p += n;
	return true;
}

bool take_number(const char **p, uint64_t most, uint64_t *value)
{
	const char *q = *p;
	uint64_t v = 0;

	if (*q < '0' || *q > '9')
		return false;
	for (; *q >= '0' && *q <= '9'; q++) {
		uint64_t digit = (uint64_t)(*q - '0');

		if (v > (most - digit) / 10 || digit > most)
			return false;
		v = v * 10 + digit;
	}
	*value = v;
	*p = q;
	return true;
}

static size_t digits(const char *p)
{
	return strspn(p, "0123456789");
}

bool take_real(const char **p, double *value)
{
	const char *q = *p;
	size_t whole = digits(q), fraction = 0;
	char *end;

	q += whole;
	if (*q == '.') {
		fraction = digits(q + 1);
		q += 1 + fraction;
	}
	if (!whole && !fraction)
		return false;
	if ((*q == 'e' || *q == 'E') && digits(q + 1 + (q[1] == '+' || q[1] == '-')))
		q += 1 + (q[1] == '+' || q[1] == '-') +
		     digits(q + 1 + (q[1] == '+' || q[1] == '-'));
	double v = strtod(*p, &end);

	if (end != q || !isfinite(v))
		return false;
	*value = v;
	*p = q;
	return true;
}

/* ---- sniffing ---------------------------------------------------------------- */

const char *first_line(const char *bytes, size_t n, char *buf, size_t size)
{
	const char *at = bytes, *end = bytes + n;

	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		size_t length = (size_t)((stop ? stop : end) - at);

		if (length && at[length - 1] == '\r')
			length--;
		if (length && *at != '#') {
			length = length < size - 1 ? length : size - 1;
			memcpy(buf, at, length);
			buf[length] = '\0';
			return buf;
		}
		if (!stop)
			break;
		at = stop + 1;
	}
	buf[0] = '\0';
	return buf;
}

bool has_text(const char *bytes, size_t n, const char *text)
{
	return n && memmem(bytes, n, text, strlen(text)) != NULL;
}
