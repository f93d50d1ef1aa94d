/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Total order: a sequencer, and a token ring.

#ifndef VIA_TOTAL_ORDER_H
#define VIA_TOTAL_ORDER_H

#include "ns3/via-protocol-kind.h"

#include <map>

namespace ns3
{
namespace via
{

/// A message to be delivered everywhere in one order.
struct OrderMessage
{
    enum Kind : std::uint32_t
    {
        REQUEST, ///< to the sequencer: order this
        ORDERED, ///< deliver it at this position
        TOKEN,   ///< position: the first free one
    };

    std::uint32_t kind;
    std::uint32_t turns; ///< of the token: consecutive members that had nothing to send
    std::uint64_t position;
    std::uint64_t value;
};

/// The common part of both: early messages wait for their position.
class TotalOrder : public TypedProtocol<OrderMessage>
{
  public:
    using TypedProtocol::OnMessage;

    /// Parameter: senders (all): the number of processes that send messages, from process 0.
    TotalOrder(WorkloadParameters& parameters, std::uint32_t nodes);

  protected:
    /// The value of this process' message @p number, which is also its round.
    std::uint64_t Value(std::uint64_t number) const
    {
        return Self() * Rounds() + number;
    }

    bool IsSender() const
    {
        return Self() < m_senders;
    }

    /// Delivers messages in order. Virtual, so that tests can break it.
    virtual void Receive(std::uint64_t position, std::uint64_t value);

    void Deliver(std::uint64_t position, std::uint64_t value);

    /// One of its own messages was delivered.
    virtual void OnOwnDelivery()
    {
    }

  private:
    std::uint64_t m_senders;
    std::uint64_t m_next{0};
    std::map<std::uint64_t, std::uint64_t> m_early; ///< value by position
};

/**
 * @brief Process 0 assigns each message its position: 1 message to it, N - 1 from it.
 *
 * N messages per multicast of another process, N - 1 per multicast of the sequencer. A sender sends
 * its next message after delivering its previous one. After a crash of the sequencer nothing is
 * delivered. Timed from the request to the last delivery. Source: Kaashoek & Tanenbaum, "Group
 * communication in the Amoeba distributed operating system", ICDCS 1991 (method PB).
 */
class Sequencer : public TotalOrder
{
  public:
    using TotalOrder::TotalOrder;

    /// All others send only to the sequencer.
    std::vector<Rank> Targets() const override;
    void OnStart() override;
    void OnMessage(Rank from, const OrderMessage& message) override;
    void OnTimer(TimerId timer) override;

  protected:
    /// Assigns a position to a message, at the sequencer.
    virtual void Order(std::uint64_t value);
    void OnOwnDelivery() override;

    std::uint64_t m_ordered{0};

  private:
    static constexpr TimerId NEXT = 0; ///< the sequencer sends its next message

    void Request();

    std::uint64_t m_sent{0};
};

/**
 * @brief The holder of the token sends, takes positions from the token, and passes it on (Totem's
 * ring without retransmissions: the wire below is reliable).
 *
 * N - 1 messages per multicast, and one per pass of the token; the token stops after a whole turn
 * with nothing to send. A process that misses a position delivers nothing after it. Parameter:
 * burst (1), messages per turn of a holder. Timed from the send to the last delivery. Source: Amir,
 * Moser, Melliar-Smith, Agarwal & Ciarfella, "The Totem single-ring ordering and membership
 * protocol", ACM TOCS 13(4), 1995.
 */
class TokenRing : public TotalOrder
{
  public:
    TokenRing(WorkloadParameters& parameters, std::uint32_t nodes);

    void OnStart() override;
    void OnMessage(Rank from, const OrderMessage& message) override;

  protected:
    /// Handles the token: @p position is the first free one.
    virtual void OnToken(std::uint64_t position, std::uint32_t turns);

  private:
    std::uint64_t m_burst;
    std::uint64_t m_sent{0};
};

/// Both by name.
std::vector<ProtocolKind> TotalOrderKinds();

} // namespace via
} // namespace ns3

#endif // VIA_TOTAL_ORDER_H
