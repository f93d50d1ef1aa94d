/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* How the VIPL example programs read their options, and how they give up. */

#include "vipl-util.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int my_rank = 0;

void
fail(const char* format, ...)
{
    va_list arguments;

    fprintf(stderr, "rank %d: ", my_rank);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\n");
    exit(1);
}

void
check(VIP_RETURN result, const char* call, const char* file, int line)
{
    static const char* const names[] = {"VIP_SUCCESS",
                                        "VIP_NOT_DONE",
                                        "VIP_INVALID_PARAMETER",
                                        "VIP_ERROR_RESOURCE",
                                        "VIP_TIMEOUT",
                                        "VIP_REJECT",
                                        "VIP_INVALID_RELIABILITY_LEVEL",
                                        "VIP_INVALID_MTU",
                                        "VIP_INVALID_QOS",
                                        "VIP_INVALID_PTAG",
                                        "VIP_INVALID_RDMAREAD",
                                        "VIP_DESCRIPTOR_ERROR",
                                        "VIP_INVALID_STATE",
                                        "VIP_ERROR_NAMESERVICE",
                                        "VIP_NO_MATCH",
                                        "VIP_NOT_REACHABLE",
                                        "VIP_ERROR_NOT_SUPPORTED"};
    const unsigned known = sizeof(names) / sizeof(names[0]);

    if (result != VIP_SUCCESS)
    {
        fail("%s:%d: %s: %s",
             file,
             line,
             call,
             (unsigned)result < known ? names[result] : "unknown code");
    }
}

static long
to_number(const char* name, const char* text, long least, long most)
{
    char* end;
    const long number = strtol(text, &end, 10);

    if (end == text || *end != '\0' || number < least || number > most)
    {
        fail("%s %s: a number from %ld to %ld is needed", name, text, least, most);
    }
    return number;
}

static const Option*
find_option(const Option* options, int count, const char* argument)
{
    int i;

    for (i = 0; i < count; i++)
    {
        if (argument[0] == '-' && argument[1] == options[i].letter && argument[2] == '\0')
        {
            return &options[i];
        }
    }
    return NULL;
}

static void
parse_arguments(int argc, char** argv, const Option* options, int count)
{
    int i;

    for (i = 1; i < argc; i++)
    {
        const char* name = argv[i];
        const Option* option = find_option(options, count, name);

        if (option == NULL)
        {
            fail("%s: no such option", name);
        }
        if (option->flag != NULL)
        {
            *option->flag = 1;
            continue;
        }
        if (++i == argc)
        {
            fail("%s: a value is needed", name);
        }
        if (option->text != NULL)
        {
            *option->text = argv[i];
        }
        else
        {
            *option->number = to_number(name, argv[i], option->least, option->most);
        }
    }
}

void
parse_options(Host* host, int argc, char** argv, const Option* options, int count)
{
    static long rank;
    static long size;
    static const Option place[] = {{'r', &rank, 0, 65534, NULL, NULL},
                                   {'p', &size, 1, 65535, NULL, NULL}};
    const char* rank_text = getenv("VIA_RANK");
    const char* size_text = getenv("VIA_SIZE");
    Option all[16];

    if (count > 14)
    {
        fail("a program may have 14 options of its own, not %d", count);
    }
    rank = rank_text == NULL ? 0 : to_number("VIA_RANK", rank_text, 0, 65534);
    my_rank = (int)rank;
    size = size_text == NULL ? 1 : to_number("VIA_SIZE", size_text, 1, 65535);
    memcpy(all, place, sizeof(place));
    memcpy(all + 2, options, count * sizeof(Option));
    parse_arguments(argc, argv, all, count + 2);
    if (rank >= size)
    {
        fail("rank %ld: there are %ld processes", rank, size);
    }
    host->rank = (int)rank;
    host->size = (int)size;
    my_rank = (int)rank;
}
