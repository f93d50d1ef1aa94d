/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A barrier that the cards run themselves: the host announces its arrival and sees the end.

#ifndef VIA_NIC_BARRIER_H
#define VIA_NIC_BARRIER_H

#include "ns3/via-component.h"
#include "ns3/via-packet.h"
#include "ns3/via-traffic-class.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief The control program of a card runs the rounds of a dissemination barrier.
 *
 *     host: Arrive --> step 0 is sent --step 0 of a peer--> step 1 is sent ... --> flag in memory
 *
 * In step k the card notifies the card 2^k places ahead and waits for the one 2^k places behind,
 * as DisseminationBarrier does, but with no bus or program between two steps. Each step costs
 * `nic.barrier_step` at the sender and at the receiver. Steps travel in the channels between
 * cards, so lost cells are retransmitted. Source: Buntinas, Panda & Sadayappan, "Fast
 * NIC-based barrier over Myrinet/GM", IPDPS 2001.
 */
class NicBarrier final : public TrafficClass
{
  public:
    /// The participants, and where the end of a barrier is reported.
    struct Group
    {
        std::vector<NodeId> peers;        ///< step k goes to peers[k]
        std::uint32_t* finished{nullptr}; ///< in host memory: counts ended barriers
        std::uint32_t owner{0};           ///< rank of the process that owns that memory
    };

    /// From now on the card @p nic takes part in the barriers of @p group.
    /// @throws ConfigError if the product's cards do not support barriers
    NicBarrier(Nic& nic, Group group);
    ~NicBarrier() override;
    NicBarrier(const NicBarrier&) = delete;
    NicBarrier& operator=(const NicBarrier&) = delete;

    /// The host has reached its next barrier; its store reaches the card at @p rung.
    void Arrive(Moment rung);

    void BeginSend(Nic& nic, Packet& packet, Piece& payload, CardTask& engine) override;
    void BeginReceive(Nic& nic, const Packet& packet, CardTask& engine) override;
    /// The card took a peer's step at @p at.
    void OnReceived(Nic& nic, Packet& packet, Moment at) override;

  private:
    /// Arrivals of one step.
    struct Step
    {
        std::uint32_t taken{0}; ///< over all barriers
        Moment last;
    };

    void Send(std::uint32_t step, Moment at);
    void GoOn(Ps now);

    Nic& m_nic;
    Group m_group;
    std::vector<Step> m_steps;
    std::uint32_t m_finished{0}; ///< barriers that have ended
    std::uint32_t m_sent{0};     ///< steps of the current barrier; 0: the host has not arrived
    Moment m_at;                 ///< how far the current barrier is
};

} // namespace via
} // namespace ns3

#endif // VIA_NIC_BARRIER_H
