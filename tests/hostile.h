/*
 * hostile.h - text that would drive a terminal, turn a line round or leave its
 * cells, if anybody let it: escape codes, C1 in both forms, controls, wide,
 * combining, zero-width and right-to-left characters, tags, broken UTF-8.
 */
#ifndef JS_TESTS_HOSTILE_H
#define JS_TESTS_HOSTILE_H

#include <stddef.h>
#include <stdint.h>

/* Some of it, NUL-ended, at most size - 1 bytes; moves *state (never 0) on. */
void hostile_text(char *out, size_t size, uint64_t *state);
/* The same as what JSON takes: every byte valid UTF-8, but any character. */
void hostile_utf8(char *out, size_t size, uint64_t *state);
uint64_t hostile_next(uint64_t *state);

#endif
