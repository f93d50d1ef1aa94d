/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Results that the C library keeps in static memory, which all processes would share. */

#define _GNU_SOURCE
#include "via-shim.h"

#include <netdb.h>
#include <netinet/ether.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DOUBLE_DIGITS 512
#define LONG_DOUBLE_DIGITS 5120

char* __real_strsignal(int number);
char* __real_l64a(long number);

/* ---- numbers as text */

#define CONVERTS(name, type, bytes)                                                                \
    char* __wrap_##name(type value, int digits, int* point, int* sign)                             \
    {                                                                                              \
        static char text[bytes];                                                                   \
        name##_r(value, digits, point, sign, text, sizeof(text));                                  \
        return text;                                                                               \
    }

CONVERTS(ecvt, double, DOUBLE_DIGITS)
CONVERTS(fcvt, double, DOUBLE_DIGITS)
CONVERTS(qecvt, long double, LONG_DOUBLE_DIGITS)
CONVERTS(qfcvt, long double, LONG_DOUBLE_DIGITS)

char*
__wrap_l64a(long number)
{
    static char text[8];
    return strcpy(text, __real_l64a(number));
}

/* ---- names */

char*
__wrap_ether_ntoa(const struct ether_addr* address)
{
    static char text[18];
    return ether_ntoa_r(address, text);
}

struct ether_addr*
__wrap_ether_aton(const char* text)
{
    static struct ether_addr address;
    return ether_aton_r(text, &address);
}

char*
__wrap_strsignal(int number)
{
    static char text[48];
    if (number > 0 && number < __SIGRTMIN)
    {
        return __real_strsignal(number); /* a constant */
    }
    snprintf(text, sizeof(text), "%s", __real_strsignal(number));
    return text;
}

/* ---- errors of netdb.h */

int*
__wrap___h_errno_location(void)
{
    static int code;
    return &code;
}

void
__wrap_herror(const char* text)
{
    fprintf(stderr,
            "%s%s%s\n",
            text ? text : "",
            text && *text ? ": " : "",
            hstrerror(*__wrap___h_errno_location()));
}
