/*
 * zz_interim.c - keeps the program linking while two commands and the start
 * of operation probes are on their way; each refuses and says so.  Weak, and
 * last in the library by its name, so that the real ones win.  Goes away with
 * them.
 */
#include <errno.h>

#include "src/commands.h"
#include "src/supervisor.h"

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

INTERIM int supervisor_probe_start(struct supervisor *s, unsigned probe, int64_t period_ns,
				   const long knob[PROBE_KNOBS_MAX], struct why *why)
{
	(void)s;
	(void)period_ns;
	(void)knob;
	return why_set(why, -ENOSYS, "%s: operation probes are not in this build; choose another",
		       probes[probe]->name);
}

INTERIM int supervisor_probe_stop(struct supervisor *s, unsigned probe)
{
	(void)s;
	(void)probe;
	return 0;
}

INTERIM struct ring *supervisor_probe_ring(struct supervisor *s, unsigned probe, unsigned variant)
{
	(void)s;
	(void)probe;
	(void)variant;
	return NULL;
}

INTERIM const struct helper_line *supervisor_probe_line(const struct supervisor *s, unsigned probe)
{
	(void)s;
	(void)probe;
	return NULL;
}
