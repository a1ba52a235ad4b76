/*
 * fuzz_churn_loadfile.c - any bytes as a load file: it is refused with a
 * reason, or becomes a program whose names stay below the client's folder.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "src/loads/churn_loadfile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_name(const struct loadfile *file, uint32_t offset)
{
	const char *name = file->names + offset;

	if (*name == '/' || loadfile_climbs(name))
		abort();
}

static void check_step(const struct loadfile *file, const struct loadfile_step *step)
{
	struct load_rng rng;

	load_rng_seed(&rng, 1);
	if (step->op >= STEPS || step->expect > EXPECT_FAILURE)
		abort();
	if (step->op != STEP_PATTERN && step->op != STEP_STRING) {
		check_name(file, step->name);
		check_name(file, step->name2);
	}
	for (unsigned i = 0; i < LOADFILE_NUMBERS; i++)
		loadfile_number(file, step, i, 7, 1, 2, &rng);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("loadfile", 0);
	struct why why = { 0 };
	struct loadfile *file;
	char path[40];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	file = loadfile_parse(path, &why);
	if (!file && (why.err >= 0 || !why.text[0]))
		abort();
	for (uint32_t i = 0; file && i < file->count; i++)
		check_step(file, &file->steps[i]);
	loadfile_free(file);
	close(fd);
	return 0;
}
