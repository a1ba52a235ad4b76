/* churn_play.c - see churn_play.h. */
#include "src/loads/churn_play.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/loads/churn_client.h"
#include "src/loads/churn_player.h"
#include "src/loads/failure.h"

#define BUFFER_LEAST 65536
#define CPU_STEPS 64		/* between two looks at the own CPU time */

/* ---- names ---- */

static int append(char *out, size_t *at, const char *text)
{
	size_t n = strlen(text);

	if (*at + n >= FILES_PATH_MAX)
		return -ENAMETOOLONG;
	memcpy(out + *at, text, n);
	*at += n;
	return 0;
}

/* Replaces the marks.  Strings that are empty or hold dots could make a name
 * begin with / or climb: such a name is refused. */
static int write_name(const struct player *p, uint32_t offset, char *out)
{
	size_t at = 0;
	int err = 0;

	for (const char *in = p->file->names + offset; *in && !err; in++) {
		char text[24] = { *in };

		if (*in == NAME_CLIENT)
			snprintf(text, sizeof(text), "%u", p->w->index);
		if ((unsigned char)*in >= NAME_STRING &&
		    (unsigned char)*in < NAME_STRING + LOADFILE_STRINGS)
			err = append(out, &at, p->string[*in - NAME_STRING]);
		else
			err = append(out, &at, text);
	}
	out[at] = '\0';
	if (!err && (*out == '/' || loadfile_climbs(out)))
		err = -EINVAL;
	return err;
}

static bool is_call(const struct loadfile_step *step)
{
	return step->op <= STEP_UNLOCK || step->op >= STEP_OLD_OPEN;
}

static uint64_t moved(const struct order *o)
{
	switch (o->step->op) {
	case STEP_READ:
	case STEP_WRITE:
		return o->number[2];
	case STEP_OLD_READ:
	case STEP_OLD_WRITE:
		return o->number[1];
	default:
		return 0;
	}
}

static uint64_t number_of(struct player *p, const struct loadfile_step *step, unsigned i)
{
	return loadfile_number(p->file, step, i, p->previous[i], p->w->index, p->w->workers,
			       &p->rng);
}

static int write_order(struct player *p, const struct loadfile_step *step, struct order *o)
{
	int err = 0;

	o->step = step;
	for (unsigned i = 0; i < LOADFILE_NUMBERS; i++)
		o->number[i] = number_of(p, step, i);
	if (!is_call(step))
		return 0;
	memcpy(p->previous, o->number, sizeof(p->previous));
	if (step->name)
		err = write_name(p, step->name, o->name);
	if (!err && step->name2)
		err = write_name(p, step->name2, o->name2);
	return err;
}

/* Counted with the line of the first one, never fatal. */
static void note_mismatch(struct player *p, const struct loadfile_step *step, ssize_t result)
{
	char text[120];

	load_error(p->w, result < 0 ? (int)-result : 0);
	if (atomic_exchange(&p->shared->mismatch, true))
		return;
	snprintf(text, sizeof(text), "loadfile line %u: %s", step->line,
		 result < 0 ? strerror((int)-result) : "succeeded, but must fail");
	load_publish(p->w, NULL, 0, text);
}

static int judge(struct player *p, const struct order *o, ssize_t result, struct why *why)
{
	if (result < 0 && failure_is_full((int)result))
		return failure(why, (int)result, "loadfile");
	if (o->step->expect == EXPECT_SUCCESS ? result < 0
	    : o->step->expect == EXPECT_FAILURE && result >= 0)
		note_mismatch(p, o->step, result);
	load_add(p->w, 1, result < 0 ? 0 : moved(o));
	return 0;
}

/* Being late for a due time is latency. */
static bool await(struct player *p, const struct loadfile_step *step, int64_t *begun_ns)
{
	int64_t due_ns = p->pass_begun_ns + step->due_ns;

	if (step->due_ns >= 0 && !player_wait(p, due_ns))
		return false;
	*begun_ns = load_begin(p->w);
	if (step->due_ns >= 0 && due_ns < *begun_ns)
		*begun_ns = due_ns;
	return true;
}

static int play_step(struct player *p, const struct loadfile_step *step, struct why *why)
{
	struct order o;
	ssize_t result = write_order(p, step, &o);
	int64_t begun_ns;

	if (++p->played % CPU_STEPS == 0)
		load_cpu(p->w);
	if (!is_call(step)) {
		step_actions[step->op](p, &o);
		return 0;
	}
	if (!await(p, step, &begun_ns))
		return 0;
	if (!result)
		result = step_actions[step->op](p, &o);
	load_end(p->w, begun_ns);
	return judge(p, &o, result, why);
}

static uint32_t loop_end(const struct player *p, uint32_t at)
{
	while (p->file->steps[at].op != STEP_ENDLOOP)
		at++;
	return at;
}

/* Plays what stands at `*at` and moves on. */
static int play_at(struct player *p, uint32_t *at, struct why *why)
{
	const struct loadfile_step *step = &p->file->steps[(*at)++];
	uint64_t times;
	int err = 0;

	switch (step->op) {
	case STEP_LOOP:
		p->loop_start = *at;
		p->loop_left = number_of(p, step, 0);
		if (!p->loop_left)
			*at = loop_end(p, *at) + 1;
		return 0;
	case STEP_ENDLOOP:
		if (--p->loop_left)
			*at = p->loop_start;
		return 0;
	case STEP_REPEAT:
		times = number_of(p, step, 0);
		step = &p->file->steps[(*at)++];
		while (times-- && !err && load_going(p->w))
			err = play_step(p, step, why);
		return err;
	default:
		return play_step(p, step, why);
	}
}

int player_pass(struct player *p, struct why *why)
{
	uint32_t at = 0;
	int err = 0;

	p->pass_begun_ns = clock_now_ns();
	while (at < p->file->count && !err && load_going(p->w))
		err = play_at(p, &at, why);
	player_drop_all(p);
	if (!err && at == p->file->count)
		load_pass(p->w);
	return err;
}

/* ---- the player ---- */

int churn_play_make(const struct files *f, int scratch, unsigned index, struct why *why)
{
	char name[16];
	int err;

	churn_client_name(name, sizeof(name), index);
	err = f->mkdir(f->self, scratch, name);
	return err ? failure(why, err, "mkdir") : 0;
}

static int set_up(struct player *p)
{
	char name[16];

	p->room = p->file->io_max > BUFFER_LEAST ? p->file->io_max : BUFFER_LEAST;
	p->out = malloc(2 * p->room);
	if (!p->out)
		return -ENOMEM;
	p->in = p->out + p->room;
	load_rng_seed(&p->rng, p->w->seed);
	load_rng_fill(&p->rng, p->out, p->room);
	churn_client_name(name, sizeof(name), p->w->index);
	p->dir = p->f->open(p->f->self, p->w->scratch_fd, name, O_RDONLY | O_DIRECTORY);
	return p->dir < 0 ? p->dir : 0;
}

struct player *player_open(struct load_worker *w, const struct files *f, enum churn_mode mode,
			   struct why *why)
{
	struct player *p = calloc(1, sizeof(*p));
	int err;

	if (!p) {
		failure(why, -ENOMEM, "malloc");
		return NULL;
	}
	p->w = w;
	p->f = f;
	p->file = w->file;
	p->shared = w->shared;
	p->mode = mode;
	p->dir = -1;
	err = set_up(p);
	if (!err)
		return p;
	failure(why, err, "opening the folder of a client");
	player_close(p);
	return NULL;
}

void player_close(struct player *p)
{
	char name[16];

	player_drop_all(p);
	if (p->dir >= 0)
		p->f->close(p->f->self, p->dir);
	churn_client_name(name, sizeof(name), p->w->index);
	files_remove_tree(p->f, p->w->scratch_fd, name);
	free(p->out);
	free(p);
}
