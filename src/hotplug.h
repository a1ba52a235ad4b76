/*
 * hotplug.h - which CPUs there are now, and which may come.
 *
 * Files below the root that sysinfo_set_root() set.  Main thread only.
 */
#ifndef JS_HOTPLUG_H
#define JS_HOTPLUG_H

#include "src/cpuset.h"

/* CPUs that are online; -errno when the kernel does not say. */
int hotplug_online(struct cpuset *out);
/* CPUs that are there and would be ours, but are off; empty when unknown. */
void hotplug_absent(struct cpuset *out);

#endif
