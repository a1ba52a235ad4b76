/* check_probe_connect.c - see operation.h. */
#include "tests/operation.h"

extern const struct probe probe_connect;

Suite *probe_connect_suite(void);
Suite *probe_connect_suite(void)
{
	return operation_suite("probe_connect", &probe_connect);
}
