/* hotplug.c - see hotplug.h. */
#include "src/hotplug.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/procfile.h"

#define CPUS "/sys/devices/system/cpu/"
#define STATUS_BYTES (64 * 1024)	/* 4096 CPUs take 20 kB of it */

static int read_list(struct cpuset *out, const char *name)
{
	char path[512];

	return cpuset_read_file(out, procfile_path(path, sizeof(path), name), NULL);
}

int hotplug_online(struct cpuset *out)
{
	return read_list(out, CPUS "online");
}

/* sched_getaffinity() leaves out what is off, this line does not. */
static int allowed_ever(struct cpuset *out)
{
	char *text = calloc(1, STATUS_BYTES);
	const char *line;
	int err = -1;

	if (text && procfile_read("/proc/self/status", text, STATUS_BYTES) > 0 &&
	    (line = line_of(text, "Cpus_allowed_list:"))) {
		line += strspn(line, " \t");
		text[(size_t)(line - text) + strcspn(line, "\n")] = '\0';
		err = cpuset_parse(out, line, true, NULL);
	}
	free(text);
	return err;
}

void hotplug_absent(struct cpuset *out)
{
	struct cpuset online, present, allowed;

	cpuset_clear(out);
	if (hotplug_online(&online) || read_list(&present, CPUS "present") ||
	    allowed_ever(&allowed))
		return;
	cpuset_each(cpu, &present) {
		if (cpuset_has(&allowed, cpu) && !cpuset_has(&online, cpu))
			cpuset_add(out, cpu);
	}
}
