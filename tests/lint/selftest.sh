#!/bin/sh
# selftest.sh - a lint that cannot fail proves nothing: break each rule in a
# scratch tree and see it noticed.
here=$(cd "$(dirname "$0")" && pwd)
tree=$(mktemp -d) || exit 1
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/src/loads" "$tree/probes" "$tree/ui" "$tree/build/probes" "$tree/build/src"
echo '#include "src/model.h"' >"$tree/probes/bad.c"
echo '#include "ui/canvas.h"' >"$tree/src/bad.c"
echo '#include <curses.h>' >"$tree/ui/bad.c"
printf 'void f(void) { kill(-1, 9); }\nvoid g(void) { fork(); }\n' >"$tree/src/worse.c"
[ "$(sh "$here/includes.sh" "$tree" | wc -l)" -eq 3 ] || echo "includes.sh misses a broken include"
# F21: a fork outside the supervisor is found.
[ "$(sh "$here/calls.sh" "$tree" | wc -l)" -eq 2 ] || echo "calls.sh misses a dangerous call"
# F33: so is a real-time object that can allocate.
echo 'void *malloc(unsigned long); void *f(void) { return malloc(1); }' |
	gcc -x c -c -o "$tree/build/probes/bad.o" - || echo "cannot compile"
[ "$(sh "$here/rt-symbols.sh" "$tree/build" | wc -l)" -eq 1 ] || echo "rt-symbols.sh misses malloc"
echo 'struct s { uint64_t v; };' >"$tree/src/bad.h"
(cd "$tree" && [ -n "$(sh "$here/headers.sh" gcc '' src/bad.h)" ]) || echo "headers.sh misses a header that does not compile"
# P21: so is an id without a test, one whose test no suite runs, one nobody knows,
# and an excuse that is out of date or gives no reason.
mkdir -p "$tree/tests/lint"
printf 'F01 a\nF02 b\nF03 c\n- P4 d\n- P5 e: why\n' >"$tree/tests/lint/ids.txt"
printf '/* F01, F77: a. */\nSTART_TEST(runs)\n/* P5: a. */\nSTART_TEST(too)\n/* F02: b. */\nSTART_TEST(idle)
/* F03: c. */\n\nSTART_TEST(far)\n\ttcase_add_test(tc, runs);\n\ttcase_add_loop_test(tc, too, 0, far);\n' >"$tree/tests/check_ids.c"
[ "$(sh "$here/ids.sh" "$tree" | wc -l)" -eq 5 ] || echo "ids.sh misses an id"
exit 0
