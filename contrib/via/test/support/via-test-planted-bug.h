/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Protocols with an intentional bug.

#ifndef VIA_TEST_PLANTED_BUG_H
#define VIA_TEST_PLANTED_BUG_H

#include "via-test-protocol-bench.h"

#include <boost/test/unit_test.hpp>
#include <type_traits>

namespace ns3
{
namespace via
{
namespace test
{

/// Registers the protocol @p name with processes of class P as "planted-@p name".
template <class P>
std::string
Plant(const std::string& name)
{
    ProtocolKind kind = *FindProtocol(name);
    kind.name = "planted-" + name;
    if constexpr (std::is_default_constructible_v<P>)
    {
        kind.prepare = [](WorkloadParameters&, std::uint32_t) -> ProtocolMaker {
            return [](Rank) { return std::make_unique<P>(); };
        };
    }
    else
    {
        kind.prepare = KindWith<P>(kind.name, kind.span, kind.checkers).prepare;
    }
    AddProtocol(kind);
    return kind.name;
}

/// The violation in the first of a few runs that the checkers reject.
template <class P>
std::string
Found(const std::string& name, Parameters parameters = {})
{
    const std::string planted = Plant<P>(name);
    parameters.emplace("rounds", "20");
    parameters.emplace("limit-ms", "60000");
    std::string said;
    for (std::uint64_t seed = 1; seed <= 10 && said.empty(); ++seed)
    {
        const ProtocolRun run = RunProtocol(planted, 5, parameters, seed);
        said = run.violations.empty() ? "" : run.violations.front();
        BOOST_TEST((said.empty() || run.report.exit == RunExit::PROCESS_FAILED));
    }
    RemoveProtocol(planted);
    return said;
}

/// One process is late.
inline const Parameters LATE = {{"process-faults", "slow:3:2:30:500"}};

/// Does @p text begin with the prefix?
inline bool
Begins(const std::string& text, const std::string& how)
{
    return text.find(how) == 0;
}

} // namespace test
} // namespace via
} // namespace ns3

#endif // VIA_TEST_PLANTED_BUG_H
