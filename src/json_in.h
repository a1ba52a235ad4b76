/*
 * json_in.h - parts of a snapshot back from JSON, for the snapshot file and
 * for the lines of a recording.
 *
 * Members may come in any order and unknown ones are ignored; one that is
 * there with the wrong type or range refuses the file.  Text is cleaned here.
 * The first complaint stays in *why; later calls do nothing.
 */
#ifndef JS_JSON_IN_H
#define JS_JSON_IN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/snapshot.h"
#include "src/why.h"

#define JSON_DEPTH_MAX 32

struct json_in {
	const char *name;	/* of the file, as complaints begin */
	long line;		/* 0: not a file of lines */
	struct why *why;
	int err;		/* 0 or -errno of the first complaint */
};

/* Parses; NULL with why ("FILE:LINE: ...") when it is no JSON object, is
 * nested too deep or repeats a key. */
json_t *json_in_parse(struct json_in *in, const char *bytes, size_t n);
/* Complains once: "FILE: what"; returns in->err. */
int json_in_refuse(struct json_in *in, int err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* A member that is missing (or null) leaves *out as it is. */
void json_in_int(struct json_in *in, const json_t *o, const char *key,
		 int64_t least, int64_t most, int64_t *out);
void json_in_count(struct json_in *in, const json_t *o, const char *key, uint64_t *out);
void json_in_real(struct json_in *in, const json_t *o, const char *key, double *out);
void json_in_bool(struct json_in *in, const json_t *o, const char *key, bool *out);
void json_in_text(struct json_in *in, const json_t *o, const char *key, char *out, size_t size);
/* An array or object member; NULL when missing, and when it is something else
 * (then complained about). */
json_t *json_in_array(struct json_in *in, const json_t *o, const char *key);
json_t *json_in_object(struct json_in *in, const json_t *o, const char *key);

/* Is it our format word in a version we know? */
void json_in_version(struct json_in *in, const json_t *root, const char *format, int newest);
/* The members all files begin with: program created label duration_s command
 * system tiers; and validity, self. */
void json_in_head(struct json_in *in, const json_t *root, struct snapshot *s);
/* tiers and validity alone. */
void json_in_state(struct json_in *in, const json_t *root, struct snapshot *s);
/* Refuses (-E2BIG) once n of what is listed are there and n is the most. */
bool json_in_full(struct json_in *in, unsigned n, unsigned most, const char *what);
void json_in_series(struct json_in *in, const json_t *o, struct snapshot *s);
void json_in_load(struct json_in *in, const json_t *o, struct snapshot_load *l);
void json_in_event(struct json_in *in, const json_t *o, struct snapshot *s);
void json_in_spike(struct json_in *in, const json_t *o, struct snapshot *s);
void json_in_latest(struct json_in *in, const json_t *o, struct snapshot *s);
void json_in_blame(struct json_in *in, const json_t *root, struct snapshot *s);	/* its member */
void json_in_figure(struct json_in *in, const json_t *o, struct snapshot *s);

#endif
