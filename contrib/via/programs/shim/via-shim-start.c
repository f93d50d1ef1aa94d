/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Entry point of a simulated program, and the count of its basic blocks. */

#include "via-shim-signals.h"
#include "via-shim-thread.h"

#include <vipl.h>

enum
{
#define VIPL_FUNCTION(ret, name, params, names) INDEX_##name,
#include <vipl-functions.def>
    VIPL_COUNT
};

#ifndef VIA_PROGRAM_FLAGS
#define VIA_PROGRAM_FLAGS 0u
#endif

/* A poll of plain memory runs at most this many blocks before time passes: well below a microsecond
 * on machines of the period, and enough blocks to make the report cheap. */
#define VIA_BLOCKS_PER_REPORT 64u

extern int main(int argc, char** argv, char** environment);
extern char** __wrap_environ;
static void Start(const struct ViaStart* start);

__attribute__((visibility("default"))) struct ViaProgramInfo via_program_info = {
    VIA_PROGRAM_MAGIC,
    VIA_SEAM_VERSION,
    VIPL_COUNT,
    VIA_PROGRAM_FLAGS,
    0,
    NULL,
    &via_shim_main_thread,
    &via_shim_handler_thread,
    &via_shim_timer,
    &via_shim_wait_end,
    via_shim_run_thread,
    Start,
};

static void
RunProgram(const void* argument)
{
    const struct ViaStart* start = (const struct ViaStart*)argument;
    char** argv = (char**)__wrap_malloc((start->argc + 1) * sizeof(char*));
    int i;
    size_t k;
    for (i = 0; i < start->argc; i++)
    {
        argv[i] = __wrap_strdup(start->argv[i]);
    }
    argv[start->argc] = NULL;
    via_shim_set_name(argv[0]);
    for (k = 0; k < start->initCount; k++)
    {
        start->init[k](start->argc, argv, __wrap_environ);
    }
    __wrap_exit(main(start->argc, argv, __wrap_environ));
}

static void
Start(const struct ViaStart* start)
{
    via_shim_keep_standard_streams();
    via_shim_set_environment(start->environment);
    via_shim_set_finalizers(start->fini, start->finiCount);
    via_shim_protect(RunProgram, start);
}

/* C programs have no exceptions to catch; the C++ half of the shim overrides this. */
__attribute__((weak)) void
via_shim_protect(void (*body)(const void*), const void* argument)
{
    body(argument);
}

/* The compiler inserts a call of this into every basic block. */
void
__sanitizer_cov_trace_pc(void)
{
    static uint32_t left = VIA_BLOCKS_PER_REPORT;
    if (--left == 0)
    {
        left = VIA_BLOCKS_PER_REPORT;
        VIA_CALL(pass_time, VIA_BLOCKS_PER_REPORT);
        if (via_shim_timer != INT64_MAX || ViaSelf()->pending.__val[0])
        {
            via_shim_deliver();
        }
    }
}

/* Every VIPL function passes its arguments to the simulator's function with the same index. */
#define VIPL_FUNCTION(ret, name, params, names)                                                    \
    ret name params                                                                                \
    {                                                                                              \
        typedef ret(*Function) params;                                                             \
        return ((Function)via_program_info.calls->vipl[INDEX_##name])names;                        \
    }
#include <vipl-functions.def>
