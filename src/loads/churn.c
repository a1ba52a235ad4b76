/*
 * churn.c - N file clients, each with a folder of small files that come and go.
 *
 * Mode seed plays the mix of dbench 1.x, fsync and sync that of dbench 4
 * (churn_trace.h); loadfile=FILE plays a file of the user's instead
 * (churn_loadfile.h).
 */
#include <stdio.h>

#include "src/load.h"
#include "src/loads/churn_client.h"
#include "src/loads/churn_loadfile.h"
#include "src/loads/churn_play.h"
#include "src/loads/failure.h"

enum { KNOB_MODE };

#define CLIENT_BYTES (CLIENT_LEAST_BYTES + CHURN_FILLERS * (UINT64_C(1) << 20))	/* with all fillers */
#define CLIENT_LEAST_BYTES UINT64_C(6000000)	/* with none */

static unsigned fillers_of(const struct load_worker *w)
{
	return churn_fillers(w->disk_budget_bytes / w->workers);
}

static void say_fillers(struct load_worker *w, unsigned fillers)
{
	double figure = fillers;
	char text[32] = "";

	if (fillers < CHURN_FILLERS)
		snprintf(text, sizeof(text), "fillers %u/%u", fillers, CHURN_FILLERS);
	load_publish(w, &figure, 1, text);
}

static int make_client(const struct load_worker *w, unsigned index, struct why *why)
{
	enum churn_mode mode = (enum churn_mode)w->knob[KNOB_MODE];

	if (w->file)
		return churn_play_make(&files_real, w->scratch_fd, index, why);
	return churn_client_make(&files_real, w->scratch_fd, index, mode, fillers_of(w), why);
}

static int churn_prepare(struct load_worker *w, struct why *why)
{
	int err = failure_budget(why, w->workers * CLIENT_LEAST_BYTES, w->disk_budget_bytes,
				 "fewer workers");

	if (err)
		return err;
	if (!w->file)
		say_fillers(w, fillers_of(w));
	for (unsigned i = 0; i < w->workers && load_going(w); i++) {
		err = make_client(w, i, why);
		if (err)
			return err;
		load_progress(w, 100 * (i + 1) / w->workers);
	}
	return 0;
}

static int play_decks(struct load_worker *w, struct why *why)
{
	enum churn_mode mode = (enum churn_mode)w->knob[KNOB_MODE];
	struct churn_client *c = churn_client_open(w, &files_real, mode, fillers_of(w), why);
	int err = 0;

	if (!c)
		return why->err;
	while (!err && load_going(w))
		err = churn_client_pass(c, why);
	churn_client_close(c);
	return err;
}

static int play_file(struct load_worker *w, struct why *why)
{
	enum churn_mode mode = (enum churn_mode)w->knob[KNOB_MODE];
	struct player *p = player_open(w, &files_real, mode, why);
	int err = 0;

	if (!p)
		return why->err;
	while (!err && load_going(w))
		err = player_pass(p, why);
	player_close(p);
	return err;
}

static int churn_run(struct load_worker *w, struct why *why)
{
	return w->file ? play_file(w, why) : play_decks(w, why);
}

static void *churn_parse_file(const char *path, struct why *why)
{
	return loadfile_parse(path, why);
}

static uint64_t churn_disk(unsigned workers, const long *knob)
{
	(void)knob;
	return workers * CLIENT_BYTES;
}

/*
 * dbench 1.x printed fixed work over time: 132 MB a pass.  Our passes move
 * exactly 132,000,000 bytes, so bytes over time is that same figure when all
 * clients have ended their passes, and the right one when they have not.
 */
static void churn_stop_line(char *buf, size_t size, unsigned workers, const long *knob,
			    uint64_t ops, uint64_t bytes, uint64_t passes, int64_t ran_ns)
{
	const char *sync = knob[KNOB_MODE] == CHURN_SYNC ? " (sync open) (sync dirs)" : "";
	double t;

	(void)ops, (void)passes;
	if (!size)
		return;
	buf[0] = '\0';
	if (ran_ns <= 0)
		return;
	t = (double)bytes / 1e6 / ((double)ran_ns / 1e9);
	snprintf(buf, size, "Throughput %g MB/sec (NB=%g MB/sec  %g MBit/sec)%s  %u procs", t,
		 1.25 * t, 10 * t, sync, workers);
}

static const char *const modes[] = { "seed", "fsync", "sync", NULL };
static const char *const figure_names[] = { "fillers", NULL };

const struct load load_churn = {
	.name = "churn",
	.key = 'D',
	.summary = "file clients: create, write, read, stat, rename, delete",
	.unit = "MB",
	.rate_unit = "MB/s",
	.pass_name = "client traces",
	.figure = LOAD_BYTES,
	.flags = LOAD_SCRATCH | LOAD_LADDER | LOAD_CONTEST,
	.version = 1,
	.default_per_cpu = 2,
	.max_workers = 128,
	.knobs = {
		[KNOB_MODE] = { .name = "mode", .help = "seed: dbench 1.x mix; fsync, sync: dbench 4",
				.least = CHURN_SEED, .value = CHURN_SEED, .most = CHURN_SYNC,
				.choices = modes },
	},
	.figure_names = figure_names,
	.disk_bytes = churn_disk,
	.tasks_per_worker = 1,
	.shared_bytes = sizeof(struct play_shared),
	.fds_per_worker = 2,	/* its folder and the file that is open */
	.parse_file = churn_parse_file,
	.prepare = churn_prepare,
	.run = churn_run,
	.stop_line = churn_stop_line,
};
