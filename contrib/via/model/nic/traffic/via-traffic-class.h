/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a card does with packets that are not messages of VIs.

#ifndef VIA_TRAFFIC_CLASS_H
#define VIA_TRAFFIC_CLASS_H

#include "ns3/via-descriptor-checks.h"
#include "ns3/via-packet.h"
#include "ns3/via-time.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

class CardTask;
class Nic;

/**
 * @brief The work of a card for packets of one or more kinds.
 *
 * The engines move cells and know no kind but messages: they ask the class of a packet what its
 * first bytes cost and what happens at its end. All moments may lie ahead of the agenda.
 *
 *     send engine:    doorbell --> BeginSend --> cells leave ------------------> OnLeft
 *     receive engine:                first cell --> BeginReceive --> last cell --> OnReceived
 */
class TrafficClass
{
  public:
    virtual ~TrafficClass() = default;

    /**
     * @brief Is it unreliable, each cell placed in host memory when it arrives?
     * Other packets travel in the channel between the two cards and are handled when they have
     * arrived as a whole.
     */
    virtual bool IsDatagram() const
    {
        return false;
    }

    /**
     * @brief The send engine has taken the doorbell of @p packet, and works for it.
     * @param payload its bytes: at first already in the packet; set to where they are read in host
     * memory
     */
    virtual void BeginSend(Nic& nic, Packet& packet, Piece& payload, CardTask& engine) = 0;

    /// The last bit of @p packet leaves at @p at.
    virtual void OnLeft(const Packet&, Ps)
    {
    }

    /// The receive engine has the first cell, and works for it.
    virtual void BeginReceive(Nic& nic, const Packet& packet, CardTask& engine) = 0;

    /// Datagrams: the bytes of @p cell that the card writes to host memory.
    virtual std::uint32_t BytesToPlace(const Nic&, const Cell&) const
    {
        return 0;
    }

    /// @p packet has been handled at @p at. A datagram may lack cells: then fewer than
    /// Packet::cells are Packet::placed.
    virtual void OnReceived(Nic& nic, Packet& packet, Moment at) = 0;

    /// The machine crashes: what its kernel had of this traffic is lost. @return whether OnReturn
    /// has work to do, even if no process starts again
    virtual bool OnCrash()
    {
        return false;
    }

    /// The machine is up again.
    virtual void OnReturn()
    {
    }
};

/// The class of each packet that reaches a card, or leaves it.
class Traffic
{
  public:
    /// The class of @p kind, which is not a message: one that was registered, or one that all cards
    /// have. Packets that no card knows are discarded.
    TrafficClass& Of(PacketKind kind) const;

    /// From now on @p traffic handles packets of @p kind. It must outlive its use.
    void Register(PacketKind kind, TrafficClass& traffic)
    {
        Unregister(kind);
        m_registered.emplace_back(kind, &traffic);
    }

    void Unregister(PacketKind kind);

    /// Whether nothing has been registered: packets then follow from doorbells and other packets.
    bool IsPlain() const
    {
        return m_registered.empty();
    }

    /// The machine crashes. @return whether OnReturn has work to do
    bool OnCrash() const;

    /// The machine is up again.
    void OnReturn() const;

  private:
    std::vector<std::pair<PacketKind, TrafficClass*>> m_registered;
};

} // namespace via
} // namespace ns3

#endif // VIA_TRAFFIC_CLASS_H
