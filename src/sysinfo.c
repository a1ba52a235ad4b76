/* sysinfo.c - see sysinfo.h; the rates are in sysrates.c. */
#include "src/sysinfo.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <zlib.h>

#include "src/clock.h"
#include "src/procfile.h"
#include "src/text.h"

#define CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"
#define CONFIG_MAX (1 << 20)
#define CONFIG_PIECE (16 << 10)

static void clean(char *out, size_t size, const char *in)
{
	text_clean(out, size, in, strlen(in), (unsigned)size - 1);
}

/* ---- the kernel's own configuration -------------------------------------- */

/* The two that are looked for stand near the front of every configuration. */
static bool config_suffices(const char *text)
{
	const char *hz = line_of(text, "CONFIG_HZ=");

	return hz && strchr(hz, '\n') && strstr(text, "CONFIG_PREEMPT_VOLUNTARY");
}

/* Unpacked piece by piece: the whole would be a tenth of all set-up. */
static void read_pieces(gzFile f, char *text)
{
	int used = 0, got;

	do {
		got = gzread(f, text + used, CONFIG_PIECE);
		used += got > 0 ? got : 0;
	} while (got > 0 && used + CONFIG_PIECE < CONFIG_MAX && !config_suffices(text));
	if (got < 0)
		text[0] = '\0';
}

/* The front of /boot/config-RELEASE or /proc/config.gz, plain or packed; ""
 * when neither can be read.  The caller frees it. */
static char *read_config(const char *release)
{
	char name[256], path[512];
	char *text = calloc(1, CONFIG_MAX);
	gzFile f;

	if (!text)
		return NULL;
	snprintf(name, sizeof(name), "/boot/config-%s", release);
	f = gzopen(procfile_path(path, sizeof(path), name), "re");
	if (!f)
		f = gzopen(procfile_path(path, sizeof(path), "/proc/config.gz"), "re");
	if (!f)
		return text;
	read_pieces(f, text);
	gzclose(f);
	return text;
}

static int config_hz(const char *config)
{
	const char *p = line_of(config, "CONFIG_HZ=");
	uint64_t hz = p ? number_at(&p) : 0;

	return hz <= 100000 ? (int)hz : 0;
}

/* ---- preemption ---------------------------------------------------------- */

static bool has_word(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = text; (p = strstr(p, word)); p += n) {
		bool begins = p == text || isspace((unsigned char)p[-1]);

		if (begins && (!p[n] || isspace((unsigned char)p[n])))
			return true;
	}
	return false;
}

/* "none voluntary (full) lazy" */
static bool chosen_mode(const char *text, char *out, size_t size)
{
	const char *open = strchr(text, '(');
	size_t n = open ? strcspn(open + 1, ")") : 0;

	if (!n || n >= size || open[1 + n] != ')')
		return false;
	snprintf(out, size, "%.*s", (int)n, open + 1);
	return true;
}

/* "preempt=full" on the kernel's command line. */
static bool asked_mode(const char *cmdline, char *out, size_t size)
{
	static const char *const modes[] = { "none", "voluntary", "full", "lazy" };
	char word[32];

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		snprintf(word, sizeof(word), "preempt=%s", modes[i]);
		if (has_word(cmdline, word)) {
			snprintf(out, size, "%s", modes[i]);
			return true;
		}
	}
	return false;
}

static const char *built_mode(const char *version, const char *config)
{
	/* A dynamic kernel says so in every mode: that tells nothing. */
	if (has_word(version, "PREEMPT_DYNAMIC"))
		return "unknown";
	if (has_word(version, "PREEMPT_LAZY"))
		return "lazy";
	if (has_word(version, "PREEMPT"))
		return "full";
	if (line_of(config, "CONFIG_PREEMPT_VOLUNTARY=y"))
		return "voluntary";
	if (line_of(config, "CONFIG_PREEMPT_NONE=y"))
		return "none";
	return "unknown";
}

static void find_preempt(struct sysinfo *out, const char *config)
{
	char text[256], mode[24];

	if (procfile_read("/sys/kernel/realtime", text, sizeof(text)) > 0 && text[0] == '1') {
		snprintf(out->preempt, sizeof(out->preempt), "rt");
		return;
	}
	if (has_word(out->version, "PREEMPT_RT")) {
		snprintf(out->preempt, sizeof(out->preempt), "rt");
		return;
	}
	if (procfile_read("/sys/kernel/debug/sched/preempt", text, sizeof(text)) > 0 &&
	    chosen_mode(text, mode, sizeof(mode))) {
		clean(out->preempt, sizeof(out->preempt), mode);
		return;
	}
	if (asked_mode(out->cmdline, out->preempt, sizeof(out->preempt)))
		return;
	snprintf(out->preempt, sizeof(out->preempt), "%s", built_mode(out->version, config));
}

/* ---- virtual machine or container ---------------------------------------- */

static const struct { const char *dmi, *name; } makers[] = {
	{ "KVM", "kvm" }, { "QEMU", "kvm" }, { "VMware", "vmware" },
	{ "VirtualBox", "virtualbox" }, { "innotek", "virtualbox" }, { "Xen", "xen" },
	{ "Microsoft Corporation", "hyperv" }, { "Google", "kvm" }, { "Amazon EC2", "kvm" },
	{ "Parallels", "parallels" }, { "Bochs", "bochs" }, { "BHYVE", "bhyve" },
	{ "OpenStack", "kvm" }, { "Apple Virtual", "apple" }, { "DigitalOcean", "kvm" },
	{ "Hetzner", "kvm" }, { "Alibaba", "kvm" },
};

/* The maker's name alone proves nothing (Microsoft sells laptops): only beside
 * the processor's flag, or where it is the name of a hypervisor. */
static const char *dmi_name(bool flag)
{
	static const char *const files[] = {
		"/sys/class/dmi/id/product_name", "/sys/class/dmi/id/sys_vendor",
		"/sys/class/dmi/id/board_vendor", "/sys/class/dmi/id/bios_vendor",
	};
	char text[128];

	for (size_t f = 0; f < sizeof(files) / sizeof(files[0]); f++) {
		if (!procfile_line(files[f], text, sizeof(text)))
			continue;
		for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++)
			if (strstr(text, makers[i].dmi) && (flag || i < 6))
				return makers[i].name;
	}
	return NULL;
}

static bool in_container(void)
{
	char path[512], environment[4096];
	long n = procfile_read("/proc/1/environ", environment, sizeof(environment));

	if (access(procfile_path(path, sizeof(path), "/.dockerenv"), F_OK) == 0 ||
	    access(procfile_path(path, sizeof(path), "/run/.containerenv"), F_OK) == 0 ||
	    access(procfile_path(path, sizeof(path), "/run/systemd/container"), F_OK) == 0)
		return true;
	for (long i = 0; i < n; i += (long)strlen(environment + i) + 1)
		if (!strncmp(environment + i, "container=", 10))
			return true;
	return false;
}

static void find_virtualization(struct sysinfo *out, const char *cpuinfo)
{
	const char *flags = line_of(cpuinfo, "flags");
	char line[4096], text[32];
	const char *name;
	bool flag;

	snprintf(line, sizeof(line), "%.*s", flags ? (int)strcspn(flags, "\n") : 0,
		 flags ? flags : "");
	flag = has_word(line, "hypervisor");
	name = dmi_name(flag);
	if (procfile_line("/sys/hypervisor/type", text, sizeof(text)) && text[0])
		name = "xen";
	if (!name && flag)
		name = "vm";
	if (in_container())
		snprintf(out->virtualization, sizeof(out->virtualization), "%s%scontainer",
			 name ? name : "", name ? "+" : "");
	else
		snprintf(out->virtualization, sizeof(out->virtualization), "%s", name ? name : "");
}

/* ---- processor and memory ------------------------------------------------ */

static void find_cpu_model(struct sysinfo *out, const char *cpuinfo)
{
	static const char *const keys[] = {
		"model name", "cpu model", "Hardware", "cpu\t", "uarch"
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const char *p = line_of(cpuinfo, keys[i]);

		if (!p)
			continue;
		p += strspn(p, " \t:");
		text_clean(out->cpu_model, sizeof(out->cpu_model), p, strcspn(p, "\n"),
			   sizeof(out->cpu_model) - 1);
		return;
	}
	snprintf(out->cpu_model, sizeof(out->cpu_model), "unknown");
}

static void find_governor(struct sysinfo *out)
{
	char path[128], one[24];

	cpuset_each(cpu, &out->online) {
		snprintf(path, sizeof(path),
			 "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor", cpu);
		if (!procfile_line(path, one, sizeof(one)))
			continue;
		if (out->governor[0] && strcmp(out->governor, one)) {
			snprintf(out->governor, sizeof(out->governor), "mixed");
			return;
		}
		snprintf(out->governor, sizeof(out->governor), "%s", one);
	}
	if (!out->governor[0])
		snprintf(out->governor, sizeof(out->governor), "unknown");
}

#define IDLE_STATES 16

/* The CPUs of a machine have the same states, by far the most often. */
static void find_idle_state(struct sysinfo *out)
{
	int cpu = cpuset_next(&out->online, -1);
	char path[128], text[24], name[24];

	for (int i = 0; cpu >= 0 && i < IDLE_STATES; i++) {
		const char *p = text;

		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/cpuidle/state%d/name",
			 cpu, i);
		if (!procfile_line(path, name, sizeof(name)))
			return;
		snprintf(path, sizeof(path),
			 "/sys/devices/system/cpu/cpu%d/cpuidle/state%d/disable", cpu, i);
		if (procfile_line(path, text, sizeof(text)) && text[0] == '1')
			continue;
		snprintf(path, sizeof(path),
			 "/sys/devices/system/cpu/cpu%d/cpuidle/state%d/latency", cpu, i);
		if (!procfile_line(path, text, sizeof(text)))
			continue;
		out->idle_exit_ns = (int64_t)number_at(&p) * NS_PER_US;
		snprintf(out->idle_state, sizeof(out->idle_state), "%.15s", name);
	}
}

static void read_list(struct cpuset *set, const char *name)
{
	char path[512];

	cpuset_clear(set);
	if (cpuset_read_file(set, procfile_path(path, sizeof(path), name), NULL))
		cpuset_clear(set);
}

static void find_cpus(struct sysinfo *out)
{
	read_list(&out->online, "/sys/devices/system/cpu/online");
	read_list(&out->possible, "/sys/devices/system/cpu/possible");
	read_list(&out->isolated, "/sys/devices/system/cpu/isolated");
	if (cpuset_allowed(&out->allowed, NULL))
		cpuset_clear(&out->allowed);
	if (!cpuset_count(&out->online))
		out->online = out->allowed;
	if (!cpuset_count(&out->possible))
		out->possible = out->online;
}

static int64_t mem_total_kb(void)
{
	char text[512];
	const char *p;

	procfile_read("/proc/meminfo", text, sizeof(text));
	p = line_of(text, "MemTotal:");
	return p ? (int64_t)number_at(&p) : 0;
}

static int autogroup(void)
{
	char text[8];

	if (procfile_read("/proc/sys/kernel/sched_autogroup_enabled", text, sizeof(text)) <= 0)
		return -1;
	return text[0] == '1';
}

/* ---- all of it ----------------------------------------------------------- */

static void find_names(struct sysinfo *out, char *release, size_t size)
{
	struct utsname u;

	snprintf(release, size, "unknown");
	if (uname(&u) == 0) {
		clean(out->host, sizeof(out->host), u.nodename);
		clean(out->kernel, sizeof(out->kernel), u.release);
		clean(out->version, sizeof(out->version), u.version);
		snprintf(release, size, "%s", u.release);
	}
}

void sysinfo_read(struct sysinfo *out)
{
	char release[128], *cpuinfo = calloc(1, 16384), *config;

	*out = (struct sysinfo){ .autogroup = autogroup() };
	find_names(out, release, sizeof(release));
	procfile_line("/proc/cmdline", out->cmdline, sizeof(out->cmdline));
	find_cpus(out);
	find_governor(out);
	find_idle_state(out);
	out->mem_total_kb = mem_total_kb();
	if (!procfile_line(CLOCKSOURCE, out->clocksource, sizeof(out->clocksource)))
		snprintf(out->clocksource, sizeof(out->clocksource), "unknown");
	if (cpuinfo) {
		procfile_read("/proc/cpuinfo", cpuinfo, 16384);
		find_cpu_model(out, cpuinfo);
		find_virtualization(out, cpuinfo);
		free(cpuinfo);
	}
	config = read_config(release);
	out->hz = config ? config_hz(config) : 0;
	find_preempt(out, config ? config : "");
	free(config);
}

bool sysinfo_clocksource_changed(struct sysinfo *out)
{
	char now[sizeof(out->clocksource)];

	if (!procfile_line(CLOCKSOURCE, now, sizeof(now)) || !strcmp(now, out->clocksource))
		return false;
	memcpy(out->clocksource, now, sizeof(now));
	return true;
}
