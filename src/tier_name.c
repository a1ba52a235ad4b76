/* tier_name.c - apart from the supervisor, for those who only show it. */
#include "src/supervisor.h"

const char *tier_name(enum tier t)
{
	static const char *const names[] = { "none", "subreaper", "ns" };

	return (unsigned)t < sizeof(names) / sizeof(names[0]) ? names[t] : "none";
}
