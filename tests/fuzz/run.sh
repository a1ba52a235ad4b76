#!/bin/sh
# run.sh BUILD SECONDS NAME... - each libFuzzer target for SECONDS, beginning
# from its corpus; a crash leaves its input in BUILD and fails.
build=$1
seconds=$2
shift 2
bad=0
for name in "$@"; do
	corpus=$build/corpus/$name
	mkdir -p "$corpus"
	seeds=tests/fuzz/corpus/$name
	[ -d "$seeds" ] || seeds=
	log=$build/$name.log
	if "$build/tests/fuzz/run_$name" -max_total_time="$seconds" -rss_limit_mb=512 -timeout=5 \
		-max_len=65536 -artifact_prefix="$build/crash-$name-" -print_final_stats=1 "$corpus" $seeds tests/data >"$log" 2>&1; then
		echo "fuzz $name: $(grep -a number_of_executed_units "$log" | awk '{print $2}') executions in $seconds s, 0 crashes"
	else
		echo "fuzz $name: FAILED, see $log"
		tail -n 30 "$log"
		bad=1
	fi
done
exit $bad
