/* check_options.c - words of the command line become data, or a clear refusal. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "src/clock.h"
#include "src/option_table.h"
#include "src/text.h"
#include "src/options.h"
#include "tests/fake_plugins.h"

static struct options o;
static struct why why;

/* Parses blank-separated words after the program's name. */
static int parse(const char *line)
{
	static char buf[512];
	static char *argv[64];
	int argc = 0;
	char *save = NULL;

	snprintf(buf, sizeof(buf), "jitterscope %s", line);
	for (char *w = strtok_r(buf, " ", &save); w; w = strtok_r(NULL, " ", &save))
		argv[argc++] = strcmp(w, "EMPTY") ? w : (char *)"";
	argv[argc] = NULL;
	why.text[0] = '\0';
	options_free(&o);
	return options_parse(&o, argc, argv, &why);
}

static void parsed(const char *line)
{
	ck_assert_msg(parse(line) == 0, "%s: %s", line, why.text);
}

START_TEST(without_words_the_defaults_are_those_of_the_manual)
{
	parsed("");
	ck_assert_int_eq(o.sub, SUB_LIVE);
	ck_assert_int_eq(o.interval_ns, NS_PER_MS);
	ck_assert_int_eq(o.priority, 80);
	ck_assert_uint_eq(o.probes, 0);
	ck_assert_int_eq(o.duration_ns, 0);
	ck_assert_uint_eq(o.seed, 1);
}
END_TEST

static const struct { const char *line; enum subcommand sub; } subs[] = {
	{ "record", SUB_RECORD }, { "replay x", SUB_REPLAY }, { "show x y", SUB_SHOW },
	{ "compare a b", SUB_COMPARE }, { "plot a -o b.svg", SUB_PLOT },
	{ "convert a -t json", SUB_CONVERT }, { "run ladder", SUB_RUN }, { "list", SUB_LIST },
	{ "list loads", SUB_LIST }, { "doctor", SUB_DOCTOR }, { "--help", SUB_HELP },
	{ "record -h", SUB_HELP }, { "help record", SUB_HELP }, { "-V", SUB_VERSION },
	{ "show --version", SUB_VERSION }, { "version", SUB_VERSION },
};

START_TEST(each_command_is_known)
{
	parsed(subs[_i].line);
	ck_assert_int_eq(o.sub, subs[_i].sub);
}
END_TEST

START_TEST(help_knows_whose_it_is)
{
	parsed("record --help");
	ck_assert_int_eq(o.help_for, SUB_RECORD);
	parsed("help compare");
	ck_assert_int_eq(o.help_for, SUB_COMPARE);
	parsed("--help");
	ck_assert_int_eq(o.help_for, SUB_LIVE);
}
END_TEST

START_TEST(values_arrive_in_their_fields)
{
	parsed("record -i 200us -p 97 -c 0-3,8 -D 2s -L note -o x.json -f json --fail-above "
	       "500us@99.9 --deadline 5ms --spike 1ms --break 2ms --bell --require-rt "
	       "--hold-cstates=20us --no-blame --scratch /a --scratch /b --seed 0x10");
	ck_assert_int_eq(o.interval_ns, 200 * NS_PER_US);
	ck_assert_int_eq(o.priority, 97);
	ck_assert(o.has_cpus && cpuset_count(&o.cpus) == 5 && cpuset_has(&o.cpus, 8));
	ck_assert_int_eq(o.duration_ns, 2 * NS_PER_S);
	ck_assert_str_eq(o.label, "note");
	ck_assert_str_eq(o.output, "x.json");
	ck_assert_str_eq(o.format, "json");
	ck_assert_int_eq(o.fail_above_ns, 500 * NS_PER_US);
	ck_assert_double_eq_tol(o.fail_above_pct, 99.9, 1e-9);
	ck_assert_int_eq(o.deadline_ns, 5 * NS_PER_MS);
	ck_assert_int_eq(o.spike_ns, NS_PER_MS);
	ck_assert_int_eq(o.break_ns, 2 * NS_PER_MS);
	ck_assert(o.bell && o.require_rt && o.hold_cstates && o.no_blame);
	ck_assert_int_eq(o.hold_cstates_ns, 20 * NS_PER_US);
	ck_assert_uint_eq(o.scratches, 2);
	ck_assert_uint_eq(o.seed, 16);
	parsed("--fps 10 --theme light --ascii --mouse -b base.json");
	ck_assert(o.ascii && o.mouse);
	ck_assert_int_eq(o.fps, 10);
	ck_assert_str_eq(o.theme, "light");
	ck_assert_str_eq(o.baseline, "base.json");
}
END_TEST

/* What acts on nothing in a command is refused by it, never taken in silence. */
static const struct { const char *command, *options; } useless[] = {
	{ "record", "--fps=4 --theme=light --ascii --mouse --baseline=x --fail-ratio=2 --to=csv "
	  "--steps=1 --length=1s" },
	{ "replay x.jsr", "--interval=1ms --priority=9 --cpus=0 --probe=fork --load=churn "
	  "--schedule=1s --duration=1s --label=x --output=x --format=csv --json --fail-above=1s "
	  "--deadline=1s --spike=1s --break=1s --bell --require-rt --hold-cstates --no-loads "
	  "--no-blame --scratch=/ --seed=1" },
	{ "run tcp", "--schedule=1s --duration=1s --baseline=x --fail-above=1s --fail-ratio=2 "
	  "--deadline=1s --spike=1s --break=1s --bell --fps=4 --theme=light --ascii --mouse "
	  "--no-config --to=csv" },
	{ "show x", "--json --format=csv --output=x --fps=4 --theme=light --label=x" },
	{ "compare x y", "--output=x --format=csv --fail-above=1s --baseline=x --theme=light" },
	{ "plot -o x.svg x", "--json --format=csv --theme=light --label=x --ascii" },
	{ "convert -t text x", "--format=text --label=x --baseline=x" },
	{ "doctor", "--priority=9 --cpus=0 --output=x --require-rt --hold-cstates" },
	{ "list", "--json --output=x --theme=light" },
	{ "", "--fail-ratio=2 --to=csv --steps=1 --length=1s" },
};

START_TEST(an_option_that_does_nothing_is_refused)
{
	char options[600], line[700], *save = NULL;

	snprintf(options, sizeof(options), "%s", useless[_i].options);
	for (char *w = strtok_r(options, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
		snprintf(line, sizeof(line), "%s %s", useless[_i].command, w);
		ck_assert_msg(parse(line) == -EINVAL, "%s", line);
		ck_assert_msg(strstr(why.text, ": not for this command; see `jitterscope ") != NULL,
			      "%s: %s", line, why.text);
	}
}
END_TEST

START_TEST(options_may_stand_after_operands)
{
	parsed("compare a.json b.json --fail-ratio 1.5@99");
	ck_assert_uint_eq(o.files, 2);
	ck_assert_str_eq(o.file[0], "a.json");
	ck_assert_str_eq(o.file[1], "b.json");
	ck_assert_double_eq_tol(o.fail_ratio, 1.5, 1e-9);
	ck_assert_double_eq_tol(o.fail_ratio_pct, 99, 1e-9);
	parsed("show -- -odd-name");
	ck_assert_str_eq(o.file[0], "-odd-name");
}
END_TEST

START_TEST(the_words_as_given_are_kept_in_order)
{
	parsed("show a -- b");
	ck_assert_str_eq(o.argv[1], "show");
	ck_assert_str_eq(o.argv[2], "a");
	ck_assert_str_eq(o.argv[3], "--");
	ck_assert_str_eq(o.argv[4], "b");
}
END_TEST

START_TEST(a_command_follows_two_dashes_and_keeps_its_own_options)
{
	parsed("record -D 2s -- make -j2 -D x");
	ck_assert_ptr_nonnull(o.run);
	ck_assert_str_eq(o.run[0], "make");
	ck_assert_str_eq(o.run[1], "-j2");
	ck_assert_str_eq(o.run[2], "-D");
	ck_assert_ptr_null(o.run[4]);
	ck_assert_int_eq(o.duration_ns, 2 * NS_PER_S);
	parsed("record -D 1s");
	ck_assert_ptr_null(o.run);
}
END_TEST

START_TEST(a_sound_buffer_is_a_deadline)
{
	parsed("--deadline 256@48000");
	ck_assert_int_eq(o.deadline_ns, 256 * NS_PER_S / 48000);
}
END_TEST

START_TEST(a_probe_takes_knobs_and_cpus)
{
	parsed("-P pair -P wakeup,align=1@0-1");
	ck_assert_uint_eq(o.probes, 2);
	ck_assert_str_eq(o.probe[0].probe->name, "pair");
	ck_assert(!o.probe[0].has_cpus);
	ck_assert_str_eq(o.probe[1].probe->name, "wakeup");
	ck_assert_int_eq(o.probe[1].knob[0], 1);
	ck_assert(o.probe[1].has_cpus && cpuset_count(&o.probe[1].cpus) == 2);
}
END_TEST

/* Each refusal names what was wrong and what to do (after the semicolon). */
static const struct { const char *line, *names; } refusals[] = {
	{ "recrod", "recrod" }, { "--bogus", "--bogus" }, { "-x", "-x" },
	{ "-i", "--interval" }, { "-i 1", "--interval" }, { "-i 99us", "100us" },
	{ "-i 2s", "--interval" }, { "-p 0", "1..97" }, { "-p 98", "1..97" },
	{ "-p 1x", "--priority" }, { "-c 3-1", "--cpus" }, { "-c EMPTY", "--cpus" },
	{ "-P bogus", "wakeup pair" }, { "-P wakeup,no=1", "no" }, { "-P wakeup,align=2", "0..1" },
	{ "-o a.hlog -o b.json", "given twice" }, { "-L a --label b", "given twice" },
	{ "-f json -f text", "asked for already" },
	{ "-P wakeup,pair", "repeat -P: -P pair" }, { "-P wakeup,align", "KNOB=VALUE" },
	{ "-P wakeup -P wakeup", "twice; leave one out" },
	{ "-P wakeup@0 -P wakeup@1,3", "-P wakeup@0-1,3" },
	{ "-P wakeup,align=", "align=: no value; 0..1" }, { "-P wakeup,align=x", "align=x: not a whole" },
	{ "-l churn,loadfile=missing", "--load churn: missing" }, { "-P wakeup@", "--probe" }, { "-P EMPTY", "--probe" },
	{ "-l bogus", "churn fork" }, { "-f foreign", "only be read" }, { "-f bogus", "json text" },
	{ "--fail-above 1ms@101", "101" }, { "--fail-above 1ms@0", "percentile" },
	{ "--fail-above 0ms", "--fail-above" }, { "--deadline 256@", "--deadline" },
	{ "--deadline 0s", "--deadline" }, { "--fps 0", "1..60" }, { "--seed -1", "--seed" },
	{ "--seed 1x", "--seed" }, { "--scratch /a --scratch /b --scratch /c", "at most two" },
	{ "--json=x", "--json" }, { "-D 0s", "--duration" }, { "record x", "-- x" },
	{ "record x -- y", "-- x" }, { "file.json", "file.json" }, { "--mouse x", "x" },
	{ "show", "FILE" }, { "compare a", "FILE" }, { "convert a", "-t" }, { "plot a", "-o" },
	{ "replay a b", "b" }, { "show --interval 1ms x", "--interval" },
	{ "compare a b --fail-ratio x", "factor" }, { "help bogus", "bogus" },
	{ "--no-loads -l fork", "--no-loads" }, { "run", "SUITE" }, { "doctor x", "x" },
	{ "record -D 1s -l fork@1s", "fork starts at" }, { "-D 2s -l fork@3s+1s", "fork starts at" },
	{ "record -l fork -l fork:4", "given twice" }, { "-l churn@1s -l fork -l churn:2@1s", "given twice" },
	{ "record -l fork:1@0s+2s -l fork:2@1s+2s", "fork: still runs" },
	{ "record -l fork:2@1s+2s -l fork:1@0s+2s", "start at 1" },	/* as written */
	{ "record -l fork@0s+9s -l fork:2@1s+1s", "fork: still runs" },	/* one within */
	{ "-l fork -l fork:2@1s+1s", "fork: still runs" },	/* the first would not go on */
	{ "-l fork@0s+3s -l fork:2@1s", "fork: still runs" },	/* the second would end at 3 s */
	{ "--hold-cstates=3s", "0us..2s" },
};

/* One load more than once, but never at once; or it goes on with other workers. */
static const char *const in_turn[] = {
	"record -l fork:1@0s+2s -l fork:2@2s+2s", "record -l fork:2@2s+2s -l fork:1@0s+2s",
	"record -l fork:1@0s+2s -l fork:2@3s+2s -l fork:3@5s", "record -l fork:1 -l fork:2@1s",
	"record -l fork:1@0s+2s -l churn:2@1s+2s",
};

START_TEST(a_load_may_run_again_once_it_has_ended)
{
	ck_assert_msg(parse(in_turn[_i]) == 0, "%s: %s", in_turn[_i], why.text);
}
END_TEST

START_TEST(refusals_name_the_word_and_the_remedy)
{
	ck_assert_int_eq(parse(refusals[_i].line), -EINVAL);
	ck_assert_msg(strstr(why.text, refusals[_i].names), "%s: %s", refusals[_i].line, why.text);
	ck_assert_msg(strchr(why.text, ';'), "no remedy: %s", why.text);
	ck_assert_msg(!strchr(why.text, '\n'), "more than one line: %s", why.text);
}
END_TEST

START_TEST(help_fits_78_columns_and_names_every_option_of_the_command)
{
	static char text[16384];
	enum subcommand sub = (enum subcommand)_i;
	char *save = NULL;

	options_help(sub, text, sizeof(text));
	for (const struct option_row *row = option_rows; row->name; row++) {
		char shown[32];

		snprintf(shown, sizeof(shown), "--%s", row->name);
		ck_assert_msg(!!strstr(text, shown) == !!(row->subs & 1u << sub), "%s", shown);
	}
	ck_assert_msg(!!strstr(text, "TIME is a number") == (strstr(text, " TIME") || strstr(text, "=TIME")), "%s", text);
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		ck_assert_msg(strlen(line) <= 78, "too long: %s", line);
}
END_TEST

/* "a spike, 1ns..1h (...)": what help says is what is refused, in the same words. */
START_TEST(the_limits_of_a_time_are_told_by_help_and_hold)
{
	for (const struct option_row *row = option_rows; row->name; row++) {
		char word[64], value[40];
		const char *dots = strstr(row->help, "..");
		int64_t least, most;
		int n = 0;

		if (row->kind != OPTION_TIME)
			continue;
		ck_assert_msg(dots != NULL, "--%s tells no limits", row->name);
		const char *begin = dots;

		while (begin > row->help && begin[-1] != ' ')
			begin--;
		snprintf(word, sizeof(word), "%.*s", (int)(dots - begin), begin);
		ck_assert_int_eq(text_parse_time(word, &least, NULL), 0);
		ck_assert_int_eq(sscanf(dots + 2, "%39[0-9a-z]%n", value, &n), 1);
		ck_assert_int_eq(text_parse_time(value, &most, NULL), 0);
		ck_assert_int_eq(least, row->least);
		ck_assert_int_eq(most, row->most);
	}
}
END_TEST

START_TEST(a_time_beyond_has_one_limit_however_far_it_is)
{
	static const char *const texts[] = { "8761h", "300000000h", "99999999999999999999h" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char line[64];

		snprintf(line, sizeof(line), "record -D %s", texts[i]);
		ck_assert_int_ne(parse(line), 0);
		ck_assert_msg(strstr(why.text, "10.0ms..8760h") != NULL, "%s", why.text);
	}
	ck_assert_int_eq(parse("record -D 8760h"), 0);
	ck_assert_int_eq(o.duration_ns, 8760 * 3600 * NS_PER_S);
}
END_TEST

START_TEST(the_table_is_sound)
{
	for (const struct option_row *a = option_rows; a->name; a++) {
		ck_assert(a->help && a->subs);
		ck_assert(a->kind != OPTION_CALL || a->call);
		for (const struct option_row *b = a + 1; b->name; b++) {
			ck_assert_str_ne(a->name, b->name);
			ck_assert(!a->letter || a->letter != b->letter);
		}
	}
}
END_TEST

Suite *options_suite(void);
Suite *options_suite(void)
{
	Suite *s = suite_create("options");
	TCase *tc = tcase_create("parse");

	tcase_add_test(tc, without_words_the_defaults_are_those_of_the_manual);
	tcase_add_loop_test(tc, each_command_is_known, 0, sizeof(subs) / sizeof(subs[0]));
	tcase_add_test(tc, help_knows_whose_it_is);
	tcase_add_test(tc, values_arrive_in_their_fields);
	tcase_add_loop_test(tc, an_option_that_does_nothing_is_refused, 0,
			    (int)(sizeof(useless) / sizeof(useless[0])));
	tcase_add_test(tc, options_may_stand_after_operands);
	tcase_add_test(tc, the_words_as_given_are_kept_in_order);
	tcase_add_test(tc, a_command_follows_two_dashes_and_keeps_its_own_options);
	tcase_add_test(tc, a_sound_buffer_is_a_deadline);
	tcase_add_test(tc, a_probe_takes_knobs_and_cpus);
	tcase_add_loop_test(tc, refusals_name_the_word_and_the_remedy, 0,
			    sizeof(refusals) / sizeof(refusals[0]));
	tcase_add_loop_test(tc, a_load_may_run_again_once_it_has_ended, 0,
			    (int)(sizeof(in_turn) / sizeof(in_turn[0])));
	tcase_add_loop_test(tc, help_fits_78_columns_and_names_every_option_of_the_command, 0,
			    SUB_VERSION + 1);
	tcase_add_test(tc, the_table_is_sound);
	tcase_add_test(tc, the_limits_of_a_time_are_told_by_help_and_hold);
	tcase_add_test(tc, a_time_beyond_has_one_limit_however_far_it_is);
	suite_add_tcase(s, tc);
	return s;
}
