/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Collective operations: broadcast, reduce, all-reduce, all-gather.

#ifndef VIA_COLLECTIVES_H
#define VIA_COLLECTIVES_H

#include "ns3/via-protocol-kind.h"

namespace ns3
{
namespace via
{

/// A value in a round.
struct CollectiveMessage
{
    std::uint64_t round; ///< all-gather: the hop, counted over all rounds
    std::uint64_t value;
};

/**
 * @brief Down a binomial tree from process 0 and up again: 2 (N - 1) messages in 2 ceil(log2 N)
 * steps.
 *
 * The parent of process r > 0 is r without its highest bit; its children are r + 2^k for all 2^k
 * above that bit. Subclasses choose the direction that carries data; the other separates the
 * rounds. Source: the trees of Johnsson & Ho, "Optimum broadcasting and personalized communication
 * in hypercubes", IEEE Trans. Computers 38(9), 1989.
 */
class TreeCollective : public TypedProtocol<CollectiveMessage>
{
  public:
    using TypedProtocol::OnMessage;

    std::vector<Rank> Targets() const override;
    MessageWindow Flow() const override;
    void OnStart() override;
    void OnMessage(Rank from, const CollectiveMessage& message) override;

  protected:
    /// The root begins a round. @return the value to send down
    virtual std::uint64_t OnBegin() = 0;

    /// @p value has arrived from the parent. @return the value of this process for the way up
    virtual std::uint64_t OnDown(std::uint64_t value) = 0;

    /// The root has the sum of all values sent up, including its own.
    virtual void OnUp(std::uint64_t sum) = 0;

    std::uint64_t Round() const
    {
        return m_round;
    }

    /// The value of this process in this round.
    std::uint64_t Own() const
    {
        return Random(m_round) >> 16; // sums of 65,536 do not overflow
    }

  private:
    std::vector<Rank> Children() const;
    Rank Parent() const;
    void Down(std::uint64_t value);
    void Count(std::uint64_t value);
    void EndRound();

    std::uint64_t m_round{0};
    std::uint64_t m_sum{0};
    std::size_t m_counted{0};
};

/// Sends the value of process 0 to all; timed until the last process has it.
class Broadcast : public TreeCollective
{
  protected:
    std::uint64_t OnBegin() override;
    std::uint64_t OnDown(std::uint64_t value) override;
    void OnUp(std::uint64_t sum) override;
};

/// Sends the sum of all values to process 0; timed from the root's start of the round.
class Reduce : public TreeCollective
{
  protected:
    std::uint64_t OnBegin() override;
    std::uint64_t OnDown(std::uint64_t value) override;
    void OnUp(std::uint64_t sum) override;
};

/**
 * @brief Recursive doubling: in step k process i exchanges sums with i xor 2^k.
 *
 * P log2 P messages for P = 2^floor(log2 N), and 2 (N - P) for the processes i >= P, which send
 * their value to i - P and get the sum from it. Source: Thakur, Rabenseifner & Gropp, "Optimization
 * of collective communication operations in MPICH", IJHPCA 19(1), 2005.
 */
class AllReduce : public TypedProtocol<CollectiveMessage>
{
  public:
    using TypedProtocol::OnMessage;

    std::vector<Rank> Targets() const override;
    MessageWindow Flow() const override;
    Rank Awaited() const override;
    void OnStart() override;
    void OnMessage(Rank from, const CollectiveMessage& message) override;

  protected:
    /// The sum of two values.
    virtual std::uint64_t Combine(std::uint64_t a, std::uint64_t b) const
    {
        return a + b;
    }

  private:
    Rank PowerOfTwo() const;
    bool HasPartnerBeyond() const;
    void BeginRound();
    void Tell();
    void EndRound();

    std::uint64_t m_round{0};
    std::uint64_t m_sum{0};
    std::uint32_t m_step{0};
    bool m_folded{false}; ///< the value of process i + P is included
};

/**
 * @brief Around a ring: each process passes on the block that it received last.
 *
 * N - 1 steps, N (N - 1) messages. Source: the ring algorithm of AllReduce's source.
 */
class AllGather : public TypedProtocol<CollectiveMessage>
{
  public:
    using TypedProtocol::OnMessage;

    std::vector<Rank> Targets() const override;
    void OnStart() override;
    void OnMessage(Rank from, const CollectiveMessage& message) override;

  private:
    void BeginRound();

    /// The number of the next hop, of its own block or of the one that it awaits: a block carries
    /// it, so that none takes the place of a lost one.
    std::uint64_t Hop() const;

    void PassOn(std::uint64_t block);

    std::uint64_t m_round{0};
    std::uint64_t m_sum{0}; ///< sum of the blocks that this process has
    Rank m_blocks{0};
};

/// The collective operations by name.
std::vector<ProtocolKind> CollectiveKinds();

} // namespace via
} // namespace ns3

#endif // VIA_COLLECTIVES_H
