/* jitterdebugger.c - results.json of jitterdebugger (read only). */
#include <errno.h>
#include <string.h>

#include "src/format.h"
#include "src/formats/lines.h"
#include "src/formats/threads.h"
#include "src/snapshot_build.h"

static int jitterdebugger_sniff(const char *bytes, size_t n, const char *name)
{
	char line[16];

	(void)name;
	if (first_line(bytes, n, line, sizeof(line))[0] != '{' || !has_text(bytes, n, "\"cpu\"") ||
	    !has_text(bytes, n, "\"histogram\"") || has_text(bytes, n, "\"jitterscope-"))
		return 0;
	return 60;
}

static void read_all(struct json_in *in, json_t *root, struct snapshot *s)
{
	struct threads_form form = { "jitterdebugger", "count", 1000, 0 };
	json_t *threads = json_in_object(in, root, "cpu"), *y = json_in_object(in, root, "sysinfo");
	int64_t unit = 1000;	/* files without sysinfo are in us */

	if (y) {
		json_in_int(in, y, "resolution_in_ns", 1, 1000, &unit);
		json_in_text(in, y, "nodename", s->system.host, sizeof(s->system.host));
		json_in_text(in, y, "release", s->system.kernel, sizeof(s->system.kernel));
		json_in_text(in, y, "version", s->system.version, sizeof(s->system.version));
	}
	if (!in->err && (!threads || (unit != 1 && unit != 1000)))
		json_in_refuse(in, -EINVAL,
			       "no \"%s\" we know; is it jitterdebugger's results.json?",
			       threads ? "resolution_in_ns" : "cpu");
	form.unit_ns = unit;
	threads_read(in, threads, &form, s);
	snapshot_add_note(s, "CPU numbers are thread numbers");
}

static int jitterdebugger_read(const char *bytes, size_t n, const char *name, struct snapshot *s,
			       struct why *why)
{
	struct json_in in = { .name = name, .why = why };
	json_t *root = json_in_parse(&in, bytes, n);

	if (root)
		read_all(&in, root, s);
	else if (has_text(bytes, n, "18446744073709551615") || has_text(bytes, n, "-nan"))
		in.err = why_set(why, -EINVAL,
				 "%s: a thread has no samples, which makes the file no JSON; "
				 "run jitterdebugger longer",
				 name);
	json_decref(root);
	return in.err;
}

const struct format format_jitterdebugger = {
	.name = "jitterdebugger",
	.suffix = NULL,
	.summary = "results.json of jitterdebugger (read)",
	.sniff = jitterdebugger_sniff,
	.read = jitterdebugger_read,
};
