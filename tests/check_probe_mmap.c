/* check_probe_mmap.c - see operation.h. */
#include "tests/operation.h"

extern const struct probe probe_mmap;

Suite *probe_mmap_suite(void);
Suite *probe_mmap_suite(void)
{
	return operation_suite("probe_mmap", &probe_mmap);
}
