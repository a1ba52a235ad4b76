/* doctor.c - `jitterscope doctor`; see doctor.h. */
#include "src/doctor.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "src/commands.h"

#define NAME_COLUMNS 14
#define LEVEL_COLUMNS 6

void finding_set(struct finding *f, enum doctor_level level, const char *fix, const char *fmt, ...)
{
	va_list args;

	f->level = level;
	va_start(args, fmt);
	vsnprintf(f->found, sizeof(f->found), fmt, args);
	va_end(args);
	snprintf(f->fix, sizeof(f->fix), "%s", fix ? fix : "");
}

static const char *last_remedy(const char *text)
{
	const char *found = NULL;

	for (const char *at = text; (at = strstr(at, "; ")); at += 2)
		found = at;
	return found;
}

void finding_why(struct finding *f, enum doctor_level level, const struct why *why)
{
	const char *remedy = last_remedy(why->text);
	int length = remedy ? (int)(remedy - why->text) : (int)strlen(why->text);

	finding_set(f, level, remedy ? remedy + 2 : "", "%.*s", length, why->text);
	if (why->err < 0 && f->found[0])
		snprintf(f->found + strlen(f->found), sizeof(f->found) - strlen(f->found),
			 " [errno %d]", -why->err);
}

static void print(const char *name, const struct finding *f)
{
	static const char *const levels[] = { "ok", "note", "BAD" };

	printf("%-*s%-*s%s\n", NAME_COLUMNS, name, LEVEL_COLUMNS, levels[f->level], f->found);
	if (*f->fix)
		printf("%*s-> %s\n", NAME_COLUMNS + LEVEL_COLUMNS, "", f->fix);
}

int cmd_doctor(struct options *o, struct why *why)
{
	bool can = true;

	(void)o;
	(void)why;
	for (const struct doctor_check *c = doctor_checks; c->name; c++) {
		struct finding f = { DOCTOR_OK, "", "" };

		c->look(&f);
		print(c->name, &f);
		can &= !(c->decides && f.level == DOCTOR_BAD);
	}
	puts(can ? "\nReal-time measuring works here." :
		   "\nNo real-time measuring here: latency is measured, but as an ordinary "
		   "thread sees it.");
	return can ? EXIT_OK : EXIT_FAILED;
}
