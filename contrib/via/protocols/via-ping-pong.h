/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Ping-pong: two processes send one message back and forth.

#ifndef VIA_PING_PONG_H
#define VIA_PING_PONG_H

#include "ns3/via-channel.h"
#include "ns3/via-workload.h"

namespace ns3
{
namespace via
{

/**
 * @brief Rank 0 sends, rank 1 replies with the same number of bytes; both poll.
 *
 * Parameters: size (bytes, 4; 0 to the NIC's largest transfer), rounds (1000). Samples: round
 * trips, from the entry of the ping's post to the return of the pong's reap. Published latencies
 * are half of that.
 */
class PingPong final : public Workload, public WorkloadStep
{
  public:
    /// The parameters.
    struct Settings
    {
        std::uint32_t size;
        std::uint64_t rounds;
    };

    /// @throws ConfigError naming the parameter and what is allowed
    static Settings Read(WorkloadParameters& given);

    PingPong(const Settings& settings, const WorkloadContext& context);

    void Start() override;
    bool IsFinished() const override;
    void OnStep(std::uint32_t rank) override;

  private:
    void Ping();
    void AwaitStep(std::uint32_t rank);

    std::uint32_t m_size;
    std::uint64_t m_rounds;
    std::uint64_t m_round[2]{0, 0};
    bool m_begun[2]{false, false};
    Ps m_sent{0};
    std::unique_ptr<LoneChannel> m_channels[2]; ///< null: in another partition
};

} // namespace via
} // namespace ns3

#endif // VIA_PING_PONG_H
