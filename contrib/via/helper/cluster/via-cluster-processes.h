/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The VIPL processes of a cluster: programs and C++ functions, started, killed, started again.

#ifndef VIA_CLUSTER_PROCESSES_H
#define VIA_CLUSTER_PROCESSES_H

#include "ns3/via-program-image.h"
#include "ns3/via-vipl-process.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

class Cluster;

/// A VIPL program to be started.
struct ProgramSpec
{
    std::string path; ///< shared object made by `./via cc`
    std::uint32_t node{0};
    std::uint32_t slot{0};                ///< which of the node's processes, for the prefix
    std::uint32_t size{1};                ///< processes of the run: {size} and VIA_SIZE
    std::vector<std::string> arguments;   ///< without argv[0]; {rank}, {size}, {host} are replaced
    std::vector<std::string> environment; ///< NAME=VALUE; the same replacements. "1-:NAME=VALUE",
                                          ///< "0:...", "2-5:...": for these processes only
    std::string directory;                ///< working directory; the same replacements
    std::string input;                    ///< file for stdin; empty: nothing to read
    bool prefix{false};                   ///< write "[n3.0] " before each output line
    Ps start{0};
    Ps stop{PS_NEVER}; ///< when it is killed
};

/**
 * @brief Gives each process its number, in the order of the Add calls, whichever partition
 * simulates it.
 *
 * Each return of a node that is to start its programs again takes a number for each of them, in the
 * order instant, node, process. All partitions know these from the plan of faults. If a process
 * ended before the crash, its number stays free: only its own partition knows that it ended.
 */
class ClusterProcesses
{
  public:
    explicit ClusterProcesses(Cluster& cluster)
        : m_cluster(cluster)
    {
    }

    /// Reads and checks a program, once per path. Warns of one that does not report basic blocks.
    const ProgramImage& Image(const std::string& path);

    /// Adds a process that runs a program. @return its rank
    std::uint32_t AddProgram(const ProgramSpec& spec);

    /// Adds a process that runs C++ code, see Cluster::AddProcess. @return its rank
    std::uint32_t AddProcess(std::uint32_t node, std::function<int()> body, Ps start, Ps stop);

    /// Ends what runs on @p node, or is to start before it returns. @param until the return
    /// @return the numbers of its processes
    std::vector<std::uint32_t> Kill(std::uint32_t node, Ps until);

    /// Process @p number, which was killed, starts again from the beginning, as a new one.
    void StartAgain(std::uint32_t number, Ps at);

    /// Kills what still runs.
    void Clear()
    {
        m_processes.clear();
    }

    /// How many were added, with those of other partitions, without those that start again.
    std::uint32_t Count() const
    {
        return m_added;
    }

    /// The node of process @p number.
    std::uint32_t NodeOf(std::uint32_t number) const
    {
        return m_nodes.at(number);
    }

    /// Those of this partition, by rank.
    const std::vector<std::unique_ptr<ViplProcess>>& List() const
    {
        return m_processes;
    }

  private:
    /// Makes a process of a run, given its number.
    using Maker = std::function<std::unique_ptr<ViplProcess>(std::uint32_t)>;

    /// What it takes to start a process again.
    struct Program
    {
        std::uint32_t node;
        Maker make;            ///< null: another partition has it
        Ps stop;               ///< when it is killed, at the latest
        std::uint32_t next{0}; ///< number of the process that starts it again
    };

    void CheckNode(std::uint32_t node) const;
    std::unique_ptr<ViplProcess> WithNics(std::unique_ptr<ViplProcess> process, std::uint32_t node);
    std::uint32_t StartNew(std::uint32_t node, Maker make, Ps start, Ps stop);
    void Launch(std::uint32_t number, const Program& program, Ps start);

    /// @return the next number, for a process on @p node
    std::uint32_t TakeNumber(std::uint32_t node);

    /// Takes a number for each program that a node may start again by @p until.
    void NumberRestarts(Ps until);

    Cluster& m_cluster;
    std::shared_ptr<ControlNetwork> m_control; ///< null: none, or no process yet
    std::map<std::string, std::unique_ptr<ProgramImage>> m_images;
    std::vector<std::unique_ptr<ViplProcess>> m_processes;
    std::vector<std::uint32_t> m_nodes;              ///< by number of process; of all partitions
    std::uint32_t m_added{0};                        ///< of them: not started again
    Ps m_numbered{-1};                               ///< see NumberRestarts: until then it is done
    std::map<std::uint32_t, Program> m_programs;     ///< what may start again, by its first process
    std::map<std::uint32_t, std::uint32_t> m_firsts; ///< that first one, by those started again
};

} // namespace via
} // namespace ns3

#endif // VIA_CLUSTER_PROCESSES_H
