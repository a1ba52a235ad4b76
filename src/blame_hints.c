/* blame_hints.c - see blame_hints.h. */
#include "src/blame_hints.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/clock.h"
#include "src/procfile.h"
#include "src/text.h"

#define LINES 256
#define THREADS 64
#define JUMP_TIMES 4		/* over the usual rate */
#define JUMP_LEAST 1000		/* a second */
#define FILE_BYTES (256u << 10)

struct line {
	char label[16];
	uint64_t total;
	double usual;		/* rate, smoothed over some seconds; < 0: none yet */
};

struct blame_hints {
	int64_t read_ns;
	unsigned nr;
	struct line line[LINES];
	double worst;		/* rate of the line that jumped most */
	char text[64];
	struct { int tid; uint64_t switches; } thread[THREADS];
	char buf[FILE_BYTES];
};

struct blame_hints *blame_hints_new(void)
{
	return calloc(1, sizeof(struct blame_hints));
}

void blame_hints_free(struct blame_hints *h)
{
	free(h);
}

static struct line *find_line(struct blame_hints *h, const char *label)
{
	for (unsigned i = 0; i < h->nr; i++)
		if (!strcmp(h->line[i].label, label))
			return &h->line[i];
	if (h->nr == LINES)
		return NULL;
	struct line *l = &h->line[h->nr++];

	*l = (struct line){ .usual = -1 };
	snprintf(l->label, sizeof(l->label), "%s", label);
	return l;
}

/* The device is the last word of its line. */
static void name_it(struct blame_hints *h, const char *kind, const struct line *l, double rate,
		    const char *rest)
{
	size_t length = strcspn(rest, "\n"), begin = length;
	char count[16], device[20] = "";

	while (begin && rest[begin - 1] != ' ')
		begin--;
	if (begin < length && (rest[begin] < '0' || rest[begin] > '9'))
		text_clean(device, sizeof(device), rest + begin, length - begin,
			   sizeof(device) - 1);
	snprintf(h->text, sizeof(h->text), "%s %s%s%s %s/s jumped", kind, l->label,
		 *device ? " " : "", device, text_count(count, sizeof(count), rate));
	h->worst = rate;
}

static uint64_t sum_of_numbers(const char **p)
{
	uint64_t sum = 0;

	for (;;) {
		const char *before = *p + strspn(*p, " ");

		if (*before < '0' || *before > '9')
			return sum;
		sum += number_at(p);
	}
}

/* "  24:   1   2   PCI-MSI  virtio0" */
static void take_line(struct blame_hints *h, const char *kind, const char *p, int64_t span_ns)
{
	const char *label = p + strspn(p, " ");
	size_t length = strcspn(label, ":\n");
	char text[16];

	if (label[length] != ':' || length >= sizeof(text))
		return;
	text_clean(text, sizeof(text), label, length, sizeof(text) - 1);
	struct line *l = find_line(h, text);

	if (!l)
		return;
	p = label + length + 1;
	uint64_t total = sum_of_numbers(&p), before = l->total;

	l->total = total;
	if (span_ns <= 0 || total < before)
		return;
	double rate = (double)(total - before) * 1e9 / (double)span_ns;

	if (l->usual >= 0 && rate >= JUMP_LEAST && rate >= JUMP_TIMES * l->usual && rate > h->worst)
		name_it(h, kind, l, rate, p);
	l->usual = l->usual < 0 ? rate : l->usual + (rate - l->usual) / 4;
}

static void take_file(struct blame_hints *h, const char *path, const char *kind, int64_t span_ns)
{
	const char *p;

	if (procfile_read(path, h->buf, sizeof(h->buf)) <= 0)
		return;
	for (p = strchr(h->buf, '\n'); p; p = strchr(p + 1, '\n'))
		take_line(h, kind, p + 1, span_ns);
}

void blame_hints_read(struct blame_hints *h, int64_t now_ns)
{
	int64_t span_ns = h->read_ns ? now_ns - h->read_ns : 0;

	h->text[0] = '\0';
	h->worst = 0;
	take_file(h, "/proc/interrupts", "irq", span_ns);
	take_file(h, "/proc/softirqs", "softirq", span_ns);
	h->read_ns = now_ns;
}

const char *blame_hints_text(const struct blame_hints *h)
{
	return h->text;
}

uint64_t blame_hints_preempted(struct blame_hints *h, int tid)
{
	unsigned at = (unsigned)tid % THREADS;
	char path[64], text[4096];
	const char *p;

	snprintf(path, sizeof(path), "/proc/self/task/%d/status", tid);
	procfile_read(path, text, sizeof(text));
	p = line_of(text, "nonvoluntary_ctxt_switches:");
	if (!p)
		return 0;
	uint64_t now = number_at(&p);
	uint64_t before = h->thread[at].tid == tid ? h->thread[at].switches : now;

	h->thread[at].tid = tid;
	h->thread[at].switches = now;
	return now > before ? now - before : 0;
}
