/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Built-in workloads, written as callbacks: no stack per process.

#ifndef VIA_WORKLOAD_H
#define VIA_WORKLOAD_H

#include "ns3/via-history.h"
#include "ns3/via-nic-costs.h"
#include "ns3/via-vi-library.h"
#include "ns3/via-workload-partition.h"
#include "ns3/via-workload-process.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

class IpNetwork;

/// A parameter of a workload: what it may be.
struct WorkloadOption
{
    std::string normal;     ///< its default, as text
    std::uint64_t least{0}; ///< the limits of a whole number
    std::uint64_t most{0};  ///< 0: it is a text
};

/// The parameters of a workload, by name.
using WorkloadOptions = std::map<std::string, WorkloadOption>;

/**
 * @brief The parameters of a workload as text; each is parsed when it is read. A parameter that is
 * never read, or out of range, is a ConfigError.
 */
class WorkloadParameters
{
  public:
    /// @param limits of the card of node 0
    WorkloadParameters(std::string workload,
                       std::map<std::string, std::string> values,
                       std::uint32_t nodes,
                       const NicLimits& limits);

    /// The number of nodes. @throws ConfigError if there are fewer than @p least
    std::uint32_t Nodes(std::uint32_t least) const;

    const NicLimits& Limits() const
    {
        return m_limits;
    }

    /// The whole number @p name in [@p least, @p most]; default @p normal.
    std::uint64_t Number(const std::string& name,
                         std::uint64_t normal,
                         std::uint64_t least,
                         std::uint64_t most);

    /// The time @p name, in microseconds from 1 to 10^9; default @p normal.
    Ps Microseconds(const std::string& name, std::uint64_t normal);

    /// The text @p name; default @p normal.
    std::string Text(const std::string& name, const std::string& normal);

    /// Call after all parameters have been read. @throws ConfigError if one was not read
    void ExpectNoMore() const;

    /// The parameters that have been read.
    const WorkloadOptions& Known() const
    {
        return m_known;
    }

  private:
    /// Removes and returns the value of @p name, or null. It becomes known as @p option.
    std::unique_ptr<std::string> Take(const std::string& name, const WorkloadOption& option);

    std::string m_workload;
    std::map<std::string, std::string> m_values;
    WorkloadOptions m_known;
    std::uint32_t m_nodes;
    NicLimits m_limits;
};

/// What a workload needs of its cluster.
struct WorkloadContext
{
    std::vector<Nic*> nics;                               ///< by node; null: in another partition
    NicLimits limits;                                     ///< of the card of node 0
    std::uint64_t seed{1};                                ///< of the run
    const ViplCosts* costs{nullptr};                      ///< of all nodes not in otherCosts
    std::map<std::uint32_t, const ViplCosts*> otherCosts; ///< by node
    std::function<IpNetwork&()> ip;                       ///< creates the hosts' IP on first use
    WorkloadPartition* partition{nullptr}; ///< null: one partition runs all processes
    Ps words{0}; ///< until all know that a process has finished: the longest flight of a cable

    /// Whether @p rank runs in this partition.
    bool IsOurs(std::uint32_t rank) const
    {
        return partition == nullptr || partition->IsOurs(rank);
    }

    const ViplCosts& CostsOf(std::uint32_t node) const
    {
        const auto found = otherCosts.find(node);
        return found == otherCosts.end() ? *costs : *found->second;
    }
};

/**
 * @brief A workload runs one process on each of the first nodes of a cluster.
 *
 * Connections and memory are set up before time starts, so that rounds do not include the 2.5 ms of
 * a connection; every message then takes the same path as a program's.
 */
class Workload
{
  public:
    virtual ~Workload() = default;

    /// Puts the first steps on the agenda.
    virtual void Start() = 0;

    /// True once all processes have finished.
    virtual bool IsFinished() const = 0;

    /// Called at the end of the run: takes samples and runs the checkers.
    virtual void Conclude()
    {
    }

    /// As Conclude, for a run on several partitions: from the combined history.
    virtual void ConcludeFrom(const History&)
    {
    }

    /// The processes' reports; null if there are none.
    virtual const History* GetHistory() const
    {
        return nullptr;
    }

    /// The violations that checkers found, one sentence each.
    const std::vector<std::string>& Violations() const
    {
        return m_violations;
    }

    /// The measured times in ps: round trips, barriers or the like; see the subclass.
    const std::vector<Ps>& Samples() const
    {
        return m_samples;
    }

    /// The processes, by rank; null: in another partition.
    const std::vector<std::unique_ptr<WorkloadProcess>>& Processes() const
    {
        return m_processes;
    }

  protected:
    /// Makes processes 0 and 1, as far as they are in this partition, which take steps of @p step.
    void AddTwo(const WorkloadContext& context, WorkloadStep& step);

    /// Starts them: the second waits when the first one's message comes.
    void StartTwo();

    std::vector<Ps> m_samples;
    std::vector<std::string> m_violations;
    std::vector<std::unique_ptr<WorkloadProcess>> m_processes;
};

/**
 * @brief Makes the workload @p name.
 * @throws ConfigError naming the workload or parameter and what is allowed
 */
std::unique_ptr<Workload> MakeWorkload(const std::string& name,
                                       const std::map<std::string, std::string>& parameters,
                                       const WorkloadContext& context);

/**
 * @brief Checks the parameters of the workload @p name as MakeWorkload does, without making it.
 * @return its parameters for this number of nodes and this card
 * @throws ConfigError as MakeWorkload does
 */
WorkloadOptions JudgeWorkload(const std::string& name,
                              const std::map<std::string, std::string>& parameters,
                              std::uint32_t nodes,
                              const NicLimits& limits);

/// The names of all workloads and protocols, sorted.
std::vector<std::string> WorkloadNames();

} // namespace via
} // namespace ns3

#endif // VIA_WORKLOAD_H
