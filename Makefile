# jitterscope: one Makefile, one graph.
#
#   make run      install what is missing (Debian), build, start the live screen
#   make check    install what is missing (Debian), build, run every test
#   make          just build build/release/jitterscope
#   make asan tsan coverage bench lint fuzz install install-caps clean
#
# A new file in src, src/loads, src/formats, src/suites, probes, ui or tests is
# found by itself; nothing is listed here.

# Every rule is here; the built-in ones would link x from x.d.o, for the sake
# of an included x.d that is older than its source.
MAKEFLAGS += --no-builtin-rules
.SUFFIXES:

VARIANT ?= release
B := build/$(VARIANT)
VERSION := 0.1.0

CC = gcc
ifeq ($(VARIANT),fuzz)
CC = clang
endif
PKGS := ncursesw jansson zlib libcap libconfuse
# Asked once, and only when something is compiled: a fresh machine has no
# pkg-config yet when make reads this file.
PKG_CFLAGS = $(eval PKG_CFLAGS := $$(shell pkg-config --cflags $(PKGS)))$(PKG_CFLAGS)
PKG_LIBS = $(eval PKG_LIBS := $$(shell pkg-config --libs $(PKGS)))$(PKG_LIBS)
CHECK_CFLAGS = $(eval CHECK_CFLAGS := $$(shell pkg-config --cflags check vterm))$(CHECK_CFLAGS)
CHECK_LIBS = $(eval CHECK_LIBS := $$(shell pkg-config --libs check vterm))$(CHECK_LIBS)

WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wpointer-arith -Wvla -Wformat=2 -Wno-format-nonliteral -Wno-missing-field-initializers
OPT_release := -O2 -g -D_FORTIFY_SOURCE=2
OPT_asan := -O1 -g -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined -DJS_ASAN
OPT_tsan := -O1 -g -fsanitize=thread -DJS_TSAN
OPT_fuzz := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
OPT_coverage := -O0 -g --coverage -DJS_COVERAGE
CPPFLAGS += -I. -D_GNU_SOURCE -DJS_VERSION='"$(VERSION)"'
CFLAGS += -std=c11 $(WARN) $(OPT_$(VARIANT)) -fno-common -fstack-protector-strong -pthread
LDFLAGS += $(OPT_$(VARIANT)) -pthread -Wl,-z,relro,-z,now -Wl,--as-needed
LDLIBS = $(PKG_LIBS) -lm

SRCS := $(wildcard src/*.c src/loads/*.c src/formats/*.c src/suites/*.c probes/*.c ui/*.c)
OBJS := $(SRCS:%.c=$(B)/%.o)
LIB_OBJS := $(filter-out $(B)/src/main.o,$(OBJS))
LIB := $(B)/libjs.a
HEADERS := $(wildcard src/*.h src/loads/*.h src/formats/*.h src/suites/*.h probes/*.h ui/*.h tests/*.h)

# A suite is tests/check_NAME.c (one per module) or tests/{live,e2e,fault}/check_NAME.c.
CHECK_SRCS := $(wildcard tests/check_*.c tests/live/check_*.c tests/e2e/check_*.c tests/fault/check_*.c)
CHECK_BINS := $(CHECK_SRCS:%.c=$(B)/%)
# What suites share: every other .c directly in tests/.
TEST_HELP := $(filter-out tests/check_%.c tests/runner.c,$(wildcard tests/*.c))
TEST_HELP_OBJS := $(TEST_HELP:%.c=$(B)/%.o)
BENCH_BINS := $(patsubst %.c,$(B)/%,$(wildcard tests/bench/bench_*.c))
FUZZ_NAMES := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))

all: $(B)/jitterscope

$(B)/jitterscope: $(B)/src/main.o $(LIB)
	$(CC) $(LDFLAGS) -o $@ $< $(LIB) $(LDLIBS)

$(LIB): $(LIB_OBJS)
	@rm -f $@
	ar rcs $@ $(LIB_OBJS)

# Suites spend more time in the compiler than they save by being fast.
OPT_SUITE := $(if $(filter release,$(VARIANT)),-O0 -U_FORTIFY_SOURCE)

$(B)/tests/%.o: tests/%.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -DJS_BUILD='"$(B)"' $(CFLAGS) $(OPT_SUITE) $(PKG_CFLAGS) $(CHECK_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/tests/bench/%.o: OPT_SUITE :=

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(PKG_CFLAGS) -MMD -MP -c -o $@ $<

# main() of a suite is in runner.c; which suite, the linker is told.
$(CHECK_BINS): $(B)/%: $(B)/%.o $(B)/tests/runner.o $(TEST_HELP_OBJS) $(LIB)
	$(CC) $(LDFLAGS) -Wl,--defsym=the_suite=$(patsubst check_%,%_suite,$(@F)) -o $@ $(filter %.o,$^) $(LIB) $(CHECK_LIBS) $(LDLIBS)

$(BENCH_BINS): $(B)/%: $(B)/%.o $(TEST_HELP_OBJS) $(LIB)
	$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) $(LIB) $(CHECK_LIBS) $(LDLIBS)

# Fuzz targets: with libFuzzer (VARIANT=fuzz) or replaying a corpus (any other).
$(FUZZ_NAMES:%=$(B)/tests/fuzz/run_%): $(B)/tests/fuzz/run_%: $(B)/tests/fuzz/fuzz_%.o $(LIB)
	$(CC) $(LDFLAGS) -fsanitize=fuzzer -o $@ $< $(LIB) $(LDLIBS)
$(FUZZ_NAMES:%=$(B)/tests/fuzz/replay_%): $(B)/tests/fuzz/replay_%: $(B)/tests/fuzz/fuzz_%.o $(B)/tests/fuzz/replay.o $(LIB)
	$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) $(LIB) $(LDLIBS)

-include $(shell find $(B) -name '*.d' 2>/dev/null)

# ---- what people type ------------------------------------------------------
run:
	@sh tests/need.sh build
	@[ -x $(B)/jitterscope ] || echo "building jitterscope; the first time takes a while"
	@$(MAKE) --no-print-directory -s -j$$(nproc) all
	@exec $(B)/jitterscope

check:
	@sh tests/need.sh check
	@[ -x $(B)/tests/check_app ] || echo "building jitterscope and its tests; the first time takes a while"
	@$(MAKE) --no-print-directory -s -j$$(nproc) tests-built
	@$(MAKE) --no-print-directory -s lint
	@sh tests/fuzz/replay.sh $(B) $(FUZZ_NAMES)
	@sh tests/run-suites.sh $(B) $(CHECK_SRCS)

tests-built: all $(CHECK_BINS) $(FUZZ_NAMES:%=$(B)/tests/fuzz/replay_%)

# One suite: make test-hist (any variant: make VARIANT=asan test-hist).
# Not a make of its own: two at a time would both write the archive.
suite_of = $(filter %/check_$(1),$(CHECK_BINS))
.SECONDEXPANSION:
test-%: $$(call suite_of,$$*)
	$(or $<,$(error no suite tests/.../check_$*.c))

# Only the suites of modules: quick, no rights and no terminal needed.
unit: $(filter $(B)/tests/check_%,$(CHECK_BINS))
	@sh tests/run-suites.sh $(B) $(filter tests/check_%,$(CHECK_SRCS))

# Sanitizers: unit, live and the end-to-end suites with an instrumented program.
# A race that was seen once is a race: no second run.
asan tsan:
	@sh tests/need.sh check
	@$(MAKE) --no-print-directory -s -j$$(nproc) VARIANT=$@ tests-built
	@ASAN_OPTIONS=detect_leaks=1:abort_on_error=0 LSAN_OPTIONS=suppressions=$(CURDIR)/tests/lint/lsan.supp:print_suppressions=0 UBSAN_OPTIONS=print_stacktrace=1 \
	 TSAN_OPTIONS=suppressions=$(CURDIR)/tests/lint/tsan.supp:second_deadlock_stack=1:die_after_fork=0 JS_ONCE=1 \
	 sh tests/run-suites.sh build/$@ $(CHECK_SRCS)

coverage:
	@sh tests/need.sh check gcovr
	@find build/coverage -name '*.gcda' -delete 2>/dev/null || true
	@$(MAKE) --no-print-directory -s -j$$(nproc) VARIANT=coverage tests-built
	@sh tests/run-suites.sh build/coverage $(CHECK_SRCS)
	gcovr --root . --object-directory build/coverage --filter 'src/' --filter 'ui/' --filter 'probes/' --branches --sort-percentage

bench:
	@sh tests/need.sh check
	@$(MAKE) --no-print-directory -s -j$$(nproc) all $(BENCH_BINS)
	@sh tests/bench/run.sh $(B)

lint: all
	@sh tests/lint/run.sh $(B) "$(CC)" "$(CPPFLAGS) -std=c11 $(PKG_CFLAGS)" $(HEADERS)

FUZZ_SECONDS ?= 60
fuzz:
	@sh tests/need.sh check clang
	@$(MAKE) --no-print-directory -s -j$$(nproc) VARIANT=fuzz $(FUZZ_NAMES:%=build/fuzz/tests/fuzz/run_%)
	@sh tests/fuzz/run.sh build/fuzz $(FUZZ_SECONDS) $(FUZZ_NAMES)

# ---- installing ------------------------------------------------------------
prefix ?= /usr/local
bindir ?= $(prefix)/bin
mandir ?= $(prefix)/share/man
sharedir ?= $(prefix)/share

install: all
	install -d $(DESTDIR)$(bindir) $(DESTDIR)$(mandir)/man1 $(DESTDIR)$(mandir)/man5
	install -m 755 $(B)/jitterscope $(DESTDIR)$(bindir)/jitterscope
	install -m 644 $(wildcard man/*.1) $(DESTDIR)$(mandir)/man1
	install -m 644 $(wildcard man/*.5) $(DESTDIR)$(mandir)/man5
	install -d $(DESTDIR)$(sharedir)/bash-completion/completions
	install -m 644 src/share/jitterscope.bash $(DESTDIR)$(sharedir)/bash-completion/completions/jitterscope

# Real time without root.  A copy or an upgrade loses it: run it again.
install-caps:
	setcap cap_sys_nice,cap_ipc_lock,cap_perfmon=p $(DESTDIR)$(bindir)/jitterscope

uninstall:
	rm -f $(DESTDIR)$(bindir)/jitterscope $(DESTDIR)$(mandir)/man1/jitterscope.1 \
		$(DESTDIR)$(mandir)/man5/jitterscope-snapshot.5 \
		$(DESTDIR)$(sharedir)/bash-completion/completions/jitterscope

clean:
	rm -rf build

.PHONY: all run check tests-built unit asan tsan coverage bench lint fuzz install install-caps uninstall clean
.SECONDARY:
