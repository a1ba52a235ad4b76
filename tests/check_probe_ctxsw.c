/* check_probe_ctxsw.c - see operation.h. */
#include "tests/operation.h"

extern const struct probe probe_ctxsw;

Suite *probe_ctxsw_suite(void);
Suite *probe_ctxsw_suite(void)
{
	return operation_suite("probe_ctxsw", &probe_ctxsw);
}
