/*
 * wire.h - the records main and the supervisor send each other.
 *
 * SOCK_SEQPACKET, 64 bytes each, numbers only: no record carries a path, a
 * command or a text (reasons in words lie in shared memory).  A record of
 * another version, size or kind is ignored and counted by its reader.
 */
#ifndef JS_WIRE_H
#define JS_WIRE_H

#include <stdbool.h>
#include <stdint.h>
#include <termios.h>

#define WIRE_VERSION 1
#define WIRE_ARGS 8

enum wire_kind {
	/* main to supervisor */
	WIRE_HELLO = 1,
	WIRE_START,		/* id load, number workers, arg knobs */
	WIRE_STOP,		/* id load */
	WIRE_KILLALL,
	WIRE_QUIT,		/* number grace in ms */
	WIRE_TTY_SAVED,		/* tty; comes before WIRE_TTY_RAW */
	WIRE_TTY_RAW,		/* tty; arms the guardian */
	WIRE_TTY_COOKED,	/* main has given the terminal back */
	WIRE_PING,
	WIRE_PROBE_START,	/* id probe, number start, wide period_ns, arg knobs */
	WIRE_PROBE_STOP,	/* id probe */
	/* supervisor to main */
	WIRE_STARTED = 32,	/* id, number tier, wide pid */
	WIRE_RUNNING,		/* id: prepared, all workers let go */
	WIRE_STATE,		/* id: news in the slot's why; may be dropped */
	WIRE_EXITED,		/* id, number exit code, arg[0] signal, arg[1] oom */
	WIRE_REFUSED,		/* id, number -errno; why in the slot */
	WIRE_PONG,
	WIRE_PROBE_STARTED,	/* id, number start, wide pid */
	WIRE_PROBE_EXITED,	/* id, number start, arg[0] signal, arg[1] exit code */
	WIRE_TIER,		/* number tier, as tried at the start */
};

struct wire_termios {		/* struct termios without what no terminal has */
	uint32_t iflag, oflag, cflag, lflag, ispeed, ospeed;
	uint8_t line, cc[19];
};

struct wire {
	uint16_t version, kind;
	uint32_t sequence;
	uint32_t id;
	int32_t number;
	union {
		struct {
			int64_t wide;
			int32_t arg[WIRE_ARGS];
		};
		struct wire_termios tty;
		uint8_t room[48];
	};
};
_Static_assert(sizeof(struct wire) == 64, "a record is 64 bytes");

/* Never wait.  0; -EAGAIN: the queue is full; -EPIPE: nobody is there. */
int wire_send(int fd, const struct wire *record);
/* 1: a good record; 0: none now; -EPIPE: the other end is gone; -EBADMSG: a
 * record to be counted and ignored. */
int wire_receive(int fd, struct wire *record);

void wire_put_termios(struct wire *record, const struct termios *t);
void wire_get_termios(const struct wire *record, struct termios *t);

#endif
