/* outgoing.c - see outgoing.h. */
#include "ui/outgoing.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Each takes what starts at bytes[0] and returns its length, 0: refused. */

static size_t csi(const char *bytes, size_t n)
{
	/* Moves, erases, inserts, deletes, scrolls, repeats, modes, colours,
	 * scroll region; t only for the title stack that smcup pushes. */
	static const char finals[] = "@ABCDGHJKLMPSTXZbdfghlmr`";
	size_t i = 2;

	while (i < n && strchr("0123456789;?<>=!", bytes[i]) && bytes[i])
		i++;
	if (i == n || !bytes[i])
		return 0;
	if (strchr(finals, bytes[i]))
		return i + 1;
	if (bytes[i] == 'p' && i == 3 && bytes[2] == '!')	/* soft reset */
		return i + 1;
	if (bytes[i] == 'c' && bytes[2] == '?')			/* the console's cursor */
		return i + 1;
	if (bytes[i] == 't' && (!strncmp(bytes + 2, "22;", 3) || !strncmp(bytes + 2, "23;", 3)))
		return i + 1;
	return 0;
}

static size_t escape(const char *bytes, size_t n)
{
	if (n < 2 || !bytes[1])
		return 0;
	if (bytes[1] == '[')
		return csi(bytes, n);
	if (bytes[1] == '(' || bytes[1] == ')')		/* character sets */
		return n > 2 && bytes[2] && strchr("AB0", bytes[2]) ? 3 : 0;
	return strchr("78DEMH=>", bytes[1]) ? 2 : 0;
}

static bool foreign(uint32_t ch)
{
	static const struct { uint32_t low, high; } not[] = {
		{ 0x80, 0x9f }, { 0x61c, 0x61c }, { 0x200b, 0x200f }, { 0x2028, 0x202e },
		{ 0x2060, 0x2060 }, { 0x2066, 0x2069 }, { 0xd800, 0xdfff }, { 0xe000, 0xf8ff },
		{ 0xfeff, 0xfeff }, { 0xe0000, 0xe007f }, { 0xf0000, UINT32_MAX },
	};

	for (unsigned i = 0; i < sizeof(not) / sizeof(not[0]); i++)
		if (ch >= not[i].low && ch <= not[i].high)
			return true;
	return false;
}

static size_t character(const char *bytes, size_t n)
{
	const unsigned char *s = (const unsigned char *)bytes;
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	static const unsigned char mask[] = { 0, 0, 0x1f, 0x0f, 0x07 };
	size_t length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;

	if (s[0] < 0x20)
		return s[0] && strchr("\b\t\n\r\016\017", s[0]) ? 1 : 0;
	if (s[0] < 0x80)
		return s[0] != 0x7f;
	if (s[0] < 0xc2 || s[0] > 0xf4 || length > n)
		return 0;
	uint32_t ch = s[0] & mask[length];

	for (size_t i = 1; i < length; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		ch = ch << 6 | (s[i] & 0x3f);
	}
	return ch < least[length] || foreign(ch) ? 0 : length;
}

size_t outgoing_check(const char *bytes, size_t n)
{
	size_t at = 0;

	while (at < n) {
		size_t step = bytes[at] == '\033' ? escape(bytes + at, n - at)
						  : character(bytes + at, n - at);

		if (!step)
			return at;
		at += step;
	}
	return n;
}
