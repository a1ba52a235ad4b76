/*
 * text.h - numbers and foreign names as text, and options back to numbers.
 *
 * Always the C locale's decimal point.  Any thread; no shared state.
 */
#ifndef JS_TEXT_H
#define JS_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "src/why.h"

/* 3 significant digits with unit, at most 6 columns: "0ns" "999ns" "5.20us"
 * "14.1us" "411us" "2.10ms" "8.90s" "12.0m" "1.00h".  Returns buf. */
const char *text_time(char *buf, size_t size, int64_t ns);
/* The same in a column headed "us": below 1 ms the bare microseconds
 * ("5.20" "14.1" "411"), above with the unit ("2.10ms").  At most 6 columns. */
const char *text_us(char *buf, size_t size, int64_t ns);
/* A rate or count in at most 5 columns: "0" "9.8" "812" "9.8k" "120k" "1.2M". */
const char *text_count(char *buf, size_t size, double value);
/* The same with its unit: "9.8k forks/s"; what is counted in MB or MB/s goes on
 * to GB, TB: "812 MB/s" "1.4 GB/s" "53 GB". */
const char *text_amount(char *buf, size_t size, double value, const char *unit);
/* hh:mm:ss or d+hh:mm:ss of a span. */
const char *text_span(char *buf, size_t size, int64_t ns);

/* "10ms" "1.5s" "2m" "1h" "250us" "100ns": a number and a unit.  A bare
 * number is refused with the remedy (which units there are). */
int text_parse_time(const char *text, int64_t *ns, struct why *why);
/* A whole decimal number in least..most. */
int text_parse_int(const char *text, long least, long most, long *value, struct why *why);

/*
 * Foreign text (task, host, file names, labels) made safe for any terminal
 * and file: printable UTF-8 of width 1 or 2 passes, at most two combining
 * marks per cell; everything else (C0, DEL, C1, bidi and zero-width controls,
 * invalid UTF-8, tags, private use) becomes '?'.  Cuts at `columns` columns
 * and at size-1 bytes, never within a character.  Returns columns used.
 */
unsigned text_clean(char *out, size_t size, const char *in, size_t in_bytes, unsigned columns);

#endif
