/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Local time is UTC, whatever the simulator's TZ says. */

#define _GNU_SOURCE
#include "via-shim.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char s_zone[] = "UTC";

char* __wrap_tzname[2] = {s_zone, s_zone};
long __wrap_timezone;
int __wrap_daylight;
extern char* __wrap___tzname[2] __attribute__((alias("__wrap_tzname")));
extern long __wrap___timezone __attribute__((alias("__wrap_timezone")));
extern int __wrap___daylight __attribute__((alias("__wrap_daylight")));

size_t __real_strftime_l(char* text, size_t most, const char* format, const struct tm*, locale_t);
char* __real_strptime(const char* text, const char* format, struct tm* out);

struct tm*
__wrap_localtime_r(const time_t* when, struct tm* out)
{
    if (!gmtime_r(when, out))
    {
        return NULL;
    }
    out->tm_zone = s_zone;
    return out;
}

struct tm*
__wrap_localtime(const time_t* when)
{
    static struct tm result;
    return __wrap_localtime_r(when, &result);
}

char*
__wrap_ctime_r(const time_t* when, char* text)
{
    struct tm broken;
    return gmtime_r(when, &broken) ? asctime_r(&broken, text) : NULL;
}

char*
__wrap_ctime(const time_t* when)
{
    static char text[32];
    return __wrap_ctime_r(when, text);
}

time_t
__wrap_mktime(struct tm* broken)
{
    const time_t result = timegm(broken);
    broken->tm_zone = s_zone;
    return result;
}

time_t
__wrap_timelocal(struct tm* broken)
{
    return __wrap_mktime(broken);
}

void
__wrap_tzset(void)
{
}

/* @return the first conversion to or from seconds since 1970 in a format, or null */
static const char*
FindSeconds(const char* format)
{
    while ((format = strchr(format, '%')) != NULL)
    {
        const char kind = format[1 + strspn(format + 1, "_-0123456789^#+EO")];
        if (kind == 's')
        {
            return format;
        }
        format += format[1] == '%' ? 2 : 1;
    }
    return NULL;
}

static const char*
BehindSeconds(const char* conversion)
{
    return strchr(conversion, 's') + 1;
}

/* The C library takes a broken-down time as one of its own zone in "%s" only. @return a copy of a
 * format with the numbers in their places */
static char*
WithSeconds(const char* format, const struct tm* broken)
{
    struct tm copy = *broken;
    const long long seconds = timegm(&copy);
    char* const whole = (char*)__wrap_malloc(24 * strlen(format));
    char* to = whole;
    const char* found;
    while (whole && (found = FindSeconds(format)) != NULL)
    {
        __real_memcpy(to, format, (size_t)(found - format));
        to += found - format;
        to += sprintf(to, "%lld", seconds);
        format = BehindSeconds(found);
    }
    return whole ? strcpy(to, format), whole : NULL;
}

/* The C library takes the user's zone for one that is not named. */
static struct tm
Zoned(const struct tm* broken)
{
    struct tm copy = *broken;
    copy.tm_zone = copy.tm_zone || copy.tm_isdst < 0 ? copy.tm_zone : s_zone;
    return copy;
}

size_t
__wrap_strftime_l(char* text,
                  size_t most,
                  const char* format,
                  const struct tm* broken,
                  locale_t locale)
{
    char* const changed = FindSeconds(format) ? WithSeconds(format, broken) : NULL;
    const struct tm zoned = Zoned(broken);
    const size_t length = __real_strftime_l(text, most, changed ? changed : format, &zoned, locale);
    __wrap_free(changed);
    return length;
}

size_t
__wrap___strftime_l(char* text,
                    size_t most,
                    const char* format,
                    const struct tm* broken,
                    locale_t locale)
{
    return __wrap_strftime_l(text, most, format, broken, locale);
}

size_t __real_strftime(char* text, size_t most, const char* format, const struct tm* broken);

size_t
__wrap_strftime(char* text, size_t most, const char* format, const struct tm* broken)
{
    char* const changed = FindSeconds(format) ? WithSeconds(format, broken) : NULL;
    const struct tm zoned = Zoned(broken);
    const size_t length = __real_strftime(text, most, changed ? changed : format, &zoned);
    __wrap_free(changed);
    return length;
}

/* A format with "%s" is read in parts: what is before it, the number, and the rest. */
char*
__wrap_strptime(const char* text, const char* format, struct tm* out)
{
    const char* const found = FindSeconds(format);
    char* before;
    char* end;
    time_t seconds;
    if (!found)
    {
        return __real_strptime(text, format, out);
    }
    before = strndup(format, (size_t)(found - format));
    text = before ? __real_strptime(text, before, out) : NULL;
    free(before);
    if (!text)
    {
        return NULL;
    }
    seconds = strtoll(text, &end, 10);
    if (end == text || !__wrap_localtime_r(&seconds, out))
    {
        return NULL;
    }
    return __wrap_strptime(end, BehindSeconds(found), out);
}
