/* list.c - the keys and themes for `jitterscope list`; declared in src/app.h. */
#include <stdio.h>
#include <string.h>

#include "src/app.h"
#include "ui/keys.h"
#include "ui/theme.h"

void ui_list_keys(void)
{
	const char *section = "";

	for (const struct key_binding *k = key_bindings; k->keys; k++) {
		if (strcmp(section, k->section))
			printf("%s\n", k->section);
		section = k->section;
		printf("  %-18s %s\n", k->keys, k->does);
	}
}

void ui_list_themes(void)
{
	for (unsigned i = 0; theme_names[i]; i++)
		puts(theme_names[i]);
}
