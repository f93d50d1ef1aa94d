/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Work that takes long, during which Python handles its signals.

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
 * @brief Does @p work; handlers of signals run meanwhile, and what one of them raises ends it.
 * @param results gets what ends it, from here or from Python code that takes part
 * @param watchdog seconds of CPU time in which simulated time may stand still; 0: for ever
 */
void DoWatched(PythonResults& results,
               const std::function<void()>& work,
               std::uint32_t watchdog = 0);

/// As DoWatched. @return what @p make does
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
