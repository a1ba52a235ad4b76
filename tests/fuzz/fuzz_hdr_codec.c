/* fuzz_hdr_codec.c - any bytes as a histogram's payload, and as its text: what
 * is accepted encodes to something that decodes to the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "src/hdr_codec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void again(struct hist *h)
{
	char *text = h ? hdr_encode(h) : NULL;
	struct hist *back = text ? hdr_decode(text, strlen(text), NULL) : NULL;

	if (h && (!back || back->count != h->count))
		abort();
	for (unsigned i = 0; h && i < h->slots; i++)
		if (h->counts[i] != back->counts[i])
			abort();
	free(text);
	hist_free(back);
	hist_free(h);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	again(hdr_from_payload(data, size, NULL));
	again(hdr_decode((const char *)data, size, NULL));
	return 0;
}
