/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Wide characters of streams. The standard streams, and those over sockets and pipes, take only
 * bytes in the C library: their characters are converted here, in the locale C. */

#define _GNU_SOURCE
#include "via-shim.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

int __real_fclose(FILE* stream);
FILE* __real_open_wmemstream(wchar_t** text, size_t* characters);
wint_t __real_fputwc(wchar_t character, FILE* stream);
int __real_fputws(const wchar_t* text, FILE* stream);
int __real_vfwprintf(FILE* stream, const wchar_t* format, va_list arguments);
wint_t __real_fgetwc(FILE* stream);
wchar_t* __real_fgetws(wchar_t* text, int count, FILE* stream);
wint_t __real_ungetwc(wint_t character, FILE* stream);

static int
TakesBytes(FILE* stream)
{
    return fwide(stream, 0) < 0;
}

/* ---- output */

static wint_t
PutByte(wchar_t character, FILE* stream)
{
    const int byte = wctob((wint_t)character);
    if (byte == EOF)
    {
        errno = EILSEQ;
        return WEOF;
    }
    return fputc(byte, stream) == EOF ? WEOF : (wint_t)character;
}

wint_t
__wrap_fputwc(wchar_t character, FILE* stream)
{
    return TakesBytes(stream) ? PutByte(character, stream) : __real_fputwc(character, stream);
}

/* The C library's other names of a function. */
#define ALSO(type, name, parameters, other, ...)                                                   \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        return __wrap_##other(__VA_ARGS__);                                                        \
    }

ALSO(wint_t, putwc, (wchar_t character, FILE* stream), fputwc, character, stream)
ALSO(wint_t, putwchar, (wchar_t character), fputwc, character, stdout)
ALSO(wint_t, fputwc_unlocked, (wchar_t character, FILE* stream), fputwc, character, stream)
ALSO(wint_t, putwc_unlocked, (wchar_t character, FILE* stream), fputwc, character, stream)
ALSO(wint_t, putwchar_unlocked, (wchar_t character), fputwc, character, stdout)

int
__wrap_fputws(const wchar_t* text, FILE* stream)
{
    if (!TakesBytes(stream))
    {
        return __real_fputws(text, stream);
    }
    for (; *text; text++)
    {
        if (PutByte(*text, stream) == WEOF)
        {
            return -1;
        }
    }
    return 1;
}

ALSO(int, fputws_unlocked, (const wchar_t* text, FILE* stream), fputws, text, stream)

int
__wrap_vfwprintf(FILE* stream, const wchar_t* format, va_list arguments)
{
    wchar_t* text = NULL;
    size_t size;
    FILE* whole;
    int length;
    if (!TakesBytes(stream))
    {
        return __real_vfwprintf(stream, format, arguments);
    }
    whole = __real_open_wmemstream(&text, &size);
    if (!whole)
    {
        return -1;
    }
    length = __real_vfwprintf(whole, format, arguments);
    length = __real_fclose(whole) == 0 ? length : -1; /* it is no stream of the process */
    for (size = 0; length >= 0 && size < (size_t)length; size++)
    {
        length = PutByte(text[size], stream) == WEOF ? -1 : length;
    }
    free(text);
    return length;
}

int
__wrap___vfwprintf_chk(FILE* stream, int checks, const wchar_t* format, va_list arguments)
{
    (void)checks;
    return __wrap_vfwprintf(stream, format, arguments);
}

int
__wrap_vwprintf(const wchar_t* format, va_list arguments)
{
    return __wrap_vfwprintf(stdout, format, arguments);
}

int
__wrap___vwprintf_chk(int checks, const wchar_t* format, va_list arguments)
{
    (void)checks;
    return __wrap_vfwprintf(stdout, format, arguments);
}

#define PRINTS(name, parameters, stream)                                                           \
    int __wrap_##name parameters                                                                   \
    {                                                                                              \
        va_list arguments;                                                                         \
        int length;                                                                                \
        va_start(arguments, format);                                                               \
        length = __wrap_vfwprintf(stream, format, arguments);                                      \
        va_end(arguments);                                                                         \
        return length;                                                                             \
    }

PRINTS(wprintf, (const wchar_t* format, ...), stdout)
PRINTS(fwprintf, (FILE * stream, const wchar_t* format, ...), stream)
PRINTS(__wprintf_chk, (int checks, const wchar_t* format, ...), stdout)
PRINTS(__fwprintf_chk, (FILE * stream, int checks, const wchar_t* format, ...), stream)

/* ---- input */

wint_t
__wrap_fgetwc(FILE* stream)
{
    return TakesBytes(stream) ? btowc(fgetc(stream)) : __real_fgetwc(stream);
}

ALSO(wint_t, getwc, (FILE * stream), fgetwc, stream)
ALSO(wint_t, getwchar, (void), fgetwc, stdin)
ALSO(wint_t, fgetwc_unlocked, (FILE * stream), fgetwc, stream)
ALSO(wint_t, getwc_unlocked, (FILE * stream), fgetwc, stream)
ALSO(wint_t, getwchar_unlocked, (void), fgetwc, stdin)

wint_t
__wrap_ungetwc(wint_t character, FILE* stream)
{
    if (!TakesBytes(stream))
    {
        return __real_ungetwc(character, stream);
    }
    return character == WEOF || ungetc(wctob(character), stream) == EOF ? WEOF : character;
}

wchar_t*
__wrap_fgetws(wchar_t* text, int count, FILE* stream)
{
    int used = 0;
    wint_t character = L' ';
    if (!TakesBytes(stream))
    {
        return __real_fgetws(text, count, stream);
    }
    while (used < count - 1 && character != L'\n' && (character = __wrap_fgetwc(stream)) != WEOF)
    {
        text[used++] = (wchar_t)character;
    }
    text[used] = L'\0';
    return used > 0 ? text : NULL;
}

wchar_t*
__wrap_fgetws_unlocked(wchar_t* text, int count, FILE* stream)
{
    return __wrap_fgetws(text, count, stream);
}

wchar_t*
__wrap___fgetws_chk(wchar_t* text, size_t room, int count, FILE* stream)
{
    return __wrap_fgetws(text, room < (size_t)count ? (int)room : count, stream);
}
