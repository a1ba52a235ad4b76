/* procfile.c - see procfile.h. */
#include "src/procfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/sysinfo.h"
#include "src/text.h"

static char root[256];

void sysinfo_set_root(const char *path)
{
	snprintf(root, sizeof(root), "%s", path);
}

const char *procfile_path(char *buf, size_t size, const char *path)
{
	snprintf(buf, size, "%s%s", root, path);
	return buf;
}

long procfile_read(const char *path, char *buf, size_t size)
{
	char full[512];
	size_t used = 0;
	ssize_t n = 0;
	int fd = open(procfile_path(full, sizeof(full), path), O_RDONLY | O_CLOEXEC);

	buf[0] = '\0';
	if (fd < 0)
		return -errno;
	while (used + 1 < size) {
		n = read(fd, buf + used, size - 1 - used);
		if (n <= 0)
			break;
		used += (size_t)n;
	}
	int err = n < 0 && !used ? -errno : 0;

	close(fd);
	buf[used] = '\0';
	return err ? err : (long)used;
}

bool procfile_line(const char *path, char *out, size_t size)
{
	char raw[1024];
	long n = procfile_read(path, raw, sizeof(raw));

	out[0] = '\0';
	if (n < 0)
		return false;
	text_clean(out, size, raw, strcspn(raw, "\n"), (unsigned)size - 1);
	return true;
}

uint64_t number_at(const char **p)
{
	uint64_t value = 0;

	while (**p == ' ' || **p == '\t')
		(*p)++;
	for (; **p >= '0' && **p <= '9'; (*p)++)
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(**p - '0'), &value))
			value = UINT64_MAX / 10;
	return value;
}

double decimal_at(const char **p)
{
	double value = (double)number_at(p), place = 0.1;

	if (**p != '.')
		return value;
	for ((*p)++; **p >= '0' && **p <= '9'; (*p)++, place /= 10)
		value += place * (**p - '0');
	return value;
}

const char *line_of(const char *text, const char *key)
{
	size_t n = strlen(key);

	while (text && *text) {
		if (!strncmp(text, key, n))
			return text + n;
		text = strchr(text, '\n');
		if (text)
			text++;
	}
	return NULL;
}
