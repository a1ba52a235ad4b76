/* check_probe_futex.c - see operation.h. */
#include "tests/operation.h"

extern const struct probe probe_futex;

Suite *probe_futex_suite(void);
Suite *probe_futex_suite(void)
{
	return operation_suite("probe_futex", &probe_futex);
}
