/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The line of Python code that made a call.

#ifndef VIA_CALL_SITE_H
#define VIA_CALL_SITE_H

#include <pybind11/pybind11.h>
#include <string>

namespace ns3
{
namespace via
{

/// The line of Python code that runs now. Cheap to take: there is one per await.
class CallSite
{
  public:
    /// The line that runs now; unknown outside of Python code.
    static CallSite Here();

    /// @return "ring.py:12, in run"
    std::string Text() const;

  private:
    pybind11::object m_code; ///< null: unknown
    int m_at{0};             ///< place in it
};

/// @return whether the running Python code is an `async def`, where `for` and unpacking of what
/// should be awaited is a mistake; generators may `yield from` it
bool IsInAsyncFunction();

/// Throws a TypeError with the text @p what to Python.
[[noreturn]] void RaiseNotAwaited(const std::string& what);

/// @return what to tell a user who called @p what without `await` at @p site
std::string NotAwaited(const std::string& what, const CallSite& site);

} // namespace via
} // namespace ns3

#endif // VIA_CALL_SITE_H
