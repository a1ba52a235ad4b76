/*
 * churn_client.h - one file client that plays what churn_trace.h deals.
 *
 * prepare and run of the load churn; a test plays single passes with a table
 * of file calls of its own.  One process.
 */
#ifndef JS_LOADS_CHURN_CLIENT_H
#define JS_LOADS_CHURN_CLIENT_H

#include "src/load.h"
#include "src/loads/churn_trace.h"
#include "src/loads/files.h"

struct churn_client;

/* The folder of client `index` of a scratch folder: files that are alive
 * before the first pass and, for fsync and sync, the fillers. */
int churn_client_make(const struct files *f, int scratch, unsigned index, enum churn_mode mode,
		      unsigned fillers, struct why *why);

/* The client w->index; its folder must have been made.  NULL with why. */
struct churn_client *churn_client_open(struct load_worker *w, const struct files *f,
				       enum churn_mode mode, unsigned fillers, struct why *why);
/* One pass, counted in w.  0 also when w was told to stop half-way; -errno with why. */
int churn_client_pass(struct churn_client *c, struct why *why);
/* Closes it and deletes its folder. */
void churn_client_close(struct churn_client *c);

/* "c007" */
void churn_client_name(char *buf, size_t size, unsigned index);

#endif
