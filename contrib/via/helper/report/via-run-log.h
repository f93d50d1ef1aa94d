/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a run recorded: messages and spans, and the critical paths that can be found in them.

#ifndef VIA_RUN_LOG_H
#define VIA_RUN_LOG_H

#include "ns3/via-message-log.h"
#include "ns3/via-run-report.h"
#include "ns3/via-span-log.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

/// What the rows of one critical path share: a message, or the program's time before one.
struct PathFrame
{
    std::string message; ///< see BreakdownRow
    std::uint32_t sourceRank{0};
    std::uint32_t destinationRank{0};
    std::uint32_t vi{0};
    std::uint32_t sequence{0};
    const char* op{""};
    std::uint32_t bytes{0};
};

/// One stage of a critical path.
struct PathStep
{
    std::uint32_t frame{0}; ///< index of its PathFrame
    std::uint32_t component{0};
    Stage stage{Stage::COMPUTE};
    Engine engine{Engine::CPU};
    std::uint64_t clockHz{0}; ///< 0 for a wait
    std::uint64_t cycles{0};
    Ps start{0};
    Ps end{0};
};

/// Critical paths: frames sorted by the name of the message, steps by that and by start.
struct CriticalPaths
{
    std::vector<PathFrame> frames;
    std::vector<PathStep> steps;
};

/**
 * @brief The records of a run, kept when the cluster is gone.
 *
 * A run with records costs some bytes for each stretch of time and each message, and nothing else:
 * tables are built when somebody reads them.
 */
class RunLog
{
  public:
    RunLog() = default;

    /// @param hosts number of hosts: the components before them are hosts, the others switches
    RunLog(MessageRecords messages, SpanLog spans, std::uint32_t hosts);

    /// The messages, in the order in which they ended.
    const MessageRecords& Messages() const
    {
        return m_messages;
    }

    const SpanLog& Spans() const
    {
        return m_spans;
    }

    /// The spans by start, end, component, engine and stage: the order in which they were recorded
    /// depends on the mode.
    std::vector<Span> SpansInOrder() const;

    /// How many of the components are hosts, for OwnerName().
    std::uint32_t Hosts() const
    {
        return m_hosts;
    }

  private:
    MessageRecords m_messages;
    SpanLog m_spans;
    std::uint32_t m_hosts{0};
};

/// The owner of a span in tables, e.g. "n3.bus" or "s0.crossbar": hosts come first, then switches.
std::string OwnerName(std::uint32_t component, Engine engine, std::uint32_t hosts);

/// The name of a message in tables: "<source rank>.<vi>.<sequence>".
std::string MessageName(std::uint32_t rank, std::uint32_t vi, std::uint32_t sequence);

/// Converts one message to a row.
MessageRow MakeMessageRow(const MessageRecord& record);

/// Sorts messages by end, sender, VI and number: when an end becomes known depends on the mode.
void SortByEnd(MessageRecords& messages);

/// The messages as rows, in the same order.
std::vector<MessageRow> MessageRows(const MessageRecords& messages);

/// Finds the critical paths of @p messages in @p spans, and the programs' time between them.
CriticalPaths FindCriticalPaths(const MessageRecords& messages, const SpanLog& spans);

/// Converts critical paths to rows. @param hosts number of hosts, see OwnerName
std::vector<BreakdownRow> BreakdownRows(const CriticalPaths& paths, std::uint32_t hosts);

} // namespace via
} // namespace ns3

#endif // VIA_RUN_LOG_H
