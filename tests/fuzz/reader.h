/*
 * reader.h - the body of every fuzz target of a file reader: whatever the
 * bytes, the reader answers; what it accepts and snapshot_check() passes can be
 * written, drawn and replayed.
 */
#ifndef JS_TESTS_FUZZ_READER_H
#define JS_TESTS_FUZZ_READER_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/format.h"
#include "src/snapshot.h"
#include "src/snapshot_write.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void use(const struct snapshot *s)
{
	static const char *const into[] = { "json", "text", "svg" };
	struct why why;

	for (size_t i = 0; i < sizeof(into) / sizeof(into[0]); i++) {
		FILE *out = fopen("/dev/null", "w");

		if (!out)
			abort();
		format_write(out, format_by_name(into[i]), s, &why);
		fclose(out);
	}
	for (unsigned i = 0; i < s->nr_series; i++)
		if (!counts_hold(&s->series[i].counts))
			abort();
}

static inline int fuzz_reader(const struct format *f, const uint8_t *data, size_t size)
{
	struct snapshot *s = snapshot_new();
	struct why why = { 0 };

	if (!s)
		return 0;
	if (f->sniff)
		f->sniff((const char *)data, size, "input");
	int err = f->read((const char *)data, size, "input", s, &why);

	if (err && (err > 0 || !why.text[0] || strchr(why.text, '\n')))
		abort();	/* refused, but not in one line of words */
	if (!err && snapshot_check(s, &why) == 0)
		use(s);
	snapshot_free(s);
	return 0;
}

#define FUZZ_READER(which) \
	extern const struct format which; \
	int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) \
	{ \
		return fuzz_reader(&which, data, size); \
	}

#endif
