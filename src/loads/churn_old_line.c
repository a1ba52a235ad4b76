/*
 * churn_old_line.c - a line of a load file of format 1.
 *
 *	OP REQUEST|REPLY key value key value ..
 *
 * Words are counted from 0.  Most operations happen at their request; those
 * that may fail happen at a reply without ERR, with the name of the request.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "src/loads/churn_build.h"

struct old_op {
	const char *word;	/* without SMB */
	enum loadfile_op op;
	unsigned name, name2;	/* words of the request; 0: none */
	unsigned number[3];	/* words: handle, size, offset; 0: none */
	bool at_reply;
	enum loadfile_expect expect;
};

static const struct old_op old_ops[] = {
	{ "openX", STEP_OLD_OPEN, 5, 0, { 3, 5 }, true, EXPECT_SUCCESS },
	{ "close", STEP_CLOSE, 0, 0, { 3 }, false, EXPECT_SUCCESS },
	{ "mkdir", STEP_OLD_MKDIR, 3, 0, { 0 }, false, EXPECT_EITHER },
	{ "rmdir", STEP_OLD_RMDIR, 3, 0, { 0 }, false, EXPECT_EITHER },
	{ "CREATE", STEP_OLD_CREATE, 3, 0, { 0, 5 }, false, EXPECT_SUCCESS },
	{ "mv", STEP_OLD_RENAME, 3, 5, { 0 }, false, EXPECT_EITHER },
	{ "unlink", STEP_OLD_UNLINK, 3, 0, { 0 }, true, EXPECT_SUCCESS },
	{ "getatr", STEP_OLD_STAT, 3, 0, { 0 }, true, EXPECT_SUCCESS },
	{ "write", STEP_OLD_WRITE, 0, 0, { 3, 5, 7 }, false, EXPECT_SUCCESS },
	{ "read", STEP_OLD_READ, 0, 0, { 3, 5, 7 }, false, EXPECT_SUCCESS },
	{ "writebraw", STEP_OLD_WRITE, 0, 0, { 3, 7, 5 }, false, EXPECT_SUCCESS },
	{ "readbraw", STEP_OLD_READ, 0, 0, { 3, 7, 5 }, false, EXPECT_SUCCESS },
};

static const struct old_op *find_old(const char *word)
{
	if (!strncmp(word, "SMB", 3))
		word += 3;
	for (size_t i = 0; i < sizeof(old_ops) / sizeof(old_ops[0]); i++)
		if (!strcmp(old_ops[i].word, word))
			return &old_ops[i];
	return NULL;
}

static int need(struct build *b, const struct old_op *o, unsigned word, unsigned count)
{
	if (word < count)
		return 0;
	return build_refuse(b, "%s: word %u is missing", o->word, word);
}

static void raise_case(char *text)
{
	for (; *text; text++)
		*text = (char)toupper((unsigned char)*text);
}

static int take_name(struct build *b, const struct old_op *o, struct word *words, unsigned word,
		     unsigned count, uint32_t *offset)
{
	if (need(b, o, word, count))
		return -EINVAL;
	raise_case(words[word].text);
	return build_name(b, words[word].text, offset);
}

static int take_numbers(struct build *b, const struct old_op *o, struct loadfile_step *step,
			struct word *words, unsigned count)
{
	for (unsigned i = 0; i < 3; i++) {
		unsigned word = o->number[i];

		if (!word)
			continue;
		if (need(b, o, word, count) || build_number(b, step, i, words[word].text))
			return -EINVAL;
	}
	return o->op == STEP_OLD_READ || o->op == STEP_OLD_WRITE ? build_io(b, step, 1) : 0;
}

/* The name comes from this line, or from the request before this reply. */
static int take_old_names(struct build *b, const struct old_op *o, struct loadfile_step *step,
			  struct word *words, unsigned count)
{
	int err = 0;

	if (o->at_reply)
		return build_name(b, b->old_name, &step->name);
	if (o->name)
		err = take_name(b, o, words, o->name, count, &step->name);
	if (!err && o->name2)
		err = take_name(b, o, words, o->name2, count, &step->name2);
	return err;
}

static int keep_request(struct build *b, const struct old_op *o, struct word *words,
			unsigned count)
{
	if (need(b, o, o->name, count))
		return -EINVAL;
	raise_case(words[o->name].text);
	snprintf(b->old_name, sizeof(b->old_name), "%s", words[o->name].text);
	b->old_pending = true;
	return 0;
}

static int add_old(struct build *b, const struct old_op *o, struct word *words, unsigned count)
{
	struct loadfile_step *step = build_step(b, o->op, o->expect);
	int err;

	if (!step)
		return -ENOMEM;
	err = take_old_names(b, o, step, words, count);
	return err ? err : take_numbers(b, o, step, words, count);
}

int build_old_line(struct build *b, struct word *words, unsigned count)
{
	const struct old_op *o = find_old(words[0].text);
	bool request, pending = b->old_pending;

	if (!o || count < 2)
		return 0;
	request = !strcmp(words[1].text, "REQUEST");
	if (!o->at_reply)
		return request ? add_old(b, o, words, count) : 0;
	if (request)
		return keep_request(b, o, words, count);
	b->old_pending = false;
	if (!pending || (count > 2 && !strncmp(words[2].text, "ERR", 3)))
		return 0;
	return add_old(b, o, words, count);
}
