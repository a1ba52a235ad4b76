/* pairing.c - see pairing.h. */
#include "src/pairing.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

struct ref { const char *item; pairing_order *order; };

/* Of one kind the earlier first. */
static int by_kind(const void *a, const void *b)
{
	const struct ref *x = a, *y = b;
	int kind = x->order(x->item, y->item);

	return kind ? kind : (x->item > y->item) - (x->item < y->item);
}

static struct ref *sorted(const struct pairing_list *list, pairing_order *order)
{
	struct ref *ref = calloc(list->n + 1ul, sizeof(*ref));

	if (!ref)
		return NULL;
	for (unsigned i = 0; i < list->n; i++)
		ref[i] = (struct ref){ (const char *)list->items + i * list->size, order };
	qsort(ref, list->n, sizeof(*ref), by_kind);
	return ref;
}

static unsigned place_of(const struct pairing_list *list, const struct ref *ref)
{
	return (unsigned)((size_t)(ref->item - (const char *)list->items) / list->size);
}

int pairing_make(const struct pairing_list *from, const struct pairing_list *to,
		 pairing_order *order, unsigned *match)
{
	struct ref *a = sorted(from, order), *b = sorted(to, order);
	int err = a && b ? 0 : -ENOMEM;

	for (unsigned i = 0; i < from->n; i++)
		match[i] = PAIRING_NONE;
	for (unsigned i = 0, k = 0; !err && i < from->n && k < to->n;) {
		int kind = order(a[i].item, b[k].item);

		if (!kind)
			match[place_of(from, &a[i])] = place_of(to, &b[k]);
		i += kind <= 0;
		k += kind >= 0;
	}
	free(a);
	free(b);
	return err;
}

int pairing_firsts(const struct pairing_list *list, pairing_order *order, unsigned *first)
{
	struct ref *ref = sorted(list, order);

	if (!ref)
		return -ENOMEM;
	for (unsigned i = 0; i < list->n; i++) {
		bool same = i && !order(ref[i - 1].item, ref[i].item);
		unsigned at = place_of(list, &ref[i]);

		first[at] = same ? first[place_of(list, &ref[i - 1])] : at;
	}
	free(ref);
	return 0;
}
