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

_jitterscope()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
	local commands="record replay show compare plot convert run list doctor help version"
	local sub=${COMP_WORDS[1]}

	COMPREPLY=()
	case " $commands " in
	*" $sub "*) ;;
	*) sub=live ;;
	esac
	case $prev in
	-P | --probe) COMPREPLY=($(compgen -W "$(_jitterscope_names probes)" -- "$cur")); return ;;
	-l | --load) COMPREPLY=($(compgen -W "$(_jitterscope_names loads)" -- "$cur")); return ;;
	-f | --format | -t | --to)
		COMPREPLY=($(compgen -W "$(_jitterscope_names formats)" -- "$cur")); return ;;
	--theme) COMPREPLY=($(compgen -W "$(_jitterscope_names themes)" -- "$cur")); return ;;
	--scratch) COMPREPLY=($(compgen -d -- "$cur")); return ;;
	-o | --output | -b | --baseline) COMPREPLY=($(compgen -f -- "$cur")); return ;;
	esac
	case $cur in
	-*) COMPREPLY=($(compgen -W "$(_jitterscope_options "$sub")" -- "$cur")); return ;;
	esac
	if [ "$COMP_CWORD" -eq 1 ]; then
		COMPREPLY=($(compgen -W "$commands" -- "$cur"))
		return
	fi
	case $sub in
	run) COMPREPLY=($(compgen -W "$(_jitterscope_names suites)" -- "$cur")) ;;
	list) COMPREPLY=($(compgen -W "probes loads formats keys suites themes" -- "$cur")) ;;
	help) COMPREPLY=($(compgen -W "$commands" -- "$cur")) ;;
	replay | show | compare | plot | convert) COMPREPLY=($(compgen -f -- "$cur")) ;;
	esac
}

complete -F _jitterscope jitterscope
