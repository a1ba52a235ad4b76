/* ans.c - the live screen as it was seen, with its colours: `cat` shows it. */
#include <errno.h>

#include "src/format.h"

static int ans_write(FILE *out, const struct snapshot *s, struct why *why)
{
	if (!s->screen)
		return why_set(why, -ENODATA, "ans: there was no live screen; use text or svg");
	fputs(s->screen, out);
	return 0;
}

const struct format format_ans = {
	.name = "ans",
	.suffix = ".ans",
	.summary = "the screen as seen, for cat (live only)",
	.write = ans_write,
};
