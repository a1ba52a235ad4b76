/*
 * thread.h - threads that do what may take a disk's time.  Those that measure
 * are started by rt.h.
 */
#ifndef JS_THREAD_H
#define JS_THREAD_H

/* Ordinary policy whatever the caller has, detached, with a stack of known
 * size; signals are blocked as the caller's are.  0 or -errno. */
int thread_start_ordinary(void *(*run)(void *arg), void *arg);

#endif
