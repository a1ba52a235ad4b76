/* snapshot_rt.c - see snapshot_rt.h. */
#include "src/snapshot_rt.h"

#include <stdio.h>
#include <string.h>

bool snapshot_policy_is_rt(const char *policy)
{
	return !strcmp(policy, "SCHED_FIFO") || !strcmp(policy, "SCHED_DEADLINE");
}

const char *snapshot_rt_policy(const struct snapshot *s)
{
	for (unsigned i = 0; i < s->nr_series; i++)
		if (snapshot_policy_is_rt(s->series[i].policy))
			return s->series[i].policy;
	return NULL;
}

static bool has_badge(const struct snapshot *s, const char *name)
{
	for (unsigned i = 0; i < s->nr_badges; i++)
		if (!strcmp(s->badges[i].name, name))
			return true;
	return false;
}

static bool lacks_policy(const struct snapshot *s)
{
	for (unsigned i = 0; i < s->nr_series; i++)
		if (!s->series[i].policy[0] && s->series[i].counts.count)
			return true;
	return false;
}

enum snapshot_rt snapshot_rt(const struct snapshot *s)
{
	bool fifo = !strcmp(s->tier_rt, "fifo"), doubted = has_badge(s, "not-rt");

	if (snapshot_rt_policy(s) && fifo)
		return doubted ? SNAPSHOT_RT_PARTLY : SNAPSHOT_RT_ALL;
	if (snapshot_rt_policy(s) || doubted)
		return SNAPSHOT_RT_NOT;
	if (lacks_policy(s))	/* a file that tells of the run, but not of each series */
		return fifo ? SNAPSHOT_RT_ALL : SNAPSHOT_RT_NOT;
	return SNAPSHOT_RT_NONE;
}

const char *snapshot_rt_text(const struct snapshot *s)
{
	static const char *const text[] = {
		[SNAPSHOT_RT_NONE] = "no real-time probe",
		[SNAPSHOT_RT_ALL] = "real time",
		[SNAPSHOT_RT_PARTLY] = "PARTLY REAL TIME",
		[SNAPSHOT_RT_NOT] = "NOT REAL TIME",
	};

	return text[snapshot_rt(s)];
}

const char *snapshot_cpus_text(const struct snapshot *s, char *buf, size_t size)
{
	if (s->cpus_measured)
		snprintf(buf, size, "%u of %u CPUs measured", s->cpus_measured, s->cpus_online);
	else
		snprintf(buf, size, "%u CPU%s", s->cpus_online, s->cpus_online == 1 ? "" : "s");
	return buf;
}
