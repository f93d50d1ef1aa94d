/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The receive engine: from cells on the wire to a completion in host memory.

#ifndef VIA_RECEIVE_ENGINE_H
#define VIA_RECEIVE_ENGINE_H

#include "ns3/via-nic-costs.h"
#include "ns3/via-port.h"
#include "ns3/via-virtual-interface.h"

namespace ns3
{
namespace via
{

class Nic;

/**
 * @brief Works off bursts in the order of their arrival.
 *
 *     IDLE --first cell--> BEGIN --consumes a receive--> FETCH --+--> PLACE --last--> STATUS --+
 *      |                        `-- plain RDMA write ------------+      ^ (each group)        |
 *      +--later burst of a message--------------------------------------+            IDLE <---+
 *
 * As in the send engine, steps give their end at once, so an idle engine runs from the first cell
 * to the completion in one go; in reference mode it stops after each bus transaction.
 */
class ReceiveEngine final : public AgendaTarget
{
  public:
    ReceiveEngine(Nic& nic, const Shared<NicCosts>& costs);

    /// The upstream end of the wire: gets the credits.
    void SetUpstream(InPort* upstream)
    {
        m_upstream = upstream;
    }

    /// The first cell of @p burst is there as a whole.
    void Accept(Burst* burst);

    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;

    /// Messages that found no VI, no connection or no descriptor, or failed a check.
    std::uint64_t MessagesDropped() const
    {
        return m_dropped;
    }

  private:
    enum class State
    {
        IDLE,
        FETCH,
        PLACE,
        STATUS,
    };

    void Advance();
    bool Step();
    bool Begin();
    void BeginMessage();
    void TakeReceive(VirtualInterface& vi);
    void BeginRdmaWrite(VirtualInterface& vi);
    bool Fetch();
    bool AllowsRdmaWrite(const VirtualInterface& vi) const;
    bool Place();
    void PlaceBytes(VirtualInterface& vi, std::uint32_t upTo);
    bool Status();
    void FinishMessage(VirtualInterface& vi);
    void Record(std::uint32_t rank, bool dropped);
    void Drop(std::uint32_t rank);
    bool EndBurst();
    bool PauseUntil(Ps at);
    VirtualInterface* Target();
    std::uint32_t CheckReceive(const VirtualInterface& vi, const Descriptor& descriptor);

    Nic& m_nic;
    Shared<NicCosts> m_costs;
    ClockDomain m_clock;
    InPort* m_upstream{nullptr};
    Ring<Burst*, 2> m_bursts;

    State m_state{State::IDLE};
    bool m_running{false};
    bool m_planned{false};
    Moment m_at; ///< how far the engine has planned
    Burst* m_burst{nullptr};
    std::uint32_t m_group{0};     ///< of the burst: the one to place next
    std::uint32_t m_cellsSeen{0}; ///< of the packet, with those of the groups placed so far
    std::uint64_t m_dropped{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_RECEIVE_ENGINE_H
