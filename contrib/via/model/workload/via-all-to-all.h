/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// All-to-all: everybody sends a block to everybody else.

#ifndef VIA_ALL_TO_ALL_H
#define VIA_ALL_TO_ALL_H

#include "ns3/via-workload.h"

namespace ns3
{
namespace via
{

/**
 * @brief In each round process i sends to i+1, i+2, ... and waits on one CQ for N-1 blocks.
 *
 * Parameters: size (bytes, 4096), rounds (10).
 * Samples: for each round, from the first process' begin to the last process' last block.
 */
class AllToAll final : public Workload, public WorkloadStep
{
  public:
    AllToAll(WorkloadParameters& parameters, const WorkloadContext& context);

    void Start() override;
    bool IsFinished() const override;
    void OnStep(std::uint32_t rank) override;

  private:
    /// A channel of a member, found by its VI.
    struct Peer
    {
        Channel* channel{nullptr};
        std::uint64_t taken{0}; ///< blocks; the next one belongs to that round
    };

    struct Member
    {
        std::uint64_t round{0};
        std::uint32_t received[2]{0, 0}; ///< blocks of even and of odd rounds still counted
        bool begun{false};
        CompletionQueue* cq{nullptr};
        std::vector<std::unique_ptr<Channel>> channels; ///< by peer - rank - 1 modulo N
        std::vector<Peer> byVi;
    };

    struct Times
    {
        Ps begin{PS_NEVER};
        Ps end{0};
    };

    void SendAll(std::uint32_t rank);
    void Take(std::uint32_t rank);
    bool EndRound(std::uint32_t rank);

    std::uint32_t m_nodes;
    std::uint32_t m_size;
    std::uint64_t m_rounds;
    std::uint32_t m_finished{0};
    std::vector<Member> m_members;
    std::vector<Times> m_times; ///< by round
};

} // namespace via
} // namespace ns3

#endif // VIA_ALL_TO_ALL_H
