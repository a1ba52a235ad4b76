/*
 * tier.h - is there a pid namespace to be had for a load?
 *
 * A process of one thread (the supervisor at its start, doctor).
 */
#ifndef JS_TIER_H
#define JS_TIER_H

/* Tried with a clone that ends at once, by the way a load would be started:
 * root needs no user namespace, others get theirs through one.  0 or -errno;
 * -EAGAIN and -ENOMEM say nothing about the next try. */
int tier_try_namespace(void);

#endif
