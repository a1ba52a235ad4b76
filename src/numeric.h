/*
 * numeric.h - numbers in files have a point, whatever the user's locale.
 *
 * Changes the calling thread alone, between begin and end.
 */
#ifndef JS_NUMERIC_H
#define JS_NUMERIC_H

#include <locale.h>

struct numeric { locale_t made, before; };

struct numeric numeric_begin(void);
void numeric_end(struct numeric n);

#endif
