/*
 * app_check.c - what can be known before anything starts: CPUs that are not
 * there, and loads that would have nowhere to write.
 */
#include <errno.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "src/app_internal.h"
#include "src/budget.h"
#include "src/hotplug.h"
#include "src/scratch.h"

/* ---- CPUs ---- */

static int check_online(int cpu, const struct cpuset *online, struct why *why)
{
	char list[120];

	if (!cpuset_count(online) || cpuset_has(online, cpu))
		return 0;
	cpuset_brief(online, list, sizeof(list));
	return why_set(why, -EINVAL, "cpu %d: not online; choose from %s", cpu, list);
}

/* CPUs outside the mask are tried, since a mask can be widened; the caller's
 * own mask is put back afterwards. */
static int try_pin(int cpu, const struct cpuset *allowed, struct why *why)
{
	struct cpuset one;
	struct why inner;
	char list[120];

	if (cpuset_has(allowed, cpu))
		return 0;
	cpuset_clear(&one);
	cpuset_add(&one, cpu);
	int err = cpuset_pin(0, &one, &inner);

	cpuset_pin(0, allowed, NULL);
	if (!err)
		return 0;
	cpuset_brief(allowed, list, sizeof(list));
	return why_set(why, -EINVAL, "cpu %d: not allowed here (%s); choose from %s", cpu,
		       strerror(err < 0 ? -err : err), list);
}

static int check_set(const struct cpuset *set, const struct cpuset *online,
		     const struct cpuset *allowed, struct why *why)
{
	cpuset_each(cpu, set) {
		if (check_online(cpu, online, why) || try_pin(cpu, allowed, why))
			return -EINVAL;
	}
	return 0;
}

/* What is off now may be on when a load starts later. */
static int check_load_cpus(const struct schedule_entry *e, struct cpuset online,
			   const struct cpuset *allowed, struct why *why)
{
	struct why inner = { 0, "" };
	struct cpuset set = *e->order.cpus, absent;

	if (e->at_ns > 0) {
		hotplug_absent(&absent);
		cpuset_each(cpu, &absent)
			cpuset_remove(&set, cpu);
	}
	if (!check_set(&set, &online, allowed, &inner))
		return 0;
	return why_set(why, -EINVAL, "load %s: %s", loads[e->order.arg]->name, inner.text);
}

static int check_cpus(const struct options *o, struct why *why)
{
	struct cpuset online, allowed;
	int err = 0;

	if (cpuset_allowed(&allowed, why))
		return -EIO;
	if (hotplug_online(&online))
		cpuset_clear(&online);
	if (o->has_cpus)
		err = check_set(&o->cpus, &online, &allowed, why);
	for (unsigned i = 0; i < o->probes && !err; i++) {
		if (o->probe[i].has_cpus)
			err = check_set(&o->probe[i].cpus, &online, &allowed, why);
	}
	for (unsigned i = 0; i < o->schedule.entries && !err; i++) {
		if (o->schedule.entry[i].order.cpus)
			err = check_load_cpus(&o->schedule.entry[i], online, &allowed, why);
	}
	return err;
}

/* ---- scratch ---- */

static bool writes(const struct order *order)
{
	const struct load *l = loads[order->arg];
	unsigned workers = order->workers ? order->workers : load_default_workers(l, 1);

	return order->what == CMD_LOAD_START && load_needs_scratch(l, workers, order->knob);
}

/* A folder, and one of a file system that takes files. */
static int check_folder(const char *path, struct why *why)
{
	int fd = scratch_open_parent(path, why);
	struct statvfs fs;

	if (fd < 0)
		return fd;
	int err = fstatvfs(fd, &fs) ? 0 : budget_disk_floor(&fs, why);

	close(fd);
	return err == -ENOTSUP ? err : 0;	/* a full disk may have room by then */
}

static int check_scratch(const struct options *o, struct why *why)
{
	struct why inner = { 0, "" };

	for (unsigned i = 0; i < o->schedule.entries; i++) {
		const struct order *order = &o->schedule.entry[i].order;

		if (!writes(order))
			continue;
		if (check_folder(o->scratches ? o->scratch[0] : NULL, &inner))
			return why_set(why, -EINVAL, "load %s: %s", loads[order->arg]->name,
				       inner.text);
		return 0;
	}
	return 0;
}

int app_check(const struct options *o, struct why *why)
{
	int err = check_cpus(o, why);

	return err ? err : check_scratch(o, why);
}
