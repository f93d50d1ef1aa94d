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

/* What a call of getopt is about. */
struct Request
{
    int argc;
    char** argv;
    const char* letters; /* without the first + or - */
    int inOrder;         /* operands are not moved */
    int isQuiet;
    const struct option* longs; /* null for getopt */
    int* index;
    int only; /* one dash is enough (getopt_long_only) */
};

static void
Complain(const struct Request* of, const char* format, const char* dashes, const char* name)
{
    if (!of->isQuiet)
    {
        fprintf(stderr, "%s: ", of->argv[0]);
        fprintf(stderr, format, dashes, name);
        fputc('\n', stderr);
    }
}

static int
FailLetter(const struct Request* of, const char* format, int letter, int result)
{
    const char name[2] = {(char)letter, '\0'};
    Complain(of, format, "", name);
    optopt = letter;
    return result;
}

/* What is returned for an option without its argument. */
static int
Lacking(const struct Request* of)
{
    return of->letters[0] == ':' ? ':' : '?';
}

/* Finds a long option by its name or an unambiguous prefix. @return its number; -1: there is none;
 * -2: it is ambiguous */
static int
FindLong(const struct Request* of, const char* name, size_t length)
{
    const struct option* const list = of->longs;
    int found = -1;
    int ambiguous = 0;
    int i;
    for (i = 0; list[i].name; i++)
    {
        if (strncmp(list[i].name, name, length) != 0)
        {
            continue;
        }
        if (strlen(list[i].name) == length)
        {
            return i;
        }
        ambiguous |=
            found >= 0 && (of->only || list[i].has_arg != list[found].has_arg ||
                           list[i].flag != list[found].flag || list[i].val != list[found].val);
        found = found < 0 ? i : found;
    }
    return ambiguous ? -2 : found;
}

/* Names all that begin so, if they differ. */
static void
ComplainOfMany(const struct Request* of, const char* dashes, const char* name, size_t length)
{
    int i;
    if (of->isQuiet)
    {
        return;
    }
    fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", of->argv[0], dashes, name);
    for (i = 0; of->longs[i].name; i++)
    {
        if (strncmp(of->longs[i].name, name, length) == 0)
        {
            fprintf(stderr, " '%s%s'", dashes, of->longs[i].name);
        }
    }
    fputc('\n', stderr);
}

/* @return -3 if the argument is one of letters after all */
#define LETTERS (-3)

static int
ParseLong(const struct Request* of, const char* name, const char* dashes, int only)
{
    const char* const equals = strchr(name, '=');
    const size_t length = equals ? (size_t)(equals - name) : strlen(name);
    const int at = FindLong(of, name, length);
    const struct option* found;
    if (at == -1 && only && dashes[1] == '\0' && strchr(of->letters, name[0]))
    {
        return LETTERS;
    }
    optind++;
    s_letters = NULL;
    optarg = NULL;
    optopt = 0;
    if (at == -2)
    {
        ComplainOfMany(of, dashes, name, length);
        return '?';
    }
    if (at < 0)
    {
        Complain(of, "unrecognized option '%s%s'", dashes, name);
        return '?';
    }
    found = &of->longs[at];
    if (equals && found->has_arg == no_argument)
    {
        Complain(of, "option '%s%s' doesn't allow an argument", dashes, found->name);
        optopt = found->val;
        return '?';
    }
    if (equals)
    {
        optarg = (char*)equals + 1;
    }
    else if (found->has_arg == required_argument)
    {
        if (optind >= of->argc)
        {
            Complain(of, "option '%s%s' requires an argument", dashes, found->name);
            optopt = found->val;
            return Lacking(of);
        }
        optarg = of->argv[optind++];
    }
    if (of->index)
    {
        *of->index = at;
    }
    if (found->flag)
    {
        *found->flag = found->val;
        return 0;
    }
    return found->val;
}

/* -W name is --name. */
static int
ParseNamed(const struct Request* of, char* rest)
{
    if (!rest && optind >= of->argc)
    {
        return FailLetter(of, "%soption requires an argument -- '%s'", 'W', Lacking(of));
    }
    s_letters = NULL;
    return ParseLong(of, rest ? rest : of->argv[optind], "-W ", 0);
}

static int
ParseLetter(const struct Request* of)
{
    const int letter = (unsigned char)*s_letters++;
    const char* const known = letter == ':' || letter == ';' ? NULL : strchr(of->letters, letter);
    char* const rest = *s_letters ? s_letters : NULL;
    optarg = NULL;
    if (!rest)
    {
        optind++;
        s_letters = NULL;
    }
    if (!known)
    {
        return FailLetter(of, "%sinvalid option -- '%s'", letter, '?');
    }
    if (known[0] == 'W' && known[1] == ';' && of->longs)
    {
        return ParseNamed(of, rest);
    }
    if (known[1] != ':')
    {
        return letter;
    }
    optind += rest != NULL;
    s_letters = NULL;
    if (rest || known[2] == ':')
    {
        optarg = rest;
        return letter;
    }
    if (optind >= of->argc)
    {
        return FailLetter(of, "%soption requires an argument -- '%s'", letter, Lacking(of));
    }
    optarg = of->argv[optind++];
    return letter;
}

static int
ParseArgument(const struct Request* of)
{
    if (!s_letters)
    {
        char* const text = of->argv[optind] + 1;
        int result = LETTERS;
        if (strcmp(text, "-") == 0)
        {
            optind++;
            return -1;
        }
        if (of->longs && text[0] == '-')
        {
            return ParseLong(of, text + 1, "--", of->only);
        }
        if (of->longs && of->only && (text[1] || !strchr(of->letters, text[0])))
        {
            result = ParseLong(of, text, "-", 1);
        }
        if (result != LETTERS)
        {
            return result;
        }
        s_letters = text;
    }
    return ParseLetter(of);
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
Parse(struct Request* of)
{
    const int returnsOperands = of->letters[0] == '-';
    int first;
    int begin;
    int result;
    of->inOrder = of->letters[0] == '+' || (!returnsOperands && __wrap_getenv("POSIXLY_CORRECT"));
    of->letters += of->letters[0] == '+' || returnsOperands;
    of->isQuiet = !opterr || of->letters[0] == ':';
    if (optind == 0)
    {
        optind = 1;
        s_letters = NULL;
    }
    first = begin = optind;
    while (begin < of->argc && !IsOption(of->argv[begin]) && !of->inOrder && !returnsOperands)
    {
        begin++;
    }
    if (begin >= of->argc || (!IsOption(of->argv[begin]) && !returnsOperands))
    {
        return -1;
    }
    if (!IsOption(of->argv[begin]))
    {
        optarg = of->argv[optind++];
        return 1;
    }
    /* Operands go after the options: this option's arguments move ahead of them. */
    optind = begin;
    result = ParseArgument(of);
    MoveForward(of->argv, first, optind, begin > first ? optind - begin : 0);
    optind = first + (optind - begin);
    return result;
}

int
__wrap_getopt(int argc, char* const* argv, const char* options)
{
    struct Request of = {.argc = argc, .argv = (char**)argv, .letters = options};
    return Parse(&of);
}

int
__wrap_getopt_long(int argc,
                   char* const* argv,
                   const char* options,
                   const struct option* list,
                   int* index)
{
    struct Request of = {argc, (char**)argv, options, 0, 0, list, index, 0};
    return Parse(&of);
}

int
__wrap_getopt_long_only(int argc,
                        char* const* argv,
                        const char* options,
                        const struct option* list,
                        int* index)
{
    struct Request of = {argc, (char**)argv, options, 0, 0, list, index, 1};
    return Parse(&of);
}
