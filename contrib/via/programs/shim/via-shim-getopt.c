/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* getopt with its state in the process. The C library's getopt keeps a pointer into the arguments;
 * a process that ends halfway would leave it to the next one. */

#include "via-shim.h"

#include <getopt.h>
#include <string.h>

char* __wrap_optarg;
int __wrap_optind = 1;
int __wrap_opterr = 1;
int __wrap_optopt = '?';

static char* s_letters; /* the rest of an argument like -abc */

#define optarg __wrap_optarg
#define optind __wrap_optind
#define opterr __wrap_opterr
#define optopt __wrap_optopt

static void
Complain(char** argv, const char* options, const char* format, const char* name)
{
    if (opterr && options[0] != ':')
    {
        fprintf(stderr, "%s: ", argv[0]);
        fprintf(stderr, format, name);
        fputc('\n', stderr);
    }
}

static void
ComplainLetter(char** argv, const char* options, const char* format, int letter)
{
    char name[2] = {(char)letter, '\0'};
    Complain(argv, options, format, name);
}

/* Finds a long option by its name or an unambiguous prefix. */
static const struct option*
FindLong(const struct option* list, const char* name, size_t length, int* index, int* ambiguous)
{
    const struct option* found = NULL;
    int i;
    *ambiguous = 0;
    for (i = 0; list[i].name; i++)
    {
        if (strncmp(list[i].name, name, length) != 0)
        {
            continue;
        }
        if (strlen(list[i].name) == length)
        {
            *ambiguous = 0;
            *index = i;
            return &list[i];
        }
        *ambiguous = found != NULL;
        found = &list[i];
        *index = i;
    }
    return found;
}

static int
FailLong(const char* options, int letter)
{
    optopt = letter;
    return options[0] == ':' ? ':' : '?';
}

static int
ParseLong(int argc, char** argv, const char* options, const struct option* list, int* index)
{
    char* name = argv[optind] + (argv[optind][1] == '-' ? 2 : 1);
    char* equals = strchr(name, '=');
    int at = 0;
    int ambiguous;
    const struct option* found =
        FindLong(list, name, equals ? (size_t)(equals - name) : strlen(name), &at, &ambiguous);
    optind++;
    if (!found || ambiguous)
    {
        Complain(argv,
                 options,
                 ambiguous ? "option '--%s' is ambiguous" : "unrecognized option '--%s'",
                 name);
        optopt = 0;
        return '?';
    }
    optarg = NULL;
    if (equals && found->has_arg == no_argument)
    {
        Complain(argv, options, "option '--%s' doesn't allow an argument", found->name);
        optopt = found->val;
        return '?';
    }
    if (equals)
    {
        optarg = equals + 1;
    }
    else if (found->has_arg == required_argument)
    {
        if (optind >= argc)
        {
            Complain(argv, options, "option '--%s' requires an argument", found->name);
            return FailLong(options, found->val);
        }
        optarg = argv[optind++];
    }
    if (index)
    {
        *index = at;
    }
    if (found->flag)
    {
        *found->flag = found->val;
        return 0;
    }
    return found->val;
}

static int
ParseLetter(int argc, char** argv, const char* options)
{
    int letter = (unsigned char)*s_letters++;
    const char* known = letter == ':' ? NULL : strchr(options, letter);
    char* rest = *s_letters ? s_letters : NULL;
    optopt = letter;
    optarg = NULL;
    if (!rest || (known && known[1] == ':'))
    {
        optind++;
        s_letters = NULL;
    }
    if (!known)
    {
        ComplainLetter(argv, options, "invalid option -- '%s'", letter);
        return '?';
    }
    if (known[1] != ':')
    {
        return letter;
    }
    if (rest || known[2] == ':')
    {
        optarg = rest;
        return letter;
    }
    if (optind >= argc)
    {
        ComplainLetter(argv, options, "option requires an argument -- '%s'", letter);
        return options[0] == ':' ? ':' : '?';
    }
    optarg = argv[optind++];
    return letter;
}

/* What getopt_long and getopt_long_only add to getopt. */
struct LongOptions
{
    const struct option* list;
    int* index;
    int only; /* one dash is enough (getopt_long_only) */
};

static int
ParseArgument(int argc, char** argv, const char* options, const struct LongOptions* longs)
{
    if (!s_letters)
    {
        char* text = argv[optind] + 1;
        if (strcmp(text, "-") == 0)
        {
            optind++;
            return -1;
        }
        if (longs && (text[0] == '-' || (longs->only && (text[1] || !strchr(options, text[0])))))
        {
            return ParseLong(argc, argv, options, longs->list, longs->index);
        }
        s_letters = text;
    }
    return ParseLetter(argc, argv, options);
}

static int
IsOption(const char* text)
{
    return text[0] == '-' && text[1] != '\0';
}

/* Moves the `count` arguments that end before `end` to `place`, ahead of those in between. */
static void
MoveForward(char** argv, int place, int end, int count)
{
    int i;
    for (i = 0; i < count; i++)
    {
        char* last = argv[end - 1];
        __real_memmove(argv + place + 1, argv + place, (size_t)(end - 1 - place) * sizeof(char*));
        argv[place] = last;
    }
}

static int
Parse(int argc, char** argv, const char* options, const struct LongOptions* longs)
{
    const int inOrder = options[0] == '+';
    int first;
    int begin;
    int result;
    options += inOrder;
    if (optind == 0)
    {
        optind = 1;
        s_letters = NULL;
    }
    first = begin = optind;
    while (begin < argc && !IsOption(argv[begin]) && !inOrder)
    {
        begin++;
    }
    if (begin >= argc || !IsOption(argv[begin]))
    {
        return -1;
    }
    /* Operands go after the options: this option's arguments move ahead of them. */
    optind = begin;
    result = ParseArgument(argc, argv, options, longs);
    MoveForward(argv, first, optind, begin > first ? optind - begin : 0);
    optind = first + (optind - begin);
    return result;
}

int
__wrap_getopt(int argc, char* const* argv, const char* options)
{
    return Parse(argc, (char**)argv, options, NULL);
}

int
__wrap_getopt_long(int argc,
                   char* const* argv,
                   const char* options,
                   const struct option* list,
                   int* index)
{
    const struct LongOptions longs = {list, index, 0};
    return Parse(argc, (char**)argv, options, &longs);
}

int
__wrap_getopt_long_only(int argc,
                        char* const* argv,
                        const char* options,
                        const struct option* list,
                        int* index)
{
    const struct LongOptions longs = {list, index, 1};
    return Parse(argc, (char**)argv, options, &longs);
}
