/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// One NIC: owns its engines, its table and its queues, and wires them.

#ifndef VIA_NIC_H
#define VIA_NIC_H

#include "ns3/via-async-error.h"
#include "ns3/via-connection-manager.h"
#include "ns3/via-datagram.h"
#include "ns3/via-departures.h"
#include "ns3/via-nic-barrier.h"
#include "ns3/via-nic-parts.h"
#include "ns3/via-receive-engine.h"
#include "ns3/via-send-engine.h"
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
 * Processes share it through NIC handles ("owners"); tags keep their memory apart. All times of a
 * message are spent by the engines; the NIC itself only keeps the books.
 */
class alignas(64) Nic final : public AgendaTarget
{
  public:
    // order of work of one instant at a host
    static constexpr AgendaPort WIRE_PORT = 0;
    static constexpr AgendaPort RECEIVE_PORT = 1;
    static constexpr AgendaPort SEND_PORT = 2;
    static constexpr AgendaPort TIMER_PORT = 3;

    /// The work kind under which the wire delivers bursts.
    static constexpr std::uint32_t BURST = 0;

    /// And that of a doorbell that was held back.
    static constexpr std::uint32_t BELL = 1;

    /// And that of feedback from a switch: the way to host `data` is full.
    static constexpr std::uint32_t CONGESTION = 2;

    /// @param card number of the card in its host; it is on bus card modulo `bus.count`
    Nic(Host& host,
        const Shared<NicCosts>& costs,
        const Shared<NicLimits>& limits,
        std::uint32_t card = 0);

    Host& GetHost() const
    {
        return m_host;
    }

    /// Its number among the cards of its host.
    std::uint32_t Card() const
    {
        return m_card;
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

    /// Its mechanisms.
    NicParts& Parts()
    {
        return m_parts;
    }

    /// Whose turn it is to plan.
    NicTurns& Turns()
    {
        return m_turns;
    }

    /// How it is told of descriptors.
    DoorbellPath& Doorbells()
    {
        return *m_parts.doorbells;
    }

    /// Look-ups of its translation cache; 0 where it has none.
    TranslationCounts Translations() const
    {
        return m_parts.translation->Counts();
    }

    /// Name and version of the plug-in that brings some of its mechanisms; empty: none does.
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

    ConnectionManager& Connections()
    {
        return m_connections;
    }

    const ReceiveEngine& Receiver() const
    {
        return m_receive;
    }

    /// Plugs the wire: @p out leaves from here, @p upstream gets our credits.
    void Plug(OutPort* out, InPort* upstream);

    // ---- datagrams of the host's IP stack

    /// @param listener gets those that arrive; null: nobody wants them. It must outlive its time.
    void SetDatagramListener(DatagramListener* listener)
    {
        m_datagrams = listener;
    }

    /// @return the driver of the host's IP stack; null: there is none
    DatagramListener* GetDatagramListener() const
    {
        return m_datagrams;
    }

    /**
     * @brief Sends @p packet, a DATAGRAM with source, destination, length and bytes, in its turn
     * among messages. Nobody answers for its arrival.
     * @param at the driver tells the card then
     */
    void SendDatagram(Packet* packet, Moment at)
    {
        m_send.OnDoorbell({at, 0, packet});
    }

    /// Its last byte is in host memory, or some of its cells were lost.
    void DatagramArrived(Packet& packet, Moment at);

    /// Its last bit leaves at @p at.
    void DatagramLeft(const Packet& packet, Ps at);

    /// The card reads a descriptor of the driver's ring.
    Moment FetchRingEntry(Moment at, Engine engine);

    // ---- barriers between cards

    /// The card takes part in barriers. @return who tells it that the host has come
    /// @throws ConfigError if the product's cards make none
    NicBarrier& MakeBarrier(const NicBarrier::Group& group);

    /// A step of a barrier was taken; without a barrier it is forgotten.
    void OnBarrierStep(const Packet& packet, Moment at)
    {
        if (m_barrier != nullptr)
        {
            m_barrier->OnStep(packet, at);
        }
    }

    // ---- congestion

    /**
     * @brief Must a message of @p vi wait that would begin at @p at?
     * Then its doorbell is rung again when it need not.
     */
    bool IsHeldBack(const VirtualInterface& vi, Ps at)
    {
        return !m_heldBack.empty() && WaitsForPeer(vi, at);
    }

    // ---- NIC handles

    /// A process opens the NIC. @return the handle's number
    std::uint32_t Open(AsyncListener* listener);

    /// Ends everything of @p owner that is left: VIs are disconnected, regions and tags go.
    void CloseAll(std::uint32_t owner, Moment at);

    /// True while VIs, CQs, regions or tags of @p owner exist.
    bool HasObjects(std::uint32_t owner) const;

    // ---- VIs and CQs

    /// Makes a VI in state IDLE. Limits and arguments are the caller's business.
    VirtualInterface& CreateVi(const ViAttributes& attributes,
                               std::uint32_t owner,
                               std::uint32_t rank,
                               CompletionQueue* sendCq,
                               CompletionQueue* receiveCq);

    /// The VI with number @p id, or null. Numbers are not used twice.
    VirtualInterface* FindVi(ViId id)
    {
        return m_vis.Find(id);
    }

    void DestroyVi(ViId id);

    /// That many more VIs will be made, each with a region of memory and room for @p entries
    /// descriptors.
    void ExpectVis(std::uint32_t count, std::uint32_t entries)
    {
        m_vis.Expect(count, entries);
        m_tpt.ExpectRegions(count);
    }

    /// A hint: VI @p id will be used soon.
    void ForeseeVi(ViId id) const
    {
        m_vis.Foresee(id);
    }

    /// Room for @p entries descriptors, a power of two or 0, in @p queue, which has none, of the VI
    /// that was created last.
    void MakeRoom(WorkQueue& queue, std::uint32_t entries)
    {
        m_vis.MakeRoom(queue.items, entries);
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
     * @brief A descriptor is posted to the send (or receive) queue.
     * @param item its `rung` tells when the doorbell reaches the NIC
     * The VI's state decides: connected VIs work on it, others flush it or keep it (receives).
     */
    void PostSend(VirtualInterface& vi, const WorkItem& item);
    void PostReceive(VirtualInterface& vi, const WorkItem& item);

    /// What the CPU of @p process does to tell the NIC of a send. @return when the NIC knows
    Moment TellOfSend(Process& process, VirtualInterface& vi, const WorkItem& item);

    /// The same, of a receive.
    Moment TellOfReceive(Process& process, VirtualInterface& vi, const WorkItem& item);

    /// The doorbell for the sends that were posted while the VI defers them reaches the NIC.
    void RingDeferred(VirtualInterface& vi, Moment rung);

    // ---- for the engines

    /**
     * @brief Writes an item's completion to host memory, and a CQ entry if its queue is bound.
     * @param status status bits without DONE
     * @param length bytes transferred
     * @return when the last of it is in memory
     */
    Moment Complete(VirtualInterface& vi,
                    bool receive,
                    WorkItem& item,
                    std::uint32_t status,
                    std::uint32_t length,
                    Moment from);

    /// The last cell of a message has got its time on the wire.
    void NoteDeparture(const Departure& departure)
    {
        m_departures.Push(departure);
    }

    /// What NoteDeparture told may have its effects now.
    void PlanDepartures()
    {
        m_host.Replan();
    }

    /// The last cell of a message has left: unless a response is due, that completes it.
    void OnMessageLeft(const Departure& departure);

    /// Reliable reception: the peer tells what became of a message.
    void OnResponse(const Packet& packet, Moment at);

    /// The peer wants to read our memory.
    void OnReadRequest(Packet& packet, Moment at);

    /// The response to an RDMA read is about to leave. @param piece gets the memory to be read
    void PrepareRead(Packet& packet, Piece& piece, Moment at);

    /// The response to an RDMA read of ours has arrived. @return when its completion is in memory
    Moment FinishRead(VirtualInterface& vi,
                      std::uint64_t serial,
                      std::uint32_t status,
                      std::uint32_t length,
                      Moment at);

    /// A send descriptor failed a check; a reliable connection breaks.
    void FailSend(VirtualInterface& vi, std::uint64_t serial, std::uint32_t status, Moment at);

    /// A descriptor that the NIC cannot even look at: asynchronous error, the VI breaks.
    void FailPost(VirtualInterface& vi, const WorkItem& item, Moment at);

    /// A message found no descriptor.
    void ReceiveQueueEmpty(VirtualInterface& vi, const Packet& packet, Moment at);

    /**
     * @brief A message has been placed, or refused by a check.
     * @param status its error bits
     * @param told if a receive descriptor carries them
     */
    void MessageArrived(VirtualInterface& vi,
                        const Packet& packet,
                        std::uint32_t status,
                        bool told,
                        Moment at);

    /// Part of an unreliable RDMA write was lost.
    void RdmaWriteDamaged(VirtualInterface& vi, const Arrival& arrival, Moment at);

    /// The kernel hands a frame to the receive engine.
    void HandleFrame(Burst* burst)
    {
        m_receive.Accept(burst);
    }

    // ---- for the transport

    /// Sends a packet that has no place in a channel, before messages.
    void SendUrgent(Packet* packet, Moment at)
    {
        m_send.SendUrgent(packet, at);
    }

    /// A channel goes back.
    void SendAgain()
    {
        m_send.SendAgain();
    }

    /// A doorbell that had to wait may be worked off.
    void RingAgain(const Doorbell& doorbell)
    {
        m_send.OnDoorbell(doorbell);
    }

    /// The channel to @p peer was given up: reliable connections to it break.
    void PeerIsGone(NodeId peer, Moment at);

    // ---- connection state

    /// Both ends agree: the VI works from now on.
    void Connect(VirtualInterface& vi, NodeId peerNode, ViId peerVi, ConnectionId connection);

    /// The program disconnects: to IDLE, everything flushed, the peer is told.
    void Disconnect(VirtualInterface& vi, Moment at);

    /// The connection is lost: to ERROR, everything flushed, asynchronous error @p code.
    void Break(VirtualInterface& vi,
               Moment at,
               bool tellPeer,
               AsyncCode code = AsyncCode::CONNECTION_LOST);

    /**
     * @brief The card is reset: connected VIs break, requests time out, peers are not told.
     * What the kernel agent keeps in host memory stays: registrations, CQs, idle VIs, waiters.
     */
    void Reset(Moment at);

    /// A control packet of this NIC; who gets it and what it says is left to the caller.
    Packet* NewControl(PacketKind kind, ConnectionId connection);

    /// Answers @p accept, which nobody here waits for: the other side breaks.
    void RefuseConnection(const Packet& accept, Moment at);

    /// Sends a control packet in order with the data.
    void SendControl(Packet* packet, Moment at)
    {
        m_send.OnDoorbell({at, 0, packet});
    }

    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;
    void Expect(std::uint32_t kind, std::uint64_t data) override;
    void Foresee(std::uint32_t kind, std::uint64_t data) override;

    /// Hints: this NIC, or a process who will use it, has work next; and soon.
    void ExpectUse() const;
    void ForeseeUse() const;

  private:
    bool WaitsForPeer(const VirtualInterface& vi, Ps at);
    Moment Finish(VirtualInterface& vi,
                  std::uint64_t serial,
                  std::uint32_t status,
                  std::uint32_t length,
                  Moment at);
    void Respond(const Packet& packet, std::uint32_t status, Moment at);
    Packet* AnswerTo(const Packet& packet, PacketKind kind);
    void Flush(VirtualInterface& vi, bool receive, Moment at);
    void TellPeer(const VirtualInterface& vi, Moment at);
    void Raise(const VirtualInterface& vi,
               AsyncCode code,
               Ps at,
               CompletionQueue* cq = nullptr,
               Descriptor* descriptor = nullptr);
    bool Overruns(VirtualInterface& vi, const WorkQueue& queue, const WorkItem& item);

    Host& m_host;
    Shared<NicCosts> m_costs;
    Shared<NicLimits> m_limits;
    std::uint32_t m_card;
    ClockDomain m_clock;
    ViTable m_vis;
    Tpt m_tpt;
    DescriptorChecks m_checks;
    NicParts m_parts;
    Transport m_transport;
    NicTurns m_turns;
    Departures m_departures;
    SendEngine m_send;
    ReceiveEngine m_receive;
    ConnectionManager m_connections; ///< from here on nothing that each message needs
    DatagramListener* m_datagrams{nullptr};
    std::vector<std::unique_ptr<CompletionQueue>> m_cqs;
    std::vector<AsyncListener*> m_owners;  ///< by NIC handle; null when closed
    std::unique_ptr<NicBarrier> m_barrier; ///< null: it takes part in none
    std::map<NodeId, Ps> m_heldBack;       ///< by peer: until when
};

} // namespace via
} // namespace ns3

#endif // VIA_NIC_H
