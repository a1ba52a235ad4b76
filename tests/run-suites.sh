#!/bin/sh
# run-suites.sh BUILD tests/.../check_NAME.c... - runs Check suites, prints each
# one's line, the output of those that fail, and a count.
#
# Four at a time: most of them sleep beside the program they started, or wait for
# it to end.  Then one after the other those that need the machine's attention:
# they look at who ran when, or count what the machine did meanwhile.
# JS_TOGETHER=N: N at a time.
#
# The longest of the last run begin, so that none is left over at the end; at first
# those in folders are taken for the longest.
#
# A suite that failed beside others or while the machine was taken away shows its
# output and has one more run at the end, alone: what fails twice fails, what
# passes is named as unstable.  There is none where more than three failed, and
# none with JS_ONCE=1.
build=$1
shift
results=$(mktemp -d) || exit 1
trap 'rm -rf "$results"' EXIT
lasted=$build/suite-seconds

one='
	suite=$1/${2%.c}
	name=${2#tests/}
	mark=$3/$(echo "$name" | tr / _)
	began=$(date +%s)
	if "$suite" >"$mark.out" 2>&1 </dev/null; then
		seconds=$(($(date +%s) - began))
		line=$(grep -a "^[0-9]*%: Checks:" "$mark.out" | tail -n 1)
		printf "%-34s %s  (%s s)\n" "$name" "$line" $seconds
		grep -aE "^(SKIP|RETRY)" "$mark.out"
		echo "$seconds $2" >"$mark.passed"
	else
		printf "%-34s FAILED\n" "$name"
		tail -c 20000 "$mark.out"
		echo "$2" >"$mark.failed"
	fi
	true
'
longest_first() {
	printf '%s\n' "$@" | awk -v lasted="$lasted" '
		BEGIN { while ((getline line < lasted) > 0) { split(line, f, " "); s[f[2]] = f[1] } }
		{ print ($0 in s ? s[$0] : /^tests\/check_/ ? 999 : 1000), $0 }' | sort -s -k 1,1nr | cut -d " " -f 2
}
each() {	# each JOBS SOURCE...
	jobs=$1
	shift
	[ $# -eq 0 ] || longest_first "$@" | xargs -P "$jobs" -I '{}' sh -c "$one" one "$build" '{}' "$results"
}
which() {	# the sources that run together or alone
	how=$1
	shift
	for source in "$@"; do
		case $source in
		tests/live/check_culprit.c | tests/live/check_blame_live.c | tests/live/check_samplers.c | \
		tests/live/check_storm.c | tests/e2e/check_ways_out.c | tests/fault/check_hotplug.c | \
		tests/fault/check_saves.c | tests/fault/check_truth.c) is=alone ;;
		*) is=together ;;
		esac
		[ $is = "$how" ] && echo "$source"
	done
}

each ${JS_TOGETHER:-4} $(which together "$@")
each 1 $(which alone "$@")

unstable=
if [ -z "${JS_ONCE:-}" ] && [ "$(find "$results" -name '*.failed' | wc -l)" -le 3 ]; then
	for failed in $(cat "$results"/*.failed 2>/dev/null); do
		echo "once more, alone:"
		rm -f "$results/$(echo "${failed#tests/}" | tr / _).failed"
		each 1 "$failed"
		[ -e "$results/$(echo "${failed#tests/}" | tr / _).failed" ] || unstable="$unstable ${failed#tests/}"
	done
fi
cat "$results"/*.passed >"$lasted" 2>/dev/null
passed=$(find "$results" -name '*.passed' | wc -l)
failed=$(find "$results" -name '*.failed' | wc -l)
[ "$failed" -eq 0 ] || sed 's/^/failed: /' "$results"/*.failed
[ -z "$unstable" ] || echo "unstable, passed at the second run only:$unstable"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -eq $# ]
