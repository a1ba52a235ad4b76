#!/bin/sh
# need.sh build|check [more...] - what this build machine must have.
#
# Names what is missing, installs it where there is apt-get (sudo if not root),
# and elsewhere names the packages and stops.
set -eu

missing=
want() {	# want PACKAGE COMMAND...: PACKAGE is missing if COMMAND fails
	package=$1
	shift
	"$@" >/dev/null 2>&1 || missing="$missing $package"
}
has() {
	command -v "$1"
}
module() {
	has pkg-config && pkg-config --exists "$1"
}

look() {
	missing=
	want gcc has gcc
	want make has make
	want pkg-config has pkg-config
	want libncurses-dev module ncursesw
	want libjansson-dev module jansson
	want zlib1g-dev module zlib
	want libcap-dev module libcap
	want libconfuse-dev module libconfuse
	for set in "$@"; do
		case $set in
		build) ;;
		check)
			want check module check
			want libvterm-dev module vterm
			want strace has strace
			want tmux has tmux
			want mandoc has mandoc
			want jq has jq
			want procps has ps
			want rt-tests has cyclictest ;;
		gcovr) want gcovr has gcovr ;;
		clang)
			want clang has clang
			want libclang-rt-14-dev test -e "$(clang -print-file-name=libclang_rt.fuzzer-x86_64.a 2>/dev/null || echo /none)" ;;
		*) echo "need.sh: unknown set '$set'" >&2; exit 2 ;;
		esac
	done
}

look "$@"
[ -n "$missing" ] || exit 0
if ! has apt-get >/dev/null; then
	echo "jitterscope: missing (names of Debian 12's packages):$missing" >&2
	echo "jitterscope: install your system's equivalents, then run make again" >&2
	exit 1
fi
as_root=
if [ "$(id -u)" -ne 0 ]; then
	if ! has sudo >/dev/null; then
		echo "jitterscope: missing:$missing" >&2
		echo "jitterscope: as root: apt-get install$missing" >&2
		exit 1
	fi
	as_root="sudo"
fi
echo "jitterscope: installing with apt-get:$missing"
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
if ! { $as_root apt-get update -qq && $as_root apt-get install -y -qq --no-install-recommends $missing; } >"$log" 2>&1; then
	tail -n 20 "$log" >&2
	rm -f "$log"
	echo "jitterscope: apt-get failed; install by hand:$missing" >&2
	exit 1
fi
rm -f "$log"
look "$@"
if [ -n "$missing" ]; then
	echo "jitterscope: still missing after the installation:$missing" >&2
	exit 1
fi
