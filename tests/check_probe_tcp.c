/* check_probe_tcp.c - see operation.h. */
#include "tests/operation.h"

extern const struct probe probe_tcp;

Suite *probe_tcp_suite(void);
Suite *probe_tcp_suite(void)
{
	return operation_suite("probe_tcp", &probe_tcp);
}
