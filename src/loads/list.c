/*
 * list.c - walks the whole file system and only looks.
 */
#include "src/load.h"
#include "src/loads/failure.h"
#include "src/loads/walk.h"

static const char *const figure_names[] = { "entries_per_walk", "denied", NULL };

static int list_run(struct load_worker *w, struct why *why)
{
	struct walk walk;
	double figure[2];
	int err = 0;

	while (!err && load_going(w)) {
		err = walk_tree(w, "/", &walk);
		if (err || !load_going(w))
			break;
		load_pass(w);
		figure[0] = (double)walk.entries;
		figure[1] = (double)walk.denied;
		if (w->index == 0)
			load_publish(w, figure, 2, NULL);
	}
	return err ? failure(why, err, "reading /") : 0;
}

const struct load load_list = {
	.name = "list",
	.key = 'L',
	.summary = "walks through the whole file system, looking only",
	.unit = "entries",
	.rate_unit = "entries/s",
	.pass_name = "whole walks",
	.figure = LOAD_OPS,
	.flags = LOAD_CONTEST | LOAD_READS_ALL,
	.version = 1,
	.default_plus = 1,
	.max_workers = 16,
	.figure_names = figure_names,
	.tasks_per_worker = 1,
	.fds_per_worker = 2,
	.run = list_run,
};
