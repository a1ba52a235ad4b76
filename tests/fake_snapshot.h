/*
 * fake_snapshot.h - snapshots that add up, for tests of formats and reports.
 */
#ifndef JS_TESTS_FAKE_SNAPSHOT_H
#define JS_TESTS_FAKE_SNAPSHOT_H

#include <stdbool.h>

#include "src/snapshot.h"

/* Two probes on two CPUs, 60 s, two loads, spikes, badges, events, rows: the
 * tail grows while the loads run.  Same seed, same snapshot. */
struct snapshot *fake_snapshot(uint64_t seed);
/* One series of a probe from samples; interval 1 ms. */
struct snapshot_series *fake_series(struct snapshot *s, const char *probe, int cpu,
				    const int64_t *ns, size_t n);
/* What a format writes; *n bytes, caller frees. Fails the test on error. */
struct format;
char *fake_write(const struct format *f, const struct snapshot *s, size_t *n);
/* What a format reads; NULL with why. */
struct snapshot *fake_read(const struct format *f, const char *bytes, size_t n, struct why *why);
/* Everything that a file must bring back; fails the test at the first difference. */
void fake_same_series(const struct snapshot *a, const struct snapshot *b);
/* A file of tests/data, whole; caller frees.  Fails the test when it is not there. */
char *fake_data(const char *name, size_t *n);

/* Makes the decimal sign a comma for this process (a test's own fork); false
 * when the machine cannot. */
bool fake_comma_locale(void);
/* Feeds bytes to a shell command; its exit status. */
int fake_pipe(const char *command, const char *bytes, size_t n);

#endif
