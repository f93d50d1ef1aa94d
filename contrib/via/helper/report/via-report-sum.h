/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Reports of the parts of a run, added up.

#ifndef VIA_REPORT_SUM_H
#define VIA_REPORT_SUM_H

#include "ns3/via-run-report.h"

namespace ns3
{
namespace via
{

/// Adds what one rank has counted to @p all; how and when the run ended is left as it is.
void AddReport(const RunReport& one, RunReport& all);

} // namespace via
} // namespace ns3

#endif // VIA_REPORT_SUM_H
