/*
 * snapshot_parts.h - parts of the model copied into a snapshot, for a recording
 * that needs only some of them at a time.  Main thread.
 */
#ifndef JS_SNAPSHOT_PARTS_H
#define JS_SNAPSHOT_PARTS_H

#include "src/model.h"
#include "src/snapshot.h"

/* Program, time, label, machine, rights, own cost. */
void snapshot_take_head(struct snapshot *s, const struct model *m);
/* 0, -ENOMEM, or -EIO when a series does not add up; with why. */
int snapshot_take_series(struct snapshot *s, const struct model *m, struct why *why);
/* The latest spikes and the tables of blame; 0 or -ENOMEM. */
int snapshot_take_blame(struct snapshot *s, const struct model *m);
/* Loads, events, badges, spikes, blame; 0 or -ENOMEM. */
int snapshot_take_lists(struct snapshot *s, const struct model *m);
int snapshot_take_badges(struct snapshot *s, const struct model *m);
int snapshot_take_load(struct snapshot *s, const struct model *m, const struct load_run *run);
int snapshot_take_spike(struct snapshot *s, const struct model *m, const struct spike *from);

#endif
