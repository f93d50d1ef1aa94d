/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Whether something is refused with certain words.

#ifndef VIA_TEST_REFUSAL_H
#define VIA_TEST_REFUSAL_H

#include "ns3/via-error.h"

#include <string>

namespace ns3
{
namespace via
{
namespace test
{

/// True if @p make throws a ConfigError that contains @p words.
template <class F>
bool
Refuses(const F& make, const std::string& words)
{
    try
    {
        make();
    }
    catch (const ConfigError& error)
    {
        return std::string(error.what()).find(words) != std::string::npos;
    }
    return false;
}

} // namespace test
} // namespace via
} // namespace ns3

#endif // VIA_TEST_REFUSAL_H
