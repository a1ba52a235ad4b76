/* landlock.c - see landlock.h. */
#include "src/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Rights by number: the build machine's headers may be older than the
 * running kernel. */
#define FS_EXECUTE (UINT64_C(1) << 0)
#define FS_WRITE_FILE (UINT64_C(1) << 1)
#define FS_READ_FILE (UINT64_C(1) << 2)
#define FS_READ_DIR (UINT64_C(1) << 3)
#define FS_TRUNCATE (UINT64_C(1) << 14)
#define FS_OF_FILES (FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE)
#define FS_RUN (FS_EXECUTE | FS_READ_FILE | FS_READ_DIR)
#define FS_READ (FS_READ_FILE | FS_READ_DIR)

#define ABI_LEAST 2		/* renames between folders */

static const struct place {
	const char *path;
	uint64_t rights;
} always[] = {
	{ "/dev/null", FS_READ_FILE | FS_WRITE_FILE | FS_TRUNCATE },
	{ "/dev/zero", FS_READ_FILE },
	{ "/dev/urandom", FS_READ_FILE },
	{ "/proc/meminfo", FS_READ_FILE },
	{ "/proc/stat", FS_READ_FILE },
	{ "/proc/vmstat", FS_READ_FILE },
	{ "/proc/sys/vm", FS_READ },
	{ "/sys/devices/system/cpu", FS_READ },
}, programs[] = {
	{ "/bin", FS_RUN }, { "/sbin", FS_RUN }, { "/usr", FS_RUN },
	{ "/lib", FS_RUN }, { "/lib32", FS_RUN }, { "/lib64", FS_RUN }, { "/libx32", FS_RUN },
	{ "/etc", FS_READ }, { "/dev/ptmx", FS_READ_FILE | FS_WRITE_FILE },
	{ "/dev/pts", FS_READ | FS_WRITE_FILE }, { "/proc/self/exe", FS_EXECUTE | FS_READ_FILE },
}, everywhere[] = {
	{ "/", FS_READ },
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static uint64_t rights_of_abi(long abi)
{
	return abi >= 3 ? (UINT64_C(1) << 15) - 1 : (UINT64_C(1) << 14) - 1;
}

static int allow_fd(int ruleset, int fd, uint64_t rights)
{
	struct landlock_path_beneath_attr rule = { .allowed_access = rights, .parent_fd = fd };
	struct stat st;

	if (!fstat(fd, &st) && !S_ISDIR(st.st_mode))
		rule.allowed_access &= FS_OF_FILES;
	return syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) ? -errno : 0;
}

/* A place that is missing needs no rule. */
static int allow(int ruleset, const struct place *places, unsigned n, uint64_t handled)
{
	int err = 0;

	for (unsigned i = 0; i < n && !err; i++) {
		int fd = open(places[i].path, O_PATH | O_CLOEXEC);

		if (fd < 0)
			continue;
		err = allow_fd(ruleset, fd, places[i].rights & handled);
		close(fd);
	}
	return err;
}

static int fill(int ruleset, const struct confine *c, uint64_t handled)
{
	int err = allow(ruleset, always, COUNT(always), handled);

	if (!err && c->execs)
		err = allow(ruleset, programs, COUNT(programs), handled);
	if (!err && c->reads_all)
		err = allow(ruleset, everywhere, COUNT(everywhere), handled);
	for (unsigned i = 0; i < COUNT(c->scratch) && !err; i++)
		if (c->scratch[i] >= 0)
			err = allow_fd(ruleset, c->scratch[i], handled);
	return err;
}

int landlock_self(const struct confine *c, struct why *why)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
	struct landlock_ruleset_attr attr = { .handled_access_fs = rights_of_abi(abi) };
	int ruleset, err;

	if (abi < ABI_LEAST || c->no_landlock)
		return 0;
	ruleset = (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof(attr), 0);
	if (ruleset < 0)
		return why_set(why, -errno, "landlock: %s", strerror(errno));
	err = fill(ruleset, c, attr.handled_access_fs);
	if (!err && syscall(SYS_landlock_restrict_self, ruleset, 0))
		err = -errno;
	close(ruleset);
	return err ? why_set(why, err, "landlock: %s", strerror(-err)) : 0;
}
