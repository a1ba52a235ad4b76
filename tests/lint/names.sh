#!/bin/sh
# names.sh BUILD - src/*.c reaches probes and loads through the registries and
# never by name.  Names that are everyday words are left out.
program=$1/jitterscope
[ -x "$program" ] || { echo "$program: build first"; exit 1; }
everyday='read|write|list|mem|cpu|exec|fork|process|context|sh|tcp|udp|fault|mlock|compile|bandwidth'
everyday="$everyday|audio|stall|pipe|unix|signal|create|delete|mmap|connect|terminal|rtc|fsync|syscall|futex"
for name in $(cat probes/registry.c src/loads/registry.c | sed -n 's/.*X(\([a-z_0-9]*\)).*/\1/p' | grep -vx name | tr _ - | grep -vxE "$everyday"); do
	grep -n "\"$name\"" src/*.c | sed "s/\$/   <- names a plug-in/"
done
exit 0
