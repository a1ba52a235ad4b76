/*
 * compare_figures.h - the tables of two snapshots as compare prints them: cell
 * beside cell, under the row that they belong to, on lines of 78 columns.
 */
#ifndef JS_COMPARE_FIGURES_H
#define JS_COMPARE_FIGURES_H

#include <stdio.h>

#include "src/compare_pair.h"

/* line() gets each line without its end, to clean and print it. */
void compare_figures_text(const struct compare_pair *p, void (*line)(const char *text));
/* The same as a list of objects; null where a word stands in place of a value. */
void compare_figures_json(const struct compare_pair *p, FILE *out);

#endif
