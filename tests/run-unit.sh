#!/bin/sh
# run-unit.sh BUILD NAME... - runs the Check suites one after the other and
# says how many of them passed.
build=$1
shift
passed=0
failed=0
for name in "$@"; do
	if "$build/tests/check_$name"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED suite: $name"
	fi
done
echo "unit suites: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
