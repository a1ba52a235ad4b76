/*
 * check_blame_reopen.c - the rings of a CPU that goes and comes.
 */
#include <check.h>
#include <errno.h>

#include "src/blame.h"
#include "src/clock.h"
#include "tests/fake_rings.h"

static struct model *make_model(void)
{
	const struct model_spec spec = { .groups = 1, .series = 1, .digits = 3, .start_ns = 1 };
	struct model *m = model_new(&spec);

	m->groups[0].on = true;
	m->groups[0].nr = 1;
	m->series[0].cpu = 0;
	return m;
}

START_TEST(the_ring_of_names_is_kept_while_the_other_one_cannot_be_opened)
{
	struct cpuset cpus = { { 1 } };
	struct blame *b = blame_new(&cpus, BLAME_LEVEL_SWITCH);
	struct model *m = make_model();
	unsigned names;

	ck_assert_int_eq(blame_level(b), BLAME_LEVEL_SWITCH);
	ck_assert_uint_eq(fake_rings.opened, 1);
	blame_watch(b, 0, 0, 77);
	names = fake_rings.names_opened;
	m->series[0].offline = true;
	blame_second(b, m, NS_PER_S);
	ck_assert_uint_eq(fake_rings.closed, 1);
	m->series[0].offline = false;
	fake_rings.refuse = -EMFILE;
	for (int i = 2; i < 5; i++)
		blame_second(b, m, i * NS_PER_S);
	ck_assert_uint_eq(fake_rings.closed, 1);
	ck_assert_uint_eq(fake_rings.names_opened, names);
	fake_rings.refuse = 0;
	blame_second(b, m, 5 * NS_PER_S);
	ck_assert_uint_eq(fake_rings.opened, 2);
	ck_assert_uint_eq(fake_rings.names_opened, names ? names + 1 : 0);
	ck_assert_uint_ge(fake_rings.watched, 2);	/* and its sampler, again */
	blame_second(b, m, 6 * NS_PER_S);
	ck_assert_uint_eq(fake_rings.opened, 2);
	blame_free(b);
	model_free(m);
}
END_TEST

Suite *blame_reopen_suite(void);
Suite *blame_reopen_suite(void)
{
	Suite *s = suite_create("blame_reopen");
	TCase *tc = tcase_create("rings");

	tcase_add_test(tc, the_ring_of_names_is_kept_while_the_other_one_cannot_be_opened);
	suite_add_tcase(s, tc);
	return s;
}
