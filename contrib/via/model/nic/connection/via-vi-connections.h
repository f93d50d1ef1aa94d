/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// How VIs connect and stop, and which notices they send.

#ifndef VIA_VI_CONNECTIONS_H
#define VIA_VI_CONNECTIONS_H

#include "ns3/via-async-error.h"
#include "ns3/via-connection-manager.h"
#include "ns3/via-connection-number.h"
#include "ns3/via-virtual-interface.h"

#include <cstdint>
#include <memory>

namespace ns3
{
namespace via
{

class Nic;

/// The states of a NIC's VIs, and who matches requests to connect.
class ViConnections
{
  public:
    explicit ViConnections(Nic& nic)
        : m_nic(nic)
    {
    }

    /// Who matches requests to connect, made when it is needed: most cards of a large cluster never
    /// have one.
    ConnectionManager& Manager();

    /// The same; null: none was needed so far.
    ConnectionManager* KnownManager() const
    {
        return m_manager.get();
    }

    /// A number for a new attempt to connect, unique within the run.
    ConnectionId NewConnection();

    /// Both ends agree: the VI is connected from now on.
    void Connect(VirtualInterface& vi, NodeId peerNode, ViId peerVi, ConnectionId connection);

    /// The program disconnects: the VI goes to IDLE, both queues are flushed, the peer is notified.
    void Disconnect(VirtualInterface& vi, Moment at);

    /// The connection is lost: the VI goes to ERROR, both queues are flushed, @p code is raised.
    void Break(VirtualInterface& vi,
               Moment at,
               bool tellPeer,
               AsyncCode code = AsyncCode::CONNECTION_LOST);

    /**
     * @brief Resets the card: connected VIs break, requests time out, peers are not notified.
     * State that the kernel agent keeps in host memory stays: registrations, CQs, idle VIs,
     * waiters.
     */
    void Reset(Moment at);

    /// Answers an @p accept that nothing here waits for, so that the other side breaks.
    void Refuse(const Packet& accept, Moment at);

    /// The channel to @p peer was given up. Reliable connections to it break.
    void OnPeerGone(NodeId peer, Moment at);

  private:
    void TellPeer(const VirtualInterface& vi, Moment at);
    void SendDisconnect(ConnectionId connection, ViId from, NodeId toNode, ViId toVi, Moment at);

    Nic& m_nic;
    std::unique_ptr<ConnectionManager> m_manager; ///< null: none was needed so far
    std::uint32_t m_lastConnection{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_VI_CONNECTIONS_H
