/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// One NIC: owns and connects its engines, its table and its queues.

#ifndef VIA_NIC_H
#define VIA_NIC_H

#include "ns3/via-async-error.h"
#include "ns3/via-connection-manager.h"
#include "ns3/via-connection-number.h"
#include "ns3/via-nic-listener.h"
#include "ns3/via-nic-parts.h"
#include "ns3/via-receive-engine.h"
#include "ns3/via-send-completions.h"
#include "ns3/via-send-engine.h"
#include "ns3/via-traffic-class.h"
#include "ns3/via-vi-table.h"

#include <map>
#include <memory>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief The NIC of a host: doorbells in, cells out; cells in, completions out.
 *
 * Processes share it through NIC handles ("owners"). Protection tags separate their memory. The
 * engines spend all of a message's time; the NIC itself only keeps state.
 */
class alignas(64) Nic final : public AgendaTarget
{
  public:
    // the order of work within one instant at a host
    static constexpr AgendaPort WIRE_PORT = 0;
    static constexpr AgendaPort RECEIVE_PORT = 1;
    static constexpr AgendaPort TIMER_PORT = 3;
    static constexpr AgendaPort NOTICE_PORT = 4; ///< of congestion; those of one instant commute

    /// Work kind: the wire delivers a cell.
    static constexpr std::uint32_t CELL = 0;

    /// Work kind: a doorbell that was held back is due again.
    static constexpr std::uint32_t BELL = 1;

    /// Work kind: congestion notice from a switch; the path to host `data` is full.
    static constexpr std::uint32_t CONGESTION = 2;

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

    /// How the host notifies the NIC of descriptors.
    DoorbellPath& Doorbells()
    {
        return *m_parts.doorbells;
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

    /// Who matches requests to connect. Most cards of a large cluster never have one.
    ConnectionManager& Connections()
    {
        if (m_connections == nullptr)
        {
            m_connections = std::make_unique<ConnectionManager>(*this);
        }
        return *m_connections;
    }

    /// A number for a new attempt to connect, unique within the run.
    ConnectionId NewConnection()
    {
        return ConnectionNumber(m_host.Id(), m_card, ++m_lastConnection);
    }

    const ReceiveEngine& Receiver() const
    {
        return m_receive;
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

    /// Cells were handed to the wire.
    void NoteHandOver()
    {
        if (m_listener != nullptr)
        {
            m_listener->OnHandedOver();
        }
    }

    /// What this card needs at least until a first cell leaves.
    Leads LeastLeads() const;

    // ---- congestion

    /**
     * @brief Does congestion hold back a message of @p vi that would begin at @p at?
     * If so, its doorbell rings again when the pause ends.
     */
    bool IsHeldBack(const VirtualInterface& vi, Ps at)
    {
        return m_heldBack != nullptr && WaitsForPeer(vi, at);
    }

    // ---- NIC handles

    /// A process opens the NIC. @return the handle's number
    std::uint32_t Open(AsyncListener* listener);

    /// Releases all that @p owner still has: disconnects VIs, frees VIs, CQs, regions and tags.
    void CloseAll(std::uint32_t owner, Moment at);

    /// True while VIs, CQs, regions or tags of @p owner exist.
    bool HasObjects(std::uint32_t owner) const;

    // ---- VIs and CQs

    /// Creates a VI in state IDLE. The caller checks limits and arguments.
    VirtualInterface& CreateVi(const ViAttributes& attributes,
                               std::uint32_t owner,
                               std::uint32_t rank,
                               CompletionQueue* sendCq,
                               CompletionQueue* receiveCq);

    /// The VI with number @p id, or null. Numbers are never reused.
    VirtualInterface* FindVi(ViId id)
    {
        return m_vis.Find(id);
    }

    void DestroyVi(ViId id);

    /// Reserves space for @p count more VIs, and for @p receives receive descriptors of all of
    /// them.
    void ReserveVis(std::uint32_t count, std::uint32_t receives)
    {
        m_vis.Reserve(count, receives);
        m_transport.ReservePeers(count);
    }

    /// Prefetch hint: VI @p id will be used soon.
    void PrefetchEarlyVi(ViId id) const
    {
        m_vis.PrefetchEarly(id);
        m_vis.PrefetchRoom();
    }

    /// Gives @p receives, a receive queue without room, room for @p entries descriptors (a power of
    /// two, or 0).
    void MakeRoom(WorkQueue& receives, std::uint32_t entries)
    {
        m_vis.MakeRoom(receives.items, entries);
    }

    /// The last entry of @p sends, a send queue, was harvested.
    void TakeBackRoom(WorkQueue& sends)
    {
        m_vis.TakeBack(sends.items);
    }

    std::uint32_t ViCount() const
    {
        return m_vis.Count();
    }

    /// Number of open VIs with smaller numbers than @p id.
    std::uint32_t VisBefore(ViId id) const;

    /// Number of live VIs that carry @p tag.
    std::uint32_t VisWithTag(Ptag tag) const;

    CompletionQueue& CreateCq(std::uint32_t entries, std::uint32_t owner);
    void DestroyCq(CompletionQueue* cq);

    std::uint32_t CqCount() const
    {
        return static_cast<std::uint32_t>(m_cqs.size());
    }

    // ---- posting

    /**
     * @brief Posts a descriptor to the send (or receive) queue.
     * @param item its `rung` is when the doorbell reaches the NIC
     * The state of the VI decides what happens: a connected VI processes the descriptor, another
     * one flushes it or, for receives, may keep it.
     */
    void PostSend(VirtualInterface& vi, const WorkItem& item);
    void PostReceive(VirtualInterface& vi, const WorkItem& item);

    /// The work of the CPU of @p process to notify the NIC of a send. @return when the NIC knows
    Moment TellOfSend(Process& process, VirtualInterface& vi, const WorkItem& item);

    /// The same, for a receive.
    Moment TellOfReceive(Process& process, VirtualInterface& vi, const WorkItem& item);

    /// The doorbell for the deferred sends of @p vi reaches the NIC at @p rung.
    void RingDeferred(VirtualInterface& vi, Moment rung);

    // ---- for the engines

    /**
     * @brief Writes an item's completion to host memory, and a CQ entry if its queue is bound.
     * @param status status bits without DONE
     * @param length bytes transferred
     * @return when the last write is in memory
     */
    Moment Complete(VirtualInterface& vi,
                    bool receive,
                    WorkItem& item,
                    std::uint32_t status,
                    std::uint32_t length,
                    Moment from);

    /// The last cell of a message has been given its departure time.
    void NoteDeparture(const SentMessage& departure)
    {
        m_sendCompletions.Push(departure);
    }

    /// The last cell of a message has left. This completes the send unless a response is due.
    void OnMessageLeft(const SentMessage& departure);

    /**
     * @brief The send descriptor with number @p serial has ended at @p at, unless that is known.
     * It completes after those posted before it.
     * @param status status bits without DONE
     * @param length bytes transferred
     * @return when the last completion is in memory
     */
    Moment Finish(VirtualInterface& vi,
                  RingSerial serial,
                  std::uint32_t status,
                  std::uint32_t length,
                  Moment at);

    /// The response to our RDMA read has arrived. @return when its completion is in memory
    Moment FinishRead(VirtualInterface& vi,
                      RingSerial serial,
                      std::uint32_t status,
                      std::uint32_t length,
                      Moment at);

    /// A send descriptor failed a check. A reliable connection breaks.
    void FailSend(VirtualInterface& vi, RingSerial serial, std::uint32_t status, Moment at);

    /// The NIC may not read a descriptor: raises an asynchronous error and breaks the VI.
    void FailPost(VirtualInterface& vi, const WorkItem& item, Moment at);

    /// A message found no receive descriptor.
    void ReceiveQueueEmpty(VirtualInterface& vi, const Packet& packet, Moment at);

    /**
     * @brief A message has been placed, or a check has refused it.
     * @param status its error bits
     * @param told whether a receive descriptor carries them
     */
    void MessageArrived(VirtualInterface& vi,
                        const Packet& packet,
                        std::uint32_t status,
                        bool told,
                        Moment at);

    /// Part of an unreliable RDMA write is lost.
    void RdmaWriteDamaged(VirtualInterface& vi, const Arrival& arrival, Moment at);

    /// The kernel hands a frame to the receive engine.
    void HandleFrame(Cell* cell)
    {
        m_receive.Accept(cell);
    }

    // ---- for the transport

    /// Sends a packet outside the channel's sequence, ahead of messages.
    void SendUrgent(Packet* packet, Moment at)
    {
        m_send.SendUrgent(packet, at);
    }

    /// A channel has cells to retransmit.
    void SendAgain()
    {
        m_send.SendAgain();
    }

    /// A doorbell that had to wait may be processed now.
    void RingAgain(const Doorbell& doorbell)
    {
        m_send.OnDoorbell(doorbell);
    }

    /// The channel to @p peer was given up. Reliable connections to it break.
    void PeerIsGone(NodeId peer, Moment at);

    // ---- connection state

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

    /// Makes a control packet from this NIC. The caller sets its destination and contents.
    Packet* NewControl(PacketKind kind, ConnectionId connection);

    /// Makes a packet of @p kind from the VI that @p packet is for to that which it comes from.
    Packet* AnswerTo(const Packet& packet, PacketKind kind);

    /// Reports an asynchronous error of @p vi to its process.
    void Raise(const VirtualInterface& vi,
               AsyncCode code,
               Ps at,
               CompletionQueue* cq = nullptr,
               Descriptor* descriptor = nullptr);

    /// Answers an @p accept that nothing here waits for, so that the other side breaks.
    void RefuseConnection(const Packet& accept, Moment at);

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
    bool WaitsForPeer(const VirtualInterface& vi, Ps at);
    void Respond(const Packet& packet, std::uint32_t status, Moment at);
    void Flush(VirtualInterface& vi, bool receive, Moment at);
    void TellPeer(const VirtualInterface& vi, Moment at);
    void NotePost(const VirtualInterface& vi, bool receive, bool rings, Ps at);
    bool Overruns(VirtualInterface& vi, const WorkQueue& queue, const WorkItem& item);

    Host& m_host;
    Shared<NicCosts> m_costs;
    Shared<NicLimits> m_limits;
    std::uint32_t m_card;
    NicListener* m_listener{nullptr}; ///< null: nobody watches
    ClockDomain m_clock;
    ViTable m_vis;
    Tpt m_tpt;
    DescriptorChecks m_checks;
    NicParts m_parts;
    Transport m_transport;
    NicTurns m_turns;
    SendCompletions m_sendCompletions;
    SendEngine m_send;
    ReceiveEngine m_receive;
    // members from here on are off the per-message path
    std::unique_ptr<ConnectionManager> m_connections; ///< null: none was needed so far
    std::uint32_t m_lastConnection{0};
    Traffic m_traffic;
    std::vector<std::unique_ptr<CompletionQueue>> m_cqs;
    std::vector<AsyncListener*> m_owners;             ///< by NIC handle; null when closed
    std::unique_ptr<std::map<NodeId, Ps>> m_heldBack; ///< by peer: end of the pause; null: none yet
};

} // namespace via
} // namespace ns3

#endif // VIA_NIC_H
