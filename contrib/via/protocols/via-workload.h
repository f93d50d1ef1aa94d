/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Built-in workloads: protocols as callbacks, without a stack per process.

#ifndef VIA_WORKLOAD_H
#define VIA_WORKLOAD_H

#include "ns3/via-history.h"
#include "ns3/via-nic-costs.h"
#include "ns3/via-vi-library.h"
#include "ns3/via-workload-process.h"
#include "ns3/via-workload-ranks.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

class IpNetwork;

/**
 * @brief The parameters of a workload, as text until somebody asks for a number.
 * A parameter that nobody asked for, or out of its range, is a ConfigError.
 */
class WorkloadParameters
{
  public:
    /// @param limits of the card of node 0
    WorkloadParameters(std::string workload,
                       std::map<std::string, std::string> values,
                       std::uint32_t nodes,
                       const NicLimits& limits);

    /// The number of nodes, if there are @p least.
    std::uint32_t Nodes(std::uint32_t least) const;

    const NicLimits& Limits() const
    {
        return m_limits;
    }

    /// The whole number @p name in [@p least, @p most]; @p normal when it was not given.
    std::uint64_t Number(const std::string& name,
                         std::uint64_t normal,
                         std::uint64_t least,
                         std::uint64_t most);

    /// The time @p name, in microseconds from 1 to 10^9; @p normal when it was not given.
    Ps Microseconds(const std::string& name, std::uint64_t normal);

    /// The text @p name; @p normal when it was not given.
    std::string Text(const std::string& name, const std::string& normal);

    /// To be called when all parameters have been asked for.
    void ExpectNoMore() const;

    /// The names that have been asked for.
    const std::set<std::string>& Known() const
    {
        return m_known;
    }

  private:
    /// The value of @p name, or null; nobody has to ask for it again.
    std::unique_ptr<std::string> Take(const std::string& name);

    std::string m_workload;
    std::map<std::string, std::string> m_values;
    std::set<std::string> m_known;
    std::uint32_t m_nodes;
    NicLimits m_limits;
};

/// What a workload is built on.
struct WorkloadContext
{
    std::vector<Nic*> nics;                               ///< by node
    const ViplCosts* costs{nullptr};                      ///< of all nodes but those of otherCosts
    std::map<std::uint32_t, const ViplCosts*> otherCosts; ///< by node
    std::function<IpNetwork&()> ip; ///< makes the hosts' IP when it is asked for
    WorkloadRanks* ranks{nullptr};  ///< null: one rank does it all

    const ViplCosts& CostsOf(std::uint32_t node) const
    {
        const auto found = otherCosts.find(node);
        return found == otherCosts.end() ? *costs : *found->second;
    }
};

/**
 * @brief A protocol that runs on the first nodes of a cluster, one process on each.
 *
 * Connections and memory are set up before time starts (a study of rounds does not want to see
 * the 2.5 ms of a connection); every message then takes the same path as a program's.
 */
class Workload
{
  public:
    virtual ~Workload() = default;

    /// Puts the first steps on the agenda.
    virtual void Start() = 0;

    /// True once every process has done its part.
    virtual bool IsFinished() const = 0;

    /// The run has ended: samples are taken, rules are checked.
    virtual void Conclude()
    {
    }

    /// The same, where the processes were on several ranks: from the history of them all.
    virtual void ConcludeFrom(const History&)
    {
    }

    /// What the processes reported; null if they do not.
    virtual const History* GetHistory() const
    {
        return nullptr;
    }

    /// Rules that did not hold, a sentence each.
    const std::vector<std::string>& Violations() const
    {
        return m_violations;
    }

    /// What was measured, in ps: round trips, barriers or the like; see the subclass.
    const std::vector<Ps>& Samples() const
    {
        return m_samples;
    }

    /// The processes, by rank; null: another rank of the run has it.
    const std::vector<std::unique_ptr<WorkloadProcess>>& Processes() const
    {
        return m_processes;
    }

  protected:
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
 * @brief Reads the parameters of the workload @p name as MakeWorkload does, and makes nothing.
 * @return the parameters that it has
 * @throws ConfigError as MakeWorkload does
 */
std::set<std::string> JudgeWorkload(const std::string& name,
                                    const std::map<std::string, std::string>& parameters,
                                    std::uint32_t nodes,
                                    const NicLimits& limits);

/// The names MakeWorkload knows, sorted: workloads and protocols.
std::vector<std::string> WorkloadNames();

} // namespace via
} // namespace ns3

#endif // VIA_WORKLOAD_H
