#!/bin/sh
# run-suites.sh BUILD tests/.../check_NAME.c... - runs Check suites, prints each
# one's line, the output of those that fail, and a count.
#
# Suites of modules run two at a time; those below live, e2e and fault start the
# program with its loads and run one after the other.
build=$1
shift
results=$(mktemp -d) || exit 1
trap 'rm -rf "$results"' EXIT

one='
	suite=$1/${2%.c}
	name=${2#tests/}
	mark=$3/$(echo "$name" | tr / _)
	began=$(date +%s)
	if "$suite" >"$mark.out" 2>&1 </dev/null; then
		line=$(grep -a "^[0-9]*%: Checks:" "$mark.out" | tail -n 1)
		printf "%-34s %s  (%s s)\n" "$name" "$line" $(($(date +%s) - began))
		grep -a "^SKIP" "$mark.out"
		: >"$mark.passed"
	else
		printf "%-34s FAILED\n" "$name"
		tail -c 20000 "$mark.out"
		: >"$mark.failed"
	fi
	true
'
each() {	# each JOBS SOURCE...
	jobs=$1
	shift
	[ $# -eq 0 ] || printf '%s\n' "$@" | xargs -P "$jobs" -I '{}' sh -c "$one" one "$build" '{}' "$results"
}
alone() {	# the sources that do (+) or do not (-) run one after the other
	sign=$1
	shift
	for source in "$@"; do
		case $source in
		tests/live/* | tests/e2e/* | tests/fault/*) [ "$sign" = + ] && echo "$source" ;;
		*) [ "$sign" = - ] && echo "$source" ;;
		esac
	done
}

each 2 $(alone - "$@")
each 1 $(alone + "$@")
passed=$(find "$results" -name '*.passed' | wc -l)
failed=$(find "$results" -name '*.failed' | wc -l)
[ "$failed" -eq 0 ] || find "$results" -name '*.failed' -printf 'failed: %f\n' | sed 's/\.failed$//'
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -eq $# ]
