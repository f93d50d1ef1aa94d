/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Client-server connections: the kernel agent's side of the NIC.

#ifndef VIA_CONNECTION_MANAGER_H
#define VIA_CONNECTION_MANAGER_H

#include "ns3/via-virtual-interface.h"

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

class Nic;

/// A host address with a discriminator behind it, as byte strings.
struct NetAddress
{
    std::string host;
    std::string discriminator;
};

inline bool
operator==(const NetAddress& a, const NetAddress& b)
{
    return a.host == b.host && a.discriminator == b.discriminator;
}

/// The 6-byte address of host @p node: 02:00:00:00:hi:lo.
std::string HostAddressOf(NodeId node);

/// The host with address @p bytes; false if it is no address of ours.
bool NodeOfAddress(const std::string& bytes, NodeId& node);

/// How a connection request ended.
enum class ConnectResult
{
    PENDING,
    ACCEPTED,
    REJECTED,
    NO_MATCH,
};

/// A request that is waiting at the server for Accept or Reject.
struct ConnectRequest
{
    NodeId clientNode{0};
    ViId clientVi{0};
    NetAddress clientAddress;
    ViAttributes clientAttributes;
};

/// A server that waits for a request.
struct ConnectWaiter
{
    Waiter* process{nullptr};
    NetAddress local;
    Ps deadline{PS_NEVER}; ///< requests that arrive later find nobody
    bool matched{false};
    std::uint32_t request{0}; ///< once matched: its number
};

/// A client's open request.
struct ConnectAttempt
{
    ViId vi{0};
    Waiter* process{nullptr};
    Ps deadline{PS_NEVER}; ///< answers that arrive later find nobody
    ConnectResult result{ConnectResult::PENDING};
    ViAttributes peerAttributes;
};

/**
 * @brief Matches requests with waiters by the request's remote address (host, discriminator).
 *
 *     client                      server
 *     Request --CONNECT_REQUEST--> waiter? --no--> CONNECT_NO_MATCH
 *                                    |yes
 *                                  Accept --CONNECT_ACCEPT--> client's VI is connected
 *                                  Reject --CONNECT_REJECT--> client's VI is idle
 *
 * A client that gave up answers a late accept with DISCONNECT.
 */
class ConnectionManager
{
  public:
    explicit ConnectionManager(Nic& nic);

    // ---- server

    /// Registers a waiter; it must stay where it is until RemoveWaiter.
    void AddWaiter(ConnectWaiter* waiter);
    void RemoveWaiter(ConnectWaiter* waiter);

    /// The request with number @p request, or null if it was answered.
    const ConnectRequest* FindRequest(std::uint32_t request) const;

    /// Connects @p vi and tells the client; the request is gone.
    void Accept(std::uint32_t request, VirtualInterface& vi, Moment at);

    /// Tells the client no; the request is gone.
    void Reject(std::uint32_t request, Moment at);

    // ---- client

    /// Sends a request; the attempt must stay where it is until Forget.
    void Request(ConnectAttempt* attempt,
                 VirtualInterface& vi,
                 const NetAddress& local,
                 NodeId server,
                 const NetAddress& remote,
                 Moment at);

    /// The client no longer waits.
    void Forget(ConnectAttempt* attempt);

    // ---- NIC

    /// A control packet has arrived.
    void OnControl(const Packet& packet, Moment at);

  private:
    void OnRequest(const Packet& packet, Moment at);
    void OnAnswer(const Packet& packet, Moment at);
    void OnDisconnect(const Packet& packet, Moment at);
    void Answer(PacketKind kind, const ConnectRequest& request, VirtualInterface* vi, Moment at);

    Nic& m_nic;
    std::vector<ConnectWaiter*> m_waiters;
    std::vector<ConnectAttempt*> m_attempts;
    std::deque<ConnectRequest> m_requests;
    std::vector<bool> m_open; ///< by request number
};

} // namespace via
} // namespace ns3

#endif // VIA_CONNECTION_MANAGER_H
