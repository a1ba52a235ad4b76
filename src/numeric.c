/* numeric.c - see numeric.h. */
#include "src/numeric.h"

struct numeric numeric_begin(void)
{
	struct numeric n = { .before = uselocale((locale_t)0) };
	locale_t copy = duplocale(n.before);

	if (!copy)
		return n;
	/* On failure the copy is still ours. */
	n.made = newlocale(LC_NUMERIC_MASK, "C", copy);
	if (n.made)
		uselocale(n.made);
	else
		freelocale(copy);
	return n;
}

void numeric_end(struct numeric n)
{
	if (!n.made)
		return;
	uselocale(n.before);
	freelocale(n.made);
}
