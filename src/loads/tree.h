/*
 * tree.h - a made-up source tree: 1,000 files in 50 folders.
 *
 * Sizes are spread evenly over the logarithm from 1 K to 200 K, then scaled
 * to the total.  Names, sizes and contents are the seed's.
 */
#ifndef JS_LOADS_TREE_H
#define JS_LOADS_TREE_H

#include <stddef.h>
#include <stdint.h>

#include "src/load.h"

#define TREE_FILES 1000
#define TREE_DIRS 50
#define TREE_NAME_MAX 48

struct tree {
	uint64_t bytes;			/* exactly the sum of the sizes */
	uint32_t size[TREE_FILES];
	uint64_t seed;
};

void tree_plan(struct tree *t, uint64_t bytes, uint64_t seed);
/* "d07/file0007.c", relative to the tree's folder. */
void tree_file_name(char buf[TREE_NAME_MAX], unsigned file);
void tree_dir_name(char buf[TREE_NAME_MAX], unsigned dir);	/* "d07" */

/* Makes it in folder `name` of dir.  0 (also when told to stop) or -errno. */
int tree_make(const struct tree *t, struct load_worker *w, int dir, const char *name);
/* Trees of all workers, "tree.000" and so on, with progress up to `percent`. */
int tree_make_all(struct load_worker *w, uint64_t bytes, unsigned percent, struct why *why);
void tree_name(char buf[TREE_NAME_MAX], unsigned worker);
/* Asks the kernel to forget what it holds of the files. */
void tree_drop_cache(int dir, const char *name);

#endif
