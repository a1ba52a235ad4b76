#!/bin/sh
# headers.sh CC FLAGS HEADER... - every header compiles alone, and twice.
cc=$1
flags=$2
shift 2
printf '%s\n' "$@" | xargs -P 2 -I '{}' sh -c '
	printf "#include \"%s\"\n#include \"%s\"\n" "$3" "$3" |
		$1 $2 -I. -Wall -Wextra -x c -fsyntax-only - 2>&1 | head -n 5
' one "$cc" "$flags" '{}'
