/*
 * pairing.h - two lists side by side: the n-th of a kind in one belongs to the
 * n-th of that kind in the other.
 *
 * Sorted, not searched: a file may be long for no good reason.  Any thread.
 */
#ifndef JS_PAIRING_H
#define JS_PAIRING_H

#include <limits.h>
#include <stddef.h>

#define PAIRING_NONE UINT_MAX

/* As strcmp(); 0: of one kind. */
typedef int pairing_order(const void *a, const void *b);

struct pairing_list { const void *items; unsigned n; size_t size; };

/* match[i]: place in `to` of what belongs to item i of `from`, or PAIRING_NONE.
 * 0 or -ENOMEM. */
int pairing_make(const struct pairing_list *from, const struct pairing_list *to,
		 pairing_order *order, unsigned *match);
/* first[i]: place of the first item that is of one kind with item i. */
int pairing_firsts(const struct pairing_list *list, pairing_order *order, unsigned *first);

#endif
