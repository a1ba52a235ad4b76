/* text.c - see text.h. */
#include "src/text.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define NS_US UINT64_C(1000)
#define NS_MS UINT64_C(1000000)
#define NS_S UINT64_C(1000000000)
#define NS_DAY (86400 * NS_S)

/* A unit is left for the next one when the rounded number reaches `limit`. */
static const struct {
	uint64_t ns;
	unsigned limit;
	const char *name;
} units[] = {
	{ NS_US, 1000, "us" },
	{ NS_MS, 1000, "ms" },
	{ NS_S, 60, "s" },
	{ 60 * NS_S, 60, "m" },
	{ 3600 * NS_S, 1000, "h" },
	{ NS_DAY, 1000, "d" },
	{ 365 * NS_DAY, UINT_MAX / 100, "y" },
};

static uint64_t rounded(uint64_t value, uint64_t step)
{
	return (value + step / 2) / step;
}

/* 3 digits of ns / unit; false: the number reaches limit after rounding. */
static bool digits3(char *buf, size_t size, uint64_t ns, uint64_t unit, unsigned limit,
		    const char *name)
{
	uint64_t cents = rounded(ns, unit / 100), tenths = rounded(ns, unit / 10);

	if (cents < 1000)
		snprintf(buf, size, "%" PRIu64 ".%02" PRIu64 "%s", cents / 100, cents % 100, name);
	else if (tenths < 1000 && tenths < limit * 10)
		snprintf(buf, size, "%" PRIu64 ".%" PRIu64 "%s", tenths / 10, tenths % 10, name);
	else if (rounded(ns, unit) < limit)
		snprintf(buf, size, "%" PRIu64 "%s", rounded(ns, unit), name);
	else
		return false;
	return true;
}

const char *text_time(char *buf, size_t size, int64_t ns)
{
	if (ns < 0)
		snprintf(buf, size, "<0ns");
	else if (ns < 1000)
		snprintf(buf, size, "%dns", (int)ns);
	else
		for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
			if (digits3(buf, size, (uint64_t)ns, units[i].ns, units[i].limit,
				    units[i].name))
				break;
	return buf;
}

const char *text_us(char *buf, size_t size, int64_t ns)
{
	if (ns < 0)
		snprintf(buf, size, "<0");
	else if (ns < 1000)
		snprintf(buf, size, ns ? "0.%03d" : "0", (int)ns);
	else if (!digits3(buf, size, (uint64_t)ns, NS_US, 1000, ""))
		text_time(buf, size, ns);
	return buf;
}

const char *text_count(char *buf, size_t size, double value)
{
	static const char *const suffix[] = { "", "k", "M", "G", "T", "P", "E" };
	size_t i = 0;

	if (!(value >= 0) || isinf(value))	/* NaN too */
		return snprintf(buf, size, "-"), buf;
	if (value == 0)
		return snprintf(buf, size, "0"), buf;
	if (value < 0.095)
		return snprintf(buf, size, value < 0.005 ? "<0.01" : "%.2f", value), buf;
	while (value >= 999.5 && i + 1 < sizeof(suffix) / sizeof(suffix[0])) {
		value /= 1000;
		i++;
	}
	if (value >= 9999.5)
		return snprintf(buf, size, ">9999"), buf;
	snprintf(buf, size, value < 9.95 ? "%.1f%s" : "%.0f%s", value, suffix[i]);
	return buf;
}

const char *text_amount(char *buf, size_t size, double value, const char *unit)
{
	static const char prefix[] = "MGTPE";
	bool bytes = unit[0] == 'M' && unit[1] == 'B';
	char count[16];
	size_t i = 0;

	while (bytes && value >= 999.5 && isfinite(value) && prefix[i + 1]) {
		value /= 1000;
		i++;
	}
	text_count(count, sizeof(count), value);
	if (bytes && value >= 999.5 && isfinite(value))	/* past the last of them */
		snprintf(count, sizeof(count), ">999");
	if (bytes)
		snprintf(buf, size, "%s %c%s", count, prefix[i], unit + 1);
	else
		snprintf(buf, size, "%s %s", count, unit);
	return buf;
}

const char *text_span(char *buf, size_t size, int64_t ns)
{
	uint64_t s = (ns < 0 ? -(uint64_t)ns : (uint64_t)ns) / NS_S;
	const char *sign = ns < 0 && s ? "-" : "";
	unsigned h = (unsigned)(s / 3600 % 24), m = (unsigned)(s / 60 % 60),
		 sec = (unsigned)(s % 60);
	uint64_t days = s / 86400;

	if (days)
		snprintf(buf, size, "%s%" PRIu64 "+%02u:%02u:%02u", sign, days, h, m, sec);
	else
		snprintf(buf, size, "%s%02u:%02u:%02u", sign, h, m, sec);
	return buf;
}

/* ---- options back to numbers ---- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static uint64_t unit_ns(const char *name)
{
	static const struct { const char *name; uint64_t ns; } names[] = {
		{ "ns", 1 }, { "us", NS_US }, { "\xc2\xb5s", NS_US }, { "\xce\xbcs", NS_US },
		{ "ms", NS_MS }, { "s", NS_S }, { "m", 60 * NS_S }, { "h", 3600 * NS_S },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i].name))
			return names[i].ns;
	return 0;
}

struct decimal {
	uint64_t whole;
	double fraction;	/* 0 <= fraction < 1 */
	bool any, big;
};

/* Digits with at most one point; returns what follows. */
static const char *take_decimal(const char *p, struct decimal *d)
{
	double place = 1;

	for (; is_digit(*p); p++, d->any = true) {
		if (d->whole > (uint64_t)INT64_MAX / 10)
			d->big = true;
		else
			d->whole = d->whole * 10 + (uint64_t)(*p - '0');
	}
	if (*p != '.')
		return p;
	for (p++; is_digit(*p); p++, d->any = true) {
		place /= 10;
		d->fraction += (*p - '0') * place;
	}
	return p;
}

int text_parse_time(const char *text, int64_t *ns, struct why *why)
{
	struct decimal d = { 0 };
	char shown[40];

	text_clean(shown, sizeof(shown), text, strlen(text), 30);
	const char *unit = take_decimal(text, &d);

	if (!d.any)
		return why_set(why, -EINVAL, "time '%s': not a number and a unit; "
			       "write it like 10ms, 1.5s or 2m", shown);
	if (!*unit && !d.whole && d.fraction <= 0)	/* an example may be refused */
		return why_set(why, -EINVAL, "time '%s': no unit; "
			       "add one of ns, us, ms, s, m, h", shown);
	if (!*unit)
		return why_set(why, -EINVAL, "time '%s': no unit; "
			       "add one of ns, us, ms, s, m, h (%sms, %ss)", shown, shown, shown);
	uint64_t factor = unit_ns(unit);

	if (!factor)
		return why_set(why, -EINVAL, "time '%s': unknown unit; "
			       "use one of ns, us, ms, s, m, h", shown);
	uint64_t rest = (uint64_t)(d.fraction * (double)factor + 0.5);

	if (d.big || d.whole > ((uint64_t)INT64_MAX - rest) / factor)
		return why_set(why, -ERANGE, "time '%s': too large; "
			       "292 years are the limit", shown);
	*ns = (int64_t)(d.whole * factor + rest);
	return 0;
}

int text_parse_int(const char *text, long least, long most, long *value, struct why *why)
{
	const char *p = text;
	bool negative = *p == '-';
	long n = 0;
	char shown[40];
	bool range = false;

	text_clean(shown, sizeof(shown), text, strlen(text), 30);
	if (negative)
		p++;
	if (!is_digit(*p))
		return why_set(why, -EINVAL, "'%s': not a whole number; give one in %ld..%ld",
			       shown, least, most);
	for (; is_digit(*p); p++)
		if (__builtin_mul_overflow(n, 10, &n) ||
		    __builtin_add_overflow(n, negative ? '0' - *p : *p - '0', &n))
			range = true;
	if (*p)
		return why_set(why, -EINVAL, "'%s': not a whole number; give one in %ld..%ld",
			       shown, least, most);
	if (range || n < least || n > most)
		return why_set(why, -ERANGE, "%s: out of range; give a number in %ld..%ld",
			       shown, least, most);
	*value = n;
	return 0;
}
