/* check_probe_signal.c - see operation.h. */
#include "tests/operation.h"

extern const struct probe probe_signal;

Suite *probe_signal_suite(void);
Suite *probe_signal_suite(void)
{
	return operation_suite("probe_signal", &probe_signal);
}
