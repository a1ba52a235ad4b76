#!/bin/sh
# run-suites.sh BUILD tests/.../check_NAME.c... - runs Check suites one after
# the other, prints each one's line, the output of those that fail, and a count.
build=$1
shift
passed=0
failed=0
names=
for source in "$@"; do
	suite=$build/${source%.c}
	began=$(date +%s)
	if output=$("$suite" 2>&1 </dev/null); then
		passed=$((passed + 1))
		line=$(printf '%s\n' "$output" | grep -a '^[0-9]*%: Checks:' | tail -n 1)
		printf '%-34s %s  (%s s)\n' "${source#tests/}" "$line" $(($(date +%s) - began))
		printf '%s\n' "$output" | grep -a '^SKIP' || true
	else
		failed=$((failed + 1))
		names="$names $source"
		printf '%-34s FAILED\n%s\n' "${source#tests/}" "$output"
	fi
done
[ -z "$names" ] || echo "failed:$names"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
