/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Peer-to-peer connections: both sides request, and the side with the smaller address pairs.

#ifndef VIA_PEER_MATCHER_H
#define VIA_PEER_MATCHER_H

#include "ns3/via-connect-result.h"
#include "ns3/via-net-address.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

class Nic;

/// The state of one VI's peer request.
struct PeerAttempt
{
    ConnectionId connection{0};
    NetAddress local;
    NetAddress remote;
    NodeId peer{0};
    Ps deadline{PS_NEVER};
    ConnectResult result{ConnectResult::PENDING};
    Moment ended; ///< when the result becomes visible
    ViAttributes peerAttributes;
    std::vector<Waiter*> waiters; ///< notified of the end; each is told the result
    bool isTaken{false};          ///< the result was returned to somebody who had not waited
};

/**
 * @brief Pairs two requests if the remote address of each is the local address of the other.
 *
 * The side with the smaller local address (compared byte by byte) is the arbiter. Only the other
 * side sends its request, which waits at the arbiter's NIC until its own deadline.
 *
 *     smaller address                            larger address
 *     Request: waits here   <--PEER_REQUEST--    Request
 *       both there: paired  ---PEER_ACCEPT-->    paired
 *                           <--PEER_CANCEL---    Disconnect, or the process ended
 *
 * So one NIC decides all pairings, in the order in which it learns of the requests. It does not
 * matter which side requested first or whether the requests cross. Both sides compare attributes
 * and reach the same result. If both addresses are equal, both VIs are on one NIC: each request is
 * sent to that NIC, and a request that waits there takes the one that arrives.
 *
 * A side that gave up while its request was being paired answers the accept with DISCONNECT. A
 * request that was sent also ends when its card gives up the channel to the arbiter, or loses it;
 * one that only waits here does not depend on the other side yet.
 */
class PeerMatcher
{
  public:
    explicit PeerMatcher(Nic& nic)
        : m_nic(nic)
    {
    }

    /// The idle @p vi requests @p remote on host @p peer. It is pending until @p deadline.
    void Request(VirtualInterface& vi,
                 const NetAddress& local,
                 const NetAddress& remote,
                 NodeId peer,
                 Ps deadline,
                 Moment at);

    /// @p vi requests a host that does not exist. Its state does not change.
    void RequestNobody(const VirtualInterface& vi, Moment at);

    /**
     * @brief The request of @p vi at time @p now; null if there is none.
     * Ends a request whose deadline has passed: the VI is then idle.
     */
    PeerAttempt* Look(VirtualInterface& vi, Ps now);

    /**
     * @brief The result is returned: nobody gets it again, except for others that wait for it.
     * @param waiter one of the request's; null: somebody else, who has not waited
     */
    void Take(ViId vi, const Waiter* waiter);

    /// Removes the request: the result is no longer needed.
    void Forget(ViId vi);

    /// The program cancels the request. The caller sets the VI's state.
    void Cancel(ViId vi, Moment at);

    /// @p peer no longer responds: requests that were sent to it time out, and its own are void.
    void OnPeerGone(NodeId peer, Moment at);

    /// The card was reset and has lost what it had sent: those requests time out.
    void OnReset(Moment at);

    void OnRequest(const Packet& packet, Moment at);
    void OnAccept(const Packet& packet, Moment at);
    void OnCancel(const Packet& packet);

  private:
    static constexpr NodeId ANY_PEER = UINT32_MAX;

    /// (local, remote) as seen by the arbiter.
    using Pair = std::pair<NetAddress, NetAddress>;

    /// A request of the other side that arrived before ours.
    struct Parked
    {
        NodeId node{0};
        ViId vi{0};
        ConnectionId connection{0};
        Ps deadline{PS_NEVER};
        ViAttributes attributes;
    };

    PeerAttempt* Pending(ViId vi, Ps at);
    bool IsAlive(const Parked& request, Ps at);
    bool TakeParked(VirtualInterface& vi, const Pair& pair, Moment at);
    void PairUp(VirtualInterface& vi, const Parked& request, Moment at);
    void Conclude(VirtualInterface& vi,
                  PeerAttempt& attempt,
                  const ViAttributes& theirs,
                  NodeId node,
                  ViId peerVi,
                  ConnectionId connection,
                  Moment at);
    void StopWaiting(ViId vi, const PeerAttempt& attempt);
    static void Wake(const PeerAttempt& attempt, Moment at);
    /// The pending request of @p vi ends at @p at without a peer.
    void TimeOut(VirtualInterface& vi, PeerAttempt& attempt, Moment at);
    /// The requests that were sent to @p peer, or with ANY_PEER to anybody, time out.
    void TimeOutSent(NodeId peer, Moment at);

    Nic& m_nic;
    std::map<ViId, PeerAttempt> m_attempts;
    std::multimap<Pair, ViId> m_waiting;  ///< ours as arbiter, in order of request
    std::multimap<Pair, Parked> m_parked; ///< theirs, in order of arrival
};

} // namespace via
} // namespace ns3

#endif // VIA_PEER_MATCHER_H
