/*
 * commands.h - what each word of the command line runs.
 *
 * Every command gets the parsed options and returns an exit code (options.h).
 * When it failed and has not spoken yet it fills *why (err < 0): main.c prints
 * that as the one line "jitterscope: what: why; what to do".  Main thread.
 */
#ifndef JS_COMMANDS_H
#define JS_COMMANDS_H

#include "src/options.h"
#include "src/why.h"

int cmd_live(struct options *o, struct why *why);	/* commands.c */
int cmd_record(struct options *o, struct why *why);	/* commands.c */
int cmd_replay(struct options *o, struct why *why);	/* replay.c */
int cmd_run(struct options *o, struct why *why);	/* suite.c */
int cmd_list(struct options *o, struct why *why);	/* list.c */
int cmd_doctor(struct options *o, struct why *why);	/* doctor.c */
int cmd_show(struct options *o, struct why *why);	/* show.c */
int cmd_compare(struct options *o, struct why *why);	/* compare.c */
int cmd_plot(struct options *o, struct why *why);	/* plot.c */
int cmd_convert(struct options *o, struct why *why);	/* convert.c */

#endif
