#!/bin/sh
# calls.sh [ROOT] - calls that have hurt people elsewhere.  A line may carry
# "lint: " and its reason to be let through.
cd "${1:-.}" || exit 1
c=$(find src probes ui -name '*.c')
code() {	# comments and let-through lines taken out
	grep -v 'lint: ' | grep -vE '^[^:]*:[0-9]*:[[:space:]]*(\*|/\*|//)'
}
say() {
	grep -nE "$1" $c /dev/null | code | sed "s/\$/   <- $2/"
}
say '\bkill(pg)?\([[:space:]]*(-|0\b|1\b)' "never signal pid <= 1: use a pidfd"
say '\bkillpg\(' "never signal a process group"
say '\b(gets|strcpy|strcat|sprintf|vsprintf)\(' "unbounded"
say '\bsystem\(' "no shell from inside"
say '\babs\([^)]*_ns' "latency is signed: never abs()"
say 'COLOR_PAIR\(' "extended pairs only"
grep -nE '\b(v?fork|clone|clone3|posix_spawnp?|daemon)\(' $(ls src/*.c ui/*.c 2>/dev/null) /dev/null | code |
	grep -vE '^src/(supervisor|supervisor_child|nanny|load|helper|spawn)[a-z_]*\.c:' | sed 's/$/   <- forks only in the supervisor/'
exit 0
