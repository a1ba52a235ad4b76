/* meet.c - see meet.h. */
#include "src/loads/meet.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define LOOK_NS (50 * NS_PER_MS)	/* how soon one who waits sees the stop */

static void wait_for_turn(struct meet *m, uint32_t turn)
{
	struct timespec look = { .tv_nsec = LOOK_NS };

	syscall(SYS_futex, &m->turn, FUTEX_WAIT, turn, &look, NULL, 0);
}

bool meet_all(struct meet *m, const struct load_worker *w)
{
	uint32_t turn = atomic_load(&m->turn);

	if (atomic_fetch_add(&m->arrived, 1) + 1 == w->workers) {
		/* Nobody comes again before the turn: the count is ours to clear. */
		atomic_store(&m->arrived, 0);
		atomic_fetch_add(&m->turn, 1);
		syscall(SYS_futex, &m->turn, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
		return load_going(w);
	}
	while (atomic_load(&m->turn) == turn && load_going(w))
		wait_for_turn(m, turn);
	return load_going(w);
}
