/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Gossip: rumours that spread by chance.

#ifndef VIA_GOSSIP_H
#define VIA_GOSSIP_H

#include "ns3/via-protocol-kind.h"

#include <set>

namespace ns3
{
namespace via
{

/// "Have you heard?"
struct GossipMessage
{
    std::uint64_t rumour;
    std::uint64_t value;
};

/**
 * @brief Who knows a rumour tells `fanout` processes at random in each period.
 *
 * Rounds are rumours, one behind the other: rumour r begins at process r mod N, when that knows the
 * one before. A process tells a rumour for `turns` periods: log2 N + 6 by default, so that it
 * reaches all with high probability, not for sure. At most N turns fanout messages for a rumour.
 * Parameters: period-us (1000), fanout (1), turns. Source: Demers et al., "Epidemic algorithms for
 * replicated database maintenance", PODC 1987 (push, counter).
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
    /// What a process makes of a rumour that it passes on.
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
    std::vector<std::uint64_t> m_told;   ///< periods in which a rumour was told, by rumour
    std::vector<std::uint64_t> m_values; ///< by rumour
    std::set<std::uint64_t> m_known;
};

/// By name.
std::vector<ProtocolKind> GossipKinds();

} // namespace via
} // namespace ns3

#endif // VIA_GOSSIP_H
