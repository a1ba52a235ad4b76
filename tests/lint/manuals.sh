#!/bin/sh
# manuals.sh - the manual pages are clean mdoc, also as they are read: no stray
# blank before a comma, no quotes in a row.
for page in man/*.[0-9]; do
	[ -e "$page" ] || { echo "man/ is empty"; exit 1; }
	mandoc -T lint -W warning "$page" 2>&1 | grep -v 'referenced manual not found' || true
	mandoc -T ascii "$page" | col -b | grep -n '[^[:blank:]] [,;:)]\|""\|( ' | sed "s|^|$page, as read: |"
done
