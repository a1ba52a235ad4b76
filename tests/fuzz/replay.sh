#!/bin/sh
# replay.sh BUILD NAME... - every corpus through its target, without a fuzzer.
build=$1
shift
files=0
for name in "$@"; do
	corpus=tests/fuzz/corpus/$name
	set -- "$corpus"/*
	[ -e "$1" ] || { echo "fuzz $name: no corpus"; exit 1; }
	"$build/tests/fuzz/replay_$name" "$@" >"$build/replay-$name.log" 2>&1 || {
		echo "fuzz $name: replay FAILED"
		tail -n 20 "$build/replay-$name.log"
		exit 1
	}
	files=$((files + $#))
done
echo "fuzz corpora: $files files replayed"
