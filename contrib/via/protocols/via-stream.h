/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Stream: one process sends as fast as it can, another receives.

#ifndef VIA_STREAM_H
#define VIA_STREAM_H

#include "ns3/via-workload.h"

namespace ns3
{
namespace via
{

/**
 * @brief Rank 0 keeps up to `window` messages under way; rank 1 gives credits back with an empty
 * message for every half window, so that no message ever finds an empty receive queue. Neither end
 * looks at the other's variables: they may be on two ranks.
 *
 * Parameters: size (bytes, 32768), messages (200), window (16, at least 2).
 * Samples: the time from the start, when the first message is posted, to the reap of the last one;
 * bandwidth is messages * size / that.
 */
class Stream final : public Workload, public WorkloadStep
{
  public:
    /// What it is asked to do.
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
    std::uint64_t m_allowed;    ///< how many may be sent in all, by the credits that came
    std::uint64_t m_granted{0}; ///< how many more than the window, by the credits that went
    bool m_begun[2]{false, false};
    std::vector<std::unique_ptr<Channel>> m_channels;
};

} // namespace via
} // namespace ns3

#endif // VIA_STREAM_H
