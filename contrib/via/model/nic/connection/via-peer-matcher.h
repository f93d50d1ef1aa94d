/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Peer-to-peer connections: both sides ask, and the side with the smaller address pairs.

#ifndef VIA_PEER_MATCHER_H
#define VIA_PEER_MATCHER_H

#include "ns3/via-connect-result.h"
#include "ns3/via-net-address.h"

#include <cstdint>
#include <map>
#include <utility>

namespace ns3
{
namespace via
{

class Nic;

/// What became of one VI's peer request.
struct PeerAttempt
{
    ConnectionId connection{0};
    NetAddress local;
    NetAddress remote;
    NodeId peer{0};
    Ps deadline{PS_NEVER};
    ConnectResult result{ConnectResult::PENDING};
    Moment ended; ///< the result can be seen from then on
    ViAttributes peerAttributes;
    Waiter* waiter{nullptr}; ///< who is told of the end
};

/**
 * @brief Pairs two requests of which each one's remote address is the other's local address.
 *
 * The side with the smaller local address (compared byte by byte) is the arbiter. Only the other
 * side's request travels; it waits at the arbiter's NIC until its own deadline.
 *
 *     smaller address                            larger address
 *     Request: waits here   <--PEER_REQUEST--    Request
 *       both there: paired  ---PEER_ACCEPT-->    paired
 *                           <--PEER_CANCEL---    Disconnect, or the process ended
 *
 * So one NIC decides who is paired with whom, in the order in which requests became known there,
 * and it makes no difference who asked first or whether the requests cross. Both sides compare
 * attributes and come to the same result. Where both addresses are the same, the VIs are of one
 * NIC: each request travels to it, and the one that is known first takes the one that comes.
 *
 * A request whose side gave up while it was being paired answers the accept with DISCONNECT.
 */
class PeerMatcher
{
  public:
    explicit PeerMatcher(Nic& nic)
        : m_nic(nic)
    {
    }

    /// @p vi, idle, asks for @p remote on host @p peer; until @p deadline its state is pending.
    void Request(VirtualInterface& vi,
                 const NetAddress& local,
                 const NetAddress& remote,
                 NodeId peer,
                 Ps deadline,
                 Moment at);

    /// @p vi has asked for a host that is not there. Its state stays.
    void RequestNobody(const VirtualInterface& vi, Moment at);

    /**
     * @brief The request of @p vi as it is at @p now; null if there is none.
     * A request whose time has run out is ended by this: the VI is idle then.
     */
    PeerAttempt* Look(VirtualInterface& vi, Ps now);

    /// The result was taken, or nobody will ask for it.
    void Forget(ViId vi);

    /// The program takes the request back. The VI's state is its business.
    void Cancel(ViId vi, Moment at);

    void OnRequest(const Packet& packet, Moment at);
    void OnAccept(const Packet& packet, Moment at);
    void OnCancel(const Packet& packet);

  private:
    /// (local, remote) as the arbiter sees them.
    using Pair = std::pair<NetAddress, NetAddress>;

    /// A request of the other side that has come before ours.
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

    Nic& m_nic;
    std::map<ViId, PeerAttempt> m_attempts;
    std::multimap<Pair, ViId> m_waiting;  ///< ours as arbiter, in the order of their requests
    std::multimap<Pair, Parked> m_parked; ///< theirs, in the order of their arrival
};

} // namespace via
} // namespace ns3

#endif // VIA_PEER_MATCHER_H
