/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A card after a congestion notice: no message begins on the full path for a while.

#ifndef VIA_CONGESTION_PAUSE_H
#define VIA_CONGESTION_PAUSE_H

#include "ns3/via-component.h"
#include "ns3/via-packet.h"
#include "ns3/via-send-gate.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>

namespace ns3
{
namespace via
{

class Nic;

/// Takes the congestion notices of switches for one card, and holds back what they are about for
/// NicCosts::feedbackPause.
class CongestionPause final : public AgendaTarget, public SendGate
{
  public:
    /// Notices come after the card's own work of the same instant; those of one instant commute.
    static constexpr AgendaPort PORT = 4;

    /// Becomes the gate of @p nic.
    explicit CongestionPause(Nic& nic);
    CongestionPause(const CongestionPause&) = delete;
    CongestionPause& operator=(const CongestionPause&) = delete;

    /// A notice: the path to host @p data is full.
    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;

    /// VIs with messages that wait, or have waited and will be exchanged for later ones.
    std::size_t Held() const
    {
        return m_held.size();
    }

    void OnFlush(const VirtualInterface& vi) override;

  private:
    /// By VI, in order of posts: the messages that have been held back and have not begun, as the
    /// moments until which they waited; and those whose doorbells have started earlier ones.
    using HeldMessages = std::map<ViId, std::deque<Moment>>;

    bool MustWait(const VirtualInterface& vi, bool isAgain, Moment& at) override;
    Moment Exchange(HeldMessages::iterator held, bool isAgain, Moment at);

    Nic& m_nic;
    std::map<NodeId, Ps> m_until; ///< by peer: end of the pause
    HeldMessages m_held;
};

} // namespace via
} // namespace ns3

#endif // VIA_CONGESTION_PAUSE_H
