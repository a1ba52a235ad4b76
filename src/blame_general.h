/*
 * blame_general.h - one name for tasks that are many: what the tables of who
 * held the CPUs call a task.  Part of blame.  Main thread only.
 */
#ifndef JS_BLAME_GENERAL_H
#define JS_BLAME_GENERAL_H

#include "src/blame_names.h"
#include "src/model.h"

/* "kworker/3:1H-kblockd" is kworker, "js-fork" of a load that runs or has just
 * ended "fork workers", and a task without a name "(gone)"; "irq/24-nvme" stays,
 * and the "js-fork" of another run does.  due_ns: of the spike. */
void blame_general_name(const struct model *m, const char *name, int64_t due_ns,
			char out[BLAME_NAME]);

#endif
