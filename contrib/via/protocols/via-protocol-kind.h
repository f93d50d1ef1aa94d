/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The protocols that can be asked for by name.

#ifndef VIA_PROTOCOL_KIND_H
#define VIA_PROTOCOL_KIND_H

#include "ns3/via-checkers.h"
#include "ns3/via-protocol.h"
#include "ns3/via-workload.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/// Makes the process @p rank of a protocol.
using ProtocolMaker = std::function<std::unique_ptr<Protocol>(Rank rank)>;

/// A protocol by name: how its processes are made, and what must hold of it.
struct ProtocolKind
{
    std::string name;
    RoundSpan span{RoundSpan::FIRST_ENTRY_TO_LAST_EXIT};
    std::vector<Checker> checkers;
    std::uint32_t messageBytes{0}; ///< of its messages, without padding

    /// Reads the parameters of its own.
    std::function<ProtocolMaker(WorkloadParameters& parameters, std::uint32_t nodes)> prepare;

    std::uint32_t usualBytes{0}; ///< of its messages on the wire; 0: without padding

    /// Its only transport; null: the user names one.
    MessagePaths (*connect)(const PathRequest& request){nullptr};
};

/// A kind whose processes are all a P, which has no parameters of its own.
template <class P>
ProtocolKind
KindOf(const std::string& name, RoundSpan span, const std::vector<Checker>& checkers)
{
    return {name,
            span,
            checkers,
            sizeof(typename P::Message),
            [](WorkloadParameters&, std::uint32_t) -> ProtocolMaker {
                return [](Rank) { return std::make_unique<P>(); };
            },
            0,
            nullptr};
}

/// As KindOf, for a P that is made of its parameters: P(WorkloadParameters&, std::uint32_t nodes).
/// Each process is a copy of the first.
template <class P>
ProtocolKind
KindWith(const std::string& name, RoundSpan span, const std::vector<Checker>& checkers)
{
    return {name,
            span,
            checkers,
            sizeof(typename P::Message),
            [](WorkloadParameters& parameters, std::uint32_t nodes) -> ProtocolMaker {
                const P first(parameters, nodes);
                return [first](Rank) { return std::make_unique<P>(first); };
            },
            0,
            nullptr};
}

/**
 * @brief Makes a protocol known by its name, to MakeWorkload and so to Python.
 * @throws ConfigError if there is a workload of that name
 */
void AddProtocol(const ProtocolKind& kind);

/// Takes back what AddProtocol did. No run of it may be left.
void RemoveProtocol(const std::string& name);

/// The protocol @p name, or null.
const ProtocolKind* FindProtocol(const std::string& name);

/// The names of all protocols, sorted.
std::vector<std::string> ProtocolNames();

} // namespace via
} // namespace ns3

#endif // VIA_PROTOCOL_KIND_H
