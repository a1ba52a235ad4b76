/* check_probe_create.c - see operation.h. */
#include "tests/operation.h"

extern const struct probe probe_create;

Suite *probe_create_suite(void);
Suite *probe_create_suite(void)
{
	return operation_suite("probe_create", &probe_create);
}
