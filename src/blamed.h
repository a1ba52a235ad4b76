/*
 * blamed.h - who held the CPUs over many spikes: tables of names with the time
 * each held and the spikes in which it held the most, over all and for each
 * set of loads that ran.
 *
 * The parts of a table sum to its whole, in time and in spikes; "unknown" is a
 * part, and so is "(not looked at)".  When all places are taken, the name of the
 * least time goes to "(others)" for a new one.  So whoever held more than
 * 1/BLAMED_LARGE of the time has a name, whatever came before; what it held while
 * it had no place, less than that share, is with the others.
 * Pure; main thread, or the owner of a snapshot.
 */
#ifndef JS_BLAMED_H
#define JS_BLAMED_H

#include <stddef.h>
#include <stdint.h>

#define BLAMED_NAMES 64		/* "(others)", "unknown" and "(not looked at)" among them */
#define BLAMED_LARGE (BLAMED_NAMES - 3)
#define BLAMED_TABLES 17	/* all, and by loads; likewise */

#define BLAMED_ALL "all"
#define BLAMED_UNKNOWN "unknown"
#define BLAMED_UNREAD "(not looked at)"	/* for want of time, or of the right to */
#define BLAMED_OTHERS "(others)"

struct taken {			/* one name */
	char comm[20];
	int64_t ns;		/* held, over all spikes */
	uint64_t spikes;	/* in which it held the most */
	int64_t more_ns;	/* at most so much of the others' was its own; not in files */
};

struct blamed {
	char loads[64];		/* "all" "no load" "fork x4, churn x8" */
	int64_t ns;		/* the lateness of its spikes: the sum of its parts */
	uint64_t spikes;
	struct taken part[BLAMED_NAMES];	/* most time first */
	unsigned parts;
	int64_t gone_ns;	/* no name that has no place held more; not in files */
};

/* Adds to the table of these loads, making it; nr grows up to BLAMED_TABLES.
 * Also merges a table into others. */
void blamed_add(struct blamed *table, unsigned *nr, const struct blamed *more);
/* Takes away what an earlier copy of the table had: of a name that lost its place
 * since, what it held is with the others. */
void blamed_subtract(struct blamed *table, const struct blamed *before);
/* A part within a table that is being built: of one spike, no order kept. */
void blamed_part(struct blamed *b, const char *comm, int64_t ns);
/* "kworker 41 % (12), fork workers 38 % (9), unknown 9 % (3)": as many parts as
 * fit, then "others", with those that are next to nothing; nothing where not
 * even the first fits.  The number of bytes
 * written. */
size_t blamed_text(const struct blamed *b, char *buf, size_t size);

#endif
