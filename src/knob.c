/* knob.c - see knob.h. */
#include "src/knob.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "src/text.h"

void text_append(char *buf, size_t size, const char *between, const char *more)
{
	size_t used = strlen(buf);

	if (used + 1 < size)
		snprintf(buf + used, size - used, "%s%s", between, more);
}

const char *knob_range(const struct knob *knob, char *buf, size_t size)
{
	if (!knob->choices) {
		snprintf(buf, size, "%ld..%ld", knob->least, knob->most);
		return buf;
	}
	*buf = '\0';
	for (long i = 0; i <= knob->most; i++)
		text_append(buf, size, i ? "|" : "", knob->choices[i]);
	return buf;
}

int knob_parse(const struct knob *knob, const char *text, long *value, struct why *why)
{
	char range[160];

	if (!knob->choices) {
		int err = text_parse_int(text, knob->least, knob->most, value, NULL);

		if (!err)
			return 0;
		return why_set(why, -EINVAL, "%s=%s: %s; %s", knob->name, text,
			       !*text ? "no value" : err == -ERANGE ? "out of range"
								    : "not a whole number",
			       knob_range(knob, range, sizeof(range)));
	}
	for (long i = 0; i <= knob->most; i++) {
		if (!strcmp(knob->choices[i], text)) {
			*value = i;
			return 0;
		}
	}
	return why_set(why, -EINVAL, "%s=%s: %s; one of %s", knob->name, text,
		       *text ? "no such choice" : "no value", knob_range(knob, range, sizeof(range)));
}

const char *knob_text(const struct knob *knob, long value, char *buf, size_t size)
{
	if (knob->choices && value >= 0 && value <= knob->most)
		snprintf(buf, size, "%s", knob->choices[value]);
	else
		snprintf(buf, size, "%ld", value);
	return buf;
}
