/*
 * loadline.h - one load in one row: key, name, workers, state, how long, how
 * fast.  Shared by the loads panel and the list of all loads.  Pure.
 */
#ifndef JS_LOADLINE_H
#define JS_LOADLINE_H

#include <stdbool.h>
#include <stddef.h>

#include "src/model.h"
#include "ui/canvas.h"
#include "ui/view.h"

void loadline_draw(const struct model *m, const struct view *v, struct canvas *c, int y,
		   unsigned load);
/* "RUN" "STARTING 40%" ... */
const char *loadline_state(const struct load_view *l, char *buf, size_t size);
/* "9.8k forks/s", short "9.8k/s"; bytes keep their unit; "" below 0. */
const char *loadline_rate(const struct load_view *l, double rate, bool whole, char *buf,
			  size_t size);
enum role loadline_role(const struct load_view *l);

#endif
