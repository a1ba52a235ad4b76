/*
 * check_churn.c - the decks of churn to the last card, and what its clients
 * do to a folder.
 */
#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/loads/churn_client.h"
#include "src/loads/churn_trace.h"
#include "tests/load_harness.h"
#include "tests/loop_assert.h"

extern const struct load load_churn;

/* ---- the plan alone ---- */

struct tally {
	unsigned op[CHURN_OPS], absent[CHURN_OPS], made;
	uint64_t bytes, hash;
};

static void tally_call(struct tally *t, const struct churn_call *call)
{
	t->op[call->op]++;
	if (call->flags & CHURN_ABSENT)
		t->absent[call->op]++;
	if (call->op == CHURN_OPEN && call->flags & CHURN_NEW)
		t->made++;
	if (call->op == CHURN_READ || call->op == CHURN_WRITE)
		t->bytes += call->size;
	for (unsigned i = 0; i < sizeof(*call); i++)
		t->hash = (t->hash ^ ((const unsigned char *)call)[i]) * UINT64_C(0x100000001b3);
}

static struct tally tally_pass(struct churn_plan *p)
{
	struct churn_call calls[CHURN_CALLS_MAX];
	struct tally t = { .hash = 1 };
	unsigned n;

	while ((n = churn_plan_next(p, calls)) > 0) {
		loop_assert(n <= CHURN_CALLS_MAX);
		for (unsigned i = 0; i < n; i++)
			tally_call(&t, &calls[i]);
	}
	return t;
}

static struct tally tally_nth(enum churn_mode mode, uint64_t seed, unsigned fillers, unsigned n)
{
	struct churn_plan *p = churn_plan_new(mode, seed, fillers);
	struct tally t = { 0 };

	while (n--)
		t = tally_pass(p);
	churn_plan_free(p);
	return t;
}

static unsigned all_calls(const struct tally *t)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < CHURN_OPS; i++)
		if (i != CHURN_GROW)
			sum += t->op[i];
	return sum;
}

static const struct {
	enum churn_mode mode;
	unsigned calls;
	uint64_t bytes;
	unsigned op[CHURN_OPS];
} mixes[] = {
	{ CHURN_SEED, 42792, 132000000,
	  { [CHURN_WRITE] = 23287, [CHURN_STAT] = 6393, [CHURN_READ] = 4698, [CHURN_OPEN] = 3619,
	    [CHURN_CLOSE] = 3619, [CHURN_UNLINK] = 961, [CHURN_RENAME] = 195, [CHURN_MKDIR] = 10,
	    [CHURN_RMDIR] = 10 } },
	{ CHURN_FSYNC, 3548, 19210250,
	  { [CHURN_READ] = 963, [CHURN_OPEN] = 614, [CHURN_STAT] = 557, [CHURN_CLOSE] = 451,
	    [CHURN_WRITE] = 302, [CHURN_SEARCH] = 215, [CHURN_UNLINK] = 124,
	    [CHURN_STATVFS] = 102, [CHURN_FSTAT] = 97, [CHURN_TIMES] = 50, [CHURN_FLUSH] = 43,
	    [CHURN_RENAME] = 26, [CHURN_LOCK] = 2, [CHURN_UNLOCK] = 2 } },
};

START_TEST(every_pass_of_every_seed_plays_exactly_the_deck)
{
	for (uint64_t seed = 1; seed < 12; seed++) {
		struct churn_plan *p = churn_plan_new(mixes[_i].mode, seed, CHURN_FILLERS);

		for (unsigned pass = 0; pass < 4; pass++) {
			struct tally t = tally_pass(p);

			ck_assert_uint_eq(all_calls(&t), mixes[_i].calls);
			ck_assert_uint_eq(t.bytes, mixes[_i].bytes);
			for (unsigned i = 0; i < CHURN_OPS; i++)
				if (i != CHURN_GROW)
					ck_assert_uint_eq(t.op[i], mixes[_i].op[i]);
			ck_assert_uint_lt(t.op[CHURN_GROW], 60);
		}
		churn_plan_free(p);
	}
	ck_assert_uint_eq(churn_pass_calls(mixes[_i].mode), mixes[_i].calls);
	ck_assert_uint_eq(churn_pass_bytes(mixes[_i].mode), mixes[_i].bytes);
}
END_TEST

START_TEST(the_fsync_mix_fails_as_often_as_written)
{
	struct tally t = tally_nth(CHURN_FSYNC, 7, CHURN_FILLERS, 1);

	ck_assert_uint_eq(t.absent[CHURN_STAT], 189);
	ck_assert_uint_eq(t.absent[CHURN_OPEN], 163);
	ck_assert_uint_eq(t.absent[CHURN_SEARCH], 111);
	ck_assert_uint_eq(t.made, 85 + 39);
}
END_TEST

START_TEST(a_seed_fixes_the_order_and_another_seed_changes_it)
{
	uint64_t first = tally_nth(mixes[_i].mode, 5, CHURN_FILLERS, 2).hash;

	ck_assert_uint_eq(tally_nth(mixes[_i].mode, 5, CHURN_FILLERS, 2).hash, first);
	ck_assert_uint_ne(tally_nth(mixes[_i].mode, 6, CHURN_FILLERS, 2).hash, first);
	ck_assert_uint_ne(tally_nth(mixes[_i].mode, 5, CHURN_FILLERS, 1).hash, first);
}
END_TEST

START_TEST(fewer_fillers_leave_the_mix_as_it_is)
{
	struct tally t = tally_nth(CHURN_SEED, 3, (unsigned)_i, 2);

	ck_assert_uint_eq(all_calls(&t), 42792);
	ck_assert_uint_eq(t.bytes, 132000000);
	ck_assert_uint_eq(t.op[CHURN_UNLINK], 961);
	ck_assert_uint_eq(t.op[CHURN_OPEN], 3619);
}
END_TEST

static const struct { uint64_t bytes; unsigned want; } budgets[] = {
	{ UINT64_C(2147483648), 20 }, { UINT64_C(2147483648) / 128, 10 }, { 0, 0 },
	{ 6000000, 0 }, { 6000000 + 1048576, 1 }, { 6000000 + 1048575, 0 },
	{ 6000000 + 20 * 1048576, 20 },
};

START_TEST(fillers_follow_the_budget)
{
	ck_assert_uint_eq(churn_fillers(budgets[_i].bytes), budgets[_i].want);
}
END_TEST

START_TEST(twenty_to_sixtyfive_names_stay_alive)
{
	struct churn_plan *p = churn_plan_new(mixes[_i].mode, 99, CHURN_FILLERS);
	struct churn_call calls[CHURN_CALLS_MAX];

	for (unsigned pass = 0; pass < 3;) {
		pass += churn_plan_next(p, calls) == 0;
		loop_assert(churn_plan_alive(p) >= CHURN_LEAST_ALIVE);
		loop_assert(churn_plan_alive(p) <= CHURN_MOST_ALIVE);
	}
	ck_assert_uint_eq(churn_plan_alive(p), CHURN_FIRST_FILES);
	churn_plan_free(p);
}
END_TEST

/* A model of the folder: what exists, how long it is. */
struct model {
	bool alive[CHURN_ALL_NAMES];
	uint64_t size[CHURN_ALL_NAMES];
	int open;			/* the name that is open, -1: none */
	unsigned died, died_empty, died_small, died_medium, died_huge;
};

static void note_death(struct model *m, unsigned name)
{
	if (name >= CHURN_NAMES)
		return;
	m->died++;
	m->died_empty += m->size[name] == 0;
	m->died_small += m->size[name] <= 28 * 1024;
	m->died_medium += m->size[name] <= 88 * 1024;
	m->died_huge += m->size[name] > 650 * 1024;
}

static void model_io(struct model *m, const struct churn_call *call)
{
	uint64_t end = (uint64_t)call->offset + call->size;

	loop_assert(m->open == call->name);
	loop_assert(call->size <= CHURN_IO_MAX);
	if (call->op == CHURN_READ)
		loop_assert(end <= m->size[call->name]);
	else if (end > m->size[call->name])
		m->size[call->name] = end;
}

static void model_open(struct model *m, const struct churn_call *call)
{
	bool absent = call->flags & (CHURN_ABSENT | CHURN_NEW);

	loop_assert(m->open == -1);
	loop_assert(m->alive[call->name] == !absent);
	if (call->flags & CHURN_ABSENT)
		return;
	m->alive[call->name] = true;
	m->open = call->name;
}

static void model_call(struct model *m, const struct churn_call *call)
{
	switch ((enum churn_op)call->op) {
	case CHURN_OPEN:
		model_open(m, call);
		break;
	case CHURN_CLOSE:
		loop_assert(m->open == call->name);
		m->open = -1;
		break;
	case CHURN_READ:
	case CHURN_WRITE:
		model_io(m, call);
		break;
	case CHURN_GROW:
		loop_assert(call->size > m->size[call->name]);
		m->size[call->name] = call->size;
		break;
	case CHURN_STAT:
	case CHURN_SEARCH:
		loop_assert(m->alive[call->name] == !(call->flags & CHURN_ABSENT));
		break;
	case CHURN_UNLINK:
		loop_assert(m->alive[call->name]);
		note_death(m, call->name);
		m->alive[call->name] = false;
		m->size[call->name] = 0;
		break;
	case CHURN_RENAME:
		loop_assert(m->alive[call->name] && !m->alive[call->name2]);
		m->alive[call->name] = false;
		m->alive[call->name2] = true;
		m->size[call->name2] = m->size[call->name];
		m->size[call->name] = 0;
		break;
	default:
		break;
	}
}

static void model_start(struct model *m)
{
	*m = (struct model){ .open = -1 };
	for (unsigned i = 0; i < CHURN_FIRST_FILES; i++) {
		ck_assert(!m->alive[churn_first_name(i)]);
		m->alive[churn_first_name(i)] = true;
		m->size[churn_first_name(i)] = churn_first_size(i);
	}
}

START_TEST(calls_fit_what_exists_and_no_read_is_short)
{
	struct churn_plan *p = churn_plan_new(mixes[_i].mode, 1234, CHURN_FILLERS);
	struct churn_call calls[CHURN_CALLS_MAX];
	struct model m;

	model_start(&m);
	for (unsigned pass = 0; pass < 6;) {
		unsigned n = churn_plan_next(p, calls);

		pass += n == 0;
		for (unsigned i = 0; i < n; i++)
			model_call(&m, &calls[i]);
		loop_assert(m.open == -1);
	}
	for (unsigned i = 0; i < CHURN_NAMES; i++)
		loop_assert(churn_plan_size(p, i) == m.size[i]);
	churn_plan_free(p);
}
END_TEST

START_TEST(files_die_as_large_as_they_did_in_the_original)
{
	struct churn_plan *p = churn_plan_new(CHURN_SEED, 4, CHURN_FILLERS);
	struct churn_call calls[CHURN_CALLS_MAX];
	struct model m;

	model_start(&m);
	for (unsigned pass = 0; pass < 5;) {
		unsigned n = churn_plan_next(p, calls);

		pass += n == 0;
		for (unsigned i = 0; i < n; i++)
			model_call(&m, &calls[i]);
	}
	/* half empty, 75 % under 28 K, 90 % under 88 K, 99 % under 650 K */
	ck_assert_uint_ge(m.died_empty * 100, m.died * 42);
	ck_assert_uint_le(m.died_empty * 100, m.died * 65);
	ck_assert_uint_ge(m.died_small * 100, m.died * 65);
	ck_assert_uint_le(m.died_small * 100, m.died * 85);
	ck_assert_uint_ge(m.died_medium * 100, m.died * 83);
	ck_assert_uint_le(m.died_medium * 100, m.died * 95);
	ck_assert_uint_le(m.died_huge * 100, m.died * 1);
	churn_plan_free(p);
}
END_TEST

/* ---- clients on a disk, through a back end that counts ---- */

struct counting {
	unsigned open, close, seek, read, write, read_at, write_at, stat, unlink, rename, mkdir,
		rmdir, flush, flush_data, fstat, short_reads, truncate, set_times, statvfs, lock;
	uint64_t bytes;
	unsigned fail_write_at;	/* the write call that finds the disk full; 0: none */
};

#define REAL(call, ...) files_real.call(NULL, __VA_ARGS__)

static int count_open(void *self, int dir, const char *name, int flags)
{
	((struct counting *)self)->open += !(flags & O_DIRECTORY);
	return REAL(open, dir, name, flags);
}

static int count_close(void *self, int fd)
{
	((struct counting *)self)->close++;
	return REAL(close, fd);
}

static off_t count_seek(void *self, int fd, off_t offset)
{
	((struct counting *)self)->seek++;
	return REAL(seek, fd, offset);
}

static ssize_t note_read(struct counting *c, ssize_t got, size_t size)
{
	c->short_reads += got != (ssize_t)size;
	c->bytes += got > 0 ? (uint64_t)got : 0;
	return got;
}

static ssize_t count_read(void *self, int fd, void *buf, size_t size)
{
	((struct counting *)self)->read++;
	return note_read(self, REAL(read, fd, buf, size), size);
}

static ssize_t count_read_at(void *self, int fd, void *buf, size_t size, off_t at)
{
	((struct counting *)self)->read_at++;
	return note_read(self, REAL(read_at, fd, buf, size, at), size);
}

static ssize_t count_write(void *self, int fd, const void *buf, size_t size)
{
	struct counting *c = self;

	if (++c->write == c->fail_write_at)
		return -ENOSPC;
	c->bytes += size;
	return REAL(write, fd, buf, size);
}

static ssize_t count_write_at(void *self, int fd, const void *buf, size_t size, off_t at)
{
	struct counting *c = self;

	c->write_at++;
	c->bytes += size;
	return REAL(write_at, fd, buf, size, at);
}

static int count_truncate(void *self, int fd, off_t size)
{
	((struct counting *)self)->truncate++;
	return REAL(truncate, fd, size);
}

static int count_stat(void *self, int dir, const char *name, struct stat *out)
{
	((struct counting *)self)->stat++;
	return REAL(stat, dir, name, out);
}

static int count_fstat(void *self, int fd, struct stat *out)
{
	((struct counting *)self)->fstat++;
	return REAL(fstat, fd, out);
}

static int count_unlink(void *self, int dir, const char *name)
{
	((struct counting *)self)->unlink++;
	return REAL(unlink, dir, name);
}

static int count_rename(void *self, int dir, const char *from, const char *to)
{
	((struct counting *)self)->rename++;
	return REAL(rename, dir, from, to);
}

static int count_mkdir(void *self, int dir, const char *name)
{
	((struct counting *)self)->mkdir++;
	return REAL(mkdir, dir, name);
}

static int count_rmdir(void *self, int dir, const char *name)
{
	((struct counting *)self)->rmdir++;
	return REAL(rmdir, dir, name);
}

static int count_flush(void *self, int fd)
{
	((struct counting *)self)->flush++;
	(void)fd;		/* counted, not waited for */
	return 0;
}

static int count_flush_data(void *self, int fd)
{
	((struct counting *)self)->flush_data++;
	(void)fd;
	return 0;
}

static int count_set_times(void *self, int fd, const struct timespec times[2])
{
	((struct counting *)self)->set_times++;
	return REAL(set_times, fd, times);
}

static int count_statvfs(void *self, int fd)
{
	((struct counting *)self)->statvfs++;
	return REAL(statvfs, fd);
}

static int count_lock(void *self, int fd, off_t offset, off_t size, bool on)
{
	((struct counting *)self)->lock++;
	return REAL(lock, fd, offset, size, on);
}

static ssize_t count_entries(void *self, int fd, void *buf, size_t size)
{
	(void)self;
	return REAL(entries, fd, buf, size);
}

static struct files counting_files(struct counting *c)
{
	return (struct files){
		.self = c, .open = count_open, .close = count_close, .seek = count_seek,
		.read = count_read, .write = count_write, .read_at = count_read_at,
		.write_at = count_write_at, .truncate = count_truncate, .stat = count_stat,
		.fstat = count_fstat, .unlink = count_unlink, .rename = count_rename,
		.mkdir = count_mkdir, .rmdir = count_rmdir, .flush = count_flush,
		.flush_data = count_flush_data, .set_times = count_set_times,
		.statvfs = count_statvfs, .lock = count_lock, .entries = count_entries,
	};
}

static struct harness *h;
static struct counting counts;
static struct files backend;

static void setup(void)
{
	h = harness_new(&load_churn, 1, 42);
	memset(&counts, 0, sizeof(counts));
	backend = counting_files(&counts);
}

static void teardown(void)
{
	harness_free(h);
}

static struct churn_client *make_client(enum churn_mode mode)
{
	struct load_worker *w = harness_worker(h, 0);
	struct why why = { 0 };
	struct churn_client *c;

	ck_assert_int_eq(churn_client_make(&backend, w->scratch_fd, 0, mode, CHURN_FILLERS, &why),
			 0);
	c = churn_client_open(w, &backend, mode, CHURN_FILLERS, &why);
	ck_assert_ptr_nonnull(c);
	memset(&counts, 0, sizeof(counts));
	return c;
}

START_TEST(a_seed_pass_makes_exactly_these_system_calls)
{
	struct churn_client *c = make_client(CHURN_SEED);

	for (unsigned pass = 1; pass <= 2; pass++) {
		ck_assert_int_eq(churn_client_pass(c, NULL), 0);
		ck_assert_uint_eq(counts.write, pass * 23287);
		ck_assert_uint_eq(counts.read, pass * 4698);
		ck_assert_uint_eq(counts.seek, pass * (23287 + 4698));
		ck_assert_uint_eq(counts.stat, pass * 6393);
		ck_assert_uint_eq(counts.open, pass * 3619);
		ck_assert_uint_eq(counts.close, pass * 3619);
		ck_assert_uint_eq(counts.unlink, pass * 961);
		ck_assert_uint_eq(counts.rename, pass * 195);
		ck_assert_uint_eq(counts.mkdir, pass * 10);
		ck_assert_uint_eq(counts.rmdir, pass * 10);
		ck_assert_uint_eq(counts.bytes, pass * UINT64_C(132000000));
		ck_assert_uint_eq(harness_ops(h), pass * 42792);
		ck_assert_uint_eq(harness_bytes(h), counts.bytes);
		ck_assert_uint_eq(harness_passes(h), pass);
	}
	ck_assert_uint_eq(counts.short_reads, 0);
	ck_assert_uint_eq(counts.flush + counts.flush_data, 0);
	churn_client_close(c);
	ck_assert_uint_eq(harness_left(h), 0);
}
END_TEST

START_TEST(an_fsync_cycle_makes_exactly_these_calls)
{
	struct churn_client *c = make_client(CHURN_FSYNC);

	for (unsigned pass = 1; pass <= 6; pass++) {
		ck_assert_int_eq(churn_client_pass(c, NULL), 0);
		ck_assert_uint_eq(counts.read_at, pass * 963);
		ck_assert_uint_eq(counts.write_at, pass * 302);
		ck_assert_uint_eq(counts.flush, pass * 43);
		ck_assert_uint_eq(counts.unlink, pass * 124);
		ck_assert_uint_eq(counts.rename, pass * 26);
		ck_assert_uint_eq(counts.statvfs, pass * 102);
		ck_assert_uint_eq(counts.set_times, pass * 50);
		ck_assert_uint_eq(counts.fstat, pass * (97 + 50));
		ck_assert_uint_eq(counts.lock, pass * 4);
		ck_assert_uint_eq(counts.bytes, pass * UINT64_C(19210250));
		ck_assert_uint_eq(harness_ops(h), pass * 3548);
	}
	ck_assert_uint_eq(counts.seek + counts.read + counts.write + counts.flush_data, 0);
	ck_assert_uint_eq(counts.short_reads, 0);
	churn_client_close(c);
	ck_assert_uint_eq(harness_left(h), 0);
}
END_TEST

START_TEST(sync_mode_flushes_the_folder_of_every_name_that_goes_or_moves)
{
	struct churn_client *c = make_client(CHURN_SYNC);

	ck_assert_int_eq(churn_client_pass(c, NULL), 0);
	ck_assert_uint_eq(counts.flush_data, 124 + 26);
	churn_client_close(c);
	ck_assert_uint_eq(harness_left(h), 0);
}
END_TEST

static uint64_t blocks_bytes;	/* nftw() has no argument to carry it in */

static int add_blocks(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)path, (void)kind, (void)at;
	blocks_bytes += (uint64_t)st->st_blocks * 512;
	return 0;
}

static double footprint_mb(void)
{
	blocks_bytes = 0;
	nftw(harness_scratch(h), add_blocks, 16, FTW_PHYS);
	return (double)blocks_bytes / 1e6;
}

START_TEST(a_client_takes_24_mb)
{
	struct churn_client *c = make_client(CHURN_FSYNC);

	for (unsigned pass = 0; pass < 20; pass++)
		ck_assert_int_eq(churn_client_pass(c, NULL), 0);
	ck_assert_double_ge(footprint_mb(), 24 * 0.9);
	ck_assert_double_le(footprint_mb(), 24 * 1.15);
	churn_client_close(c);
}
END_TEST

START_TEST(a_full_disk_ends_the_load_with_these_words)
{
	struct churn_client *c = make_client(CHURN_SEED);
	struct why why = { 0 };

	counts.fail_write_at = 1000;
	ck_assert_int_eq(churn_client_pass(c, &why), -ENOSPC);
	ck_assert_str_eq(why.text, "disk full, stopped");
	churn_client_close(c);
	ck_assert_uint_eq(harness_left(h), 0);
}
END_TEST

/* ---- the load ---- */

START_TEST(workers_of_every_mode_play_and_leave_nothing)
{
	struct harness *many = harness_new(&load_churn, 3, 1);
	struct load_worker *w = harness_worker(many, 0);
	struct why why = { 0 };

	w->knob[0] = _i;
	ck_assert_msg(harness_run(many, _i == CHURN_SYNC ? 0 : 1, 50, &why) == 0, "%s", why.text);
	ck_assert_uint_eq(harness_left(many), 0);
	ck_assert_uint_ge(harness_bytes(many), _i == CHURN_SYNC ? 1 : 3 * 19000000);
	ck_assert_double_eq(harness_figure(many, 0), 20);
	harness_free(many);
}
END_TEST

static void line(char *buf, size_t size, unsigned workers, long mode, uint64_t bytes, int64_t ns)
{
	long knob[LOAD_KNOBS_MAX] = { mode };

	load_churn.stop_line(buf, size, workers, knob, 0, bytes, bytes / 132000000, ns);
}

START_TEST(the_stop_line_is_that_of_dbench_1)
{
	char buf[200];

	line(buf, sizeof(buf), 4, CHURN_SEED, 4 * UINT64_C(132000000), 4 * NS_PER_S);
	ck_assert_str_eq(buf, "Throughput 132 MB/sec (NB=165 MB/sec  1320 MBit/sec)  4 procs");
	/* NB comes from the figure before it is rounded. */
	line(buf, sizeof(buf), 1, CHURN_SEED, 106330400, NS_PER_S);
	ck_assert_str_eq(buf, "Throughput 106.33 MB/sec (NB=132.913 MB/sec  1063.3 MBit/sec)  1 procs");
	line(buf, sizeof(buf), 2, CHURN_SYNC, 2000000, NS_PER_S);
	ck_assert_str_eq(buf, "Throughput 2 MB/sec (NB=2.5 MB/sec  20 MBit/sec)"
			      " (sync open) (sync dirs)  2 procs");
	line(buf, sizeof(buf), 1, CHURN_SEED, 0, 0);
	ck_assert_str_eq(buf, "");
}
END_TEST

Suite *churn_suite(void);
Suite *churn_suite(void)
{
	Suite *s = suite_create("churn");
	TCase *plan = tcase_create("plan"), *client = tcase_create("client");
	TCase *load = tcase_create("load");

	tcase_add_loop_test(plan, every_pass_of_every_seed_plays_exactly_the_deck, 0, 2);
	tcase_add_test(plan, the_fsync_mix_fails_as_often_as_written);
	tcase_add_loop_test(plan, a_seed_fixes_the_order_and_another_seed_changes_it, 0, 2);
	tcase_add_loop_test(plan, fewer_fillers_leave_the_mix_as_it_is, 0, 21);
	tcase_add_loop_test(plan, fillers_follow_the_budget, 0, 7);
	tcase_add_loop_test(plan, twenty_to_sixtyfive_names_stay_alive, 0, 2);
	tcase_add_loop_test(plan, calls_fit_what_exists_and_no_read_is_short, 0, 2);
	tcase_add_test(plan, files_die_as_large_as_they_did_in_the_original);
	suite_add_tcase(s, plan);
	tcase_set_timeout(client, 60);
	tcase_add_checked_fixture(client, setup, teardown);
	tcase_add_test(client, a_seed_pass_makes_exactly_these_system_calls);
	tcase_add_test(client, an_fsync_cycle_makes_exactly_these_calls);
	tcase_add_test(client, sync_mode_flushes_the_folder_of_every_name_that_goes_or_moves);
	tcase_add_test(client, a_client_takes_24_mb);
	tcase_add_test(client, a_full_disk_ends_the_load_with_these_words);
	suite_add_tcase(s, client);
	tcase_set_timeout(load, 60);
	tcase_add_loop_test(load, workers_of_every_mode_play_and_leave_nothing, 0, 3);
	tcase_add_test(load, the_stop_line_is_that_of_dbench_1);
	suite_add_tcase(s, load);
	return s;
}
