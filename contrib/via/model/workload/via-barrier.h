/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Dissemination barrier.

#ifndef VIA_BARRIER_H
#define VIA_BARRIER_H

#include "ns3/via-workload.h"

namespace ns3
{
namespace via
{

/**
 * @brief In step k process i tells process i + 2^k that it has come, and waits for i - 2^k.
 *
 * ceil(log2 N) steps, N ceil(log2 N) messages. Source: Hensgen, Finkel & Manber, "Two algorithms
 * for barrier synchronization", 1988.
 * Parameters: size (bytes of a message, 8, at least 8), rounds (10).
 * Samples: for each barrier, from the last process' entry to the last process' exit.
 */
class Barrier final : public Workload, public WorkloadStep
{
  public:
    Barrier(WorkloadParameters& parameters, const WorkloadContext& context);

    void Start() override;
    bool IsFinished() const override;
    void OnStep(std::uint32_t rank) override;
    void ExpectStep(std::uint32_t rank) const override;
    void ForeseeStep(std::uint32_t rank) const override;

  private:
    struct Member
    {
        std::uint64_t round{0};
        std::uint32_t step{0};
        bool begun{false};
    };

    /// When the last process came to, and left, a barrier.
    struct Times
    {
        Ps entry{0};
        Ps exit{0};
    };

    Channel& Out(std::uint32_t rank, std::uint32_t step)
    {
        return m_out[rank * m_steps + step];
    }

    Channel& In(std::uint32_t rank, std::uint32_t step)
    {
        return m_in[rank * m_steps + step];
    }

    void Enter(std::uint32_t rank);
    void Tell(std::uint32_t rank);
    void Hear(std::uint32_t rank);
    bool Leave(std::uint32_t rank);

    std::uint32_t m_size;
    std::uint64_t m_rounds;
    std::uint32_t m_steps{0};
    std::uint32_t m_finished{0};
    std::vector<Member> m_members;
    std::vector<Channel> m_out; ///< by rank and step
    std::vector<Channel> m_in;
    std::vector<Times> m_times; ///< by round
};

} // namespace via
} // namespace ns3

#endif // VIA_BARRIER_H
