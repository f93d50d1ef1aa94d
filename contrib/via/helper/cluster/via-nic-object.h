/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The VIA NIC of an ns-3 node as an ns-3 object: attributes and trace sources.

#ifndef VIA_NIC_OBJECT_H
#define VIA_NIC_OBJECT_H

#include "ns3/object.h"
#include "ns3/traced-callback.h"
#include "ns3/via-agenda.h"
#include "ns3/via-cell-ledger.h"
#include "ns3/via-link.h"
#include "ns3/via-network.h"
#include "ns3/via-nic-listener.h"
#include "ns3/via-nic-trace.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace via
{

/**
 * @ingroup via
 * @brief ViaHelper::Install aggregates it to each node; find it with GetObject<ViaNicObject>().
 *
 * It only refers to the cluster's NIC (of several, the first). The model plans ahead: times given
 * to callbacks may be later than Simulator::Now().
 */
class ViaNicObject : public Object,
                     private NicListener,
                     private CreditListener,
                     private AgendaTarget
{
  public:
    /**
     * @brief Signature of the trace source MessageEnd.
     * @param message sender, size and times in ps; the end may be slightly later than
     * Simulator::Now(), because a polling process runs ahead while no event can affect it
     */
    typedef void (*MessageTracedCallback)(const MessageRow& message);

    /**
     * @brief Signature of the trace source Doorbell.
     * @param vi number of the VI
     * @param isReceive the work queue: receives or sends
     * @param at when the card knows, in ps
     */
    typedef void (*DoorbellTracedCallback)(std::uint32_t vi, bool isReceive, Ps at);

    /**
     * @brief Signature of the trace source Queue.
     * @param vi number of the VI
     * @param isReceive the work queue: receives or sends
     * @param descriptors in the queue that have not completed
     * @param at since when, in ps
     */
    typedef void (*QueueTracedCallback)(std::uint32_t vi,
                                        bool isReceive,
                                        std::uint32_t descriptors,
                                        Ps at);

    /**
     * @brief Signature of the trace source Completion.
     * @param vi number of the VI
     * @param isReceive the work queue: receives or sends
     * @param status of the descriptor, bits as in <vipl.h>, without DONE
     * @param bytes transferred
     * @param at when the program can see it, in ps
     */
    typedef void (*CompletionTracedCallback)(std::uint32_t vi,
                                             bool isReceive,
                                             std::uint32_t status,
                                             std::uint32_t bytes,
                                             Ps at);

    /**
     * @brief Signature of the trace source Credits.
     * @param out cells handed over so far that have a credit, until it returns. Where no credits
     * limit the wire (`link.flow`): those that have left, until the receiver releases their room
     * @param waiting the others of the cells handed over so far
     * @param at when the last of them was handed over, in ps: now
     * Connect it before the run: what is planned when it is connected counts as handed over.
     */
    typedef void (*CreditsTracedCallback)(std::uint32_t out, std::uint32_t waiting, Ps at);

    /// @return the TypeId
    static TypeId GetTypeId();

    ViaNicObject();

    /**
     * @param network owner of the cluster
     * @param host index of the host in the cluster
     */
    ViaNicObject(Ptr<ViaNetwork> network, std::uint32_t host);
    ~ViaNicObject() override;

    /// @return index of the host in the cluster: 0 for the first node of the container
    std::uint32_t GetHostIndex() const;

    /// @return the host's name in programs, e.g. "n3"
    std::string GetHostName() const;

    /// @return current number of VIs
    std::uint32_t GetViCount() const;

    /// @return the NIC. Aborts after Simulator::Destroy().
    Nic& GetNic() const;

    /// @return the network; null after the node was disposed
    Ptr<ViaNetwork> GetNetwork() const;

    /// Fires MessageEnd and Drop. For ViaNetwork.
    void NoteMessage(const MessageRecord& record);

  protected:
    void DoDispose() override;

  private:
    void OnDoorbell(const VirtualInterface& vi, bool receive, Ps at) override;
    void OnQueue(const VirtualInterface& vi, bool receive, Ps at) override;
    void OnCompletion(const VirtualInterface& vi,
                      bool receive,
                      std::uint32_t status,
                      std::uint32_t length,
                      Ps at) override;
    void OnHandedOver(std::uint32_t cells, Ps at) override;
    void OnCredits(std::uint32_t cells, Ps at) override;
    /// @param data so many cells are handed over now
    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;

    /// Listens to the NIC from now on.
    void Listen();
    /// And to its wire.
    void ListenToWire();
    Link& Wire() const;

    Ptr<ViaNetwork> m_network;
    std::uint32_t m_host{0};
    TracedCallback<const MessageRow&> m_messageEnd;
    TracedCallback<const MessageRow&> m_drop;
    NicTrace<std::uint32_t, bool, Ps> m_doorbell{[this] { Listen(); }};
    NicTrace<std::uint32_t, bool, std::uint32_t, Ps> m_queue{[this] { Listen(); }};
    NicTrace<std::uint32_t, bool, std::uint32_t, std::uint32_t, Ps> m_completion{
        [this] { Listen(); }};
    NicTrace<std::uint32_t, std::uint32_t, Ps> m_credits{[this] { ListenToWire(); }};
    bool m_hearsWire{false};
    std::uint64_t m_handed{0}; ///< cells given to the wire so far
    CellLedger m_returned;     ///< of them, those whose credits have returned
};

} // namespace via
} // namespace ns3

#endif // VIA_NIC_OBJECT_H
