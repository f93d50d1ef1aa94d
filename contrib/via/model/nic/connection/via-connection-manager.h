/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Client-server connections: the kernel agent's side of the NIC.

#ifndef VIA_CONNECTION_MANAGER_H
#define VIA_CONNECTION_MANAGER_H

#include "ns3/via-net-address.h"
#include "ns3/via-peer-matcher.h"
#include "ns3/via-virtual-interface.h"

#include <cstdint>
#include <map>

namespace ns3
{
namespace via
{

class Nic;

/// A request that waits at the server for Accept or Reject.
struct ConnectRequest
{
    NodeId clientNode{0};
    ViId clientVi{0};
    ConnectionId connection{0}; ///< number of the client's attempt
    NetAddress clientAddress;
    ViAttributes clientAttributes;
    std::uint32_t owner{0}; ///< NIC handle of the waiter that it matched
};

/// A client's open request.
struct ConnectAttempt
{
    ViId vi{0};
    Waiter* process{nullptr};
    Ps deadline{PS_NEVER}; ///< later answers are refused or ignored
    ConnectResult result{ConnectResult::PENDING};
    ViAttributes peerAttributes;
    NodeId server{0};
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
 * Every attempt has a unique number, which all answers and notices of the connection carry. So a
 * packet for an abandoned attempt never affects a later one. A client that gave up answers a late
 * accept with DISCONNECT.
 */
class ConnectionManager
{
  public:
    explicit ConnectionManager(Nic& nic);

    /// Numbers of waiters and requests at this NIC; 0 means none.
    using WaiterId = std::uint32_t;
    using RequestId = std::uint32_t;

    // ---- server

    /// @p process waits for a request to @p local. Requests after @p deadline do not match.
    WaiterId Listen(std::uint32_t owner, const NetAddress& local, Ps deadline, Waiter* process);

    /// Ends the wait. @return the request that arrived, or 0
    RequestId EndListen(WaiterId waiter);

    /// An open request, or null if it has been answered.
    const ConnectRequest* FindRequest(RequestId request) const;

    /// Connects @p vi, notifies the client and removes the request.
    void Accept(RequestId request, VirtualInterface& vi, Moment at);

    /// Sends the client a reject and removes the request. No effect if it has been answered.
    void Reject(RequestId request, Moment at);

    // ---- client

    /// Sends a request. Notifies @p process if the answer arrives by @p deadline.
    ConnectionId Request(VirtualInterface& vi,
                         const NetAddress& local,
                         NodeId server,
                         const NetAddress& remote,
                         Ps deadline,
                         Waiter* process,
                         Moment at);

    /**
     * @brief The client no longer waits.
     * @return how the attempt ended; PENDING if there was no answer: the VI is then idle again
     */
    ConnectAttempt End(ConnectionId attempt);

    // ---- both

    /// The program cancels all pending requests of @p vi. The caller sets the VI's state.
    void Cancel(ViId vi, Moment at);

    /// The VI is destroyed: removes its attempts.
    void Forget(ViId vi);

    /// A NIC handle is closed: removes its waiters and rejects the requests that they matched.
    void CloseAll(std::uint32_t owner, Moment at);

    PeerMatcher& Peers()
    {
        return m_peers;
    }

    // ---- NIC

    /// @p peer no longer responds: attempts to connect to it time out.
    void OnPeerGone(NodeId peer, Moment at);

    /// The card was reset and has lost its requests: all attempts to connect time out.
    void OnReset(Moment at);

    /// A control packet has arrived.
    void OnControl(const Packet& packet, Moment at);

  private:
    /// A server that waits for a request.
    struct ConnectWaiter
    {
        std::uint32_t owner{0};
        NetAddress local;
        Ps deadline{PS_NEVER};
        Waiter* process{nullptr};
        RequestId request{0}; ///< once matched
    };

    void TimeOut(ConnectAttempt& attempt, Moment at);
    void OnRequest(const Packet& packet, Moment at);
    void OnAnswer(const Packet& packet, Moment at);
    void OnDisconnect(const Packet& packet, Moment at);
    void Answer(PacketKind kind, const ConnectRequest& request, VirtualInterface* vi, Moment at);

    Nic& m_nic;
    PeerMatcher m_peers;
    std::map<WaiterId, ConnectWaiter> m_waiters; ///< served in order of arrival
    std::map<RequestId, ConnectRequest> m_requests;
    std::map<ConnectionId, ConnectAttempt> m_attempts;
    WaiterId m_lastWaiter{0};
    RequestId m_lastRequest{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_CONNECTION_MANAGER_H
