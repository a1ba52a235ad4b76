/* check_probe_delete.c - see operation.h. */
#include "tests/operation.h"

extern const struct probe probe_delete;

Suite *probe_delete_suite(void);
Suite *probe_delete_suite(void)
{
	return operation_suite("probe_delete", &probe_delete);
}
