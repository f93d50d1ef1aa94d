/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// All-to-all: each process sends a block to every other.

#ifndef VIA_ALL_TO_ALL_H
#define VIA_ALL_TO_ALL_H

#include "ns3/via-protocol-kind.h"

namespace ns3
{
namespace via
{

/// The header of a block.
struct BlockMessage
{
    std::uint64_t round;
    std::uint64_t value; ///< the sender's value plus the receiver's rank
};

/**
 * @brief In each round process i sends to i + 1, i + 2, ... and waits for N - 1 blocks.
 *
 * N (N - 1) messages, all at once. A process that has its blocks continues, so it may be one round
 * ahead of a peer, not two. Source: the personalized communication of Johnsson & Ho, "Optimum
 * broadcasting and personalized communication in hypercubes", IEEE Trans. Computers 38(9), 1989,
 * without a schedule: the fabric must cope with the contention.
 */
class AllToAll : public TypedProtocol<BlockMessage>
{
  public:
    using TypedProtocol::OnMessage;

    MessageWindow Flow() const override
    {
        return {2, true};
    }

    void OnStart() override;
    void OnMessage(Rank from, const BlockMessage& message) override;

  protected:
    /// The part of the block for @p to that is added to the sender's value.
    virtual std::uint64_t Address(Rank to) const
    {
        return to;
    }

  private:
    /// The blocks received in a round.
    struct Blocks
    {
        Rank count{0};
        std::uint64_t sum{0};
    };

    void BeginRound();

    std::uint64_t m_round{0};
    Blocks m_blocks[2]; ///< of even and of odd rounds
};

/// All-to-all by name; the default block has 4,096 bytes.
std::vector<ProtocolKind> AllToAllKinds();

} // namespace via
} // namespace ns3

#endif // VIA_ALL_TO_ALL_H
