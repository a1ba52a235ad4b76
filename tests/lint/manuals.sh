#!/bin/sh
# manuals.sh - the manual pages are clean mdoc.
for page in man/*.[0-9]; do
	[ -e "$page" ] || { echo "man/ is empty"; exit 1; }
	mandoc -T lint -W warning "$page" 2>&1 | grep -v 'referenced manual not found' || true
done
