/*
 * options.c - see options.h.
 *
 * getopt_long() walks the words; what they mean stands in option_table.c.
 */
#include "src/options.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/clock.h"
#include "src/load.h"
#include "src/option_table.h"
#include "src/rt.h"
#include "src/text.h"

#define ROWS_MAX 64
#define LONG_BASE 256		/* getopt's value of row i: LONG_BASE + i */
#define SEED_DEFAULT 1
#define HOUR_NS (3600 * NS_PER_S)

/* getopt's view of the table, for the options of every subcommand: so that
 * an option in the wrong place is named, not called unknown. */
struct getopt_view {
	char letters[3 * ROWS_MAX + 3];
	struct option rows[ROWS_MAX + 1];
};

static void view_make(struct getopt_view *v, enum subcommand sub)
{
	size_t n = 0;

	memset(v, 0, sizeof(*v));
	if (sub == SUB_RECORD)	/* the first operand ends the options */
		v->letters[n++] = '+';
	v->letters[n++] = ':';
	for (int i = 0; option_rows[i].name; i++) {
		const struct option_row *row = &option_rows[i];
		int has = row->arg ? (row->arg_optional ? optional_argument : required_argument)
				   : no_argument;

		v->rows[i] = (struct option){ row->name, has, NULL, LONG_BASE + i };
		if (!row->letter)
			continue;
		v->letters[n++] = row->letter;
		if (row->arg)
			v->letters[n++] = ':';
	}
}

static const struct option_row *row_of(int got)
{
	if (got >= LONG_BASE)
		return &option_rows[got - LONG_BASE];
	for (const struct option_row *row = option_rows; row->name; row++) {
		if (row->letter == got)
			return row;
	}
	return NULL;
}

static const char *help_command(enum subcommand sub, char *buf, size_t size)
{
	const char *name = subcommand_row(sub)->name;

	snprintf(buf, size, "jitterscope %s%s--help", name ? name : "", name ? " " : "");
	return buf;
}

/* As it could be written on the command line, which knows no days. */
static const char *limit_text(char *buf, size_t size, int64_t ns)
{
	if (ns % HOUR_NS)
		return text_time(buf, size, ns);
	snprintf(buf, size, "%" PRId64 "h", ns / HOUR_NS);
	return buf;
}

static int set_time(const struct option_row *row, int64_t *field, const char *value,
		    struct why *why)
{
	char least[16], most[16];

	int err = text_parse_time(value, field, why);

	if (err && err != -ERANGE)
		return -EINVAL;
	if (err || *field < row->least || *field > row->most)
		return why_set(why, -EINVAL, "%s: out of range; %s..%s", value,
			       limit_text(least, sizeof(least), row->least),
			       limit_text(most, sizeof(most), row->most));
	return 0;
}

static int set_int(const struct option_row *row, int *field, const char *value, struct why *why)
{
	long number;

	if (text_parse_int(value, (long)row->least, (long)row->most, &number, why))
		return -EINVAL;
	*field = (int)number;
	return 0;
}

static int set_field(struct options *o, const struct option_row *row, const char *value,
		     struct why *why)
{
	void *field = (char *)o + row->offset;

	switch (row->kind) {
	case OPTION_FLAG:
		*(bool *)field = true;
		return 0;
	case OPTION_TIME:
		return set_time(row, field, value, why);
	case OPTION_INT:
		return set_int(row, field, value, why);
	case OPTION_TEXT:
		*(const char **)field = value;
		return 0;
	case OPTION_CALL:
		return row->call(o, value, why);
	}
	return -EINVAL;
}

/* A second file or name: the first would be dropped without a word.  A theme
 * may be there already, from the configuration. */
static bool was_given(const struct options *o, const struct option_row *row)
{
	return row->kind == OPTION_TEXT && strcmp(row->name, "theme") &&
	       *(const char *const *)((const char *)o + row->offset);
}

static int set_option(struct options *o, const struct option_row *row, const char *value,
		      struct why *why)
{
	struct why inner = { 0, "" };
	char help[48];

	if (!(row->subs & 1u << o->sub))
		return why_set(why, -EINVAL, "--%s: not for this command; see `%s`", row->name,
			       help_command(o->sub, help, sizeof(help)));
	if (!strcmp(row->name, "help")) {
		o->help_for = o->sub;
		o->sub = SUB_HELP;
		return 0;
	}
	if (!strcmp(row->name, "version")) {
		o->sub = SUB_VERSION;
		return 0;
	}
	if (was_given(o, row))
		return why_set(why, -EINVAL, "--%s %s: given twice; leave one out", row->name,
			       value);
	if (!set_field(o, row, value, &inner))
		return 0;
	return why_set(why, -EINVAL, "--%s %s", row->name, inner.text);
}

static int bad_word(const struct options *o, int got, char *const *argv, struct why *why)
{
	char help[48], letter[3] = { '-', (char)optopt, '\0' };
	const struct option_row *row = optopt ? row_of(optopt) : NULL;
	const char *word = optopt && optopt < LONG_BASE ? letter : argv[optind - 1];

	help_command(o->sub, help, sizeof(help));
	if (got == ':' && row)
		return why_set(why, -EINVAL, "--%s: no %s; see `%s`", row->name, row->arg, help);
	if (optopt >= LONG_BASE)
		return why_set(why, -EINVAL, "--%s: takes no value; leave it out",
			       option_rows[optopt - LONG_BASE].name);
	return why_set(why, -EINVAL, "%s: no such option; see `%s`", word, help);
}

static int take_operand(struct options *o, const char *word, struct why *why)
{
	char help[48];

	if (o->sub == SUB_LIST || o->sub == SUB_RUN || o->sub == SUB_HELP)
		o->word = word;
	else if (o->files < OPTIONS_FILES_MAX)
		o->file[o->files++] = word;
	else
		return why_set(why, -EINVAL, "%s: more than %d files; %s", word,
			       OPTIONS_FILES_MAX, help_command(o->sub, help, sizeof(help)));
	return 0;
}

static int take_operands(struct options *o, int argc, char **words, struct why *why)
{
	const struct subcommand_row *row = subcommand_row(o->sub);
	unsigned n = (unsigned)argc;
	char help[48];

	help_command(o->sub, help, sizeof(help));
	if (n > row->most && o->sub == SUB_RECORD)
		return why_set(why, -EINVAL, "%s: not an option; to run a command write `-- %s`",
			       words[0], words[0]);
	if (n > row->most && o->sub == SUB_LIVE)
		return why_set(why, -EINVAL, "%s: not an option; a command comes first, see `%s`",
			       words[0], help);
	if (n > row->most)
		return why_set(why, -EINVAL, "%s: one too many; see `%s`", words[row->most], help);
	if (n < row->least)
		return why_set(why, -EINVAL, "%s: no %s; see `%s`", row->name, row->operands,
			       help);
	for (unsigned i = 0; i < n; i++) {
		if (take_operand(o, words[i], why))
			return -EINVAL;
	}
	return 0;
}

/* Is there a "--" in front of the operands?  Only then they are a command. */
static int take_command(struct options *o, int *argc, char **words, struct why *why)
{
	if (o->sub != SUB_RECORD || strcmp(words[-1], "--"))
		return 0;
	if (!*argc)
		return why_set(why, -EINVAL, "--: no command follows; name one, or leave -- out");
	o->run = words;
	*argc = 0;
	return 0;
}

static int find_subcommand(const char *word, enum subcommand *sub, struct why *why)
{
	for (const struct subcommand_row *row = subcommand_rows; row->summary; row++) {
		if (row->name && !strcmp(row->name, word)) {
			*sub = row->sub;
			return 0;
		}
	}
	return why_set(why, -EINVAL, "%s: no such command; see `jitterscope --help`", word);
}

/* A load that could never start would be missing without a word. */
static int check_reached(const struct options *o, struct why *why)
{
	char end[16], start[16];

	for (unsigned i = 0; o->duration_ns && i < o->schedule.entries; i++) {
		const struct schedule_entry *e = &o->schedule.entry[i];

		if (e->order.what != CMD_LOAD_START || e->at_ns < o->duration_ns)
			continue;
		return why_set(why, -EINVAL, "-D %s: ends before %s starts at %s; measure longer",
			       text_time(end, sizeof(end), o->duration_ns), loads[e->order.arg]->name,
			       text_time(start, sizeof(start), e->at_ns));
	}
	return 0;
}

/* Is it on already when entry i starts it, and stopped by somebody later?  A stop
 * does not say whose it is: it ends both.  Two that are never stopped are a load
 * that goes on with other workers. */
static bool is_cut_short(const struct schedule *s, unsigned i)
{
	const struct schedule_entry *e = &s->entry[i];
	bool runs = false;

	for (unsigned k = 0; k < i; k++)
		if (s->entry[k].order.arg == e->order.arg)
			runs = s->entry[k].order.what == CMD_LOAD_START;
	for (unsigned k = i + 1; runs && k < s->entries; k++)
		if (s->entry[k].order.arg == e->order.arg &&
		    s->entry[k].order.what == CMD_LOAD_STOP)
			return true;
	return false;
}

/* For a suite they are conditions, one after the other. */
static int check_overlap(const struct options *o, struct why *why)
{
	const struct schedule *s = &o->schedule;
	char at[16];

	for (unsigned i = 0; o->sub != SUB_RUN && i < s->entries; i++) {
		const struct schedule_entry *e = &s->entry[i];

		if (e->order.what == CMD_LOAD_START && is_cut_short(s, i))
			return why_set(why, -EINVAL, "%s: still runs when it is to start at %s, and the "
				       "first stop would end both; let one end before the other starts",
				       loads[e->order.arg]->name, text_time(at, sizeof(at), e->at_ns));
	}
	return 0;
}

/* The later one would take the place of the other.  For a suite they are two
 * conditions. */
static int check_twice(const struct options *o, struct why *why)
{
	const struct schedule *s = &o->schedule;

	for (unsigned i = 0; o->sub != SUB_RUN && i < s->entries; i++)
		for (unsigned k = i + 1; k < s->entries && s->entry[k].at_ns == s->entry[i].at_ns; k++)
			if (s->entry[i].order.what == CMD_LOAD_START &&
			    s->entry[k].order.what == CMD_LOAD_START &&
			    s->entry[i].order.arg == s->entry[k].order.arg)
				return why_set(why, -EINVAL, "-l %s: given twice at the same time; leave one "
					       "out, or give them @START", loads[s->entry[i].order.arg]->name);
	return 0;
}

static int check_together(const struct options *o, struct why *why)
{
	if (o->sub == SUB_CONVERT && !o->format && !o->output)
		return why_set(why, -EINVAL, "convert: no format; add -t FORMAT");
	if (o->sub == SUB_PLOT && !o->output)
		return why_set(why, -EINVAL, "plot: no file to draw; add -o OUT.svg");
	if (o->no_loads && o->schedule.entries)
		return why_set(why, -EINVAL, "--no-loads: excludes --load and --schedule; "
			       "leave one out");
	if (check_twice(o, why) || check_overlap(o, why))
		return -EINVAL;
	return check_reached(o, why);
}

static int help_word(struct options *o, struct why *why)
{
	if (o->sub != SUB_HELP || !o->word)
		return 0;
	return find_subcommand(o->word, &o->help_for, why);
}

static int parse_words(struct options *o, int argc, char **argv, struct why *why)
{
	struct getopt_view view;
	int got;

	view_make(&view, o->sub);
	optind = 0;
	opterr = 0;
	while ((got = getopt_long(argc, argv, view.letters, view.rows, NULL)) != -1) {
		if (got == '?' || got == ':')
			return bad_word(o, got, argv, why);
		if (set_option(o, row_of(got), optarg, why))
			return -EINVAL;
		if (o->sub == SUB_HELP || o->sub == SUB_VERSION)
			return 0;
	}
	char **words = argv + optind;

	argc -= optind;
	if (take_command(o, &argc, words, why))
		return -EINVAL;
	if (take_operands(o, argc, words, why) || help_word(o, why))
		return -EINVAL;
	return check_together(o, why);
}

static bool has_command(int argc, char **argv)
{
	return argc > 1 && argv[1][0] != '-';
}

/* It must be known before the others are read, as the file goes before them. */
static bool wants_no_config(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++) {
		if (!strcmp(argv[i], "--no-config"))
			return true;
	}
	return false;
}

static const struct option_row *row_named(const char *name)
{
	const struct option_row *row = option_rows;

	while (row->name && strcmp(row->name, name))
		row++;
	return row->name ? row : NULL;
}

int options_set(struct options *o, const char *name, const char *value, struct why *why)
{
	const struct option_row *row = row_named(name);

	if (!row)
		return why_set(why, -EINVAL, "%s: no such option", name);
	return set_field(o, row, value, why);
}

int options_begin(struct options *o, int argc, char **argv, struct why *why)
{
	o->interval_ns = NS_PER_MS;
	o->priority = RT_PRIORITY_DEFAULT;
	o->seed = SEED_DEFAULT;
	o->fail_above_pct = o->fail_ratio_pct = 100;
	o->argv = argv;
	o->no_config = wants_no_config(argc, argv);
	return has_command(argc, argv) ? find_subcommand(argv[1], &o->sub, why) : 0;
}

bool options_configurable(const struct options *o)
{
	const struct option_row *row = row_named("no-config");

	return row && row->subs & 1u << o->sub && !o->no_config;
}

int options_finish(struct options *o, int argc, char **argv, struct why *why)
{
	if (has_command(argc, argv)) {
		argc--;
		argv++;
	}
	/* getopt moves words about; the caller's order stays for the snapshot. */
	char **copy = calloc((size_t)argc + 1, sizeof(*copy));

	if (!copy)
		return why_set(why, -ENOMEM, "no memory; close something");
	memcpy(copy, argv, (size_t)argc * sizeof(*copy));
	o->words = copy;
	return parse_words(o, argc, copy, why);
}

void options_free(struct options *o)
{
	free(o->words);
	o->words = o->run = NULL;
}

int options_parse(struct options *o, int argc, char **argv, struct why *why)
{
	memset(o, 0, sizeof(*o));
	int err = options_begin(o, argc, argv, why);

	return err ? err : options_finish(o, argc, argv, why);
}
