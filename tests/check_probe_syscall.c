/* check_probe_syscall.c - see operation.h. */
#include "tests/operation.h"

extern const struct probe probe_syscall;

Suite *probe_syscall_suite(void);
Suite *probe_syscall_suite(void)
{
	return operation_suite("probe_syscall", &probe_syscall);
}
