/*
 * option_table.h - every option once: parser, --help, completions and the
 * man page check all read this table.
 *
 * Constant; any thread.
 */
#ifndef JS_OPTION_TABLE_H
#define JS_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/options.h"

enum option_kind { OPTION_FLAG, OPTION_TIME, OPTION_INT, OPTION_TEXT, OPTION_CALL };

struct option_row {
	char letter;		/* 0: none */
	const char *name;	/* without the dashes */
	const char *arg;	/* as shown: "TIME"; NULL: takes none */
	bool arg_optional;	/* only as --name=ARG */
	unsigned subs;		/* bit 1 << enum subcommand for each that takes it */
	enum option_kind kind;
	size_t offset;		/* of the field in struct options (not CALL) */
	int64_t least, most;	/* TIME in ns, INT */
	int (*call)(struct options *o, const char *value, struct why *why);
	const char *help;
};

extern const struct option_row option_rows[];	/* ends with name NULL */

struct subcommand_row {
	enum subcommand sub;
	const char *name;	/* NULL: the live screen */
	const char *operands;	/* "FILE..." */
	unsigned least, most;	/* how many operands */
	const char *summary;
};

extern const struct subcommand_row subcommand_rows[];	/* ends with summary NULL */
const struct subcommand_row *subcommand_row(enum subcommand sub);

/* option_values.c: the grammars of single options. 0 or -EINVAL. */
int option_set_cpus(struct options *o, const char *value, struct why *why);
int option_set_probe(struct options *o, const char *value, struct why *why);
int option_set_load(struct options *o, const char *value, struct why *why);
int option_set_schedule(struct options *o, const char *value, struct why *why);
int option_set_json(struct options *o, const char *value, struct why *why);
int option_set_format(struct options *o, const char *value, struct why *why);
int option_set_fail_above(struct options *o, const char *value, struct why *why);
int option_set_fail_ratio(struct options *o, const char *value, struct why *why);
int option_set_deadline(struct options *o, const char *value, struct why *why);
int option_set_hold_cstates(struct options *o, const char *value, struct why *why);
int option_set_scratch(struct options *o, const char *value, struct why *why);
int option_set_seed(struct options *o, const char *value, struct why *why);

#endif
