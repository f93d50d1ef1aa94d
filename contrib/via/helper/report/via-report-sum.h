/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Sums the reports of the partitions of a run.

#ifndef VIA_REPORT_SUM_H
#define VIA_REPORT_SUM_H

#include "ns3/via-run-report.h"

namespace ns3
{
namespace via
{

/// Adds the counts of one partition to @p all; leaves how and when the run ended unchanged.
void AddReport(const RunReport& one, RunReport& all);

} // namespace via
} // namespace ns3

#endif // VIA_REPORT_SUM_H
