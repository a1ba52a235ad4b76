/* replay.c - `jitterscope replay FILE`: the live screen over a recording. */
#include <errno.h>

#include "src/app.h"
#include "src/commands.h"
#include "src/snapshot.h"

static struct model *load(const char *path, struct why *why)
{
	struct snapshot *s = snapshot_read(path, why);
	struct model *m;

	if (!s)
		return NULL;
	m = snapshot_model(s, why);
	if (m && s->note[0])
		model_status(m, true, "%s", s->note);
	snapshot_free(s);
	return m;
}

int cmd_replay(struct options *o, struct why *why)
{
	struct app *app;
	struct model *m;
	int code = EXIT_FAILED;

	m = load(o->file[0], why);
	if (!m)
		return EXIT_FAILED;
	app = app_new(o, &ui_frontend, why);
	if (!app) {
		model_free(m);
		return why->err == -EINVAL ? EXIT_USAGE : EXIT_FAILED;
	}
	if (!app_replay(app, m, why))
		code = app_run(app);
	app_free(app);
	return code;
}
