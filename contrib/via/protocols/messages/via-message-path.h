/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The transport of a protocol: carries messages between a process and its peers.

#ifndef VIA_MESSAGE_PATH_H
#define VIA_MESSAGE_PATH_H

#include "ns3/via-channel.h"
#include "ns3/via-history.h"
#include "ns3/via-workload-partition.h"

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

/// Not a rank: any peer.
constexpr Rank ANYONE = 0xFFFFFFFF;

/// Not a rank: no message is awaited.
constexpr Rank NOBODY = 0xFFFFFFFE;

/// The peers of a process, and how many messages may be under way.
struct PathShape
{
    std::vector<Rank> to;    ///< peers that it sends to, ascending
    std::vector<Rank> from;  ///< peers that send to it, ascending
    std::uint32_t bytes{0};  ///< of the largest message
    std::uint32_t window{2}; ///< messages from one peer that may wait for this process
    bool selective{false};   ///< true: it names the peer it waits for and ignores others
};

/// The peers of a process, ascending: the order in which it makes its channels.
std::vector<Rank> PeersOf(const PathShape& shape);

/// The shape of its channel with @p peer: buffers only for directions that are used.
ChannelShape SlotsFor(const PathShape& shape, Rank peer);

/// A message that has arrived.
struct ArrivedMessage
{
    Rank from{0};
    const std::uint8_t* data{nullptr}; ///< valid until Release()
    std::uint32_t length{0};
};

/**
 * @brief A process' end of a transport. All calls are made in a step of the process.
 *
 * Each call costs the process' CPU what the transport's calls cost. Messages from one peer arrive
 * in the order in which they were sent.
 */
class MessagePath
{
  public:
    virtual ~MessagePath() = default;

    /// Can a message be sent to @p to now?
    virtual bool HasRoom(Rank to) = 0;

    /// May messages to a peer that lives be lost, and others follow them?
    virtual bool MayLose() const
    {
        return false;
    }

    /// Schedules the next step of the process for when HasRoom(@p to) becomes true.
    virtual void AwaitRoom(Rank to) = 0;

    /**
     * @brief Sends @p size bytes, of which the first @p length are @p data and the rest is old
     * content of the buffer. Requires HasRoom(@p to).
     */
    virtual void Send(Rank to, const void* data, std::uint32_t length, std::uint32_t size) = 0;

    /// Takes a message that is visible now. @return false if there is none
    virtual bool Take(Rank from, ArrivedMessage& message) = 0;

    /// Releases the message of Take, and does work that no peer waits for.
    virtual void Release() = 0;

    /// A step will follow: the hint is NEXT or NOW (see AgendaTarget::Prefetch).
    virtual void Prefetch(Hint) const
    {
    }

    /// Schedules the next step of the process for when Take(@p from) would succeed.
    virtual void Await(Rank from) = 0;
};

/// The connected paths of all processes, by rank.
using MessagePaths = std::vector<std::unique_ptr<MessagePath>>;

/// The processes that need paths.
struct PathRequest
{
    const std::vector<std::unique_ptr<WorkloadProcess>>&
        processes;                        ///< by rank, null: in another partition
    const std::vector<PathShape>& shapes; ///< by rank
    std::function<IpNetwork&()> ip;       ///< creates the hosts' IP on first use
    WorkloadPartition* ranks{nullptr};    ///< null: only one partition; process i is on node i
};

/**
 * @brief Makes and connects the paths of all processes before time starts.
 * @param transport "via-send", "via-rdma-write", "kernel-udp" or "kernel-tcp"
 * @throws ConfigError if there is no such transport, or the request exceeds its limits
 */
MessagePaths ConnectPaths(const std::string& transport, const PathRequest& request);

/// @throws ConfigError if there is no such transport
void CheckTransport(const std::string& transport);

/// The transports that ConnectPaths knows.
std::vector<std::string> TransportNames();

} // namespace via
} // namespace ns3

#endif // VIA_MESSAGE_PATH_H
