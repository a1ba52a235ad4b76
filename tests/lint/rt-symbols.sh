#!/bin/sh
# rt-symbols.sh BUILD - what runs on a sampler thread must not be able to
# allocate, lock or print: the objects must not even name such a function.
build=$1
found=$(ls "$build"/probes/*.o "$build"/src/sampler_loop.o 2>/dev/null)
[ -n "$found" ] || { echo "no objects below $build: build first"; exit 1; }
banned='malloc|calloc|realloc|reallocarray|free|strdup|strndup|asprintf|vasprintf|posix_memalign|aligned_alloc'
banned="$banned|printf|fprintf|vprintf|vfprintf|dprintf|puts|fputs|fputc|putchar|fopen|fclose|fflush|fwrite|fread|fgets|perror|syslog|__printf_chk|__fprintf_chk|__vfprintf_chk"
banned="$banned|pthread_mutex_.*|pthread_cond_.*|pthread_rwlock_.*|pthread_spin_.*|sem_wait|sem_post|lockf|flock"
for object in $found; do
	nm -u "$object" | awk -v file="${object#"$build"/}" -v banned="^($banned)(@.*)?$" \
		'$2 ~ banned { print file ": names " $2 }'
done
