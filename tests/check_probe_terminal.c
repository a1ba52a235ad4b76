/* check_probe_terminal.c - see operation.h. */
#include "tests/operation.h"

extern const struct probe probe_terminal;

Suite *probe_terminal_suite(void);
Suite *probe_terminal_suite(void)
{
	return operation_suite("probe_terminal", &probe_terminal);
}
