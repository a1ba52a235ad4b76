/* churn_build.c - see churn_build.h. */
#include "src/loads/churn_build.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int build_refuse(struct build *b, const char *fmt, ...)
{
	char what[160];
	va_list args;

	va_start(args, fmt);
	vsnprintf(what, sizeof(what), fmt, args);
	va_end(args);
	return why_set(b->why, -EINVAL, "%s:%u: %s; correct or delete the line", b->path, b->line,
		       what);
}

static int no_memory(struct build *b)
{
	return why_set(b->why, -ENOMEM, "%s: out of memory", b->path);
}

/* Room for `more` behind `count` elements, doubling. */
static void *grown(void *array, uint32_t count, uint32_t more, uint32_t *room, size_t size)
{
	uint64_t want = *room ? *room : 1024;

	if ((uint64_t)count + more <= *room)
		return array;
	while (want < (uint64_t)count + more)
		want *= 2;
	if (want > UINT32_MAX)
		return NULL;
	array = realloc(array, want * size);
	if (array)
		*room = (uint32_t)want;
	return array;
}

struct loadfile_step *build_step(struct build *b, enum loadfile_op op, enum loadfile_expect expect)
{
	struct loadfile_step *steps = grown(b->steps, b->count, 1, &b->room, sizeof(*steps));

	if (!steps) {
		no_memory(b);
		return NULL;
	}
	b->steps = steps;
	steps += b->count++;
	*steps = (struct loadfile_step){ .op = (uint8_t)op, .expect = (uint8_t)expect,
					 .line = b->line, .due_ns = -1 };
	return steps;
}

static uint32_t hash(const char *text)
{
	uint32_t h = 2166136261u;

	while (*text)
		h = (h ^ (unsigned char)*text++) * 16777619u;
	return h % BUILD_RECENT;
}

int build_text(struct build *b, const char *text, uint32_t *offset)
{
	uint32_t *recent = &b->recent[hash(text)], size = (uint32_t)strlen(text) + 1;
	char *names;

	if (b->name_bytes && !strcmp(b->names + *recent, text)) {
		*offset = *recent;
		return 0;
	}
	names = grown(b->names, b->name_bytes, size, &b->name_room, 1);
	if (!names)
		return no_memory(b);
	b->names = names;
	memcpy(names + b->name_bytes, text, size);
	*offset = *recent = b->name_bytes;
	b->name_bytes += size;
	return 0;
}

/* "client1" means whoever plays; "client10" is a name of its own. */
static bool is_client(const char *text)
{
	return !strncasecmp(text, "client1", 7) && !isdigit((unsigned char)text[7]);
}

static int mark_string(struct build *b, const char **in, char **out)
{
	char *end;
	unsigned long i = strtoul(*in + 1, &end, 10);

	if (i >= LOADFILE_STRINGS)
		return build_refuse(b, "$%lu: there are $0 to $%d", i, LOADFILE_STRINGS - 1);
	*(*out)++ = (char)(NAME_STRING + i);
	*in = end;
	return 0;
}

/* Copies text to out, with / for \ and marks for $1 and client1. */
static int mark_name(struct build *b, const char *in, char *out)
{
	while (*in) {
		if ((unsigned char)*in < ' ')
			return build_refuse(b, "a control character in a name");
		if (*in == '$' && isdigit((unsigned char)in[1])) {
			if (mark_string(b, &in, &out))
				return -EINVAL;
			continue;
		}
		if (is_client(in)) {
			memcpy(out, in, 6);
			out[6] = NAME_CLIENT;
			out += 7;
			in += 7;
			continue;
		}
		*out++ = *in == '\\' ? '/' : *in;
		in++;
	}
	*out = '\0';
	return 0;
}

int build_name(struct build *b, char *text, uint32_t *offset)
{
	char name[LOADFILE_LINE_MAX + 1], *start = name, *end;

	if (mark_name(b, text, name))
		return -EINVAL;
	if (loadfile_climbs(name))
		return build_refuse(b, "\"..\" in a name");
	start += strspn(name, "/");
	for (end = start + strlen(start); end > start && end[-1] == '/'; end--)
		end[-1] = '\0';
	return build_text(b, *start ? start : ".", offset);
}

/* ---- numbers ---- */

static int add_term(struct build *b, enum term_kind kind, uint64_t value)
{
	struct loadfile_term *terms = grown(b->terms, b->term_count, 1, &b->term_room,
					    sizeof(*terms));

	if (!terms)
		return no_memory(b);
	b->terms = terms;
	terms[b->term_count++] = (struct loadfile_term){ .kind = kind, .value = value };
	return 0;
}

/* Decimal or 0x, unsigned, 64 bit.  False: not a number. */
static bool take_plain(const char **text, uint64_t *value)
{
	int base = (*text)[0] == '0' && ((*text)[1] == 'x' || (*text)[1] == 'X') ? 16 : 10;
	char *end;

	if (!isdigit((unsigned char)**text) || (base == 16 && !isxdigit((unsigned char)(*text)[2])))
		return false;
	errno = 0;
	*value = strtoull(*text, &end, base);
	*text = end;
	return errno == 0;
}

static bool take_word_term(const char **text, const char *word)
{
	size_t n = strlen(word);

	if (strncmp(*text, word, n) || isalnum((unsigned char)(*text)[n]))
		return false;
	*text += n;
	return true;
}

static int take_term(struct build *b, const char **text)
{
	char sign = *(*text)++;
	uint64_t value;

	if (sign == '+' && take_word_term(text, "child"))
		return add_term(b, TERM_CHILD, 0);
	if (sign == '+' && take_word_term(text, "num_children"))
		return add_term(b, TERM_CHILDREN, 0);
	if (!strchr("%/+", sign) || !take_plain(text, &value))
		return build_refuse(b, "not a number");
	if (sign != '+' && value == 0)
		return build_refuse(b, "a division by zero");
	return add_term(b, sign == '%' ? TERM_MODULO : sign == '/' ? TERM_ROUND : TERM_ADD, value);
}

static int take_first(struct build *b, const char **text)
{
	uint64_t value;

	if (**text == '*') {
		++*text;
		return add_term(b, TERM_RANDOM, 0);
	}
	if (**text == '+')
		return add_term(b, TERM_PREVIOUS, 0);
	if (!take_plain(text, &value))
		return build_refuse(b, "not a number");
	return add_term(b, TERM_LITERAL, value);
}

int build_number(struct build *b, struct loadfile_step *step, unsigned i, const char *text)
{
	const char *at = text;
	int err;

	if (take_plain(&at, &step->number[i]) && !*at)
		return 0;
	at = text;
	step->dynamic |= (uint8_t)(1u << i);
	step->number[i] = b->term_count;
	err = take_first(b, &at);
	while (!err && *at)
		err = take_term(b, &at);
	return err ? err : add_term(b, TERM_END, 0);
}

int build_io(struct build *b, const struct loadfile_step *step, unsigned i)
{
	if (step->dynamic >> i & 1)
		return 0;
	if (step->number[i] > LOADFILE_IO_MAX)
		return build_refuse(b, "more than 16 MiB in one call");
	if (b->io_max < step->number[i])
		b->io_max = (uint32_t)step->number[i];
	return 0;
}
