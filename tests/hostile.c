/* hostile.c - see hostile.h. */
#include "tests/hostile.h"

#include <string.h>

/* Valid UTF-8 first, from where on it is not. */
static const char *const pieces[] = {
	"\033[2J", "\033[31m", "\033]52;c;aGk=\a", "\033]0;title\033\\", "\033P1$r\033\\", "\033c",
	"\033[?1049l", "\033[20h", "\033(0", "\033#8", "\016", "\017", "\r\n", "\b\b\b", "\t", "\v",
	"\f", "\a", "\005", "\177", "\001",
	"\xc2\x9b" "31m", "\xc2\x9d" "0;x\xc2\x9c", "\xc2\x85", "\xc2\x90",	/* C1 */
	"\xe2\x80\xae", "\xe2\x80\xab", "\xe2\x81\xa6", "\xe2\x81\xa9", "\xd8\x9c", "\xe2\x80\x8f",
	"\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d", "\xd9\x85\xd8\xb1\xd8\xad\xd8\xa8\xd8\xa7",	/* RTL */
	"e\xcc\x81", "a\xcc\x81\xcc\x82\xcc\x83\xcc\x84\xcc\x85", "\xcc\x81", "\xe0\xb8\x81\xe0\xb8\xb9",
	"\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e", "\xef\xbc\xa1\xef\xbc\xa2", "\xed\x95\x9c",	/* wide */
	"\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa6",
	"\xf0\x9f\x87\xa9\xf0\x9f\x87\xaa", "\xe2\x9d\xa4\xef\xb8\x8f", "\xf0\x9f\x98\x80",
	"\xe2\x80\x8b", "\xe2\x80\x8d", "\xef\xbb\xbf", "\xe2\x81\xa0", "\xc2\xad",	/* no width */
	"\xe2\x80\xa8", "\xe2\x80\xa9", "\xf3\xa0\x81\x81", "\xee\x80\x80", "\xf4\x8f\xbf\xbf",
	"\xef\xbf\xbf", "\xef\xb7\x90", "\xe1\x85\x9f", "\xe3\x80\x80", "\xc2\xa0",
	"plain", " ", "%s%n", "../../etc", "a", "0", "'\"&<>",
	/* not UTF-8 */
	"\x9b" "31m", "\x9d" "0;x\x9c", "\x85", "\xff", "\xfe\xff", "\xc0\x9b", "\xe0\x80\x9b", "\xc2",
	"\xe2\x80", "\xf0\x9f\x98", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xf8\x88\x80\x80\x80",
	"\x80\x80\x80",
};
#define PIECES (sizeof(pieces) / sizeof(pieces[0]))
#define VALID (PIECES - 14)

uint64_t hostile_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state * 0x2545f4914f6cdd1du >> 16;
}

/* A piece is cut where the room ends only when broken text is wanted. */
static void text_of(char *out, size_t size, uint64_t *state, size_t pieces_n, int whole)
{
	size_t at = 0, want = 1 + hostile_next(state) % 8;

	for (size_t i = 0; i < want && at + 1 < size; i++) {
		const char *piece = pieces[hostile_next(state) % pieces_n];
		size_t n = strlen(piece), room = size - 1 - at;

		if (n > room && whole)
			break;
		n = n < room ? n : room;
		memcpy(out + at, piece, n);
		at += n;
	}
	out[at] = '\0';
}

void hostile_utf8(char *out, size_t size, uint64_t *state)
{
	text_of(out, size, state, VALID, 1);
}

void hostile_text(char *out, size_t size, uint64_t *state)
{
	if (hostile_next(state) % 8) {
		text_of(out, size, state, PIECES, 0);
		return;
	}
	size_t n = hostile_next(state) % size;	/* any bytes */

	for (size_t i = 0; i < n; i++)
		out[i] = (char)(1 + hostile_next(state) % 255);
	out[n] = '\0';
}
