/* doctor.c - `jitterscope doctor`; see doctor.h. */
#include "src/doctor.h"

#include <errno.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/commands.h"

#define NAME_COLUMNS 14
#define LEVEL_COLUMNS 6
#define JSON_NAME "jitterscope-doctor"
#define JSON_VERSION 1

void finding_set(struct finding *f, enum doctor_level level, const char *fix, const char *fmt, ...)
{
	va_list args;

	f->level = level;
	f->err = 0;
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
	f->err = why->err < 0 ? -why->err : 0;
}

static const char *const levels[] = { "ok", "note", "BAD" };

static void print_text(const char *name, const struct finding *f)
{
	char number[24] = "";

	if (f->err)
		snprintf(number, sizeof(number), " [errno %d]", f->err);
	printf("%-*s%-*s%s%s\n", NAME_COLUMNS, name, LEVEL_COLUMNS, levels[f->level], f->found,
	       number);
	if (*f->fix)
		printf("%*s-> %s\n", NAME_COLUMNS + LEVEL_COLUMNS, "", f->fix);
}

static void verdict_text(bool can)
{
	puts(can ? "\nReal-time measuring works here." :
		   "\nNo real-time measuring here: latency is measured, but as an ordinary "
		   "thread sees it.");
}

static void add_json(json_t *rows, const char *name, const struct finding *f)
{
	static const char *const words[] = { "ok", "note", "bad" };
	json_t *row = json_pack("{s:s, s:s, s:s, s:s*}", "name", name, "level", words[f->level],
				"found", f->found, "fix", *f->fix ? f->fix : NULL);

	if (row && f->err)
		json_object_set_new(row, "errno", json_integer(f->err));
	json_array_append_new(rows, row);
}

static int print_json(json_t *rows, bool can, struct why *why)
{
	json_t *root = json_pack("{s:s, s:i, s:s, s:b, s:O}", "format", JSON_NAME, "version",
				 JSON_VERSION, "program", JS_VERSION, "realtime", can, "rows",
				 rows);
	char *text = root ? json_dumps(root, JSON_INDENT(2)) : NULL;

	json_decref(root);
	if (!text)
		return why_set(why, -ENOMEM, "no memory; close something");
	puts(text);
	free(text);
	return 0;
}

int cmd_doctor(struct options *o, struct why *why)
{
	json_t *rows = o->json ? json_array() : NULL;
	bool can = true;
	int err = 0;

	for (const struct doctor_check *c = doctor_checks; c->name; c++) {
		struct finding f = { .level = DOCTOR_OK };

		c->look(&f);
		can &= !(c->decides && f.level == DOCTOR_BAD);
		if (o->json)
			add_json(rows, c->name, &f);
		else
			print_text(c->name, &f);
	}
	if (o->json)
		err = print_json(rows, can, why);
	else
		verdict_text(can);
	json_decref(rows);
	return can && !err ? EXIT_OK : EXIT_FAILED;
}
