/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The result of a run, as plain values.

#ifndef VIA_RUN_REPORT_H
#define VIA_RUN_REPORT_H

#include "ns3/via-time.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/// How a run ended; the exit code of `via run`.
enum class RunExit
{
    SUCCESS = 0,        ///< every process exited with 0
    PROCESS_FAILED = 1, ///< a process exited with another code or was killed
    DEADLOCK = 3,       ///< no event is left, and processes wait
};

/// One process of a run.
struct ProcessReport
{
    std::uint32_t rank{0};
    std::uint32_t node{0};
    int exit{0};
    int signal{0};
    Ps end{0};                      ///< when it ended; else since when it waits, or the run's end
    Ps cpu{0};                      ///< CPU time
    Ps system{0};                   ///< of it, of the kernel
    std::uint32_t leftConnected{0}; ///< VIs left connected; their peers lost the connection
    std::string report;             ///< why it ended or what it waits for; empty after a clean exit
};

/// One fault that began in a run.
struct FaultRow
{
    std::string kind;  ///< see FaultKindName
    std::string where; ///< the affected part
    Ps at{0};
    Ps until{0};              ///< PS_NEVER: until the end of the run
    std::uint64_t corrupt{0}; ///< cells damaged by it
    std::uint64_t lost{0};    ///< cells that did not arrive because of it
    std::uint32_t killed{0};  ///< processes killed by it
};

/// CPU time of each node by stage: a column per stage.
struct NodeCpuTimes
{
    std::uint32_t nodes{0};
    std::map<std::string, std::vector<Ps>> stages; ///< by node

    void Add(const std::string& stage, std::uint32_t node, Ps spent)
    {
        std::vector<Ps>& column = stages[stage];
        column.resize(nodes);
        column[node] += spent;
    }

    /// The times of one node, without stages of 0.
    std::map<std::string, Ps> Of(std::uint32_t node) const
    {
        std::map<std::string, Ps> times;
        for (const auto& [stage, column] : stages)
        {
            if (node < column.size() && column[node] != 0)
            {
                times.emplace(stage, column[node]);
            }
        }
        return times;
    }

    bool operator==(const NodeCpuTimes& other) const
    {
        return nodes == other.nodes && stages == other.stages;
    }
};

/// The result of a run.
struct RunReport
{
    std::string digest;        ///< 32 hexadecimal digits
    std::string payloadDigest; ///< the same over the bytes of delivered messages; empty: off
    std::string profile;
    std::string sketch; ///< why the profile is only a sketch; empty: it is not
    std::string host;
    std::string fingerprint;
    std::string plugIn; ///< name and version of the profile's plug-in; empty: it has none
    std::uint64_t seed{0};
    std::uint32_t nodes{0};
    std::string topology;
    std::uint32_t mpiRanks{1};
    Ps end{0};
    std::uint64_t events{0};
    std::uint64_t messages{0};
    RunExit exit{RunExit::SUCCESS};
    std::vector<ProcessReport> processes;
    std::string deadlock;                ///< links that wait for each other; empty: none
    std::uint64_t translationHits{0};    ///< sum over the cards' caches
    std::uint64_t translationMisses{0};  ///< sum over the cards' caches
    std::map<std::string, Ps> cpu;       ///< time of all CPUs by stage, without stages of 0
    NodeCpuTimes nodeCpu;                ///< the same for each node
    std::uint64_t cellsCorrupt{0};       ///< cells that arrived damaged, on all wires
    std::uint64_t cellsLost{0};          ///< cells that did not arrive
    std::vector<FaultRow> faults;        ///< in the order in which they began
    std::vector<std::string> violations; ///< violated rules of the protocol
};

/// One message: a row of the messages table.
struct MessageRow
{
    std::uint32_t sourceRank{0};
    std::uint32_t destinationRank{0};
    std::uint32_t vi{0};
    std::uint32_t sequence{0};
    std::string op;
    std::uint32_t bytes{0};
    bool dropped{false};
    Ps posted{0};
    Ps end{0};
};

/**
 * @brief One stage of a message's critical path: a row of the breakdown table.
 *
 * The rows of a message cover its life without gaps. Rows with op "program" belong to no message:
 * they cover the sender's program between its last reap and the post of a message.
 */
struct BreakdownRow
{
    std::string message; ///< "<source rank>.<vi>.<sequence>", "<rank>.program.<n>" for programs
    std::uint32_t sourceRank{0};
    std::uint32_t destinationRank{0};
    std::uint32_t vi{0};
    std::uint32_t sequence{0};
    std::string op;
    std::uint32_t bytes{0};
    std::string stage;
    std::string owner;        ///< e.g. "n3.bus"
    std::uint64_t clockHz{0}; ///< 0 for a wait
    std::uint64_t cycles{0};
    Ps start{0};
    Ps end{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_RUN_REPORT_H
