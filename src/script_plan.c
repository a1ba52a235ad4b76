/* script_plan.c - which steps are wanted, and how far the script is. */
#include "src/script_internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* ---- which steps --------------------------------------------------------- */

static bool is(const char *name, const char *text, size_t n)
{
	return strlen(name) == n && !memcmp(name, text, n);
}

static unsigned choose(struct script *s, const char *text, size_t n)
{
	unsigned found = 0;

	for (unsigned i = 0; i < s->nr; i++) {
		const struct step *step = &s->steps[i];

		if (!is(step->name, text, n) && !is(step->pick[0], text, n) &&
		    !is(step->pick[1], text, n))
			continue;
		s->results[i].outcome = STEP_WAITING;
		found++;
	}
	return found;
}

/* The widest name of a step: what it shares with others, if it does. */
static const char *widest(const struct step *step)
{
	return step->pick[1][0] ? step->pick[1] : step->pick[0][0] ? step->pick[0] : step->name;
}

static int unknown(const struct script *s, const char *text, size_t n, struct why *why)
{
	char known[200] = "";
	size_t used = 0;

	for (unsigned i = 0; i < s->nr && used < sizeof(known) - 48; i++) {
		const char *name = widest(&s->steps[i]);
		bool told = false;

		for (unsigned k = 0; k < i && !told; k++)
			told = !strcmp(name, widest(&s->steps[k]));
		if (!told)
			used += (size_t)snprintf(known + used, sizeof(known) - used, "%s%s",
						 used ? ", " : "", name);
	}
	return why_set(why, -EINVAL, "--steps %.*s: no such step; choose from %s",
		       n < 48 ? (int)n : 48, text, known);
}

int script_choose(struct script *s, const char *list, struct why *why)
{
	if (!list)
		return 0;
	for (unsigned i = 0; i < s->nr; i++)
		s->results[i].outcome = STEP_UNASKED;
	for (const char *p = list; *p; p += strspn(p, ",")) {
		p += strspn(p, " ");
		size_t n = strcspn(p, ","), cut = n;

		while (cut && p[cut - 1] == ' ')
			cut--;
		if (cut && !choose(s, p, cut))
			return unknown(s, p, cut, why);
		p += n;
	}
	return script_nr_asked(s) ? 0 : unknown(s, list, strlen(list), why);
}

/* ---- how far it is ------------------------------------------------------- */

const struct step_result *script_results(const struct script *s)
{
	return s->results;
}

unsigned script_nr_asked(const struct script *s)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->nr; i++)
		n += s->results[i].outcome != STEP_UNASKED;
	return n;
}

unsigned script_nr_over(const struct script *s)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->nr; i++)
		n += s->results[i].outcome > STEP_RUNNING;
	return n;
}

int script_at(const struct script *s)
{
	return s->at >= 0 && s->results[s->at].outcome == STEP_RUNNING ? s->at : -1;
}

/* Steps take as long as guessed, times what the finished ones took. */
int64_t script_left_ns(const struct script *s, int64_t now_ns)
{
	double factor = s->guessed_ns > 0 ? (double)s->spent_ns / (double)s->guessed_ns : 1;
	double left_ns = 0;

	for (unsigned i = 0; i < s->nr; i++) {
		double guess_ns = (double)s->steps[i].guess_ns * factor;

		if (s->results[i].outcome == STEP_WAITING)
			left_ns += guess_ns;
		else if (s->results[i].outcome == STEP_RUNNING &&
			 guess_ns > (double)(now_ns - s->step_ns))
			left_ns += guess_ns - (double)(now_ns - s->step_ns);
	}
	return (int64_t)left_ns;
}

int script_percent(const struct script *s, int64_t now_ns)
{
	int64_t spent_ns = s->began_ns ? now_ns - s->began_ns : 0;
	int64_t all_ns = spent_ns + script_left_ns(s, now_ns);

	if (s->state == OVER)
		return 100;
	return all_ns > 0 ? (int)(100 * spent_ns / all_ns) : 0;
}

static void say_load(const struct load_view *v, int64_t now_ns, char *buf, size_t size)
{
	if (v->state == LOAD_STARTING)
		snprintf(buf, size, "%s x%u preparing %d %%", v->name, v->workers, v->progress_pct);
	else if (v->state == LOAD_STOPPING)
		snprintf(buf, size, "%s x%u stopping", v->name, v->workers);
	else if (v->state == LOAD_RUN)
		snprintf(buf, size, "%s x%u %d s", v->name, v->workers,
			 (int)((now_ns - v->start_ns) / NS_PER_S));
	else
		buf[0] = '\0';
}

void script_progress(const struct script *s, int64_t now_ns, char *buf, size_t size)
{
	const struct step *step = s->at >= 0 ? &s->steps[s->at] : NULL;
	char back[48] = "", job[48] = "";

	if (!step || script_at(s) < 0) {
		snprintf(buf, size, "%u/%u", script_nr_over(s), script_nr_asked(s));
		return;
	}
	if (s->back >= 0)
		say_load(script_load(s, (unsigned)s->back), now_ns, back, sizeof(back));
	if (step->job.what != CMD_NONE)
		say_load(script_load(s, step->job.arg), now_ns, job, sizeof(job));
	snprintf(buf, size, "%u/%u %s%s%s%s%s", script_nr_over(s) + 1, script_nr_asked(s),
		 step->name, back[0] || job[0] ? ": " : "", back, back[0] && job[0] ? ", " : "",
		 job);
}

const char *outcome_name(enum outcome o)
{
	static const char *const names[] = { [STEP_DONE] = "done", [STEP_CUT] = "cut",
					     [STEP_SKIPPED] = "skipped", [STEP_FAILED] = "failed" };

	return (size_t)o < sizeof(names) / sizeof(names[0]) && names[o] ? names[o] : "";
}
