/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The transport of a protocol: how messages of one process get to its peers and back.

#ifndef VIA_MESSAGE_PATH_H
#define VIA_MESSAGE_PATH_H

#include "ns3/via-history.h"
#include "ns3/via-workload-process.h"
#include "ns3/via-workload-ranks.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

class IpNetwork;

/// Not a rank: whoever sends first.
constexpr Rank ANYONE = 0xFFFFFFFF;

/// Not a rank: no message is awaited.
constexpr Rank NOBODY = 0xFFFFFFFE;

/// With whom a process exchanges messages, and how many may be on their way.
struct PathShape
{
    std::vector<Rank> to;    ///< peers that it sends to, ascending
    std::vector<Rank> from;  ///< peers that send to it, ascending
    std::uint32_t bytes{0};  ///< of a message at the most
    std::uint32_t window{2}; ///< messages of one peer that may wait for this process
    bool selective{false};   ///< it names the peer it waits for; others are not looked at
};

/// The peers of a process, ascending: in this order it makes its channels.
std::vector<Rank> PeersOf(const PathShape& shape);

/// What its channel with @p peer holds: buffers only for ways that are used.
ChannelShape SlotsFor(const PathShape& shape, Rank peer);

/// A message that has arrived.
struct ArrivedMessage
{
    Rank from{0};
    const std::uint8_t* data{nullptr}; ///< valid until Release()
    std::uint32_t length{0};
};

/**
 * @brief One process' end of a transport. All calls are made in a step of the process.
 *
 * Each call costs what the transport's own calls cost the CPU of the process; messages of one
 * peer arrive in the order in which they were sent.
 */
class MessagePath
{
  public:
    virtual ~MessagePath() = default;

    /// May a message to @p to be sent now?
    virtual bool HasRoom(Rank to) = 0;

    /// The next step of the process is when HasRoom(@p to) has become true.
    virtual void AwaitRoom(Rank to) = 0;

    /**
     * @brief Sends @p size bytes, of which the first @p length are @p data. HasRoom(@p to) holds.
     * The rest is padding: whatever lies in the buffer.
     */
    virtual void Send(Rank to, const void* data, std::uint32_t length, std::uint32_t size) = 0;

    /// Takes a message that can be seen now. @return false if there is none
    virtual bool Take(Rank from, ArrivedMessage& message) = 0;

    /// What Take gave is not needed any more; what can be done where nobody waits is done.
    virtual void Release() = 0;

    /// Hints: a step comes next, and begins.
    virtual void Foresee() const
    {
    }

    virtual void Expect() const
    {
    }

    /// The next step of the process is when Take(@p from) would succeed.
    virtual void Await(Rank from) = 0;
};

/// The paths of all processes, by rank, connected.
using MessagePaths = std::vector<std::unique_ptr<MessagePath>>;

/// Whose paths are to be made.
struct PathRequest
{
    const std::vector<std::unique_ptr<WorkloadProcess>>& processes; ///< by rank, null: not here
    const std::vector<PathShape>& shapes;                           ///< by rank
    std::function<IpNetwork&()> ip; ///< makes the hosts' IP when it is asked for
    WorkloadRanks* ranks{nullptr};  ///< null: all processes are here; process i is on node i
};

/**
 * @brief Makes and connects the paths of all processes, as if it had been done before time starts.
 * @param transport "via-send", "via-rdma-write", "kernel-udp" or "kernel-tcp"
 * @throws ConfigError if there is no such transport, or its limits do not allow what is asked for
 */
MessagePaths ConnectPaths(const std::string& transport, const PathRequest& request);

/// @throws ConfigError if there is no such transport
void CheckTransport(const std::string& transport);

/// The transports that ConnectPaths knows.
std::vector<std::string> TransportNames();

} // namespace via
} // namespace ns3

#endif // VIA_MESSAGE_PATH_H
