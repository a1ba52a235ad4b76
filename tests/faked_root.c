/* faked_root.c - see faked_root.h. */
#include "tests/faked_root.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/sysinfo.h"

static char root[256];

void faked_root_make(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(root, sizeof(root), "%s/faked-root-XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(root))
		abort();
	sysinfo_set_root(root);
}

static void make_folders(char *path)
{
	for (char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		mkdir(path, 0755);
		*p = '/';
	}
}

void faked_root_file(const char *path, const char *text)
{
	char full[512];
	FILE *f;

	snprintf(full, sizeof(full), "%s%s", root, path);
	make_folders(full);
	f = fopen(full, "we");
	if (!f || fputs(text, f) < 0 || fclose(f))
		abort();
}

void faked_root_remove(const char *path)
{
	char full[512];

	snprintf(full, sizeof(full), "%s%s", root, path);
	unlink(full);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

void faked_root_gone(void)
{
	nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	sysinfo_set_root("");
}
