/* walk.c - see walk.h. */
#include "src/loads/walk.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/loads/files.h"

static const char *const left_out[] = { "/proc", "/sys", "/dev" };

struct pending {		/* folders to be read, the newest on top */
	char **path;
	size_t count, room;
};

struct walker {
	struct load_worker *w;
	struct walk *out;
	struct pending pending;
	dev_t device;
	const char *folder;	/* the one that is being read */
	int fd, err;
};

static bool is_left_out(const char *path)
{
	for (size_t i = 0; i < sizeof(left_out) / sizeof(left_out[0]); i++)
		if (!strcmp(path, left_out[i]))
			return true;
	return false;
}

static int push(struct pending *p, const char *path)
{
	if (p->count == p->room) {
		size_t room = p->room ? 2 * p->room : 256;
		char **grown = realloc(p->path, room * sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		p->path = grown;
		p->room = room;
	}
	p->path[p->count] = strdup(path);
	return p->path[p->count++] ? 0 : -ENOMEM;
}

static void push_folder(struct walker *v, const char *name)
{
	const char *slash = v->folder[strlen(v->folder) - 1] == '/' ? "" : "/";
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s%s%s", v->folder, slash, name) >= (int)sizeof(path))
		v->out->denied++;	/* deeper than the kernel takes in one path */
	else if (!is_left_out(path))
		v->err = push(&v->pending, path);
}

static bool look(void *context, const struct files_entry *entry)
{
	struct walker *v = context;
	char target[PATH_MAX];
	struct stat st;

	v->out->entries++;
	load_add(v->w, 1, 0);
	if (fstatat(v->fd, entry->name, &st, AT_SYMLINK_NOFOLLOW))
		return load_going(v->w);	/* gone meanwhile */
	if (S_ISLNK(st.st_mode) && readlinkat(v->fd, entry->name, target, sizeof(target)) < 0)
		load_error(v->w, errno);
	if (S_ISDIR(st.st_mode) && st.st_dev == v->device)
		push_folder(v, entry->name);
	return !v->err && load_going(v->w);
}

static int read_folder(struct walker *v)
{
	int64_t begun_ns = load_begin(v->w);
	int err;

	v->fd = open(v->folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (v->fd < 0) {
		load_end(v->w, begun_ns);
		return -errno;
	}
	err = files_list(&files_real, v->fd, ".", UINT_MAX, look, v);
	close(v->fd);
	load_end(v->w, begun_ns);
	load_cpu(v->w);
	return err;
}

/* The folder on top; what can not be read is normal for a user who is not root. */
static int read_next(struct walker *v)
{
	char *folder = v->pending.path[--v->pending.count];

	v->folder = folder;
	if (read_folder(v))
		v->out->denied++;
	free(folder);
	return v->err;
}

int walk_tree(struct load_worker *w, const char *root, struct walk *out)
{
	struct walker v = { .w = w, .out = out };
	struct stat st;
	int err;

	*out = (struct walk){ .entries = 1 };
	if (lstat(root, &st))
		return -errno;
	v.device = st.st_dev;
	load_add(w, 1, 0);
	err = push(&v.pending, root);
	while (!err && v.pending.count && load_going(w))
		err = read_next(&v);
	while (v.pending.count)
		free(v.pending.path[--v.pending.count]);
	free(v.pending.path);
	return err;
}
