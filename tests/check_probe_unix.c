/* check_probe_unix.c - see operation.h. */
#include "tests/operation.h"

extern const struct probe probe_unix;

Suite *probe_unix_suite(void);
Suite *probe_unix_suite(void)
{
	return operation_suite("probe_unix", &probe_unix);
}
