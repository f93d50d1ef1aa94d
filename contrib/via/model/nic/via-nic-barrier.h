/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A barrier that cards make among themselves: the host says it has come, and is told the end.

#ifndef VIA_NIC_BARRIER_H
#define VIA_NIC_BARRIER_H

#include "ns3/via-component.h"
#include "ns3/via-packet.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace via
{

class Nic;

/**
 * @brief The control program of a card does the rounds of a dissemination barrier.
 *
 *     host: Arrive --> step 0 is sent --step 0 of a peer--> step 1 is sent ... --> flag in memory
 *
 * In step k it tells the card 2^k further that it has come so far, and waits for the one 2^k
 * before: as DisseminationBarrier, but without a bus or a program between two steps. Each step
 * costs `nic.barrier_step` where it is sent, and where it is taken. Steps travel in the channels
 * between cards, so lost cells are sent again. Source: Buntinas, Panda & Sadayappan, "Fast
 * NIC-based barrier over Myrinet/GM", IPDPS 2001.
 */
class NicBarrier
{
  public:
    /// Who takes part, and who hears of the end.
    struct Group
    {
        std::vector<NodeId> peers;        ///< step k goes to peers[k]
        std::uint32_t* finished{nullptr}; ///< in host memory: barriers that have ended
        std::uint32_t owner{0};           ///< rank of the process whose memory that is
        std::uint32_t statusBytes{0};     ///< of the flag's DMA
    };

    NicBarrier(Nic& nic, Group group);

    /// The host has come to its next barrier; its word reaches the card at @p rung.
    void Arrive(Moment rung);

    /// A step of a peer was taken at @p at.
    void OnStep(const Packet& packet, Moment at);

  private:
    /// What has come of a step.
    struct Step
    {
        std::uint32_t taken{0}; ///< in all barriers
        Moment last;
    };

    void Send(std::uint32_t step, Moment at);
    void GoOn();

    Nic& m_nic;
    Group m_group;
    std::vector<Step> m_steps;
    std::uint32_t m_finished{0}; ///< barriers
    std::uint32_t m_sent{0};     ///< steps of this one; 0: the host has not come
    Moment m_at;                 ///< how far this one is
};

} // namespace via
} // namespace ns3

#endif // VIA_NIC_BARRIER_H
