/* input.c - see input.h. */
#include "ui/input.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "ui/term.h"

#define ESC '\033'
#define LEARNT_MAX 64
#define SEQUENCE_MAX 32		/* longer ones are not keys */

struct learnt { char bytes[12]; size_t n; int key; };

struct input {
	struct learnt learnt[LEARNT_MAX];
	unsigned nr_learnt;
	unsigned char bytes[256];
	size_t n;
	int64_t came_ns;	/* when the oldest byte of bytes[] came */
	int mouse_x, mouse_y;
};

/* What a step of the decoder found at the front of the bytes. */
struct found {
	size_t n;		/* bytes to consume; 0: more are needed */
	int key;		/* 0: consume and look again */
};

struct input *input_new(void)
{
	return calloc(1, sizeof(struct input));
}

void input_free(struct input *in)
{
	free(in);
}

void input_learn(struct input *in, const char *sequence, int key)
{
	size_t n = strlen(sequence);

	/* One byte only would shadow a character. */
	if (n < 2 || n >= sizeof(in->learnt[0].bytes) || in->nr_learnt == LEARNT_MAX)
		return;
	struct learnt *l = &in->learnt[in->nr_learnt++];

	memcpy(l->bytes, sequence, n);
	l->n = n;
	l->key = key;
}

size_t input_room(const struct input *in)
{
	return sizeof(in->bytes) - in->n;
}

void input_feed(struct input *in, const char *bytes, size_t n, int64_t now_ns)
{
	if (n > input_room(in))
		n = input_room(in);
	if (!in->n)
		in->came_ns = now_ns;
	memcpy(in->bytes + in->n, bytes, n);
	in->n += n;
}

void input_drop(struct input *in)
{
	in->n = 0;
}

void input_mouse(const struct input *in, int *x, int *y)
{
	*x = in->mouse_x;
	*y = in->mouse_y;
}

/* ---- escape sequences ---------------------------------------------------- */
static struct found learnt_key(const struct input *in)
{
	for (unsigned i = 0; i < in->nr_learnt; i++) {
		const struct learnt *l = &in->learnt[i];

		if (l->n <= in->n && !memcmp(l->bytes, in->bytes, l->n))
			return (struct found){ l->n, l->key };
	}
	return (struct found){ 0 };
}

static bool begins_learnt(const struct input *in)
{
	for (unsigned i = 0; i < in->nr_learnt; i++) {
		const struct learnt *l = &in->learnt[i];

		if (l->n > in->n && !memcmp(l->bytes, in->bytes, in->n))
			return true;
	}
	return false;
}

/* Keys named by the last letter of ESC [ .. x and ESC O x, in any mode and
 * with any modifier. */
static int letter_key(int letter)
{
	static const struct { char letter; int key; } keys[] = {
		{ 'A', UI_UP }, { 'B', UI_DOWN }, { 'C', UI_RIGHT }, { 'D', UI_LEFT },
		{ 'H', UI_HOME }, { 'F', UI_END }, { 'Z', UI_BTAB }, { 'M', UI_ENTER },
		{ 'P', UI_F1 }, { 'Q', UI_F2 }, { 'R', UI_F3 }, { 'S', UI_F4 },
	};

	for (unsigned i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (keys[i].letter == letter)
			return keys[i].key;
	return 0;
}

static int tilde_key(long number)
{
	static const int keys[] = {
		[1] = UI_HOME, [3] = UI_DELETE, [4] = UI_END, [5] = UI_PGUP, [6] = UI_PGDN,
		[7] = UI_HOME, [8] = UI_END, [11] = UI_F1, [12] = UI_F2, [13] = UI_F3,
		[14] = UI_F4, [15] = UI_F5, [17] = UI_F6, [18] = UI_F7, [19] = UI_F8,
		[20] = UI_F9, [21] = UI_F10,
	};

	return number > 0 && number < (long)(sizeof(keys) / sizeof(keys[0])) ? keys[number] : 0;
}

/* ESC [ < button ; x ; y M: a press; the release (m) is of no interest. */
static int mouse_key(struct input *in, const char *parameters, char final)
{
	char *end;
	long button = strtol(parameters, &end, 10);
	long x = *end == ';' ? strtol(end + 1, &end, 10) : 0;
	long y = *end == ';' ? strtol(end + 1, &end, 10) : 0;

	if (final != 'M' || x < 1 || y < 1 || x > 10000 || y > 10000)
		return 0;
	in->mouse_x = (int)x - 1;
	in->mouse_y = (int)y - 1;
	button &= ~(4 | 8 | 16);	/* shift, meta, control */
	return button == 0    ? UI_MOUSE
	       : button == 64 ? UI_WHEEL_UP
	       : button == 65 ? UI_WHEEL_DOWN
			      : 0;
}

static int csi_key(struct input *in, const char *parameters, char final)
{
	if (parameters[0] == '<')
		return mouse_key(in, parameters + 1, final);
	if (final == '~')
		return tilde_key(strtol(parameters, NULL, 10));
	return letter_key(final);
}

/* ESC [ M button x y, of a terminal without SGR reports: any bytes, no keys. */
#define OLD_MOUSE_BYTES 6

static struct found old_mouse(const struct input *in)
{
	return (struct found){ in->n < OLD_MOUSE_BYTES ? 0 : OLD_MOUSE_BYTES, 0 };
}

/* ESC [ parameters final, whole or not yet. */
static struct found csi(struct input *in)
{
	char parameters[SEQUENCE_MAX + 1];
	size_t n = 0;

	while (2 + n < in->n && in->bytes[2 + n] >= 0x20 && in->bytes[2 + n] < 0x40) {
		if (n == SEQUENCE_MAX)
			return (struct found){ 2 + n, 0 };
		parameters[n] = (char)in->bytes[2 + n];
		n++;
	}
	if (2 + n == in->n)
		return (struct found){ 0 };
	if (n == 0 && in->bytes[2] == 'M')
		return old_mouse(in);
	parameters[n] = '\0';
	return (struct found){ 3 + n, csi_key(in, parameters, (char)in->bytes[2 + n]) };
}

static struct found escape(struct input *in)
{
	struct found f = learnt_key(in);

	if (f.n || begins_learnt(in))
		return f;
	if (in->n == 1)
		return (struct found){ 0 };
	if (in->bytes[1] == '[')
		return csi(in);
	if (in->bytes[1] == 'O' && in->n >= 3)
		return (struct found){ 3, letter_key(in->bytes[2]) };
	if (in->bytes[1] == 'O')
		return (struct found){ 0 };
	return (struct found){ 1, UI_ESC };
}

/* ---- characters ----------------------------------------------------------- */
static int control_key(unsigned char c)
{
	switch (c) {
	case '\r': case '\n': return UI_ENTER;
	case '\t': return UI_TAB;
	case 0x7f: case '\b': return UI_BACKSPACE;
	default: return c;
	}
}

static struct found character(const struct input *in)
{
	unsigned char c = in->bytes[0];
	static const unsigned char mask[] = { 0, 0, 0x1f, 0x0f, 0x07 };
	unsigned n = c >= 0xf5 ? 0 : c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc2 ? 2 : 0;

	if (c < 0x80)
		return (struct found){ 1, control_key(c) };
	if (!n)
		return (struct found){ 1, 0 };
	int ch = c & mask[n];

	for (unsigned i = 1; i < n; i++) {
		if (i == in->n)
			return (struct found){ 0 };
		if ((in->bytes[i] & 0xc0) != 0x80)
			return (struct found){ i, 0 };
		ch = ch << 6 | (in->bytes[i] & 0x3f);
	}
	return (struct found){ n, ch };
}

static void consume(struct input *in, size_t n, int64_t now_ns)
{
	memmove(in->bytes, in->bytes + n, in->n - n);
	in->n -= n;
	in->came_ns = now_ns;
}

int input_key(struct input *in, int64_t now_ns)
{
	while (in->n) {
		struct found f = in->bytes[0] == ESC ? escape(in) : character(in);

		if (!f.n) {
			if (now_ns - in->came_ns < INPUT_ESC_NS)
				return 0;
			/* It was no sequence after all. */
			f = (struct found){ 1, in->bytes[0] == ESC ? UI_ESC : 0 };
		}
		consume(in, f.n, now_ns);
		if (f.key)
			return f.key;
	}
	return 0;
}

int64_t input_wait_ns(const struct input *in, int64_t now_ns)
{
	if (!in->n)
		return -1;
	int64_t left = in->came_ns + INPUT_ESC_NS - now_ns;

	return left > 0 ? left : 0;
}
