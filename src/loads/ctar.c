/*
 * ctar.c - archives a tree of a thousand files, again and again.
 */
#include <fcntl.h>
#include <unistd.h>

#include "src/load.h"
#include "src/loads/archive.h"
#include "src/loads/failure.h"
#include "src/loads/files.h"
#include "src/loads/tar.h"
#include "src/loads/tree.h"

static int ctar_prepare(struct load_worker *w, struct why *why)
{
	int err = archive_check(w, why);

	return err ? err : tree_make_all(w, archive_bytes(w->knob), 100, why);
}

static int ctar_run(struct load_worker *w, struct why *why)
{
	char tree[TREE_NAME_MAX], archive[TREE_NAME_MAX];
	struct tar_counts counts;
	int err = 0;

	tree_name(tree, w->index);
	archive_name(archive, w->index);
	while (!err && load_going(w)) {
		err = tar_create(w, w->scratch_fd, tree, archive, &counts);
		unlinkat(w->scratch_fd, archive, 0);
		if (!err && load_going(w))
			load_pass(w);
	}
	files_remove_tree(&files_real, w->scratch_fd, tree);
	return err ? failure(why, err, "archiving") : 0;
}

const struct load load_ctar = {
	.name = "ctar",
	.key = 'C',
	.summary = "a tree of 1,000 files archived again and again",
	.unit = "MB",
	.rate_unit = "MB/s",
	.pass_name = "archives",
	.figure = LOAD_BYTES,
	ARCHIVE_LOAD,
	.prepare = ctar_prepare,
	.run = ctar_run,
};
