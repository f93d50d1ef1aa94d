/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Total order: a sequencer, and a ring with a token.

#ifndef VIA_TOTAL_ORDER_H
#define VIA_TOTAL_ORDER_H

#include "ns3/via-protocol-kind.h"

#include <map>

namespace ns3
{
namespace via
{

/// A message that is to be delivered everywhere in one order.
struct OrderMessage
{
    enum Kind : std::uint32_t
    {
        REQUEST, ///< to the sequencer: order this
        ORDERED, ///< deliver it at this position
        TOKEN,   ///< position: the next that is free
    };

    std::uint32_t kind;
    std::uint32_t turns; ///< of the token: members in a row that had nothing to send
    std::uint64_t position;
    std::uint64_t value;
};

/// What both have in common: whatever comes early waits until its position has come.
class TotalOrder : public TypedProtocol<OrderMessage>
{
  public:
    using TypedProtocol::OnMessage;

    /// Parameter: senders (all): so many of the first processes have messages of their own.
    TotalOrder(WorkloadParameters& parameters, std::uint32_t nodes);

  protected:
    /// The messages of this process are numbered; their number is the round.
    std::uint64_t Value(std::uint64_t number) const
    {
        return Self() * Rounds() + number;
    }

    bool IsSender() const
    {
        return Self() < m_senders;
    }

    /// Delivers what is at its turn. Virtual for tests, which make it wrong.
    virtual void Receive(std::uint64_t position, std::uint64_t value);

    void Deliver(std::uint64_t position, std::uint64_t value);

    /// One of its own was delivered.
    virtual void OnOwnDelivery()
    {
    }

    std::uint64_t NextToDeliver() const
    {
        return m_next;
    }

  private:
    std::uint64_t m_senders;
    std::uint64_t m_next{0};
    std::map<std::uint64_t, std::uint64_t> m_early; ///< value by position
};

/**
 * @brief Process 0 gives each message its place: 1 message to it, N - 1 from it.
 *
 * N messages for what others send, N - 1 for what the sequencer sends itself. A sender sends its
 * next when it has delivered its last. Nothing is delivered any more when the sequencer has
 * crashed. Timed from the request to the last delivery. Source: Kaashoek & Tanenbaum, "Group
 * communication in the Amoeba distributed operating system", ICDCS 1991 (method PB).
 */
class Sequencer : public TotalOrder
{
  public:
    using TotalOrder::TotalOrder;

    /// All others talk to the sequencer alone.
    std::vector<Rank> Targets() const override;
    void OnStart() override;
    void OnMessage(Rank from, const OrderMessage& message) override;

  protected:
    /// The sequencer orders a message.
    virtual void Order(std::uint64_t value);
    void OnOwnDelivery() override;

    std::uint64_t m_ordered{0};

  private:
    void Request();

    std::uint64_t m_sent{0};
};

/**
 * @brief Who has the token sends, numbers from it, and passes it on (Totem's ring, without
 * retransmissions: the wire below is reliable).
 *
 * For each message N - 1 messages, and one for each pass of the token; the token stops when a whole
 * turn had nothing to send. Who misses a position delivers nothing behind it. Parameter: burst (1),
 * messages of one holder. Timed from the send to the last delivery. Source: Amir, Moser,
 * Melliar-Smith, Agarwal & Ciarfella, "The Totem single-ring ordering and membership protocol",
 * ACM TOCS 13(4), 1995.
 */
class TokenRing : public TotalOrder
{
  public:
    TokenRing(WorkloadParameters& parameters, std::uint32_t nodes);

    void OnStart() override;
    void OnMessage(Rank from, const OrderMessage& message) override;

  protected:
    /// This process has the token: position is the first that is free.
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
