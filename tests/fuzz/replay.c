/*
 * replay.c - runs a fuzz target over files, without a fuzzer: every corpus is
 * part of every check.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(const char *path)
{
	FILE *in = fopen(path, "rb");

	if (!in) {
		perror(path);
		return -1;
	}
	fseek(in, 0, SEEK_END);
	long size = ftell(in);

	rewind(in);
	uint8_t *data = malloc(size > 0 ? (size_t)size : 1);
	size_t got = data ? fread(data, 1, (size_t)size, in) : 0;

	fclose(in);
	if (data)
		LLVMFuzzerTestOneInput(data, got);
	free(data);
	return data ? 0 : -1;
}

int main(int argc, char **argv)
{
	int bad = 0;

	for (int i = 1; i < argc; i++)
		bad |= replay(argv[i]) != 0;
	printf("replayed %d files\n", argc - 1);
	return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}
