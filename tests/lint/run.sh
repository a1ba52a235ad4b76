#!/bin/sh
# run.sh BUILD CC FLAGS HEADER... - the rules of the house, checked by machine.
# Each check prints what breaks it.
build=$1
cc=$2
flags=$3
shift 3
here=$(dirname "$0")
bad=0

rule() {	# rule NAME COMMAND...
	name=$1
	shift
	if output=$("$@" 2>&1) && [ -z "$output" ]; then
		echo "lint: $name ok"
	else
		printf 'lint: %s BROKEN\n%s\n' "$name" "$output"
		bad=1
	fi
}

rule "include table" sh "$here/includes.sh"
rule "real-time objects" sh "$here/rt-symbols.sh" "$build"
rule "dangerous calls" sh "$here/calls.sh"
rule "src names no plug-in" sh "$here/names.sh" "$build"
rule "top level" sh "$here/toplevel.sh"
rule "manual pages" sh "$here/manuals.sh"
rule "bugs and promises: $(sh "$here/ids.sh" -n)" sh "$here/ids.sh"
rule "headers compile alone" sh "$here/headers.sh" "$cc" "$flags" "$@"
rule "lint can fail" sh "$here/selftest.sh"
exit $bad
