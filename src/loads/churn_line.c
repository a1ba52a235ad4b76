/* churn_line.c - a line of a load file of format 2 to 5. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/loads/churn_build.h"

enum rest { REST_NONE, REST_STATUS, REST_TEXT };	/* what follows the numbers */

static const struct spelling {
	const char *word;
	enum loadfile_op op;
	unsigned names, numbers;
	enum rest rest;
	unsigned io;		/* number that is a length, counted from 1 */
} spellings[] = {
	{ "NTCreateX", STEP_OPEN, 1, 3, REST_STATUS },
	{ "Close", STEP_CLOSE, 0, 1, REST_STATUS },
	{ "Flush", STEP_FLUSH, 0, 1, REST_STATUS },
	{ "ReadX", STEP_READ, 0, 4, REST_STATUS, 3 },
	{ "WriteX", STEP_WRITE, 0, 4, REST_STATUS, 3 },
	{ "Unlink", STEP_UNLINK, 1, 0, REST_STATUS },
	{ "Mkdir", STEP_MKDIR, 1, 0, REST_STATUS },
	{ "Rmdir", STEP_RMDIR, 1, 0, REST_STATUS },
	{ "Deltree", STEP_DELTREE, 1, 0, REST_STATUS },
	{ "Rename", STEP_RENAME, 2, 0, REST_STATUS },
	{ "QUERY_PATH_INFORMATION", STEP_QUERY_PATH, 1, 1, REST_STATUS },
	{ "QUERY_FILE_INFORMATION", STEP_QUERY_FILE, 0, 2, REST_STATUS },
	{ "QUERY_FS_INFORMATION", STEP_QUERY_FS, 0, 1, REST_STATUS },
	{ "SET_FILE_INFORMATION", STEP_SET_FILE, 0, 2, REST_STATUS },
	{ "FIND_FIRST", STEP_FIND, 1, 3, REST_STATUS },
	{ "LockX", STEP_LOCK, 0, 3, REST_STATUS },
	{ "UnlockX", STEP_UNLOCK, 0, 3, REST_STATUS },
	{ "REPEAT", STEP_REPEAT, 0, 1, REST_NONE },
	{ "LOOP", STEP_LOOP, 0, 1, REST_NONE },
	{ "ENDLOOP", STEP_ENDLOOP, 0, 0, REST_NONE },
	{ "SLEEP", STEP_SLEEP, 0, 1, REST_NONE },
	{ "SETSP", STEP_SET_POINT, 0, 1, REST_NONE },
	{ "WAITSP", STEP_WAIT_POINT, 0, 2, REST_NONE },
	{ "WRITEPATTERN", STEP_PATTERN, 0, 0, REST_TEXT },
	{ "RANDOMSTRING", STEP_STRING, 0, 1, REST_TEXT },
};

static const struct spelling *find_spelling(const char *word)
{
	for (size_t i = 0; i < sizeof(spellings) / sizeof(spellings[0]); i++)
		if (!strcmp(spellings[i].word, word))
			return &spellings[i];
	return NULL;
}

/* "12.5": the second of the pass at which the operation is due. */
static int take_due(struct build *b, const char *text, int64_t *due_ns)
{
	char *end;
	double s = strtod(text, &end);	/* starts with a digit: no inf, no nan, no sign */

	if (*end || !(s >= 0 && s < 1e6))
		return build_refuse(b, "not a number of seconds");
	*due_ns = (int64_t)(s * 1e9);
	return 0;
}

static bool is_zero(const char *text)
{
	return !strncasecmp(text, "0x", 2) && text[2] && text[2 + strspn(text + 2, "0")] == '\0';
}

static enum loadfile_expect expect_of(const char *status)
{
	if (!strcmp(status, "*"))
		return EXPECT_EITHER;
	if (!strcmp(status, "NT_STATUS_OK") || !strcmp(status, "SUCCESS") || is_zero(status))
		return EXPECT_SUCCESS;
	return EXPECT_FAILURE;
}

static int take_names(struct build *b, struct loadfile_step *step, const struct spelling *s,
		      struct word *words)
{
	int err = 0;

	for (unsigned i = 0; i < s->names && !err; i++)
		err = build_name(b, words[i].text, i ? &step->name2 : &step->name);
	return err;
}

static int take_numbers(struct build *b, struct loadfile_step *step, const struct spelling *s,
			struct word *words)
{
	int err = 0;

	for (unsigned i = 0; i < s->numbers && !err; i++)
		err = build_number(b, step, i, words[i].text);
	if (!err && s->io)
		err = build_io(b, step, s->io - 1);
	return err;
}

static int check_loop(struct build *b, const struct loadfile_step *step)
{
	bool repeated = b->repeats;

	b->repeats = step->op == STEP_REPEAT;
	if (repeated && step->op >= STEP_REPEAT && step->op <= STEP_ENDLOOP)
		return build_refuse(b, "REPEAT before a line that can not be repeated");
	if (step->op == STEP_LOOP && b->loop_line)
		return build_refuse(b, "LOOP within LOOP");
	if (step->op == STEP_ENDLOOP && !b->loop_line)
		return build_refuse(b, "ENDLOOP without LOOP");
	if (step->op == STEP_LOOP)
		b->loop_line = b->line;
	if (step->op == STEP_ENDLOOP)
		b->loop_line = 0;
	if (step->op == STEP_STRING && (step->dynamic || step->number[0] >= LOADFILE_STRINGS))
		return build_refuse(b, "there are strings 0 to %d", LOADFILE_STRINGS - 1);
	return 0;
}

/* More numbers than are used may follow: real files have them. */
static int take_arguments(struct build *b, struct loadfile_step *step, const struct spelling *s,
			  struct word *words, unsigned count)
{
	unsigned least = s->names + s->numbers + (s->rest != REST_NONE);
	int err;

	if (count < least)
		return build_refuse(b, "%s takes %u words after it, not %u", s->word, least, count);
	err = take_names(b, step, s, words);
	if (!err)
		err = take_numbers(b, step, s, words + s->names);
	if (err)
		return err;
	if (s->rest == REST_TEXT)
		return build_text(b, words[count - 1].text, &step->name);
	if (s->rest == REST_STATUS)
		step->expect = (uint8_t)expect_of(words[count - 1].text);
	return 0;
}

int build_line(struct build *b, struct word *words, unsigned count)
{
	const struct spelling *s;
	struct loadfile_step *step;
	int64_t due_ns = -1;
	int err;

	if (isdigit((unsigned char)words[0].text[0])) {
		err = take_due(b, words[0].text, &due_ns);
		if (err)
			return err;
		words++;
		count--;
	}
	s = count ? find_spelling(words[0].text) : NULL;
	if (!s)
		return build_refuse(b, "an operation that is not known");
	step = build_step(b, s->op, EXPECT_EITHER);
	if (!step)
		return -ENOMEM;
	step->due_ns = due_ns;
	err = take_arguments(b, step, s, words + 1, count - 1);
	return err ? err : check_loop(b, step);
}
