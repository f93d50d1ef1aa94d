/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The registry of protocols by name.

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

/// Makes process @p rank of a protocol.
using ProtocolMaker = std::function<std::unique_ptr<Protocol>(Rank rank)>;

/// A named protocol: how to make its processes, and the checkers of its runs.
struct ProtocolKind
{
    std::string name;
    RoundSpan span{RoundSpan::FIRST_ENTRY_TO_LAST_EXIT};
    std::vector<Checker> checkers;
    std::uint32_t messageBytes{0}; ///< size of its (longest) messages, without padding

    /// Reads the protocol's own parameters.
    std::function<ProtocolMaker(WorkloadParameters& parameters, std::uint32_t nodes)> prepare;

    std::uint32_t usualBytes{0}; ///< default size on the wire; 0: without padding
    std::uint32_t leastBytes{0}; ///< of its shortest messages; 0: all have one size

    /// Its only transport; null: the user names one.
    MessagePaths (*connect)(const PathRequest& request){nullptr};
};

/// A kind whose processes are all of class P, without parameters of its own.
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
            0,
            nullptr};
}

/// As KindOf, for a P with the constructor P(WorkloadParameters&, std::uint32_t nodes). Each
/// process is a copy of the first.
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
            0,
            nullptr};
}

/**
 * @brief Registers a protocol for MakeWorkload, and so for Python.
 * @throws ConfigError if a workload of that name exists
 */
void AddProtocol(const ProtocolKind& kind);

/// Undoes AddProtocol. No run of the protocol may exist.
void RemoveProtocol(const std::string& name);

/// The protocol @p name, or null.
const ProtocolKind* FindProtocol(const std::string& name);

/// The names of all protocols, sorted.
std::vector<std::string> ProtocolNames();

} // namespace via
} // namespace ns3

#endif // VIA_PROTOCOL_KIND_H
