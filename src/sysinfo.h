/*
 * sysinfo.h - what machine this is, and what it does right now, from /proc
 * and /sys.  A file that is missing turns its part off ("unknown"), never an
 * error.  Main thread only.  Text from files is cleaned here, at the edge.
 */
#ifndef JS_SYSINFO_H
#define JS_SYSINFO_H

#include <stdbool.h>
#include <stdint.h>

#include "src/cpuset.h"

struct sysinfo {		/* once at start (and the clocksource every 10 s) */
	char host[64], kernel[64], version[128];
	char preempt[24];	/* "none" "voluntary" "full" "rt" "lazy" "unknown" */
	int hz;			/* 0: unknown */
	char clocksource[24], cpu_model[64], governor[24];
	char virtualization[24];	/* "" none, else "kvm" "vmware" "container" ... */
	char cmdline[256];
	int64_t mem_total_kb;
	char idle_state[16];	/* the deepest that is enabled; "" unknown */
	int64_t idle_exit_ns;	/* its exit latency, by the driver; 0: none or unknown */
	int autogroup;		/* -1 unknown, 0, 1 */
	struct cpuset online, allowed, isolated, possible;
};
void sysinfo_read(struct sysinfo *out);
/* Root of /proc and /sys, for tests with faked files; default "". */
void sysinfo_set_root(const char *path);
/* Just the clocksource name; true when it differs from *out's (then updated). */
bool sysinfo_clocksource_changed(struct sysinfo *out);

struct sysrates {		/* per second since the last reading; < 0: unknown */
	double disk_read_bytes, disk_write_bytes, net_rx_bytes, net_tx_bytes;
	double forks, switches, interrupts, softirqs;
	double run_queue;	/* runnable now */
	double blocked;
	double loadavg[3];
	double psi_cpu, psi_io, psi_mem;	/* some avg10, percent */
	double mem_available_kb;
	double cpu_busy_pct, steal_pct;	/* 100 = one CPU... of all CPUs summed */
	double steal_s;		/* total since start of the run */
};
struct sysrates_last;		/* previous readings; opaque */
struct sysrates_last *sysrates_new(void);	/* NULL: no memory */
void sysrates_free(struct sysrates_last *l);
/* One pass over /proc/stat, diskstats, net/dev, loadavg, pressure, meminfo
 * through descriptors kept open.  stolen: CPUs whose steal grew since the last
 * reading (may be NULL).  `all` false: only /proc/stat; the rest of *out stays. */
void sysrates_read(struct sysrates_last *l, int64_t now_ns, bool all,
		   struct sysrates *out, struct cpuset *stolen);

struct self_usage {		/* the instrument's own cost */
	bool measured;		/* what is of a second has had one; else it is 0 and not known */
	double cpu_pct;		/* all our threads but the samplers, of one CPU, last second */
	double sampler_cpu_pct;	/* the samplers, of one CPU */
	double sampler_work_pct;	/* those among them that work on purpose */
	double helper_cpu_pct;	/* operation probes */
	uint64_t minor_faults, major_faults, sampler_faults;
	uint64_t switches;	/* of all our threads since the start */
	double switches_per_s;
	int64_t rss_kb;
	double terminal_bytes_per_s;
	uint64_t skipped_frames;
};

#endif
