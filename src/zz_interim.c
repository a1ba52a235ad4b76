/*
 * zz_interim.c - keeps the program linking while two commands are on their
 * way; each refuses and says so.  Weak, and last in the library by its name,
 * so that the real ones win.  Goes away with them.
 */
#include <errno.h>

#include "src/commands.h"

#define INTERIM __attribute__((weak))

static int absent(const char *what, struct why *why)
{
	why_set(why, -ENOSYS, "%s: not in this build; use show or convert", what);
	return EXIT_FAILED;
}

INTERIM int cmd_compare(struct options *o, struct why *why)
{
	(void)o;
	return absent("compare", why);
}

INTERIM int cmd_plot(struct options *o, struct why *why)
{
	(void)o;
	return absent("plot", why);
}
