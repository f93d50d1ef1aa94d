/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The C++ half of the shim: exceptions that nobody catches, and the runtime's per-thread state.

#include "via-shim-thread.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <exception>
#include <typeinfo>
#include <unwind.h>

namespace
{

constexpr int ABORT_SIGNAL = SIGABRT;

/// Ends the process for an exception of the given type.
void
DieOfException(const std::type_info* type, const char* what)
{
    int status = 0;
    const char* mangled = type ? type->name() : "unknown type";
    char* name = type ? abi::__cxa_demangle(mangled, nullptr, nullptr, &status) : nullptr;
    char report[512];
    std::snprintf(report,
                  sizeof(report),
                  "uncaught exception of type %s%s%s",
                  name ? name : mangled,
                  what ? ": " : "",
                  what ? what : "");
    VIA_CALL(die, ABORT_SIGNAL, report);
}

} // namespace

extern "C" void
via_shim_protect(void (*body)(const void*), const void* argument)
{
    // The unwinder prepares its tables when it is first asked to throw. The simulator's unwinder
    // uses this copy's tables without asking, when a process is killed that never threw.
    _Unwind_Backtrace([](_Unwind_Context*, void*) { return _URC_END_OF_STACK; }, nullptr);
    try
    {
        body(argument);
    }
    catch (const std::exception& error)
    {
        DieOfException(&typeid(error), error.what());
    }
    catch (...)
    {
        // The simulator ends a process by an exception of its own: its runtime is another copy,
        // so it is not thrown on from here.
        if (!VIA_CALL(is_ending))
        {
            DieOfException(abi::__cxa_current_exception_type(), nullptr);
        }
    }
    VIA_CALL(leave, 0, 0);
}

namespace
{

/// Takes a thread from pthread_exit to its beginning; destructors run on the way.
struct ThreadExit
{
};

} // namespace

extern "C" void
via_shim_call_thread(ViaThread* thread)
{
    try
    {
        thread->result = thread->start(thread->argument);
        return;
    }
    catch (const ThreadExit&)
    {
        return;
    }
    catch (const std::exception& error)
    {
        DieOfException(&typeid(error), error.what());
    }
    catch (...)
    {
        if (!VIA_CALL(is_ending)) // as in via_shim_protect
        {
            DieOfException(abi::__cxa_current_exception_type(), nullptr);
        }
    }
    VIA_CALL(leave, 0, 0);
}

extern "C" void
via_shim_leave_thread(ViaThread*)
{
    throw ThreadExit();
}

/* What libstdc++ keeps per thread of the real machine: there all processes share one. */
extern "C" void*
__wrap___cxa_get_globals()
{
    return &ViaSelf()->caught;
}

extern "C" void*
__wrap___cxa_get_globals_fast()
{
    return &ViaSelf()->caught;
}
