/* compare_steps.c - see compare_steps.h. */
#include "src/compare_steps.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct mark { double t_s; const char *step; };

/* Is the mark one of the suite that the command named?  People set marks too. */
static bool names_suite(const struct snapshot *s, const char *text, size_t n)
{
	bool run = false;

	for (unsigned i = 0; i < s->nr_command; i++) {
		const char *word = s->command[i];

		if (run && strlen(word) == n && !strncmp(word, text, n))
			return true;
		run |= !strcmp(word, "run");
	}
	return false;
}

/* The step's name, NULL: no mark of a step. */
static const char *step_of_event(const struct snapshot *s, const struct snapshot_event *e)
{
	const char *blank = strchr(e->text, ' ');

	if (strcmp(e->kind, "mark") || !blank)
		return NULL;
	return names_suite(s, e->text, (size_t)(blank - e->text)) ? blank + 1 : NULL;
}

static unsigned find_marks(const struct snapshot *s, struct mark *marks)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->nr_events; i++) {
		const char *step = step_of_event(s, &s->events[i]);

		if (step && (!n || s->events[i].t_s >= marks[n - 1].t_s))
			marks[n++] = (struct mark){ s->events[i].t_s, step };
	}
	return n;
}

/* The place of the first that is not before t_s. */
static unsigned first_after(const struct mark *marks, unsigned n, double t_s)
{
	unsigned low = 0;

	while (low < n) {
		unsigned middle = low + (n - low) / 2;

		if (marks[middle].t_s < t_s)
			low = middle + 1;
		else
			n = middle;
	}
	return low;
}

/* What runs beside a job ends a little after its step's mark. */
static const char *step_of(const struct mark *marks, unsigned n, const struct snapshot_load *l)
{
	unsigned at = first_after(marks, n, l->start_s);
	bool ended = l->stop_s >= 0 && (at + 1 >= n || l->stop_s < marks[at + 1].t_s);

	return at < n && ended ? marks[at].step : "";
}

struct compare_run *compare_runs(const struct snapshot *s)
{
	struct compare_run *run = calloc(s->nr_loads + 1ul, sizeof(*run));
	struct mark *marks = calloc(s->nr_events + 1ul, sizeof(*marks));
	unsigned n = marks ? find_marks(s, marks) : 0;

	for (unsigned i = 0; run && i < s->nr_loads; i++)
		run[i] = (struct compare_run){ &s->loads[i], step_of(marks, n, &s->loads[i]) };
	if (!marks) {
		free(run);
		run = NULL;
	}
	free(marks);
	return run;
}
