/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// From what a run recorded to the rows of its tables.

#ifndef VIA_TABLES_H
#define VIA_TABLES_H

#include "ns3/via-message-log.h"
#include "ns3/via-run-report.h"

#include <string>
#include <vector>

namespace ns3
{
namespace via
{

class Cluster;

/// Sums up a run that is over, and checks what must hold at its end.
RunReport MakeReport(Cluster& cluster);

/// One message as a row.
MessageRow MakeMessageRow(const MessageRecord& record);

/// The messages, in the order in which their lives ended.
std::vector<MessageRow> MessageRows(const MessageLog& messages);

/**
 * @brief The critical paths of the messages, and of the programs between them.
 * @param names of the components by id
 */
std::vector<BreakdownRow> BreakdownRows(const MessageLog& messages,
                                        const SpanLog& spans,
                                        const std::vector<std::string>& names);

} // namespace via
} // namespace ns3

#endif // VIA_TABLES_H
