/*
 * check_absurd.c - any number of a file may be beyond all sense.  Whatever a
 * reader lets pass, every picture, report and screen of it has an end.
 *
 * Quick: a few numbers for each member.  JS_LONG=1: all of them.
 */
#include <check.h>
#include <jansson.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/format.h"
#include "src/plot_sheet.h"
#include "src/snapshot_write.h"
#include "tests/fake_model.h"
#include "tests/fake_snapshot.h"
#include "ui/layout.h"

extern const struct format format_json;

#define BYTES_MOST (8u << 20)	/* of one picture or report; a whole one has 100 kB */

/* What cannot hold it must not fill a disk or the memory before it is noticed. */
struct gauge { char what[96]; size_t bytes; };

static ssize_t count_bytes(void *cookie, const char *bytes, size_t n)
{
	struct gauge *g = cookie;

	(void)bytes;
	g->bytes += n;
	ck_assert_msg(g->bytes < BYTES_MOST, "%s: no end", g->what);
	return (ssize_t)n;
}

static FILE *measured(struct gauge *g)
{
	FILE *out = fopencookie(g, "w", (cookie_io_functions_t){ .write = count_bytes });

	ck_assert_ptr_nonnull(out);
	return out;
}

static void write_all(const struct snapshot *s, const char *what)
{
	for (const struct format *const *f = formats; *f; f++) {
		struct gauge g = { .bytes = 0 };
		struct why why = { 0 };

		if (!(*f)->write)
			continue;
		snprintf(g.what, sizeof(g.what), "%s, %s", what, (*f)->name);
		FILE *out = measured(&g);

		format_write(out, *f, s, &why);	/* it may refuse: not every format holds all */
		fclose(out);
	}
}

static void plot_one(const struct snapshot *s, const char *what, bool svg)
{
	struct plot_sheet p = { .files = 0 };
	struct gauge g = { .bytes = 0 };

	snprintf(g.what, sizeof(g.what), "%s, plot", what);
	ck_assert_int_eq(plot_sheet_add(&p, s, "file.json"), 0);
	if (plot_sheet_ready(&p) == 0) {
		FILE *out = measured(&g);

		if (svg)
			ck_assert_int_eq(plot_sheet_svg(out, &p), 0);
		else
			plot_sheet_gnuplot(out, &p, false);
		fclose(out);
	}
	plot_sheet_free(&p);
}

static void show(const struct snapshot *s, const char *what)
{
	struct why why = { 0 };
	struct model *m = snapshot_model(s, &why);
	struct canvas *c = canvas_new(120, 40);
	struct layout l;
	struct view v;

	ck_assert_msg(m != NULL, "%s: %s", what, why.text);
	fake_view(&v, m, NULL);
	for (int range = 0; range < 2; range++) {
		v.auto_range = range;
		layout_make(&l, 120, 40, m, &v);
		for (unsigned i = 0; i < l.n; i++) {
			struct canvas in = canvas_view(c, l.at[i].r);

			l.at[i].panel->draw(m, &v, &in);
		}
	}
	canvas_free(c);
	model_free(m);
}

/* ---- each number in its turn ------------------------------------------------- */

static const char *const monsters[] = {
	"5e-324", "-5e-324", "1e-300", "1e-9", "1e300", "-1e300", "999999999", "-999999999", "-1",
	"0", "1", "4294967295", "4294967296", "9007199254740991", "9223372036854775807",
	"-9223372036854775808",
};
#define MONSTERS (sizeof(monsters) / sizeof(monsters[0]))

struct tour { const json_t *root; unsigned at, step, accepted; };

static void try_one(struct tour *t, const char *path, const char *monster)
{
	char *text = json_dumps(t->root, 0), what[80];
	struct why why = { 0 };
	struct snapshot *s = fake_read(&format_json, text, strlen(text), &why);

	snprintf(what, sizeof(what), "%s = %s", path, monster);
	free(text);
	if (!s)
		return;
	if (!snapshot_check(s, &why)) {
		t->accepted++;
		write_all(s, what);
		plot_one(s, what, true);
		plot_one(s, what, false);
		show(s, what);
	}
	snapshot_free(s);
}

static void try_all(struct tour *t, json_t *leaf, const char *path)
{
	json_t *was = json_deep_copy(leaf);
	unsigned turn = t->at++ % t->step;

	for (size_t i = 0; i < MONSTERS; i++) {
		if (i && i % t->step != turn)	/* the first is the worst */
			continue;
		json_t *value = json_loads(monsters[i], JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL, NULL);

		if (json_is_real(leaf))
			json_real_set(leaf, json_real_value(value));
		else
			json_integer_set(leaf, (json_int_t)strtoll(monsters[i], NULL, 10));
		json_decref(value);
		try_one(t, path, monsters[i]);
	}
	if (json_is_real(leaf))
		json_real_set(leaf, json_real_value(was));
	else
		json_integer_set(leaf, json_integer_value(was));
	json_decref(was);
}

/* Of lists the first: the others are of its kind. */
static void visit(struct tour *t, json_t *at, const char *path)
{
	char deeper[80];
	const char *key;
	json_t *value;

	if (json_is_number(at))
		try_all(t, at, path);
	if (json_is_array(at)) {
		for (size_t i = 0; i < json_array_size(at); i++) {
			if (i && !json_is_number(json_array_get(at, i)))
				break;
			snprintf(deeper, sizeof(deeper), "%.50s/%zu", path, i);
			visit(t, json_array_get(at, i), deeper);
		}
	}
	json_object_foreach(at, key, value) {
		snprintf(deeper, sizeof(deeper), "%.40s/%.30s", path, key);
		visit(t, value, deeper);
	}
}

START_TEST(whatever_a_number_is_all_that_shows_it_ends)
{
	struct snapshot *s = fake_snapshot(4);
	size_t n;
	char *text = fake_write(&format_json, s, &n);
	json_t *root = json_loadb(text, n, 0, NULL);
	struct tour t = { .root = root, .step = getenv("JS_LONG") ? 1 : 8 };

	setlocale(LC_CTYPE, "C.UTF-8");
	visit(&t, root, "");
	printf("absurd: %u numbers, %u files let pass\n", t.at, t.accepted);
	ck_assert_uint_gt(t.accepted, 0);
	json_decref(root);
	free(text);
	snapshot_free(s);
}
END_TEST

Suite *absurd_suite(void);

Suite *absurd_suite(void)
{
	Suite *s = suite_create("absurd");
	TCase *tc = tcase_create("absurd");

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, whatever_a_number_is_all_that_shows_it_ends);
	suite_add_tcase(s, tc);
	return s;
}
