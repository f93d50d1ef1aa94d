/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What every conformance case uses: its rules, its processes, and what the profile offers.

#ifndef VIA_CONFORMANCE_BENCH_H
#define VIA_CONFORMANCE_BENCH_H

#include "support/via-test-vipl-bench.h"

#include <functional>
#include <string>
#include <vector>

/**
 * A case of the suite that it stands in: early, functional or full. @p rules are identifiers of
 * contrib/via/doc/conformance.md with spaces between them.
 */
#define CONFORMANCE_CASE(name, rules)                                                              \
    BOOST_AUTO_TEST_CASE(name, *boost::unit_test::description(rules))

/**
 * One case for each reliability level: EVENTAtUnreliable and so on. What follows is the body of
 * void EVENT(VIP_USHORT level).
 */
#define CONFORMANCE_MATRIX(event, rules)                                                           \
    void event(VIP_USHORT level);                                                                  \
    CONFORMANCE_CASE(event##AtUnreliable, rules)                                                   \
    {                                                                                              \
        event(VIP_SERVICE_UNRELIABLE);                                                             \
    }                                                                                              \
    CONFORMANCE_CASE(event##AtReliableDelivery, rules)                                             \
    {                                                                                              \
        if (Offered(Feature::RELIABLE_DELIVERY))                                                   \
        {                                                                                          \
            event(VIP_SERVICE_RELIABLE_DELIVERY);                                                  \
        }                                                                                          \
    }                                                                                              \
    CONFORMANCE_CASE(event##AtReliableReception, rules)                                            \
    {                                                                                              \
        if (Offered(Feature::RELIABLE_RECEPTION))                                                  \
        {                                                                                          \
            event(VIP_SERVICE_RELIABLE_RECEPTION);                                                 \
        }                                                                                          \
    }                                                                                              \
    void event(VIP_USHORT level)

namespace ns3
{
namespace via
{
namespace test
{

// ---- what a profile need not offer

/// Parts of the architecture that a provider may leave out.
enum class Feature
{
    RELIABLE_DELIVERY,
    RELIABLE_RECEPTION,
    RDMA_READ,  ///< at UsualLevel()
    EXTENSIONS, ///< Giganet's calls
};

/**
 * @brief Whether the profile offers @p feature. If it does not, a case ends there.
 *
 * Then this has checked that the NIC says so, that whoever asks for it is refused with the code of
 * the rules, and that the profile cites a source; and the case counts as "not offered".
 */
bool Offered(Feature feature);

/// Whether the library has a habit in which products differ: a key that is 0 or 1.
bool Habit(const std::string& key);

/// What VipDestroyPtag says of a tag in use.
VIP_RETURN TagInUse();

/// Why the running case counts as "not offered"; empty: it does not.
std::string& NotOffered();

/// The levels of the profile, the least reliable first.
std::vector<VIP_USHORT> OfferedLevels();

/// A party at a level.
Setup At(VIP_USHORT level);

/// A party both of whose queues are bound to a CQ.
Setup WithCq(VIP_ULONG entries = 64);

/// A party whose VI and region allow RDMA reads.
Setup WithRead();

inline bool
IsReliable(VIP_USHORT level)
{
    return level != VIP_SERVICE_UNRELIABLE;
}

// ---- processes

using Cast = std::vector<Party>;
using ActorBody = std::function<void(Party& self, Cast& all)>;

/// One process of a case.
struct Actor
{
    std::uint32_t node;
    ActorBody body;
};

/**
 * @brief Runs a process for each actor, opened and not connected. Actor i is all[i].
 *
 * The first begins a millisecond after the others, which wait for it by then. Nobody exits before
 * all are done.
 */
void RunCast(const std::vector<Actor>& actors,
             const Setup& setup = {},
             const ClusterConfig& config = TestConfig());

/// A client on node 0 and a server on node 1, not connected.
void RunApart(const PartyBody& client,
              const PartyBody& server,
              const Setup& setup = {},
              const ClusterConfig& config = TestConfig());

// ---- calls as cases make them

constexpr VIP_RETURN REFUSED = VIP_INVALID_PARAMETER;
constexpr VIP_UINT32 FLUSHED = VIP_STATUS_DONE | VIP_STATUS_DESC_FLUSHED_ERROR;
constexpr VIP_UINT32 FLUSHED_RECEIVE = FLUSHED | VIP_STATUS_OP_RECEIVE;

VIP_NIC_ATTRIBUTES NicOf(const Party& self);
VIP_VI_STATE StateOf(VIP_VI_HANDLE vi);

/// One request from @p on, answered or not.
VIP_RETURN Request(VIP_VI_HANDLE on,
                   std::uint32_t node = 1,
                   const std::string& discriminator = "vipl",
                   VIP_ULONG timeout = 500,
                   VIP_VI_ATTRIBUTES* remote = nullptr);

/// Waits for one request at the server of node 1. @return its handle, or null
VIP_CONN_HANDLE Await(const Party& self,
                      const std::string& discriminator = "vipl",
                      VIP_ULONG timeout = 500);

/// The first asynchronous error that the party was told; all zero if there was none.
VIP_ERROR_DESCRIPTOR FirstError(const Party& self);

/// A VI with the party's attributes after @p change.
VIP_RETURN CreateWith(Party& self, const std::function<void(VIP_VI_ATTRIBUTES&)>& change);

/// Sends @p descriptor on @p vi and waits for it. @return its status
VIP_UINT32 SendOn(Party& self, VIP_VI_HANDLE vi, VIP_DESCRIPTOR* descriptor);

/// Waits for the next receive of @p vi. @return its status
VIP_UINT32 ReceivedOn(Party& self, VIP_VI_HANDLE vi);

/// Pops an entry of the party's CQ. @return "send" or "receive" of @p vi, "another VI", or "none"
std::string Popped(Party& self, VIP_VI_HANDLE vi, VIP_ULONG timeout = 500);

/// An address that no process has mapped, aligned as descriptors are.
VIP_PVOID Nowhere();

} // namespace test
} // namespace via
} // namespace ns3

#endif // VIA_CONFORMANCE_BENCH_H
