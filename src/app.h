/*
 * app.h - the instrument as one thing: options in, model out, orders obeyed.
 *
 * app_start() forks the supervisor first of all, then takes rights, starts the
 * samplers and builds the model.  app_run() is the one loop: one ppoll over
 * signalfd, front end, tick timer, supervisor, saver.  The live screen and
 * `record` are front ends; they share everything else.
 *
 * Main thread only.
 */
#ifndef JS_APP_H
#define JS_APP_H

#include <stdbool.h>
#include <stdint.h>

#include "src/command.h"
#include "src/model.h"
#include "src/options.h"
#include "src/snapshot.h"

struct app;

/* What a front end (ui/ui.c, src/headless.c) gives to the loop. */
struct frontend {
	/* Before anything is changed on the terminal or machine: may refuse. */
	int (*check)(const struct options *o, struct why *why);
	int (*open)(struct app *app, void **self, struct why *why);
	int (*input_fd)(void *self);			/* -1: none; polled for POLLIN */
	int (*output_fd)(void *self);			/* -1: none; polled for POLLOUT while wanted */
	void (*input)(void *self, short revents);	/* keys, hang-up */
	/* After each tick, key or event; returns ns until it wants to be called again. */
	int64_t (*frame)(void *self, int64_t now_ns);
	/* Frames take too long: draw fewer; false: it cannot.  NULL: it draws none. */
	bool (*slower)(void *self);
	void (*resize)(void *self);			/* SIGWINCH; NULL: it has no terminal */
	void (*suspend)(void *self);			/* about to stop (^Z): give the terminal back */
	void (*resume)(void *self);			/* continued */
	void (*interrupt)(void *self);			/* SIGINT; NULL: CMD_QUIT */
	/* The status answers somebody who may see no screen: say it.  NULL: frame shows it. */
	void (*answer)(void *self);
	void (*close)(void *self);
	bool own_verdict;	/* a load that fails is its business, not the exit code's */
};
extern const struct frontend ui_frontend;	/* ui/ui.c */
extern const struct frontend headless_frontend;	/* headless.c */
/* ui/list.c: what `list keys` and `list themes` print. */
void ui_list_keys(void);
void ui_list_themes(void);
/* ui/ui.c: -EINVAL: there is no theme of the wanted name. */
int ui_check_theme(const struct options *o, struct why *why);

struct app *app_new(struct options *o, const struct frontend *f, struct why *why);
int app_start(struct app *app, struct why *why);	/* 0 or -errno */
int app_replay(struct app *app, struct model *m, struct why *why);	/* instead of app_start(); takes m */
int app_run(struct app *app);				/* exit code */
void app_free(struct app *app);

/* For front ends. */
const struct options *app_options(const struct app *app);
const struct frontend *app_frontend(const struct app *app);	/* as given to app_new() */
struct model *app_model(struct app *app);
/* Does what a key asked for; the answer is on model.status. */
void app_do(struct app *app, const struct order *order);
/* Memory that the load would take if it were started now; 0: none to speak of. */
uint64_t app_load_memory(const struct app *app, unsigned load);
/* The screen hands in its text for .ans just before CMD_SNAPSHOT; copied. */
void app_screen_text(struct app *app, const char *text);
/* Before the terminal is changed and after it is given back (guardian). */
struct termios;
void app_terminal(struct app *app, int fd, const struct termios *saved, const struct termios *raw, bool cooked);
void app_terminal_gone(struct app *app);	/* hang-up: quit, never write again */
void app_wrote(struct app *app, uint64_t bytes, uint64_t skipped_frames);	/* self meter */
/* --break: when its limit was passed; 0: not yet.  The view freezes there. */
int64_t app_broke_ns(const struct app *app);
unsigned app_broke_group(const struct app *app);	/* whose sample that was, by model group */
/* --bell: has there been a spike since the last time?  At most once a second. */
bool app_bell(struct app *app);
void app_drop_output(struct app *app);	/* end without writing the result */
/* Quit was asked for, or the time is over: no load starts any more. */
bool app_ending(const struct app *app);
/* Brings samples and counters into the model now, not at the next tick. */
void app_refresh(struct app *app);
/* What loads count in, by load index; NULL in a replay. */
struct counters;
const struct counters *app_counters(const struct app *app);
void app_exit_code(struct app *app, int code);	/* the worst wins: 1 before 3 before 4 */

#endif
