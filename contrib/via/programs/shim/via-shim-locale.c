/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Locales. The simulator's belongs to its user: programs get the "C" locale that every program
 * starts with, also where they ask for the user's. */

#define _GNU_SOURCE
#include "via-shim.h"

#include <locale.h>
#include <string.h>

locale_t __real_newlocale(int mask, const char* name, locale_t base);
locale_t __real_duplocale(locale_t locale);
locale_t __real_uselocale(locale_t locale);

char*
__wrap_setlocale(int category, const char* name)
{
    (void)category;
    if (name && *name && strcmp(name, "C") != 0 && strcmp(name, "POSIX") != 0)
    {
        return NULL;
    }
    return (char*)"C";
}

/* What stands for LC_GLOBAL_LOCALE, which setlocale cannot change. */
static locale_t
Global(void)
{
    return __real_newlocale(LC_ALL_MASK, "C", NULL); /* a constant of the C library */
}

locale_t
__wrap_newlocale(int mask, const char* name, locale_t base)
{
    return __real_newlocale(mask, name && !*name ? "C" : name, base);
}

locale_t
__wrap_duplocale(locale_t locale)
{
    return __real_duplocale(locale == LC_GLOBAL_LOCALE ? Global() : locale);
}

locale_t
__wrap_uselocale(locale_t locale)
{
    locale_t before;
    if (locale)
    {
        VIA_CALL(use_locales);
    }
    before = __real_uselocale(locale == LC_GLOBAL_LOCALE ? Global() : locale);
    return before == Global() ? LC_GLOBAL_LOCALE : before;
}

/* The names by which the C++ library calls them. */
locale_t
__wrap___newlocale(int mask, const char* name, locale_t base)
{
    return __wrap_newlocale(mask, name, base);
}

locale_t
__wrap___duplocale(locale_t locale)
{
    return __wrap_duplocale(locale);
}

locale_t
__wrap___uselocale(locale_t locale)
{
    return __wrap_uselocale(locale);
}
