/*
 * fake_model.h - models as the collector would have filled them, from a fixed
 * seed: for golden screens, properties of panels and benches.
 */
#ifndef JS_FAKE_MODEL_H
#define JS_FAKE_MODEL_H

#include "src/model.h"
#include "ui/view.h"

enum fake_kind {
	FAKE_IDLE,    /* 73 s of nothing in particular */
	FAKE_CHURN,   /* a file load since 40 s */
	FAKE_STORM,   /* idle, churn, idle, a fork storm; a baseline, spikes with culprits */
	FAKE_TROUBLE, /* stolen, stopped, missed, failed, hostile names, a call in flight */
	FAKE_PLAIN,   /* no rights at all: not real-time, no loads */
	FAKE_CPUS,    /* 96 CPUs, two isolated, one offline */
	FAKE_WARMING, /* before time zero */
	FAKE_NOTHING, /* no group, no load */
	FAKE_SHARED,  /* three loads that overlap */
	FAKE_CROWD,   /* every load there is, started within eight seconds */
	FAKE_KINDS
};

extern const char *const fake_names[FAKE_KINDS];

struct model *fake_model(enum fake_kind kind);	/* model_free() */
/* Live, of the default theme (or another) as a 256-colour UTF-8 terminal shows it. */
void fake_view(struct view *v, const struct model *m, const char *theme);

#endif
