# bash completion for jitterscope(1).  The option lists are those of the
# program; a test compares them with its table.

_jitterscope_names()	# what `jitterscope list WHAT` names; loads begin with a key, formats are those to write
{
	jitterscope list "$1" 2>/dev/null | awk -v what="$1" '
		/^ / && what != "loads" { next }
		what == "formats" { if ($2 == "write" || $3 == "write" || $4 == "write") print $1; next }
		what == "loads" { if ($1 ~ /^[A-Z]$/) print $2; else if (/^  [a-z]/ && !/=/) print $1; next }
		{ print $1 }'
}

_jitterscope_options()
{
	case $1 in
	live) echo "-i --interval -p --priority -c --cpus -P --probe -l --load -s --schedule -D --duration -b --baseline -L --label -o --output -f --format --json --fail-above --deadline --spike --break --bell --require-rt --hold-cstates --no-loads --no-blame --scratch --seed --align --fps --theme --ascii --mouse --no-config -h --help -V --version" ;;
	record) echo "-i --interval -p --priority -c --cpus -P --probe -l --load -s --schedule -D --duration -L --label -o --output -f --format --json --fail-above --deadline --spike --break --bell --require-rt --hold-cstates --no-loads --no-blame --scratch --seed --align --no-config -h --help -V --version" ;;
	replay) echo "-b --baseline --fps --theme --ascii --mouse --no-config -h --help -V --version" ;;
	show) echo "-h --help -V --version" ;;
	compare) echo "--json --fail-ratio -h --help -V --version" ;;
	plot) echo "-o --output -h --help -V --version" ;;
	convert) echo "-o --output -t --to --json -h --help -V --version" ;;
	run) echo "-i --interval -p --priority -c --cpus -P --probe -l --load -L --label -o --output -f --format --json --require-rt --hold-cstates --no-loads --no-blame --scratch --seed --align --steps --length -h --help -V --version" ;;
	list) echo "-h --help -V --version" ;;
	doctor) echo "--json -h --help -V --version" ;;
	help) echo "-h --help -V --version" ;;
	version) echo "-h --help -V --version" ;;
	esac
}

_jitterscope_words()	# WORDS CUR
{
	mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
}

_jitterscope_files()	# -f or -d, CUR: names may have blanks, and a folder gets its slash
{
	compopt -o filenames 2>/dev/null
	mapfile -t COMPREPLY < <(compgen "$1" -- "$2")
}

_jitterscope_value()	# OPTION CUR: false when the option takes no value of its own
{
	case $1 in
	-P | --probe) _jitterscope_words "$(_jitterscope_names probes)" "$2" ;;
	-l | --load) _jitterscope_words "$(_jitterscope_names loads)" "$2" ;;
	-f | --format | -t | --to) _jitterscope_words "$(_jitterscope_names formats)" "$2" ;;
	--theme) _jitterscope_words "$(_jitterscope_names themes)" "$2" ;;
	--scratch) _jitterscope_files -d "$2" ;;
	-o | --output | -b | --baseline) _jitterscope_files -f "$2" ;;
	-i | --interval | -p | --priority | -c | --cpus | -s | --schedule | -D | --duration | \
	-L | --label | --fail-above | --fail-ratio | --deadline | --spike | --break | --seed | \
	--fps | --steps | --length) ;;	# to be written by hand
	*) return 1 ;;
	esac
}

# Behind the `--` of record stands a command: its name, then its files.
_jitterscope_command()	# CUR: false when there is no `--` yet
{
	local i

	for ((i = 2; i < COMP_CWORD; i++)); do
		[ "${COMP_WORDS[i]}" = -- ] || continue
		if [ $((i + 1)) -eq "$COMP_CWORD" ]; then
			mapfile -t COMPREPLY < <(compgen -c -- "$1")
		else
			_jitterscope_files -f "$1"
		fi
		return 0
	done
	return 1
}

_jitterscope()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
	local commands="record replay show compare plot convert run list doctor help version"
	local sub=${COMP_WORDS[1]} glued=

	COMPREPLY=()
	case " $commands " in
	*" $sub "*) ;;
	*) sub=live ;;
	esac
	if [ "$sub" = record ] && _jitterscope_command "$cur"; then
		return
	fi
	# --probe=NAME is three words where = breaks them, else one.
	if [ "$cur" = = ]; then
		cur=
	elif [ "$prev" = = ]; then
		prev=${COMP_WORDS[COMP_CWORD - 2]}
	elif [[ $cur == --*=* ]]; then
		prev=${cur%%=*} cur=${cur#*=}
		glued=$prev=
	fi
	if _jitterscope_value "$prev" "$cur"; then
		[ -z "$glued" ] || COMPREPLY=("${COMPREPLY[@]/#/$glued}")
		return
	fi
	case $cur in
	-*) _jitterscope_words "$(_jitterscope_options "$sub")" "$cur"; return ;;
	esac
	if [ "$COMP_CWORD" -eq 1 ]; then
		_jitterscope_words "$commands" "$cur"
		return
	fi
	case $sub in
	run) _jitterscope_words "$(_jitterscope_names suites)" "$cur" ;;
	list) _jitterscope_words "probes loads formats keys suites themes" "$cur" ;;
	help) _jitterscope_words "$commands" "$cur" ;;
	replay | show | compare | plot | convert) _jitterscope_files -f "$cur" ;;
	esac
}

complete -F _jitterscope jitterscope
