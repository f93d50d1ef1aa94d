/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Functions that cannot work here: the call tells so, by ending the process or by its result. */

#define _GNU_SOURCE
#include "via-shim.h"

#include <errno.h>
#include <netdb.h>

/* Arguments are ignored; results are integers and pointers, both in the same register. */
#define VIA_REFUSED(name, why)                                                                     \
    void __wrap_##name(void);                                                                      \
    void __wrap_##name(void)                                                                       \
    {                                                                                              \
        VIA_CALL(die, 6, #name "(): " why);                                                        \
    }
#define VIA_FAILS(name, result, code, why)                                                         \
    long __wrap_##name(void);                                                                      \
    long __wrap_##name(void)                                                                       \
    {                                                                                              \
        errno = code;                                                                              \
        return result;                                                                             \
    }
#include "via-refused-symbols.h"
