/* check_probe_fault.c - see operation.h. */
#include "tests/operation.h"

extern const struct probe probe_fault;

Suite *probe_fault_suite(void);
Suite *probe_fault_suite(void)
{
	return operation_suite("probe_fault", &probe_fault);
}
