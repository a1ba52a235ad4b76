/* machine.c - see machine.h. */
#include "src/loads/machine.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXT_ROOM 4096

/* Always ends with a NUL; empty when the file can not be read. */
static void read_text(const char *path, char text[TEXT_ROOM])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, TEXT_ROOM - 1) : 0;

	text[n > 0 ? n : 0] = '\0';
	if (fd >= 0)
		close(fd);
}

uint64_t machine_memory(const char *name)
{
	char text[TEXT_ROOM], *at;

	read_text("/proc/meminfo", text);
	at = strstr(text, name);
	return at ? strtoull(at + strlen(name), NULL, 10) * 1024 : 0;
}

long machine_number(const char *path, long otherwise)
{
	char text[TEXT_ROOM], *end;
	long n;

	read_text(path, text);
	n = strtol(text, &end, 10);
	return end == text ? otherwise : n;
}

uint64_t machine_switches(void)
{
	FILE *f = fopen("/proc/stat", "re");	/* as long as there are CPUs */
	char line[256];
	uint64_t n = 0;

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, "ctxt ", 5))
			n = strtoull(line + 5, NULL, 10);
	if (f)
		fclose(f);
	return n;
}

uint64_t machine_cache_bytes(void)
{
	uint64_t most = 0;

	for (unsigned i = 0; i < 8; i++) {
		char path[80], text[TEXT_ROOM];
		uint64_t n;

		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu0/cache/index%u/size", i);
		read_text(path, text);
		n = strtoull(text, NULL, 10) << (strchr(text, 'M') ? 20 : 10);
		if (most < n)
			most = n;
	}
	return most;
}
