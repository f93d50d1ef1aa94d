/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A workload that runs a protocol of the library.

#ifndef VIA_PROTOCOL_WORKLOAD_H
#define VIA_PROTOCOL_WORKLOAD_H

#include "ns3/via-protocol-kind.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief One process of a protocol on each of the first nodes.
 *
 * Parameters of all protocols: rounds (10), size (bytes of a message on the wire; default: the
 * message's own size), transport ("via-send"), process-faults (see ProcessFaults), limit-ms
 * (600000: later timers are not set, so that a protocol that waits forever ends). Samples: rounds,
 * see ProtocolKind::span.
 */
class ProtocolWorkload final : public Workload, public WorkloadStep, public AgendaTarget
{
  public:
    /// The parameters.
    struct Settings
    {
        std::uint32_t size;
        std::uint64_t rounds;
        std::string transport; ///< empty: the protocol's only transport
        ProcessFaults faults;
        Ps limit;
        ProtocolMaker make;
    };

    /// @throws ConfigError naming the parameter and what is allowed
    static Settings Read(const ProtocolKind& kind, WorkloadParameters& given);

    ProtocolWorkload(const ProtocolKind& kind,
                     const Settings& settings,
                     const WorkloadContext& context);

    void Start() override;
    bool IsFinished() const override;

    void Conclude() override
    {
        ConcludeFrom(m_history);
    }

    void ConcludeFrom(const History& history) override;
    void OnStep(std::uint32_t rank) override;
    bool OnAlarm(std::uint32_t rank) override;
    void PrefetchStep(Hint hint, std::uint32_t rank) const override;
    bool OnConnectionLost(std::uint32_t rank) override;
    void OnCrash(std::uint32_t rank) override;

    /// A process has finished; on several partitions, of any partition.
    void OnAgenda(std::uint32_t, std::uint64_t) override
    {
        m_history.NoteFinished();
    }

    const History* GetHistory() const override
    {
        return &m_history;
    }

    /// Number of messages that processes have sent.
    std::uint64_t MessagesSent() const;

    /// The effects of faults, summed over all processes.
    FaultHits Hits() const;

  private:
    /// The data of one process. A step begins by reading one of these, so it is kept small.
    struct Member
    {
        std::unique_ptr<Protocol> protocol;
        std::unique_ptr<MessageLoop> loop;
        const MessagePath* path; ///< of the loop
    };

    void MakeProcesses(const WorkloadContext& context, const ProtocolMaker& make);
    std::vector<PathShape> Shapes(std::uint32_t bytes) const;
    void Connect(const std::string& transport, std::uint32_t bytes, Ps limit);
    void AddMessenger(Rank rank,
                      std::unique_ptr<MessagePath> path,
                      const PathShape& shape,
                      Ps limit);
    /// Process @p rank has finished: the run notices when all others have got that far.
    void PlanEnd(Rank rank);

    const ProtocolKind& m_kind;
    History m_history;
    std::function<IpNetwork&()> m_ip;
    WorkloadPartition* m_partition; ///< null: one partition runs all processes
    Ps m_words;                     ///< see WorkloadContext
    ProcessFaults m_faults;
    std::uint64_t m_rounds;
    std::vector<Member> m_members; ///< by rank; empty for processes of other partitions
};

} // namespace via
} // namespace ns3

#endif // VIA_PROTOCOL_WORKLOAD_H
