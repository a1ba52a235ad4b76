/*
 * loop_assert.h - assertions for loops of many thousand turns.
 *
 * Check notes the place of each ck_assert() that holds in a file, which takes
 * longer than most of what is asserted.  These speak only when they fail.
 */
#ifndef JS_TESTS_LOOP_ASSERT_H
#define JS_TESTS_LOOP_ASSERT_H

#include <check.h>

#define loop_assert_msg(condition, ...) \
	do { \
		if (!(condition)) \
			ck_abort_msg(__VA_ARGS__); \
	} while (0)

#define loop_assert(condition) loop_assert_msg(condition, "%s does not hold", #condition)

#endif
