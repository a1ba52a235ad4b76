/* thread.c - see thread.h. */
#include "src/thread.h"

#include <pthread.h>
#include <sched.h>

#define STACK_BYTES (256 * 1024)

int thread_start_ordinary(void *(*run)(void *arg), void *arg)
{
	struct sched_param ordinary = { 0 };
	pthread_attr_t attr;
	pthread_t thread;
	int err = pthread_attr_init(&attr);

	if (err)
		return -err;
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attr, SCHED_OTHER);
	pthread_attr_setschedparam(&attr, &ordinary);
	err = pthread_create(&thread, &attr, run, arg);
	pthread_attr_destroy(&attr);
	return -err;
}
