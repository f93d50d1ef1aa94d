/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The report of a run: digests, processes, counters, and the invariants of its end.

#ifndef VIA_CLUSTER_REPORT_H
#define VIA_CLUSTER_REPORT_H

#include "ns3/via-run-report.h"

namespace ns3
{
namespace via
{

class Cluster;

/// Summarizes a completed run, and checks the invariants of its end.
RunReport MakeReport(Cluster& cluster);

/**
 * @brief As MakeReport, of one partition. How the fabric ends is not checked: see EndOfFabric.
 * @param isOver nothing is left to do, on any partition
 */
RunReport MakeShare(Cluster& cluster, bool isOver);

/**
 * @brief Sets the end of a run: its processes' last, or the stop if a process has not ended by
 * then.
 *
 * NICs that still acknowledge after the last process has ended, or waits, do not extend a run.
 */
void EndWithProcesses(RunReport& report);

} // namespace via
} // namespace ns3

#endif // VIA_CLUSTER_REPORT_H
