#!/bin/sh
# includes.sh [ROOT] - who may include whom (the table of the README).
cd "${1:-.}" || exit 1
awk '
function allowed(file, header) {
	if (file ~ /^src\/loads\//)   return header ~ /^src\/(load|clock|why)\.h$|^src\/loads\//
	if (file ~ /^src\/formats\//) return header ~ /^src\/[^\/]*\.h$|^src\/formats\//
	if (file ~ /^src\/suites\//)  return header ~ /^src\/[^\/]*\.h$|^src\/suites\//
	if (file ~ /^src\//)          return header ~ /^src\/[^\/]*\.h$/
	if (file ~ /^probes\//)       return header ~ /^src\/(probe|clock|why)\.h$|^probes\//
	if (file ~ /^ui\//)           return header ~ /^src\/[^\/]*\.h$|^ui\//
	return 0
}
/^[ \t]*#[ \t]*include[ \t]*"/ {
	split($0, part, "\"")
	if (!allowed(FILENAME, part[2])) print FILENAME ":" FNR ": may not include " part[2]
}
/^[ \t]*#[ \t]*include[ \t]*<(ncurses|ncursesw|curses|term)[.\/]/ {
	if (FILENAME !~ /^ui\/term(info)?\.c$/) print FILENAME ":" FNR ": only ui/term.c and ui/terminfo.c include curses"
}' $(find src probes ui -name '*.[ch]') /dev/null
