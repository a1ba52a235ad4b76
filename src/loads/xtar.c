/*
 * xtar.c - extracts an archive of a thousand files and deletes them, again and
 * again.
 */
#include <stdio.h>
#include <unistd.h>

#include "src/load.h"
#include "src/loads/archive.h"
#include "src/loads/failure.h"
#include "src/loads/files.h"
#include "src/loads/tar.h"
#include "src/loads/tree.h"

/* The tree gives way to its archive.  What this reads is counted in a line of
 * its own, which nobody sees. */
static int archive_one(struct load_worker *w, unsigned i, struct why *why)
{
	char tree[TREE_NAME_MAX], archive[TREE_NAME_MAX];
	struct load_line unseen = { 0 };
	struct load_worker uncounted = *w;
	struct tar_counts counts;
	int err;

	uncounted.line = &unseen;
	tree_name(tree, i);
	archive_name(archive, i);
	err = tar_create(&uncounted, w->scratch_fd, tree, archive, &counts);
	if (!err)
		err = files_remove_tree(&files_real, w->scratch_fd, tree);
	return err ? failure(why, err, "making the archive") : 0;
}

static int xtar_prepare(struct load_worker *w, struct why *why)
{
	int err = archive_check(w, why);

	if (!err)
		err = tree_make_all(w, archive_bytes(w->knob), 50, why);
	for (unsigned i = 0; i < w->workers && !err && load_going(w); i++) {
		err = archive_one(w, i, why);
		load_progress(w, 50 + 50 * (i + 1) / w->workers);
	}
	return err;
}

static int extract_once(struct load_worker *w, const char *archive, const char *to)
{
	struct tar_counts counts;
	int err = tar_extract(w, w->scratch_fd, archive, to, &counts);
	int removed = files_remove_tree(&files_real, w->scratch_fd, to);

	if (!err && !removed && load_going(w))
		load_pass(w);
	return err ? err : removed;
}

static int xtar_run(struct load_worker *w, struct why *why)
{
	char archive[TREE_NAME_MAX], to[TREE_NAME_MAX];
	int err = 0;

	archive_name(archive, w->index);
	snprintf(to, sizeof(to), "extracted.%03u", w->index);
	while (!err && load_going(w))
		err = extract_once(w, archive, to);
	unlinkat(w->scratch_fd, archive, 0);
	return err ? failure(why, err, "extracting") : 0;
}

const struct load load_xtar = {
	.name = "xtar",
	.key = 'X',
	.summary = "an archive of 1,000 files extracted and deleted",
	.unit = "files",
	.rate_unit = "files/s",
	.pass_name = "extractions",
	.figure = LOAD_OPS,
	ARCHIVE_LOAD,
	.prepare = xtar_prepare,
	.run = xtar_run,
};
