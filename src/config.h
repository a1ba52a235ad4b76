/*
 * config.h - what a person wants to stay: a file that is read at the start and
 * never written.
 *
 * $XDG_CONFIG_HOME/jitterscope/config, else ~/.config/jitterscope/config.  It
 * sets what options and keys set and goes before them, so that they override
 * it.  Main thread, before any other exists (the parser is not reentrant).
 */
#ifndef JS_CONFIG_H
#define JS_CONFIG_H

#include <stddef.h>

#include "src/options.h"

/* Where it is looked for; "" when there is no home. */
const char *config_path(char *buf, size_t size);
/* Into *o, between options_begin() and options_finish().  No such file: 0 and
 * nothing happens.  -EINVAL with "FILE:LINE: why; what to do". */
int config_read(struct options *o, const char *path, struct why *why);

#endif
