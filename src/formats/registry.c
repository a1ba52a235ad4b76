/*
 * registry.c - the formats, in the order in which `list formats` shows them
 * and in which readers are asked.  A new one is one line here.
 */
#include "src/format.h"

#define FORMATS(X) \
	X(json) \
	X(recording) \
	X(text) \
	X(svg) \
	X(ans) \
	X(hlog) \
	X(hgrm) \
	X(csv) \
	X(csv_timeline) \
	X(prometheus) \
	X(realfeel) \
	X(cyclictest) \
	X(cyclictest_json) \
	X(jitterdebugger) \
	X(jitterdebugger_raw) \
	X(dbench) \
	X(contest) \
	X(lmbench) \
	X(bonnie)

#define DECLARE(name) extern const struct format format_##name;
#define ENTRY(name) &format_##name,

FORMATS(DECLARE)

const struct format *const formats[] = { FORMATS(ENTRY) NULL };
