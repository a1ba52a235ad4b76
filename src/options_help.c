/* options_help.c - help text from option_table.c, at most 78 columns. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "src/option_table.h"

#define HELP_COLUMN 28

struct help { char *buf; size_t size, used; };

__attribute__((format(printf, 2, 3)))
static void put(struct help *h, const char *fmt, ...)
{
	va_list args;

	if (h->used >= h->size)
		return;
	va_start(args, fmt);
	int n = vsnprintf(h->buf + h->used, h->size - h->used, fmt, args);

	va_end(args);
	h->used += n > 0 ? (size_t)n : 0;
}

static void put_option(struct help *h, const struct option_row *row)
{
	char left[96], letter[6] = "    ";

	if (row->letter)
		snprintf(letter, sizeof(letter), "-%c, ", row->letter);
	snprintf(left, sizeof(left), "  %s--%s%s%s%s", letter, row->name,
		 !row->arg ? "" : row->arg_optional ? "[=" : " ", row->arg ? row->arg : "",
		 row->arg_optional ? "]" : "");
	if (strlen(left) >= HELP_COLUMN)
		put(h, "%s\n%*s%s\n", left, HELP_COLUMN, "", row->help);
	else
		put(h, "%-*s%s\n", HELP_COLUMN, left, row->help);
}

static void put_commands(struct help *h)
{
	put(h, "\nCommands (jitterscope COMMAND --help for each):\n");
	for (const struct subcommand_row *row = subcommand_rows; row->summary; row++) {
		if (row->name)
			put(h, "  %-10s %s\n", row->name, row->summary);
	}
}

static bool takes_time(enum subcommand sub)
{
	for (const struct option_row *row = option_rows; row->name; row++) {
		if (row->subs & 1u << sub && row->arg && !strncmp(row->arg, "TIME", 4))
			return true;
	}
	return false;
}

const char *options_help(enum subcommand sub, char *buf, unsigned long size)
{
	struct help h = { buf, size, 0 };
	const struct subcommand_row *row = subcommand_row(sub);

	buf[0] = '\0';
	put(&h, "usage: jitterscope%s%s [OPTION...]%s%s\n%s\n", row->name ? " " : "",
	    row->name ? row->name : "", *row->operands ? " " : "", row->operands, row->summary);
	if (sub == SUB_LIVE)
		put_commands(&h);
	put(&h, "\nOptions:\n");
	for (const struct option_row *option = option_rows; option->name; option++) {
		if (option->subs & 1u << sub)
			put_option(&h, option);
	}
	put(&h, "\n%sManual: man jitterscope\n",
	    takes_time(sub) ? "TIME is a number and ns, us, ms, s, m or h.  " : "");
	return buf;
}
