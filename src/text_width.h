/*
 * text_width.h - columns of one character on a terminal, the same in every
 * locale.  Pure, any thread.
 */
#ifndef JS_TEXT_WIDTH_H
#define JS_TEXT_WIDTH_H

#include <stddef.h>
#include <stdint.h>

/* 1 or 2; 0: a mark that joins the cell before it; -1: must not reach a
 * terminal as it is. */
int text_width(uint32_t point);

/* Decodes one character of n bytes.  Returns its length, 0 when the bytes are
 * not valid UTF-8 (overlong, surrogate, beyond U+10FFFF, cut short). */
size_t text_decode(const char *bytes, size_t n, uint32_t *point);

#endif
