/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Stream: one process sends as fast as it can, another receives.

#ifndef VIA_STREAM_H
#define VIA_STREAM_H

#include "ns3/via-channel.h"
#include "ns3/via-workload.h"

namespace ns3
{
namespace via
{

/**
 * @brief Rank 0 keeps up to `window` messages under way; rank 1 returns credits in an empty message
 * for every half window, so that no message finds an empty receive queue. Neither end reads the
 * other's variables: they may be in different partitions.
 *
 * Parameters: size (bytes, 32768), messages (200), window (16, at least 2). Sample: the time from
 * the start, when the first message is posted, to the reap of the last; bandwidth is messages *
 * size / sample.
 */
class Stream final : public Workload, public WorkloadStep
{
  public:
    /// The parameters.
    struct Settings
    {
        std::uint32_t size;
        std::uint64_t messages;
        std::uint32_t window;
    };

    /// @throws ConfigError naming the parameter and what is allowed
    static Settings Read(WorkloadParameters& given);

    Stream(const Settings& settings, const WorkloadContext& context);

    void Start() override;
    bool IsFinished() const override;
    void OnStep(std::uint32_t rank) override;

  private:
    void Send();
    void Receive();

    std::uint32_t m_size;
    std::uint64_t m_messages;
    std::uint32_t m_window;
    std::uint64_t m_sent{0};
    std::uint64_t m_received{0};
    std::uint64_t m_allowed;    ///< total that may be sent, by the credits received
    std::uint64_t m_granted{0}; ///< total beyond the window, by the credits sent
    bool m_begun[2]{false, false};
    std::unique_ptr<LoneChannel> m_channels[2]; ///< null: in another partition
};

} // namespace via
} // namespace ns3

#endif // VIA_STREAM_H
