# jitterscope: one Makefile, one graph.
#
#   make run      install what is missing (Debian), build, start the live screen
#   make check    install what is missing (Debian), build, run every test
#   make          just build build/release/jitterscope
#   make asan tsan coverage bench lint fuzz install install-caps clean
#
# A new file in src, src/loads, src/formats, src/suites, probes, ui or tests is
# found by itself; nothing is listed here.

VARIANT ?= release
B := build/$(VARIANT)
VERSION := 0.1.0

CC = gcc
PKGS := ncursesw jansson zlib libcap libconfuse
# Asked once, and only when something is compiled: a fresh machine has no
# pkg-config yet when make reads this file.
PKG_CFLAGS = $(eval PKG_CFLAGS := $$(shell pkg-config --cflags $(PKGS)))$(PKG_CFLAGS)
PKG_LIBS = $(eval PKG_LIBS := $$(shell pkg-config --libs $(PKGS)))$(PKG_LIBS)
CHECK_CFLAGS = $(eval CHECK_CFLAGS := $$(shell pkg-config --cflags check))$(CHECK_CFLAGS)
CHECK_LIBS = $(eval CHECK_LIBS := $$(shell pkg-config --libs check))$(CHECK_LIBS)

WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wpointer-arith -Wvla -Wformat=2 -Wno-format-nonliteral -Wno-missing-field-initializers
OPT_release := -O2 -g -D_FORTIFY_SOURCE=2
OPT_asan := -O1 -g -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined -DJS_ASAN
OPT_tsan := -O1 -g -fsanitize=thread -DJS_TSAN
OPT_coverage := -O0 -g --coverage -DJS_COVERAGE
CPPFLAGS += -I. -D_GNU_SOURCE -DJS_VERSION='"$(VERSION)"'
CFLAGS += -std=c11 $(WARN) $(OPT_$(VARIANT)) -fno-common -fstack-protector-strong -pthread
LDFLAGS += $(OPT_$(VARIANT)) -pthread -Wl,-z,relro,-z,now -Wl,--as-needed
LDLIBS = $(PKG_LIBS) -lm

SRCS := $(wildcard src/*.c src/loads/*.c src/formats/*.c src/suites/*.c probes/*.c ui/*.c)
OBJS := $(SRCS:%.c=$(B)/%.o)
LIB_OBJS := $(filter-out $(B)/src/main.o,$(OBJS))
CHECKS := $(patsubst tests/check_%.c,%,$(wildcard tests/check_*.c))
CHECK_BINS := $(CHECKS:%=$(B)/tests/check_%)
# Shared helpers of tests: every other .c directly in tests/.
TEST_HELP := $(filter-out tests/check_%.c tests/runner.c,$(wildcard tests/*.c))
TEST_HELP_OBJS := $(TEST_HELP:%.c=$(B)/%.o)
TOOL_SRCS := $(wildcard tests/bench/*.c tests/live/*.c tests/e2e/*.c tests/fault/*.c)
TOOLS := $(TOOL_SRCS:%.c=$(B)/%)

all: $(B)/jitterscope

$(B)/jitterscope: $(B)/src/main.o $(B)/libjs.a
	$(CC) $(LDFLAGS) -o $@ $< $(B)/libjs.a $(LDLIBS)

$(B)/libjs.a: $(LIB_OBJS)
	rm -f $@ && ar rcs $@ $(LIB_OBJS)

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(PKG_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/tests/check_%.o: tests/check_%.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(PKG_CFLAGS) $(CHECK_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/tests/runner_%.o: tests/runner.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(CHECK_CFLAGS) -DSUITE=$*_suite -MMD -MP -c -o $@ $<

$(CHECK_BINS): $(B)/tests/check_%: $(B)/tests/check_%.o $(B)/tests/runner_%.o $(TEST_HELP_OBJS) $(B)/libjs.a
	$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) $(B)/libjs.a $(CHECK_LIBS) $(LDLIBS)

$(TOOLS): $(B)/%: $(B)/%.o $(B)/libjs.a
	$(CC) $(LDFLAGS) -o $@ $< $(B)/libjs.a $(LDLIBS)

-include $(OBJS:.o=.d) $(CHECK_BINS:=.d) $(CHECKS:%=$(B)/tests/runner_%.d) $(TEST_HELP_OBJS:.o=.d) $(TOOLS:=.d)

# ---- one suite: make test-hist -------------------------------------------
test-%: $(B)/tests/check_%
	$<

unit: $(CHECK_BINS)
	sh tests/run-unit.sh $(B) $(CHECKS)

clean:
	rm -rf build

.PHONY: all unit clean
.SECONDARY:
