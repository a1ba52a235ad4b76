/* check_probe_pipe.c - see operation.h. */
#include "tests/operation.h"

extern const struct probe probe_pipe;

Suite *probe_pipe_suite(void);
Suite *probe_pipe_suite(void)
{
	return operation_suite("probe_pipe", &probe_pipe);
}
