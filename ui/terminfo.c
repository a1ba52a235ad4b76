/* terminfo.c - see terminfo.h. */
#include "ui/terminfo.h"

#include <curses.h>
#include <errno.h>
#include <stdlib.h>
#include <term.h>

static const char remedy[] =
	"set TERM to a terminal that `toe -a` lists, or use `jitterscope record`";

static bool capable(const char *name)
{
	const char *s = tigetstr(name);

	return s && s != (char *)-1;
}

int terminfo_check(int fd, struct why *why)
{
	const char *name = getenv("TERM");
	int found;

	if (!name || !*name)
		return why_set(why, -EINVAL, "terminal: TERM is not set; %s", remedy);
	if (setupterm(name, fd, &found) == ERR)
		return why_set(why, -EINVAL, "terminal: TERM=%.40s is not known here; %s", name,
			       remedy);
	bool able = capable("cup") && capable("clear");

	del_curterm(cur_term);
	return able ? 0
		    : why_set(why, -EINVAL, "terminal: TERM=%.40s cannot move its cursor; %s", name,
			      remedy);
}
