/*
 * text_clean.c - the one door for foreign text: what passes here is safe on
 * any terminal and in any file (see text.h).
 */
#include "src/text.h"

#include <string.h>

#include "src/text_width.h"

#define MARKS_PER_CELL 2

static size_t sequence_length(unsigned char lead)
{
	if (lead < 0x80)
		return 1;
	if (lead >= 0xc2 && lead < 0xe0)
		return 2;
	if (lead >= 0xe0 && lead < 0xf0)
		return 3;
	if (lead >= 0xf0 && lead < 0xf5)
		return 4;
	return 0;
}

size_t text_decode(const char *bytes, size_t n, uint32_t *point)
{
	static const uint32_t least[5] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *b = (const unsigned char *)bytes;
	size_t length = n ? sequence_length(b[0]) : 0;

	if (!length || length > n)
		return 0;
	uint32_t p = length == 1 ? b[0] : b[0] & (0x7fu >> length);

	for (size_t i = 1; i < length; i++) {
		if ((b[i] & 0xc0) != 0x80)
			return 0;
		p = p << 6 | (b[i] & 0x3f);
	}
	if (p < least[length] || p > 0x10ffff || (p >= 0xd800 && p < 0xe000))
		return 0;
	*point = p;
	return length;
}

/* One piece of output: its bytes and what it adds to the line. */
struct piece {
	const char *bytes;
	size_t length;		/* in the output */
	size_t taken;		/* from the input */
	unsigned width;
};

static struct piece next_piece(const char *in, size_t n, unsigned marks, unsigned marks_room)
{
	uint32_t point;
	size_t length = text_decode(in, n, &point);
	int width = length ? text_width(point) : -1;

	if (width > 0 || (width == 0 && marks < marks_room))
		return (struct piece){ in, length, length, (unsigned)width };
	return (struct piece){ "?", 1, length ? length : 1, 1 };
}

unsigned text_clean(char *out, size_t size, const char *in, size_t in_bytes, unsigned columns)
{
	size_t used = 0;
	unsigned at = 0, marks = 0, marks_room = 0;	/* a mark needs a cell before it */

	if (!size)
		return 0;
	while (in_bytes) {
		struct piece p = next_piece(in, in_bytes, marks, marks_room);

		if (at + p.width > columns || used + p.length > size - 1)
			break;
		memcpy(out + used, p.bytes, p.length);
		used += p.length;
		at += p.width;
		marks = p.width ? 0 : marks + 1;
		marks_room = MARKS_PER_CELL;
		in += p.taken;
		in_bytes -= p.taken;
	}
	out[used] = '\0';
	return at;
}
