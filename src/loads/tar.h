/*
 * tar.h - archives in ustar format: headers of 512 bytes, records of 10 K.
 *
 * For trees of tree.h: folders and plain files with short names.  What is read
 * and written counts in w; a stop leaves an archive or a tree half made.
 */
#ifndef JS_LOADS_TAR_H
#define JS_LOADS_TAR_H

#include <stdint.h>

#include "src/load.h"

struct tar_counts {
	uint64_t files, bytes;	/* bytes: of file contents */
};

/* Archives folder `tree` of dir as file `archive` of dir.  0 or -errno. */
int tar_create(struct load_worker *w, int dir, const char *tree, const char *archive,
	       struct tar_counts *counts);
/* Extracts it into folder `to` of dir, which is made.  Names that would leave
 * it, and headers whose sum is wrong, are -EBADMSG. */
int tar_extract(struct load_worker *w, int dir, const char *archive, const char *to,
		struct tar_counts *counts);

#endif
