/* tree.c - see tree.h. */
#include "src/loads/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/loads/failure.h"
#include "src/loads/files.h"

#define LEAST_BYTES 1024.0
#define MOST_BYTES (200 * 1024.0)
#define BUF_BYTES 65536

void tree_dir_name(char buf[TREE_NAME_MAX], unsigned dir)
{
	snprintf(buf, TREE_NAME_MAX, "d%02u", dir);
}

void tree_file_name(char buf[TREE_NAME_MAX], unsigned file)
{
	snprintf(buf, TREE_NAME_MAX, "d%02u/file%04u.c", file % TREE_DIRS, file);
}

void tree_name(char buf[TREE_NAME_MAX], unsigned worker)
{
	snprintf(buf, TREE_NAME_MAX, "tree.%03u", worker);
}

/* A number in [0, 1), from the upper 53 bits. */
static double fraction(struct load_rng *rng)
{
	return (double)(load_rng_next(rng) >> 11) / 9007199254740992.0;
}

void tree_plan(struct tree *t, uint64_t bytes, uint64_t seed)
{
	double raw[TREE_FILES], sum = 0;
	struct load_rng rng;
	uint64_t dealt = 0;

	*t = (struct tree){ .bytes = bytes, .seed = seed };
	load_rng_seed(&rng, seed);
	for (unsigned i = 0; i < TREE_FILES; i++) {
		raw[i] = LEAST_BYTES * pow(MOST_BYTES / LEAST_BYTES, fraction(&rng));
		sum += raw[i];
	}
	for (unsigned i = 0; i < TREE_FILES; i++) {
		t->size[i] = (uint32_t)(raw[i] * (double)bytes / sum);
		dealt += t->size[i];
	}
	/* Each lost less than a byte to rounding: the last one takes it all. */
	t->size[TREE_FILES - 1] += (uint32_t)(bytes - dealt);
}

static int write_file(int dir, const char *name, struct load_rng *rng, uint32_t size)
{
	unsigned char buf[BUF_BYTES];
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644), err = 0;

	if (fd < 0)
		return -errno;
	while (size && !err) {
		uint32_t part = size < sizeof(buf) ? size : (uint32_t)sizeof(buf);

		load_rng_fill(rng, buf, part);
		err = files_write_all(&files_real, fd, buf, part);
		size -= part;
	}
	close(fd);
	return err;
}

static int make_dirs(int dir)
{
	char name[TREE_NAME_MAX];

	for (unsigned i = 0; i < TREE_DIRS; i++) {
		tree_dir_name(name, i);
		if (mkdirat(dir, name, 0755))
			return -errno;
	}
	return 0;
}

static int fill_tree(const struct tree *t, struct load_worker *w, int dir)
{
	char name[TREE_NAME_MAX];
	struct load_rng rng;
	int err = make_dirs(dir);

	load_rng_seed(&rng, t->seed + 1);
	for (unsigned i = 0; i < TREE_FILES && !err && load_going(w); i++) {
		tree_file_name(name, i);
		err = write_file(dir, name, &rng, t->size[i]);
	}
	return err;
}

int tree_make(const struct tree *t, struct load_worker *w, int dir, const char *name)
{
	int fd, err;

	if (mkdirat(dir, name, 0755))
		return -errno;
	fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = fill_tree(t, w, fd);
	close(fd);
	return err;
}

int tree_make_all(struct load_worker *w, uint64_t bytes, unsigned percent, struct why *why)
{
	char name[TREE_NAME_MAX];
	struct tree t;
	int err = 0;

	for (unsigned i = 0; i < w->workers && !err && load_going(w); i++) {
		tree_plan(&t, bytes, load_mix(w->seed, i, 0));
		tree_name(name, i);
		err = tree_make(&t, w, w->scratch_fd, name);
		load_progress(w, percent * (i + 1) / w->workers);
	}
	return err ? failure(why, err, "making the tree") : 0;
}

void tree_drop_cache(int dir, const char *name)
{
	char path[2 * TREE_NAME_MAX], file[TREE_NAME_MAX];

	for (unsigned i = 0; i < TREE_FILES; i++) {
		int fd;

		tree_file_name(file, i);
		snprintf(path, sizeof(path), "%s/%s", name, file);
		fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			continue;
		posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
		close(fd);
	}
}
