#!/bin/sh
# ids.sh [-n] [ROOT] - each id of ids.txt is carried by a test that a suite runs,
# or by a self-test of the lint ("# F21: ..."); -n: how many are.
count=
[ "$1" = -n ] && count=1 && shift
cd "${1:-.}" || exit 1
list=tests/lint/ids.txt
awk -v count="$count" -v list="$list" '
function carried(text, where,    part, n, i) {
	if (!match(text, /^([FP][0-9]+, )*[FP][0-9]+: /)) return
	n = split(substr(text, 1, RLENGTH - 2), part, ", ")
	for (i = 1; i <= n; i++) carriers[part[i]] = carriers[part[i]] " " where
}
FILENAME == list {
	if (/^#/ || /^$/) next
	excused = $1 == "-"
	id = excused ? $2 : $1
	if (id !~ /^(F[0-9][0-9]|P[1-9][0-9]?)$/ || id in title) print list ":" FNR ": " id " is no new id"
	if (excused && $0 !~ /: [^ ]/) print list ":" FNR ": " id " has no reason"
	title[id] = $0
	excuse[id] = excused
	order[++nr] = id
	next
}
FILENAME ~ /\.sh$/ { if (sub(/^# /, "")) carried($0, FILENAME); next }
FNR == 1 { ended = -1; inside = 0 }
/^\/\* / { begins = substr($0, 4); inside = 1 }
inside && /\*\/[ \t]*$/ { ended = FNR; inside = 0 }
/^START_TEST\(/ {
	name = $0
	gsub(/^START_TEST\(|\).*/, "", name)
	if (ended == FNR - 1) above[FILENAME " " name] = begins
}
/^[\t ]/ {	# named in a function: by that which makes the suite
	n = split($0, word, /[^a-z0-9_]+/)
	for (i = 1; i <= n; i++) run[FILENAME " " word[i]] = 1
}
END {
	for (test in above) if (test in run) { split(test, word, " "); carried(above[test], word[1] ":" word[2]) }
	for (i = 1; i <= nr; i++) {
		id = order[i]
		with += id in carriers
		without += excuse[id]
		if (count) continue
		if (!(id in carriers) && !excuse[id]) print id ": no test carries it: " title[id]
		if (id in carriers && excuse[id]) print id ": has a test and needs no excuse:" carriers[id]
	}
	for (id in carriers) if (!count && !(id in title)) print id ": not in " list ":" carriers[id]
	if (count) print with " of " nr " by a test, " without " excused"
}' "$list" $(find tests -name 'check_*.c') $(find tests/lint -name '*.sh')
