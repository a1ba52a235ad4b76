/*
 * check_no_memory.c - P11: the kth allocation fails, once and for ever, for
 * every k: a file is refused or written, never a crash, never a half truth.
 *
 * The allocator of this program stands in for the C library's.  Sanitizers
 * bring their own, so this suite is empty there.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/compare_pair.h"
#include "src/format.h"
#include "src/hdr_codec.h"
#include "src/plot_sheet.h"
#include "src/snapshot.h"
#include "src/snapshot_build.h"
#include "src/snapshot_write.h"
#include "tests/fake_run.h"
#include "tests/fake_snapshot.h"

Suite *no_memory_suite(void);

#if !defined(JS_ASAN) && !defined(JS_TSAN)

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);

static long until = -1;	/* the kth from now fails; below 0: never */
static bool for_ever;
static unsigned refused;

static bool refuse(void)
{
	if (until < 0 || until-- > 1)
		return false;
	until = for_ever ? 1 : -1;
	refused++;
	errno = ENOMEM;
	return true;
}

void *malloc(size_t n)
{
	return refuse() ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
	return refuse() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
	return refuse() ? NULL : __libc_realloc(p, n);
}

void *reallocarray(void *p, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		return NULL;
	return realloc(p, bytes);
}

static void arm(long k, bool ever)
{
	until = k;
	for_ever = ever;
	refused = 0;
}

/* Takes the arms away; was there any refusal? */
static bool disarm(void)
{
	until = -1;
	return refused > 0;
}

#define STEPS_MOST 10000000

/* Calls once with each k, until nothing was refused. */
static void every_k(int (*call)(void *arg), void *arg)
{
	for (int ever = 0; ever < 2; ever++) {
		long k = 1;

		for (;; k += 1 + k / 50) {
			ck_assert_int_lt(k, STEPS_MOST);
			arm(k, ever);
			int err = call(arg);

			if (!disarm()) {
				ck_assert_int_eq(err, 0);
				break;
			}
		}
		ck_assert_int_gt(k, 1);
	}
}

struct io {
	const struct format *format;
	struct snapshot *s;
	char *bytes;
	size_t n;
};

static int write_it(void *arg)
{
	struct io *io = arg;
	struct why why = { 0 };
	char *bytes = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&bytes, &n);
	int err = out ? format_write(out, io->format, io->s, &why) : -ENOMEM;

	if (out && (ferror(out) | fclose(out)))
		err = -ENOMEM;
	free(bytes);
	return err;
}

static int read_it(void *arg)
{
	struct io *io = arg;
	struct why why = { 0 };
	struct snapshot *s = snapshot_new();
	int err = s ? io->format->read(io->bytes, io->n, "FILE", s, &why) : -ENOMEM;

	/* What is accepted without memory must still be the truth. */
	if (!err)
		err = snapshot_check(s, &why);
	snapshot_free(s);
	return err;
}

/* P11: each allocation fails in turn. */
START_TEST(p11_formats)
{
	struct io io = { .format = formats[_i] };

	if (!io.format->write || !strcmp(io.format->name, "ans"))
		return;
	io.s = fake_snapshot(1);
	snapshot_add_figure(io.s, "no_load", "k", "runs", "")->value = 1;
	snapshot_add_figure(io.s, "no_load", "k", "Time", "s")->value = 79;
	snapshot_add_figure(io.s, "bonnie", "k", "MB", "MB")->value = 100;
	snapshot_add_figure(io.s, "mem_lat", "k", "Mhz", "MHz")->value = 501;
	every_k(write_it, &io);
	if (io.format->read) {
		io.bytes = fake_write(io.format, io.s, &io.n);
		every_k(read_it, &io);
		free(io.bytes);
	}
	snapshot_free(io.s);
}
END_TEST

static int take_it(void *arg)
{
	struct why why = { 0 };
	struct snapshot *s = snapshot_take(arg, NULL, &why);

	snapshot_free(s);
	return s ? 0 : why.err;
}

START_TEST(p11_take)
{
	struct model *m = fake_run_new();

	fake_run_until(m, 20 * NS_PER_S);
	every_k(take_it, m);
	model_free(m);
}
END_TEST

static int model_it(void *arg)
{
	struct why why = { 0 };
	struct model *m = snapshot_model(arg, &why);

	model_free(m);
	return m ? 0 : why.err;
}

static int compare_it(void *arg)
{
	struct compare_pair p;
	int err = compare_pair_make(&p, arg, arg);

	compare_pair_free(&p);
	return err;
}

static int plot_it(void *arg)
{
	static struct plot_sheet p;
	FILE *out = fopen("/dev/null", "w");

	memset(&p, 0, sizeof(p));
	plot_sheet_add(&p, arg, "x");
	int err = plot_sheet_ready(&p);

	if (!err)
		err = out ? plot_sheet_svg(out, &p) : -ENOMEM;
	plot_sheet_free(&p);
	if (out)
		fclose(out);
	return err;
}

static int codec_it(void *arg)
{
	char *text = hdr_encode(arg);
	struct hist *h = text ? hdr_decode(text, strlen(text), NULL) : NULL;
	int err = h ? 0 : -ENOMEM;

	free(text);
	hist_free(h);
	return err;
}

/* P11: each allocation fails in turn. */
START_TEST(p11_model_compare_plot_codec)
{
	struct snapshot *s = fake_snapshot(1);
	struct hist *h = snapshot_hist(s, "wakeup-fifo");

	if (_i == 0)
		every_k(model_it, s);
	else if (_i == 1)
		every_k(compare_it, s);
	else if (_i == 2)
		every_k(plot_it, s);
	else
		every_k(codec_it, h);
	hist_free(h);
	snapshot_free(s);
}
END_TEST

static int format_count(void)
{
	int n = 0;

	while (formats[n])
		n++;
	return n;
}

Suite *no_memory_suite(void)
{
	Suite *s = suite_create("no_memory");
	TCase *tc = tcase_create("no_memory");

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, p11_formats, 0, format_count());
	tcase_add_test(tc, p11_take);
	tcase_add_loop_test(tc, p11_model_compare_plot_codec, 0, 4);
	suite_add_tcase(s, tc);
	return s;
}

#else

Suite *no_memory_suite(void)
{
	return suite_create("no_memory");
}

#endif
