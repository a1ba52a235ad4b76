/*
 * config.c - see config.h.
 *
 * Each value goes through the grammar of its option as soon as it has been
 * read, so that whatever is wrong with it is told with its line.
 */
#include "src/config.h"

#include <confuse.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/knob.h"
#include "src/schedule.h"
#include "src/text.h"

#define FILE_MOST_BYTES (64 * 1024)

/* The parser hands nothing of ours to its callbacks. */
static struct {
	struct options *o;
	const char *path;
	struct why *why;
} reading;

/* ---- values ---- */

static int set_theme(struct options *o, const char *value, struct why *why)
{
	if (strlen(value) >= sizeof(o->config_theme))
		return why_set(why, -EINVAL, "no such theme; see `jitterscope list themes`");
	snprintf(o->config_theme, sizeof(o->config_theme), "%s", value);
	o->theme = o->config_theme;
	return 0;
}

static int choose(const char *const *names, const char *value, struct why *why)
{
	char known[80] = "";

	for (int i = 0; names[i]; i++) {
		if (!strcmp(names[i], value))
			return i;
		text_append(known, sizeof(known), i ? " " : "", names[i]);
	}
	return why_set(why, -EINVAL, "%.40s: not known; one of %s", value, known);
}

static int set_view(struct options *o, const char *value, struct why *why)
{
	static const char *const names[] = { "map", "waterfall", NULL };
	int chosen = choose(names, value, why);

	o->waterfall = chosen == 1;
	return chosen < 0 ? chosen : 0;
}

static int set_cells(struct options *o, const char *value, struct why *why)
{
	static const char *const names[] = { "auto", "full", "half", "ascii", NULL };
	/* As the file had it before. */
	int chosen = choose(names, strcmp(value, "blanks") ? value : "full", why);

	o->cells = chosen < 0 ? OPTION_CELLS_AUTO : (enum option_cells)chosen;
	return chosen < 0 ? chosen : 0;
}

static int set_zoom(struct options *o, const char *value, struct why *why)
{
	static const char *const names[] = { "250ms", "500ms", "1s", "2s", "5s", "10s", "20s",
					     "60s", NULL };
	int chosen = choose(names, value, why);

	return chosen < 0 ? chosen : text_parse_time(value, &o->zoom_ns, why);
}

static int set_interval(struct options *o, const char *value, struct why *why)
{
	return options_set(o, "interval", value, why);
}

static int set_fps(struct options *o, const char *value, struct why *why)
{
	return options_set(o, "fps", value, why);
}

static int add_probe(struct options *o, const char *value, struct why *why)
{
	int err;

	o->config_probes = false;	/* the ones before it stay */
	err = options_set(o, "probe", value, why);
	o->config_probes = true;
	return err;
}

static int add_load(struct options *o, const char *value, struct why *why)
{
	return schedule_default(&o->schedule, value, why);
}

static const struct {
	const char *name;
	bool list;
	int (*set)(struct options *o, const char *value, struct why *why);
} settings[] = {
	{ "theme", false, set_theme },
	{ "view", false, set_view },
	{ "zoom", false, set_zoom },
	{ "cells", false, set_cells },
	{ "fps", false, set_fps },
	{ "interval", false, set_interval },
	{ "probes", true, add_probe },
	{ "loads", true, add_load },
};
#define SETTINGS (sizeof(settings) / sizeof(settings[0]))

/* ---- comments ---- */

static char *blank_until(char *at, const char *end)
{
	size_t length = strlen(end);

	while (*at && strncmp(at, end, length)) {
		*at = *at == '\n' ? '\n' : ' ';
		at++;
	}
	if (*end != '\n' && *at)
		memset(at, ' ', length);
	return at;
}

static char *skip_string(char *at)
{
	char quote = *at++;

	while (*at && *at != quote)
		at += *at == '\\' && at[1] ? 2 : 1;
	return *at ? at + 1 : at;
}

/* The parser (3.3) counts a comment as several lines, and what it says of the
 * next mistake would be wrong. */
static void blank_comments(char *text)
{
	bool begins = true;	/* a word, so that a//b is one */

	for (char *at = text; *at;) {
		if (*at == '"' || *at == '\'') {
			at = skip_string(at);
		} else if (*at == '#' || (begins && !strncmp(at, "//", 2))) {
			at = blank_until(at, "\n");
		} else if (begins && !strncmp(at, "/*", 2)) {
			at = blank_until(at, "*/");
		} else {
			begins = strchr(" \t\r\n={},", *at);
			at++;
		}
	}
}

/* ---- the file ---- */

/* The first thing that is wrong is told. */
static void complain(cfg_t *cfg, const char *fmt, va_list args)
{
	char text[200], path[120], raw[200];

	if (reading.why->err)
		return;
	vsnprintf(raw, sizeof(raw), fmt, args);
	text_clean(text, sizeof(text), raw, strlen(raw), sizeof(text) - 1);
	text_clean(path, sizeof(path), reading.path, strlen(reading.path), sizeof(path) - 1);
	why_set(reading.why, -EINVAL, "%s:%d: %s%s", path, cfg->line, text,
		strstr(text, "; ") ? "" : "; see `man jitterscope`");
}

static int take_value(cfg_t *cfg, cfg_opt_t *opt, const char *value, void *result)
{
	struct why why = { 0, "" };

	*(const char **)result = value;

	for (size_t i = 0; i < SETTINGS; i++) {
		if (strcmp(settings[i].name, opt->name))
			continue;
		if (!settings[i].set(reading.o, value, &why)) {
			if (settings[i].set == set_theme)
				reading.o->config_theme_line = cfg->line;
			return 0;
		}
		cfg_error(cfg, "%s: %s", opt->name, why.text);
		return -1;
	}
	return -1;
}

static int parse(char *text)
{
	cfg_opt_t known[SETTINGS + 1];
	cfg_t *cfg;
	int err;

	blank_comments(text);

	for (size_t i = 0; i < SETTINGS; i++) {
		const cfg_opt_t one = CFG_STR_CB(settings[i].name, NULL, CFGF_NODEFAULT,
						 take_value);
		const cfg_opt_t many = CFG_STR_LIST_CB(settings[i].name, NULL, CFGF_NODEFAULT,
						       take_value);

		known[i] = settings[i].list ? many : one;
	}
	known[SETTINGS] = (cfg_opt_t)CFG_END();
	cfg = cfg_init(known, CFGF_NONE);
	if (!cfg)
		return why_set(reading.why, -ENOMEM, "no memory; close something");
	cfg_set_error_function(cfg, complain);
	err = cfg_parse_buf(cfg, text) == CFG_SUCCESS ? 0 : -EINVAL;
	cfg_free(cfg);
	if (err && !reading.why->err)
		why_set(reading.why, err, "%s: cannot be parsed; see `man jitterscope`",
			reading.path);
	return err;
}

const char *config_path(char *buf, size_t size)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	buf[0] = '\0';
	if (config && *config == '/')
		snprintf(buf, size, "%s/jitterscope/config", config);
	else if (home && *home == '/')
		snprintf(buf, size, "%s/.config/jitterscope/config", home);
	return buf;
}

static int refuse(int err, const char *what, struct why *why)
{
	return why_set(why, -EINVAL, "%s: %s; mend it or start with --no-config", reading.path,
		       what ? what : strerror(err));
}

/* A home that is another user's (su, setpriv) is no mistake of this one. */
static bool out_of_reach(int err)
{
	return err == ENOENT || err == ENOTDIR ||
	       (err == EACCES && access(reading.path, F_OK) && errno == EACCES);
}

/* A plain file of a sensible size; nothing that could block. */
static int open_file(struct why *why)
{
	int fd = open(reading.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0 && out_of_reach(errno))
		return -ENOENT;
	if (fd < 0)
		return refuse(errno, NULL, why);
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size <= FILE_MOST_BYTES)
		return fd;
	close(fd);
	return refuse(0, "not a plain file of at most 64 kB", why);
}

static int take(int fd, struct why *why)
{
	char *text = calloc(1, FILE_MOST_BYTES + 1);
	size_t used = 0;
	ssize_t n = 1;
	int err;

	if (!text)
		return why_set(why, -ENOMEM, "no memory; close something");
	while (used < FILE_MOST_BYTES && n > 0) {
		n = read(fd, text + used, FILE_MOST_BYTES - used);
		used += n > 0 ? (size_t)n : 0;
	}
	if (n < 0)
		err = refuse(errno, NULL, why);
	else if (strlen(text) != used)
		err = refuse(0, "not a text", why);
	else
		err = parse(text);
	free(text);
	return err;
}

int config_read(struct options *o, const char *path, struct why *why)
{
	int fd, err;

	reading.o = o;
	reading.path = path;
	reading.why = why;
	why->err = 0;
	fd = open_file(why);
	if (fd < 0)
		return fd == -ENOENT ? 0 : fd;
	err = take(fd, why);
	close(fd);
	return err;
}
