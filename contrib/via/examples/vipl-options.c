/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* How the VIPL example programs read their options, and how they give up. */

#include "vipl-util.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_OPTIONS 12

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

static void
print_help(const Option* options, int count)
{
    int i;

    for (i = 0; i < count; i++)
    {
        printf("  -%c", options[i].letter);
        if (options[i].number != NULL)
        {
            printf(" %ld..%ld", options[i].least, options[i].most);
        }
        printf("%s  %s", options[i].text == NULL ? "" : " WORD", options[i].meaning);
        if (options[i].number != NULL)
        {
            printf(" (%ld)", *options[i].number);
        }
        printf("\n");
    }
}

static VIP_RELIABILITY_LEVEL
to_level(const char* word)
{
    static const char* const words[] = {"default", "unreliable", "delivery", "reception"};
    static const VIP_RELIABILITY_LEVEL levels[] = {0,
                                                   VIP_SERVICE_UNRELIABLE,
                                                   VIP_SERVICE_RELIABLE_DELIVERY,
                                                   VIP_SERVICE_RELIABLE_RECEPTION};
    int i;

    for (i = 0; i < COUNT(words); i++)
    {
        if (strcmp(word, words[i]) == 0)
        {
            return levels[i];
        }
    }
    fail("-l %s: unreliable, delivery or reception is needed", word);
    return 0;
}

/* What the environment says, or a value if it says nothing. */
static long
from_environment(const char* name, long otherwise, long least, long most)
{
    const char* text = getenv(name);

    return text == NULL ? otherwise : to_number(name, text, least, most);
}

void
parse_options(Host* host, int argc, char** argv, const Option* options, int count)
{
    static long rank;
    static long size;
    static long per_host;
    static const char* level = "default";
    static int help;
    static const Option common[] = {
        {'r', &rank, 0, 65534, NULL, NULL, "rank of this process"},
        {'p', &size, 1, 65535, NULL, NULL, "number of processes"},
        {'k', &per_host, 1, 65535, NULL, NULL, "processes per host"},
        {'l', NULL, 0, 0, &level, NULL, "reliability level: unreliable, delivery, reception"},
        {'h', NULL, 0, 0, NULL, &help, "print this"}};
    Option all[MOST_OPTIONS + COUNT(common)];

    if (count > MOST_OPTIONS)
    {
        fail("a program may have %d options of its own, not %d", MOST_OPTIONS, count);
    }
    rank = from_environment("VIA_RANK", 0, 0, 65534);
    my_rank = (int)rank;
    size = from_environment("VIA_SIZE", 1, 1, 65535);
    per_host = from_environment("VIA_PROCS_PER_NODE", 1, 1, 65535);
    memcpy(all, common, sizeof(common));
    memcpy(all + COUNT(common), options, count * sizeof(Option));
    parse_arguments(argc, argv, all, count + COUNT(common));
    if (rank >= size)
    {
        fail("rank %ld: there are %ld processes", rank, size);
    }
    if (help)
    {
        if (rank == 0)
        {
            print_help(options, count);
            print_help(common, COUNT(common));
        }
        exit(0);
    }
    host->rank = (int)rank;
    host->size = (int)size;
    host->per_host = (int)per_host;
    host->level = to_level(level);
    my_rank = (int)rank;
}
