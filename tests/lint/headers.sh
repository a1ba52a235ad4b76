#!/bin/sh
# headers.sh CC FLAGS HEADER... - every header compiles alone, and twice.
cc=$1
flags=$2
shift 2
for header in "$@"; do
	printf '#include "%s"\n#include "%s"\n' "$header" "$header" |
		$cc $flags -I. -Wall -Wextra -x c -fsyntax-only - 2>&1 | head -n 5
done
