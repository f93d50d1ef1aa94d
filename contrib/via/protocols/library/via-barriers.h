/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Barriers: no process continues before all have arrived.

#ifndef VIA_BARRIERS_H
#define VIA_BARRIERS_H

#include "ns3/via-protocol-kind.h"

namespace ns3
{
namespace via
{

/// "I have arrived" or "all have arrived".
struct BarrierMessage
{
    std::uint64_t round;
};

/// The common part of all barriers: consecutive rounds.
class BarrierProtocol : public TypedProtocol<BarrierMessage>
{
  public:
    using TypedProtocol::OnMessage;

    void OnStart() override;

    /// A peer may be one barrier ahead, not two.
    MessageWindow Flow() const override
    {
        return {2, true};
    }

  protected:
    /// Announces that this process has arrived.
    virtual void Arrive() = 0;

    /// All have arrived: enters the next barrier.
    void GoOn();

    std::uint64_t Round() const
    {
        return m_round;
    }

  private:
    std::uint64_t m_round{0};
};

/**
 * @brief In step k process i notifies process i + 2^k that it has arrived, and waits for i - 2^k.
 *
 * ceil(log2 N) steps, N ceil(log2 N) messages. Source: Hensgen, Finkel & Manber, "Two algorithms
 * for barrier synchronization", International Journal of Parallel Programming 17(1), 1988.
 */
class DisseminationBarrier : public BarrierProtocol
{
  public:
    std::vector<Rank> Targets() const override;
    Rank Awaited() const override;
    void OnMessage(Rank from, const BarrierMessage& message) override;

  protected:
    void Arrive() override;

  private:
    std::uint32_t m_step{0};
};

/// All notify process 0, which notifies all: 2 (N - 1) messages, all through one host.
class CentralBarrier : public BarrierProtocol
{
  public:
    std::vector<Rank> Targets() const override;
    void OnMessage(Rank from, const BarrierMessage& message) override;

  protected:
    void Arrive() override;

    /// Counts one more arrival at process 0.
    virtual void Count();

    Rank m_come{0};
};

/**
 * @brief Up a tree and down again: 2 (N - 1) messages, in twice the depth of the tree.
 *
 * Process i has the children k i + 1 .. k i + k. Source: Mellor-Crummey & Scott, "Algorithms for
 * scalable synchronization on shared-memory multiprocessors", ACM TOCS 9(1), 1991: the 4-ary
 * arrival tree, here also for the way down. Parameter: fan-in (4).
 */
class TreeBarrier : public BarrierProtocol
{
  public:
    TreeBarrier(WorkloadParameters& parameters, std::uint32_t nodes);

    std::vector<Rank> Targets() const override;
    void OnMessage(Rank from, const BarrierMessage& message) override;

  protected:
    void Arrive() override;

  private:
    std::vector<Rank> Children() const;
    void Count();
    void Release();

    Rank m_fanIn;
    Rank m_come{0};
};

/**
 * @brief The cards run the dissemination barrier; a process arrives, and learns of the end.
 *
 * A process sends one message, to its own card. The cards exchange N ceil(log2 N) messages. Only
 * for products whose cards support it, see NicBarrier. Source: Buntinas, Panda & Sadayappan, "Fast
 * NIC-based barrier over Myrinet/GM", IPDPS 2001.
 */
class NicBarrierProtocol : public BarrierProtocol
{
  public:
    std::vector<Rank> Targets() const override
    {
        return {Self()};
    }

    void OnMessage(Rank, const BarrierMessage&) override
    {
        GoOn();
    }

  protected:
    void Arrive() override
    {
        Send(Self(), {Round()});
    }
};

/// The barriers by name.
std::vector<ProtocolKind> BarrierKinds();

} // namespace via
} // namespace ns3

#endif // VIA_BARRIERS_H
