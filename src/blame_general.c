/* blame_general.c - see blame_general.h. */
#include "src/blame_general.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "src/clock.h"

#define ENDING_NS (2 * NS_PER_S)	/* its workers may be that long about it */

/* Could workers of it be there? */
static bool is_ours(const struct load_view *v, int64_t due_ns)
{
	bool on = v->state != LOAD_OFF && v->state != LOAD_FAILED;

	return on || (v->stop_ns && due_ns - v->stop_ns < ENDING_NS);
}

/* Another jitterscope's workers have the same name. */
static bool is_load_of_ours(const struct model *m, const char *name, int64_t due_ns)
{
	for (unsigned i = 0; i < m->nr_loads; i++)
		if (!strcmp(m->loads[i].name, name))
			return is_ours(&m->loads[i], due_ns);
	return false;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Where a number of a CPU begins, or of an unbound worker ("/3:1", "/u8:2"). */
static size_t length_without_cpu(const char *name)
{
	size_t n = strlen(name);

	if (!strncmp(name, "irq/", 4))		/* an interrupt's number, not a CPU's */
		return n;
	for (size_t i = 1; i < n; i++) {
		const char *p = name + i;

		if ((*p == '/' || *p == ':') && is_digit(p[1 + (p[1] == 'u')]))
			return i;
	}
	return n;
}

void blame_general_name(const struct model *m, const char *name, int64_t due_ns,
			char out[BLAME_NAME])
{
	char plain[BLAME_NAME];

	snprintf(plain, sizeof(plain), "%.*s", BLAME_NAME - 1, name);
	plain[strcspn(plain, "~")] = '\0';
	if (!strncmp(plain, "js-", 3) && is_load_of_ours(m, plain + 3, due_ns))
		snprintf(out, BLAME_NAME, "%.11s workers", plain + 3);
	else if (!strncmp(plain, "tid ", 4) && strstr(plain, "(gone)"))
		snprintf(out, BLAME_NAME, "(gone)");
	else
		snprintf(out, BLAME_NAME, "%.*s", (int)length_without_cpu(plain), plain);
	if (!out[0])
		snprintf(out, BLAME_NAME, "%s", name);
}
