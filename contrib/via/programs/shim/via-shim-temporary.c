/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Temporary files. The C library takes their names from the clock of the real machine; these are
 * the same in every run, unless files of those names are there already. */

#define _GNU_SOURCE
#include "via-shim-descriptors.h"
#include "via-shim-random.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LETTERS 6 /* of a name that are chosen */

int __wrap_open(const char* path, int flags, ...);

/* @return the six letters X of a pattern; null with EINVAL: it has none */
static char*
LettersOf(char* pattern, int suffix)
{
    const size_t length = strlen(pattern);
    const size_t needed = (size_t)suffix + LETTERS;
    if (suffix < 0 || length < needed || strncmp(pattern + length - needed, "XXXXXX", LETTERS) != 0)
    {
        errno = EINVAL;
        return NULL;
    }
    return pattern + length - needed;
}

static void
Choose(char* letters)
{
    static const char all[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    static uint64_t state;
    uint64_t number = via_shim_next_random(&state);
    int i;
    for (i = 0; i < LETTERS; i++, number /= sizeof(all) - 1)
    {
        letters[i] = all[number % (sizeof(all) - 1)];
    }
}

/* What is done with a name: @return -1 with EEXIST to have another one. */
typedef int (*Attempt)(const char* path, int flags);

static int
TryNames(char* pattern, int suffix, int flags, Attempt attempt)
{
    char* const letters = LettersOf(pattern, suffix);
    int result = -1;
    int i;
    for (i = 0; letters && i < TMP_MAX; i++)
    {
        Choose(letters);
        result = attempt(pattern, flags);
        if (result >= 0 || errno != EEXIST)
        {
            break;
        }
    }
    return result;
}

static int
MakeFile(const char* path, int flags)
{
    return __wrap_open(path, (flags & ~O_ACCMODE) | O_RDWR | O_CREAT | O_EXCL, 0600);
}

static int
MakeFolder(const char* path, int flags)
{
    (void)flags;
    return mkdir(path, 0700);
}

static int
IsFree(const char* path, int flags)
{
    const int code = errno;
    struct stat about;
    (void)flags;
    if (lstat(path, &about) == 0)
    {
        errno = EEXIST;
        return -1;
    }
    errno = errno == ENOENT ? code : errno;
    return errno == code ? 0 : -1;
}

#define MAKES(name, parameters, suffix, flags)                                                     \
    int __wrap_##name parameters                                                                   \
    {                                                                                              \
        return TryNames(pattern, suffix, flags, MakeFile);                                         \
    }

MAKES(mkstemp, (char* pattern), 0, 0)
MAKES(mkstemp64, (char* pattern), 0, 0)
MAKES(mkostemp, (char* pattern, int flags), 0, flags)
MAKES(mkostemp64, (char* pattern, int flags), 0, flags)
MAKES(mkstemps, (char* pattern, int suffix), suffix, 0)
MAKES(mkstemps64, (char* pattern, int suffix), suffix, 0)
MAKES(mkostemps, (char* pattern, int suffix, int flags), suffix, flags)
MAKES(mkostemps64, (char* pattern, int suffix, int flags), suffix, flags)

char*
__wrap_mkdtemp(char* pattern)
{
    return TryNames(pattern, 0, 0, MakeFolder) == 0 ? pattern : NULL;
}

char*
__wrap_mktemp(char* pattern)
{
    if (TryNames(pattern, 0, 0, IsFree) != 0)
    {
        pattern[0] = '\0';
    }
    return pattern;
}

char*
__wrap_tmpnam_r(char* name)
{
    if (!name)
    {
        return NULL;
    }
    strcpy(name, P_tmpdir "/fileXXXXXX");
    return TryNames(name, 0, 0, IsFree) == 0 ? name : NULL;
}

char*
__wrap_tmpnam(char* name)
{
    static char own[L_tmpnam];
    return __wrap_tmpnam_r(name ? name : own);
}

static int
IsFolder(const char* path)
{
    struct stat about;
    return path && stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

char*
__wrap_tempnam(const char* folder, const char* prefix)
{
    const char* const named = __wrap_getenv("TMPDIR");
    const char* const in = IsFolder(named) ? named : IsFolder(folder) ? folder : P_tmpdir;
    char name[PATH_MAX];
    if (snprintf(name, sizeof(name), "%s/%.5sXXXXXX", in, prefix ? prefix : "file") >= PATH_MAX)
    {
        errno = ENAMETOOLONG;
        return NULL;
    }
    return TryNames(name, 0, 0, IsFree) == 0 ? __wrap_strdup(name) : NULL;
}
