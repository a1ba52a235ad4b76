/*
 * hdr_codec.h - a histogram as the HdrHistogram "V2 compressed" text: what
 * stands in a .hlog, and what a recording keeps each minute.
 *
 * Encoding is exact.  Decoding trusts nothing: sizes are checked before memory
 * is taken, and what comes out holds at most 2^53-1 samples.  Any thread.
 */
#ifndef JS_HDR_CODEC_H
#define JS_HDR_CODEC_H

#include <stddef.h>
#include <stdint.h>

#include "src/hist.h"
#include "src/why.h"

/* Base64 of the compressed form, NUL-ended, caller frees; NULL: no memory. */
char *hdr_encode(const struct hist *h);
/* A new histogram of 3 digits; NULL with why ("offset N: ..."). */
struct hist *hdr_decode(const char *text, size_t n, struct why *why);

/* The plain payload, for tests and for other envelopes. */
uint8_t *hdr_payload(const struct hist *h, size_t *n);	/* caller frees; NULL: no memory */
struct hist *hdr_from_payload(const uint8_t *bytes, size_t n, struct why *why);

/* One count: ZigZag, then 7 bits a byte; a 9th byte carries 8.  Returns the
 * bytes used (at most 9), 0 when the input is cut short. */
size_t hdr_put_number(uint8_t *out, int64_t value);
size_t hdr_get_number(const uint8_t *bytes, size_t n, int64_t *value);

#endif
