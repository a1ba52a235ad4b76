/*
 * churn_player.h - what the parts of a player share: churn_play.c walks the
 * program, churn_steps.c and churn_old_steps.c are its operations.
 */
#ifndef JS_LOADS_CHURN_PLAYER_H
#define JS_LOADS_CHURN_PLAYER_H

#include "src/loads/churn_play.h"

#define STRING_ROOM 256

struct handle {
	uint64_t number;
	int fd;
};

struct player {
	struct load_worker *w;
	const struct files *f;
	const struct loadfile *file;
	struct play_shared *shared;
	enum churn_mode mode;
	int dir;
	unsigned handles;
	struct handle handle[PLAY_HANDLES];
	struct load_rng rng;
	uint64_t previous[LOADFILE_NUMBERS];
	char string[LOADFILE_STRINGS][STRING_ROOM];
	int64_t pass_begun_ns;
	unsigned played;		/* steps, of all passes */
	uint32_t loop_start;
	uint64_t loop_left;
	size_t room;			/* of each buffer */
	unsigned char *out, *in;
};

/* One step as it is about to be played: numbers worked out, names written. */
struct order {
	const struct loadfile_step *step;
	uint64_t number[LOADFILE_NUMBERS];
	char name[FILES_PATH_MAX], name2[FILES_PATH_MAX];
};

/* Each plays one kind of step; what it returns is judged by the caller. */
typedef ssize_t step_action(struct player *p, struct order *o);

extern step_action *const step_actions[STEPS];	/* NULL: a turn of the program */

int player_fd(struct player *p, uint64_t number);	/* -EBADF: no such handle */
int player_keep(struct player *p, uint64_t number, int fd);
void player_drop_all(struct player *p);
/* Until due_ns, in slices; false: told to stop. */
bool player_wait(struct player *p, int64_t due_ns);
/* Flags of open(): disposition 2 creates, 4 and 5 create and truncate. */
int player_open_flags(const struct player *p, uint64_t disposition);
size_t player_io_size(const struct player *p, uint64_t size);
/* In sync mode flushes the folder of a name that came, went or moved. */
int player_flush_parent(struct player *p, const char *name, int err);

step_action step_old_open, step_old_create, step_old_rename, step_old_unlink, step_old_stat,
	step_old_mkdir, step_old_rmdir, step_old_read, step_old_write;

#endif
