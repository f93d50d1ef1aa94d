/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Gossip: rumours spread to random processes.

#ifndef VIA_GOSSIP_H
#define VIA_GOSSIP_H

#include "ns3/via-protocol-kind.h"

#include <set>

namespace ns3
{
namespace via
{

/// A rumour.
struct GossipMessage
{
    std::uint64_t rumour;
    std::uint64_t value;
};

/**
 * @brief A process that knows a rumour sends it to `fanout` random processes in each period.
 *
 * Rounds are rumours, one after the other: rumour r begins at process r mod N, once that process
 * knows the previous one. A process sends a rumour for `turns` periods, by default log2 N + 6, so
 * that it reaches all with high probability, but not with certainty. At most N turns fanout
 * messages for a rumour. Parameters: period-us (1000), fanout (1), turns. Source: Demers et al.,
 * "Epidemic algorithms for replicated database maintenance", PODC 1987 (push, counter).
 */
class Gossip : public TypedProtocol<GossipMessage>
{
  public:
    using TypedProtocol::OnMessage;

    Gossip(WorkloadParameters& parameters, std::uint32_t nodes);

    std::vector<Rank> Targets() const override;
    void OnStart() override;
    void OnMessage(Rank from, const GossipMessage& message) override;
    void OnTimer(TimerId timer) override;

  protected:
    /// The value that a process passes on.
    virtual std::uint64_t PassOn(std::uint64_t value) const
    {
        return value;
    }

  private:
    void Begin(std::uint64_t rumour);
    void Hear(std::uint64_t rumour, std::uint64_t value);
    Rank Choice(std::uint64_t rumour, std::uint64_t turn, std::uint64_t which) const;

    Ps m_period;
    std::uint64_t m_fanout;
    std::uint64_t m_turns;
    std::vector<std::uint64_t> m_told;   ///< number of periods in which it was sent, by rumour
    std::vector<std::uint64_t> m_values; ///< by rumour
    std::set<std::uint64_t> m_known;
};

/// By name.
std::vector<ProtocolKind> GossipKinds();

} // namespace via
} // namespace ns3

#endif // VIA_GOSSIP_H
