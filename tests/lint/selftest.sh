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
[ "$(sh "$here/calls.sh" "$tree" | wc -l)" -eq 2 ] || echo "calls.sh misses a dangerous call"
echo 'void *malloc(unsigned long); void *f(void) { return malloc(1); }' |
	gcc -x c -c -o "$tree/build/probes/bad.o" - || echo "cannot compile"
[ "$(sh "$here/rt-symbols.sh" "$tree/build" | wc -l)" -eq 1 ] || echo "rt-symbols.sh misses malloc"
echo 'struct s { uint64_t v; };' >"$tree/src/bad.h"
(cd "$tree" && [ -n "$(sh "$here/headers.sh" gcc '' src/bad.h)" ]) || echo "headers.sh misses a header that does not compile"
exit 0
