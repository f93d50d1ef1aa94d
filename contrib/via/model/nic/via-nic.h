/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// One NIC: owns and connects its engines, its table and its queues.

#ifndef VIA_NIC_H
#define VIA_NIC_H

#include "ns3/via-card-jobs.h"
#include "ns3/via-completions.h"
#include "ns3/via-nic-handles.h"
#include "ns3/via-nic-listener.h"
#include "ns3/via-nic-parts.h"
#include "ns3/via-post-path.h"
#include "ns3/via-receive-engine.h"
#include "ns3/via-send-engine.h"
#include "ns3/via-traffic-class.h"
#include "ns3/via-vi-connections.h"
#include "ns3/via-vi-table.h"

namespace ns3
{
namespace via
{

/**
 * @brief The NIC of a host: doorbells in, cells out; cells in, completions out.
 *
 * It owns its parts and connects them: those that ask for one find it here. Processes share it
 * through NIC handles ("owners"). Protection tags separate their memory. The engines spend all of a
 * message's time.
 */
class alignas(64) Nic final : public AgendaTarget
{
  public:
    // the order of work within one instant at a host
    static constexpr AgendaPort WIRE_PORT = 0;
    static constexpr AgendaPort RECEIVE_PORT = 1;
    static constexpr AgendaPort TIMER_PORT = 3;

    /// Work kind: the wire delivers a cell.
    static constexpr std::uint32_t CELL = 0;

    /// Work kind: a doorbell that was held back is due again.
    static constexpr std::uint32_t BELL = 1;

    /// @param card number of the card in its host; it sits on bus (card modulo `bus.count`)
    Nic(Host& host,
        const Shared<NicCosts>& costs,
        const Shared<NicLimits>& limits,
        std::uint32_t card = 0);

    Host& GetHost() const
    {
        return m_host;
    }

    /// The number of this card in its host.
    std::uint32_t Card() const
    {
        return m_card;
    }

    /// In records of messages VI n of card c has the number c times this, plus n.
    static constexpr std::uint32_t VI_NUMBERS_OF_A_CARD = 100'000'000;

    const NicCosts& Costs() const
    {
        return *m_costs;
    }

    const NicLimits& Limits() const
    {
        return *m_limits;
    }

    const ClockDomain& Clock() const
    {
        return m_clock;
    }

    Tpt& GetTpt()
    {
        return m_tpt;
    }

    NicParts& Parts()
    {
        return m_parts;
    }

    const NicParts& Parts() const
    {
        return m_parts;
    }

    /// Decides which engine plans next.
    NicTurns& Turns()
    {
        return m_turns;
    }

    /// Look-ups in the translation cache; 0 without a cache.
    TranslationCounts Translations() const
    {
        return m_parts.translation->Counts();
    }

    /// Name and version of the plug-in that provides some mechanisms; empty if there is none.
    std::string PlugInName() const;

    const DescriptorChecks& Checks() const
    {
        return m_checks;
    }

    Transport& GetTransport()
    {
        return m_transport;
    }

    const Transport& GetTransport() const
    {
        return m_transport;
    }

    SendEngine& Sender()
    {
        return m_send;
    }

    ReceiveEngine& Receiver()
    {
        return m_receive;
    }

    const ReceiveEngine& Receiver() const
    {
        return m_receive;
    }

    /// How descriptors are posted.
    PostPath& GetPostPath()
    {
        return m_postPath;
    }

    /// What it does beside its engines.
    CardJobs& Jobs()
    {
        return m_jobs;
    }

    /// How they complete.
    Completions& GetCompletions()
    {
        return m_completions;
    }

    /// How VIs connect.
    ViConnections& GetViConnections()
    {
        return m_viConnections;
    }

    /// What processes have open.
    NicHandles& GetHandles()
    {
        return m_handles;
    }

    ViTable& Vis()
    {
        return m_vis;
    }

    const ViTable& Vis() const
    {
        return m_vis;
    }

    /// The VI with number @p id, or null. Numbers are never reused.
    VirtualInterface* FindVi(ViId id) const
    {
        return m_vis.Find(id);
    }

    /// Whom to tell of cells that will arrive; null: none may be foreseen.
    EarlyReceiver* Early()
    {
        const World& world = m_host.GetWorld();
        const bool mayForesee = !world.reference && !world.lossy && m_receive.MayForesee();
        return mayForesee ? &m_receive : nullptr;
    }

    /// The classes of packets that are not messages.
    Traffic& GetTraffic()
    {
        return m_traffic;
    }

    /**
     * @brief Connects the wires.
     * @param out to send on
     * @param upstream gets the credits of what arrives
     * @param room cells that wire may have in the card; 0: as many as the product's wires
     */
    void Plug(OutPort* out, InPort* upstream, std::uint32_t room = 0);

    // ---- whoever watches

    /// @param listener is notified from now on; null: nobody. It must outlive its use.
    void SetListener(NicListener* listener)
    {
        m_listener = listener;
    }

    /// @return whoever watches, or null
    NicListener* Listener() const
    {
        return m_listener;
    }

    /// What this card needs at least until a first cell leaves.
    Leads LeastLeads() const;

    /// The doorbell of @p vi, whose message was held back, rings again at @p at, or now.
    void RingAgain(const VirtualInterface& vi, Ps at);

    // ---- packets

    /// The last cell of a message has been given its departure time.
    void NoteDeparture(const SentMessage& departure)
    {
        m_jobs.Push(departure);
    }

    /// Makes a control packet from this NIC. The caller sets its destination and contents.
    Packet* NewControl(PacketKind kind, ConnectionId connection);

    /// Makes a packet of @p kind from the VI that @p packet is for to that which it comes from.
    Packet* AnswerTo(const Packet& packet, PacketKind kind);

    /// Sends a control packet in order with the data.
    void SendControl(Packet* packet, Moment at)
    {
        m_host.GetWorld().inbound.Add(packet->destination, at.at);
        m_send.OnDoorbell({at, 0, packet});
    }

    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;
    void Prefetch(Hint hint, std::uint32_t kind, std::uint64_t data) override;

    /// Prefetch hints: this NIC, or a process that will use it, has work next, or soon.
    void PrefetchUse() const;
    void PrefetchEarlyUse() const;

    /// Prefetch hints, each of which reads what the one before has fetched: @p cell will be
    /// received soon, next, now.
    void PrefetchArrival(const Cell& cell) const;
    void PrefetchReceive(const Cell& cell) const;
    void PrefetchDescriptor(const Cell& cell) const;

  private:
    Host& m_host;
    Shared<NicCosts> m_costs;
    Shared<NicLimits> m_limits;
    std::uint32_t m_card;
    NicListener* m_listener{nullptr}; ///< null: nobody watches
    Completions m_completions;
    PostPath m_postPath;
    ClockDomain m_clock;
    ViTable m_vis;
    Tpt m_tpt;
    DescriptorChecks m_checks;
    NicTurns m_turns;
    NicParts m_parts;
    Transport m_transport;
    CardJobs m_jobs;
    SendEngine m_send;
    ReceiveEngine m_receive;
    // members from here on are off the per-message path
    ViConnections m_viConnections;
    NicHandles m_handles;
    Traffic m_traffic;
};

} // namespace via
} // namespace ns3

#endif // VIA_NIC_H
