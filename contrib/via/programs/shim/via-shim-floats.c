/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Exceptions of floating point that trap. */

#define _GNU_SOURCE
#include "via-shim.h"

#include <fenv.h>

/*
 * As the C library's, but flags of the x87 unit that are set already do not trap at once: threads
 * of all processes and the simulator share them, so that they may be others'.
 */
int
__wrap_feenableexcept(int exceptions)
{
#ifdef __x86_64__
    const unsigned int maskShift = 7; /* from flags of MXCSR to their masks */
    uint16_t control;
    int before;
    exceptions &= FE_ALL_EXCEPT;
    __asm__ volatile("fnstcw %0" : "=m"(control));
    before = ~control & FE_ALL_EXCEPT;
    control &= (uint16_t)~exceptions;
    __asm__ volatile("fnclex\n\tfldcw %0" : : "m"(control));
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() & ~((unsigned int)exceptions << maskShift));
    return before;
#else
    (void)exceptions;
    return -1; /* as on machines that cannot trap */
#endif
}
