/* check_probe_fsync.c - see operation.h. */
#include "tests/operation.h"

extern const struct probe probe_fsync;

Suite *probe_fsync_suite(void);
Suite *probe_fsync_suite(void)
{
	return operation_suite("probe_fsync", &probe_fsync);
}
