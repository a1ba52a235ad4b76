/* hdr_codec.c - see hdr_codec.h; the layout is that of HdrHistogram's V2. */
#include "src/hdr_codec.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define COOKIE 0x1c849303u
#define COOKIE_COMPRESSED 0x1c849304u
#define COOKIE_MARK 0x10u
#define COOKIE_MASK (~0xf0u)
#define HEADER_BYTES 40
#define ENVELOPE_BYTES 8
#define NUMBER_MAX 9
#define SLOTS_MAX 4194304
#define INFLATE_MOST 1100	/* zlib cannot make more bytes of one */
#define COUNT_MAX ((UINT64_C(1) << 53) - 1)

/* ---- big-endian words ------------------------------------------------------ */

static void put32(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> (24 - 8 * i));
}

static void put64(uint8_t *p, uint64_t v)
{
	put32(p, (uint32_t)(v >> 32));
	put32(p + 4, (uint32_t)v);
}

static uint32_t get32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static uint64_t get64(const uint8_t *p)
{
	return (uint64_t)get32(p) << 32 | get32(p + 4);
}

/* ---- numbers --------------------------------------------------------------- */

size_t hdr_put_number(uint8_t *out, int64_t value)
{
	uint64_t z = (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
	size_t n = 0;

	while (n < NUMBER_MAX - 1 && z >= 0x80) {
		out[n++] = (uint8_t)(z | 0x80);
		z >>= 7;
	}
	out[n++] = (uint8_t)z;	/* the 9th holds all 8 bits that are left */
	return n;
}

size_t hdr_get_number(const uint8_t *bytes, size_t n, int64_t *value)
{
	uint64_t z = 0;

	for (size_t i = 0; i < n && i < NUMBER_MAX; i++) {
		bool last = i == NUMBER_MAX - 1 || !(bytes[i] & 0x80);

		z |= (uint64_t)(i == NUMBER_MAX - 1 ? bytes[i] : bytes[i] & 0x7f) << (7 * i);
		if (!last)
			continue;
		*value = (int64_t)(z >> 1 ^ (0 - (z & 1)));
		return i + 1;
	}
	return 0;
}

/* ---- encoding -------------------------------------------------------------- */

static void put_header(uint8_t *p, const struct hist *h, size_t counts_bytes)
{
	put32(p, COOKIE | COOKIE_MARK);
	put32(p + 4, (uint32_t)counts_bytes);
	put32(p + 8, 0);
	put32(p + 12, h->digits);
	put64(p + 16, 1);
	put64(p + 24, HIST_HIGHEST_NS);
	put64(p + 32, UINT64_C(0x3ff0000000000000));	/* 1.0 */
}

/* Slots 0 .. the last that is not empty; a run of empty ones is one number. */
static size_t put_counts(uint8_t *p, const struct hist *h)
{
	size_t n = 0;
	unsigned end = h->count ? h->high + 1 : 1;

	for (unsigned i = 0; i < end;) {
		unsigned from = i;

		while (i < end && !h->counts[i])
			i++;
		if (i - from > 1)
			n += hdr_put_number(p + n, -(int64_t)(i - from));
		else if (i - from == 1)
			n += hdr_put_number(p + n, 0);
		if (i < end)
			n += hdr_put_number(p + n, (int64_t)h->counts[i++]);
	}
	return n;
}

uint8_t *hdr_payload(const struct hist *h, size_t *n)
{
	size_t slots = h->count ? (size_t)h->high + 1 : 1;
	uint8_t *p = malloc(HEADER_BYTES + slots * NUMBER_MAX);

	if (!p)
		return NULL;
	size_t counts = put_counts(p + HEADER_BYTES, h);

	put_header(p, h, counts);
	*n = HEADER_BYTES + counts;
	return p;
}

static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static char *to_base64(const uint8_t *p, size_t n)
{
	char *text = malloc((n + 2) / 3 * 4 + 1), *out = text;

	for (size_t i = 0; text && i < n; i += 3) {
		size_t left = n - i;
		uint32_t v = (uint32_t)p[i] << 16 | (left > 1 ? (uint32_t)p[i + 1] << 8 : 0) |
			     (left > 2 ? p[i + 2] : 0);

		*out++ = base64[v >> 18];
		*out++ = base64[v >> 12 & 63];
		*out++ = left > 1 ? base64[v >> 6 & 63] : '=';
		*out++ = left > 2 ? base64[v & 63] : '=';
	}
	if (text)
		*out = '\0';
	return text;
}

char *hdr_encode(const struct hist *h)
{
	size_t n;
	uint8_t *payload = hdr_payload(h, &n);
	uLongf z = payload ? compressBound(n) : 0;
	uint8_t *envelope = payload ? malloc(ENVELOPE_BYTES + z) : NULL;
	char *text = NULL;

	if (envelope && compress2(envelope + ENVELOPE_BYTES, &z, payload, n, 9) == Z_OK) {
		put32(envelope, COOKIE_COMPRESSED | COOKIE_MARK);
		put32(envelope + 4, (uint32_t)z);
		text = to_base64(envelope, ENVELOPE_BYTES + z);
	}
	free(payload);
	free(envelope);
	return text;
}

/* ---- decoding -------------------------------------------------------------- */

struct geometry {		/* of the histogram that was encoded */
	unsigned unit, m;
	uint64_t slots;
};

static struct hist *refuse(struct why *why, size_t offset, const char *what)
{
	why_set(why, -EINVAL, "offset %zu: %s; the histogram is damaged", offset, what);
	return NULL;
}

static unsigned floor_log2(uint64_t v)
{
	return 63u - (unsigned)__builtin_clzll(v);
}

/* false: no such histogram, or one that is too large. */
static bool geometry_of(struct geometry *g, int64_t lowest, int64_t highest, int32_t digits)
{
	uint64_t span = 2;

	if (digits < 0 || digits > 5 || lowest < 1 || highest / 2 < lowest)
		return false;
	for (int32_t i = 0; i < digits; i++)
		span *= 10;
	g->m = floor_log2(span) + ((span & (span - 1)) != 0);
	g->unit = floor_log2((uint64_t)lowest);
	if (g->m + g->unit > 62)
		return false;
	uint64_t buckets = 1;

	for (uint64_t s = UINT64_C(1) << (g->m + g->unit); s <= (uint64_t)highest; s *= 2) {
		buckets++;
		if (s > INT64_MAX / 2)
			break;
	}
	g->slots = (buckets + 1) << (g->m - 1);
	return g->slots <= SLOTS_MAX;
}

static int64_t highest_in_slot(const struct geometry *g, uint64_t slot)
{
	uint64_t half = UINT64_C(1) << (g->m - 1);
	uint64_t bucket = slot / half, sub = slot % half + half;

	if (bucket)
		bucket--;
	else
		sub -= half;
	uint64_t end = (sub + 1) << (bucket + g->unit);

	return end - 1 > INT64_MAX ? INT64_MAX : (int64_t)(end - 1);
}

static int64_t lowest_in_slot(const struct geometry *g, uint64_t slot)
{
	return slot ? highest_in_slot(g, slot - 1) + 1 : 0;
}

struct reader {
	struct geometry g;
	struct hist *h;
	uint64_t slot;
	int64_t first_ns;	/* start of the first slot that is not empty */
};

/* One number: a count, or a run of empty slots.  NULL, or what is wrong. */
static const char *take(struct reader *r, int64_t v)
{
	if (v < 0) {
		if (v == INT64_MIN || (uint64_t)-v > r->g.slots - r->slot)
			return "a run of empty slots goes past the end";
		r->slot += (uint64_t)-v;
		return NULL;
	}
	if (r->slot >= r->g.slots)
		return "more slots than the histogram has";
	if (v) {
		int64_t ns = highest_in_slot(&r->g, r->slot);

		if ((uint64_t)v > COUNT_MAX - r->h->count)
			return "count too large";
		if (!r->h->count)
			r->first_ns = lowest_in_slot(&r->g, r->slot);
		hist_record_n(r->h, ns < HIST_HIGHEST_NS ? ns : HIST_HIGHEST_NS, (uint64_t)v);
	}
	r->slot++;
	return NULL;
}

static struct hist *read_counts(struct reader *r, const uint8_t *p, size_t n, struct why *why)
{
	for (size_t at = 0; at < n;) {
		int64_t v;
		size_t used = hdr_get_number(p + at, n - at, &v);
		const char *wrong = used ? take(r, v) : "a number is cut short";

		if (wrong) {
			hist_free(r->h);
			return refuse(why, HEADER_BYTES + at, wrong);
		}
		at += used;
	}
	if (r->h->count && r->first_ns < r->h->min_ns)
		r->h->min_ns = r->first_ns;
	return r->h;
}

struct hist *hdr_from_payload(const uint8_t *p, size_t n, struct why *why)
{
	struct reader r = { .slot = 0 };

	if (n < HEADER_BYTES || (get32(p) & COOKIE_MASK) != (COOKIE & COOKIE_MASK))
		return refuse(why, 0, "not a V2 histogram");
	int32_t length = (int32_t)get32(p + 4);

	if (length < 0 || (size_t)length != n - HEADER_BYTES)
		return refuse(why, 4, "length of the counts is not what follows");
	if (!geometry_of(&r.g, (int64_t)get64(p + 16), (int64_t)get64(p + 24),
			 (int32_t)get32(p + 12)))
		return refuse(why, 12, "no such lowest, highest and digits");
	if ((uint64_t)length > NUMBER_MAX * r.g.slots)
		return refuse(why, 4, "more counts than slots");
	r.h = hist_new(3);
	if (!r.h) {
		why_set(why, -ENOMEM, "no memory for a histogram; use a smaller file");
		return NULL;
	}
	return read_counts(&r, p + HEADER_BYTES, (size_t)length, why);
}

static int value_of(char c)
{
	const char *at = c ? strchr(base64, c) : NULL;

	return at ? (int)(at - base64) : -1;
}

/* 0 or -EINVAL; *bytes is caller's to free. */
static int from_base64(const char *text, size_t n, uint8_t **bytes, size_t *length)
{
	size_t padding = n && text[n - 1] == '=' ? (n > 1 && text[n - 2] == '=' ? 2 : 1) : 0;

	if (!n || n % 4)
		return -EINVAL;
	*bytes = malloc(n / 4 * 3);
	if (!*bytes)
		return -ENOMEM;
	for (size_t i = 0; i < n; i += 4) {
		uint32_t v = 0;

		for (size_t k = 0; k < 4; k++) {
			bool pad = i + k >= n - padding;
			int digit = pad ? 0 : value_of(text[i + k]);

			if (digit < 0) {
				free(*bytes);
				return -EINVAL;
			}
			v = v << 6 | (uint32_t)digit;
		}
		(*bytes)[i / 4 * 3] = (uint8_t)(v >> 16);
		(*bytes)[i / 4 * 3 + 1] = (uint8_t)(v >> 8);
		(*bytes)[i / 4 * 3 + 2] = (uint8_t)v;
	}
	*length = n / 4 * 3 - padding;
	return 0;
}

/* Room for the largest payload that its own header admits: the header is
 * inflated first, alone. */
static uint8_t *inflate_all(const uint8_t *z, size_t n, size_t *length)
{
	uint8_t head[HEADER_BYTES];
	z_stream s = { .next_in = (uint8_t *)z, .avail_in = (uInt)n, .next_out = head,
		       .avail_out = sizeof(head) };
	uint8_t *all = NULL;

	if (inflateInit(&s) != Z_OK)
		return NULL;
	int err = inflate(&s, Z_SYNC_FLUSH);
	uint32_t counts = get32(head + 4);

	if ((err == Z_OK || err == Z_STREAM_END) && !s.avail_out &&
	    counts <= NUMBER_MAX * (uint32_t)SLOTS_MAX && counts / INFLATE_MOST <= n) {
		all = malloc(HEADER_BYTES + (size_t)counts + 1);
		if (all) {
			memcpy(all, head, HEADER_BYTES);
			s.next_out = all + HEADER_BYTES;
			s.avail_out = counts + 1;	/* one more would tell of a surplus */
			if (err != Z_STREAM_END)
				err = inflate(&s, Z_FINISH);
			*length = s.total_out;
			if (err != Z_STREAM_END || s.avail_in) {
				free(all);
				all = NULL;
			}
		}
	}
	inflateEnd(&s);
	return all;
}

static struct hist *from_envelope(const uint8_t *p, size_t n, struct why *why)
{
	if (n < ENVELOPE_BYTES || (get32(p) & COOKIE_MASK) != (COOKIE_COMPRESSED & COOKIE_MASK))
		return refuse(why, 0, "not a compressed V2 histogram");
	int32_t z = (int32_t)get32(p + 4);

	if (z < 0 || (size_t)z != n - ENVELOPE_BYTES)
		return refuse(why, 4, "length is not what follows");
	size_t length = 0;
	uint8_t *payload = inflate_all(p + ENVELOPE_BYTES, (size_t)z, &length);

	if (!payload)
		return refuse(why, 8, "cannot be inflated");
	struct hist *h = hdr_from_payload(payload, length, why);

	free(payload);
	return h;
}

struct hist *hdr_decode(const char *text, size_t n, struct why *why)
{
	uint8_t *bytes = NULL;
	size_t length = 0;
	int err = from_base64(text, n, &bytes, &length);

	if (err)
		return refuse(why, 0, "not base64");
	struct hist *h = from_envelope(bytes, length, why);

	free(bytes);
	return h;
}
