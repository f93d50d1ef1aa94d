/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The C++ half of the shim: uncaught exceptions and the runtime's per-thread state.

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

/// The terminate handler of a program that sets none.
std::terminate_handler s_usual = nullptr;

/// Ends the process for the exception that is handled, of the given type.
void
DieOfException(const std::type_info* type, const char* what)
{
    if (std::get_terminate() != s_usual)
    {
        std::terminate(); // the program's own handler sees the exception, too
    }
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
    s_usual = std::get_terminate();
    // The unwinder prepares its tables on first use. When a process that never threw is killed, the
    // simulator's unwinder uses this copy's tables without preparing them.
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
        // The simulator ends a process with an exception of its own. It comes from another copy of
        // the runtime, so it cannot be rethrown here.
        if (!VIA_CALL(is_ending))
        {
            DieOfException(abi::__cxa_current_exception_type(), nullptr);
        }
    }
    VIA_CALL(leave, 0, 0);
}

namespace
{

/// Unwinds a thread from pthread_exit to its start; destructors run on the way.
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

/* libstdc++'s per-thread state: all processes share one OS thread, so each needs its own. */
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
