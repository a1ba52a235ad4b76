/* doctor_kernel.c - where a kernel whose preemption is unknown would tell it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/doctor.h"
#include "src/procfile.h"

#define DEBUGFS "/sys/kernel/debug"

/* A dynamic kernel tells its mode there only. */
static const char *dynamic_fix(void)
{
	char path[256];

	if (!access(procfile_path(path, sizeof(path), DEBUGFS "/sched"), F_OK))
		return "";	/* it is there, and does not tell */
	return errno == EACCES ? "ask as root: " DEBUGFS "/sched/preempt tells the preemption"
			       : "sudo mount -t debugfs none " DEBUGFS;
}

void doctor_preempt_fix(const struct sysinfo *m, char *buf, size_t size)
{
	buf[0] = '\0';
	if (strcmp(m->preempt, "unknown"))
		return;
	if (strstr(m->version, "PREEMPT_DYNAMIC"))
		snprintf(buf, size, "%s", dynamic_fix());
	else if (!m->hz)	/* nor does anything else of the configuration show */
		snprintf(buf, size, "put the kernel's configuration at /boot/config-%.64s",
			 m->kernel);
}
