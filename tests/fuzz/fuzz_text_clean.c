/* fuzz_text_clean.c - any bytes through the cleaner: what comes out is safe,
 * fits, and stays the same when it is cleaned again.  First byte: columns;
 * second: size of the buffer. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "src/text.h"
#include "src/text_width.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const char *out, unsigned at)
{
	unsigned sum = 0;

	for (size_t left = strlen(out), n; left; left -= n, out += n) {
		uint32_t point = 0;

		n = text_decode(out, left, &point);
		if (!n || text_width(point) < 0)
			abort();
		sum += (unsigned)text_width(point);
	}
	if (sum != at)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char out[256], again[256];

	if (size < 2)
		return 0;
	unsigned columns = data[0];
	size_t room = (size_t)data[1] + 1;
	unsigned at = text_clean(out, room, (const char *)data + 2, size - 2, columns);

	if (at > columns || strlen(out) >= room)
		abort();
	check(out, at);
	if (text_clean(again, sizeof(again), out, strlen(out), columns) != at || strcmp(out, again))
		abort();
	return 0;
}
