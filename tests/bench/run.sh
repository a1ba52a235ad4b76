#!/bin/sh
# run.sh BUILD - every benchmark; each line is `name value unit`, with the
# peer's figure of the same run beside it where the peer is installed.
build=$1
bad=0
for bench in "$build"/tests/bench/bench_*; do
	case $bench in *.o | *.d) continue ;; esac
	"$bench" || { echo "FAILED $bench"; bad=1; }
done
for script in tests/bench/bench_*.sh; do
	[ -e "$script" ] || continue
	sh "$script" "$build" || { echo "FAILED $script"; bad=1; }
done
exit $bad
