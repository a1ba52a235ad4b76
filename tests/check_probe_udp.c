/* check_probe_udp.c - see operation.h. */
#include "tests/operation.h"

extern const struct probe probe_udp;

Suite *probe_udp_suite(void);
Suite *probe_udp_suite(void)
{
	return operation_suite("probe_udp", &probe_udp);
}
