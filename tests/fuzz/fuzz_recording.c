/* fuzz_recording.c - any bytes as a file of that format. */
#include "tests/fuzz/reader.h"

FUZZ_READER(format_recording)
