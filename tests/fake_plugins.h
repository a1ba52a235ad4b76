/*
 * fake_plugins.h - registries a suite can have instead of the real ones, so
 * that a test of the command line does not change when a load is added.
 *
 * Include it in one .c of a suite; the linker then takes these.
 */
#ifndef JS_TESTS_FAKE_PLUGINS_H
#define JS_TESTS_FAKE_PLUGINS_H

#include <stdlib.h>
#include <string.h>

#include "src/format.h"
#include "src/load.h"
#include "src/probe.h"

static const char *const fake_modes[] = { "seed", "fsync", "sync", NULL };

/* Any file but "missing" parses. */
static void *fake_parse(const char *path, struct why *why)
{
	static int parsed;

	if (!strcmp(path, "missing")) {
		why_set(why, -2, "missing: no such file; name one that exists");
		return NULL;
	}
	return &parsed;
}

static const struct load fake_churn = {
	.name = "churn", .key = 'D', .summary = "files", .unit = "MB", .rate_unit = "MB/s",
	.default_per_cpu = 2, .max_workers = 128, .parse_file = fake_parse,
	.knobs = { { "mode", "which trace", 0, 0, 2, fake_modes },
		   { "burst", "at once", 1, 1, 64, NULL }, { NULL, NULL, 0, 0, 0, NULL } },
};
static const struct load fake_fork = {
	.name = "fork", .key = 'F', .summary = "forks", .unit = "forks", .rate_unit = "forks/s",
	.default_plus = 1, .max_workers = 8,
};
const struct load *const loads[] = { &fake_churn, &fake_fork, NULL };

static const char *const fake_variants[] = { "pair-0k", "pair-10k", NULL };
static const struct probe fake_wakeup = {
	.name = "wakeup", .summary = "wakes", .flags = PROBE_RT | PROBE_PER_CPU | PROBE_DEFAULT,
	.knobs = { { "align", "phase", 0, 0, 1, NULL }, { NULL, NULL, 0, 0, 0, NULL } },
};
static const struct probe fake_pair = {
	.name = "pair", .summary = "two series", .variants = fake_variants,
	.period_ns = 100 * NS_PER_MS,
};
static const struct probe fake_call = {
	.name = "call", .summary = "an operation", .flags = PROBE_HELPER, .period_ns = 50 * NS_PER_MS,
	.knobs = { { "size", "bytes", 1, 4, 64, NULL }, { NULL, NULL, 0, 0, 0, NULL } },
};
static const struct probe fake_shot = {
	.name = "shot", .summary = "once", .flags = PROBE_HELPER | PROBE_ONESHOT,
	.period_ns = NS_PER_S,
};
const struct probe *const probes[] = { &fake_wakeup, &fake_pair, &fake_call, &fake_shot, NULL };

/* What a test wants to know, or to go wrong, when a format writes. */
static int (*fake_on_write)(struct why *why);

static int fake_write(FILE *out, const struct snapshot *s, struct why *why)
{
	(void)s;
	if (fake_on_write && fake_on_write(why))
		return why->err;
	return fputs("written\n", out) < 0 ? -5 : 0;
}

static int fake_read(const char *bytes, size_t n, const char *name, struct snapshot *s,
		     struct why *why)
{
	(void)bytes;
	(void)n;
	(void)name;
	(void)s;
	(void)why;
	return 0;
}

static const struct format fake_json = { .name = "json", .suffix = ".json",
					 .summary = "the truth", .write = fake_write };
static const struct format fake_text = { .name = "text", .suffix = ".txt",
					 .summary = "a report", .write = fake_write };
static const struct format fake_foreign = { .name = "foreign", .suffix = ".raw",
					    .summary = "only read", .read = fake_read };
static const struct format fake_recording = { .name = "recording", .suffix = ".jsr",
					      .summary = "as it goes on", .write = fake_write };
const struct format *const formats[] = { &fake_json, &fake_text, &fake_foreign, &fake_recording,
					 NULL };

#endif
