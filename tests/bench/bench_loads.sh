#!/bin/sh
# bench_loads.sh BUILD - loads beside their peers: dbench, stress-ng, hackbench.
# Pairs alternate in one run, each line is the median of their ratios.
#
# JS_PAIRS (3) and JS_SECONDS (8) set the length; JS_DIR where files are made.
program=$1/jitterscope
pairs=${JS_PAIRS:-3}
seconds=${JS_SECONDS:-8}
dir=$(mktemp -d "${JS_DIR:-/var/tmp}/js-bench-XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
mix=/usr/share/dbench/client.txt
bad=0

# ours LOAD: its rate
ours() {
	"$program" record -l "$1" -D "${seconds}s" --scratch "$dir" --json 2>/dev/null |
		sed -n 's/.*"rate": \([0-9.e+]*\), "rate_unit".*/\1/p' | head -n 1
}

dbench_rate() {	# dbench_rate N OPTION...
	n=$1
	shift
	dbench "$@" -t "$seconds" -D "$dir" "$n" | sed -n 's/^Throughput \([0-9.]*\).*/\1/p'
}

# Operations by the second of real time.
stress_ng_rate() {
	stress-ng --fork "$1" --fork-max 1 -t "$seconds" --metrics-brief 2>&1 |
		awk '/ fork  / { rate = $(NF - 1) } END { print rate }'
}

hackbench_rate() {
	hackbench -g "$1" -l 1000 | awk -v g="$1" '/^Time:/ { print g * 400000 / $2 }'
}

# compare NAME GOAL LOAD PEER ARGUMENT...: the median of ours / the peer's
compare() {
	name=$1 goal=$2 load=$3
	shift 3
	peer=$(echo "${1%_rate}" | tr _ -)
	command -v "$peer" >/dev/null || {
		echo "$name skipped: no $peer"
		return
	}
	i=0
	while [ $i -lt "$pairs" ]; do
		echo "$(ours "$load") $("$@")"
		i=$((i + 1))
	done | sort_ratios | awk -v name="$name" -v goal="$goal" '
		{ r[++n] = $1 }
		END {
			if (!n) { print name " failed: no figures"; exit 1 }
			m = n % 2 ? r[(n + 1) / 2] : (r[n / 2] + r[n / 2 + 1]) / 2
			printf "%s %.2f ratio, goal >= %s, %d pairs\n", name, m, goal, n
		}' || bad=1
}

sort_ratios() {
	awk '$1 > 0 && $2 > 0 { print $1 / $2 }' | sort -n
}

for n in 1 4 8 32; do
	compare "churn-fsync-$n" 1.0 "churn:$n,mode=fsync" dbench_rate "$n"
done
compare churn-sync-8 1.0 churn:8,mode=sync dbench_rate 8 -s -S
[ -r "$mix" ] && compare churn-loadfile-4 1.0 "churn:4,mode=fsync,loadfile=$mix" dbench_rate 4
compare fork-2 2.0 fork:2 stress_ng_rate 2
compare context-2 1.0 context:2 hackbench_rate 2
exit $bad
