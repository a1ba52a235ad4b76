/*
 * churn_play.h - a client that plays a load file (churn_loadfile.h).
 *
 * One process per player; they meet only in struct play_shared.
 */
#ifndef JS_LOADS_CHURN_PLAY_H
#define JS_LOADS_CHURN_PLAY_H

#include <stdatomic.h>
#include <stdbool.h>

#include "src/load.h"
#include "src/loads/churn_loadfile.h"
#include "src/loads/churn_trace.h"
#include "src/loads/files.h"

#define PLAY_CLIENTS 128
#define PLAY_HANDLES 200

struct play_shared {		/* of all players; zeroed before the first */
	_Atomic uint64_t point[PLAY_CLIENTS];	/* what SETSP published */
	_Atomic bool mismatch;	/* somebody has published the first one */
};

struct player;

/* w->file is the program, w->shared a struct play_shared; the client's folder
 * is made by churn_play_make().  NULL with why. */
struct player *player_open(struct load_worker *w, const struct files *f, enum churn_mode mode,
			   struct why *why);
int churn_play_make(const struct files *f, int scratch, unsigned index, struct why *why);
/* The whole file once.  0, also when told to stop half-way; -errno with why. */
int player_pass(struct player *p, struct why *why);
/* Closes what is open and deletes the client's folder. */
void player_close(struct player *p);

#endif
