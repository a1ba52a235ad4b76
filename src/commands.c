/* commands.c - the two commands that are the instrument itself. */
#include "src/commands.h"

#include <errno.h>

#include "src/app.h"

static int exit_for(const struct why *why)
{
	return why->err == -EINVAL ? EXIT_USAGE : EXIT_FAILED;
}

static int run_with(struct options *o, const struct frontend *f, struct why *why)
{
	struct app *app = app_new(o, f, why);
	int code;

	if (!app)
		return exit_for(why);
	code = app_start(app, why) ? exit_for(why) : app_run(app);
	app_free(app);
	return code;
}

int cmd_live(struct options *o, struct why *why)
{
	return run_with(o, &ui_frontend, why);
}

int cmd_record(struct options *o, struct why *why)
{
	return run_with(o, &headless_frontend, why);
}
