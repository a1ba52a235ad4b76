#include "ui/filter.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "src/text.h"

static int filter_word(struct filter *f, const char *word, struct why *why)
{
	if (!strncmp(word, "cpu:", 4) || !strncmp(word, "cpu", 3)) {
		f->has_cpus = true;
		return cpuset_parse(&f->cpus, word + (word[3] == ':' ? 4 : 3), false, why);
	}
	if (word[0] == '>')
		return text_parse_time(word + 1, &f->above_ns, why);
	return why_set(
		why, -EINVAL,
		"filter: \"%.20s\" is not known; write cpu:LIST or >TIME, as in \"cpu:5 >1ms\"",
		word);
}

int filter_check(struct filter *f, const char *text, struct why *why)
{
	char copy[64], *word, *rest = NULL;
	int err = 0;

	*f = (struct filter){ 0 };
	snprintf(copy, sizeof(copy), "%s", text);
	for (word = strtok_r(copy, " ", &rest); word && !err; word = strtok_r(NULL, " ", &rest))
		err = filter_word(f, word, why);
	return err;
}

void filter_parse(struct filter *f, const char *text)
{
	filter_check(f, text, NULL);
}

bool filter_passes(const struct filter *f, int cpu, int64_t ns)
{
	if (f->has_cpus && (cpu < 0 || !cpuset_has(&f->cpus, cpu)))
		return false;
	return ns > f->above_ns || !f->above_ns;
}
