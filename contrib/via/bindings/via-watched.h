/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Long-running work during which Python handles its signals.

#ifndef VIA_WATCHED_H
#define VIA_WATCHED_H

#include "via-python-process.h"

#include <functional>
#include <optional>
#include <utility>

namespace ns3
{
namespace via
{

/**
 * @brief Does @p work; Python's signal handlers run meanwhile, and an exception in one ends it.
 * @param results receives the exception that ends it, from a handler or from Python code in the run
 * @param watchdog seconds of CPU time for which simulated time may stand still; 0: forever
 * @param progress called several times per second of CPU time; a Python exception in it ends the
 * work, too
 */
void DoWatched(PythonResults& results,
               const std::function<void()>& work,
               std::uint32_t watchdog = 0,
               const std::function<void()>& progress = {});

/// Like DoWatched. @return the result of @p make
template <class Make>
auto
MakeWatched(Make&& make)
{
    PythonResults results;
    std::optional<decltype(make())> made;
    DoWatched(results, [&] { made.emplace(make()); });
    return std::move(*made);
}

} // namespace via
} // namespace ns3

#endif // VIA_WATCHED_H
