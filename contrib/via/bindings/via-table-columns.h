/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a run has recorded, as dictionaries of columns.

#ifndef VIA_TABLE_COLUMNS_H
#define VIA_TABLE_COLUMNS_H

#include "ns3/via-cluster.h"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

namespace ns3
{
namespace via
{

/// Three rows that are always the same, a column of each kind that tables have: via compares them
/// with what they should be, since a pybind11 older than its numpy makes every row the first.
pybind11::dict KnownTable();

/// One row per message.
pybind11::dict MessageTable(const Cluster& cluster);

/// One row per stage of a message's critical path: the columns of the breakdown file.
pybind11::dict BreakdownTable(const Cluster& cluster);

/// One row per span, overlapped work included.
pybind11::dict SpanTable(Cluster& cluster);

/// One row per event that processes of a protocol reported; empty if none ran.
pybind11::dict DecisionTable(const Cluster& cluster);

/// Two rows per cable, in the order of Topology::cables: what its ends sent.
pybind11::dict LinkTable(Cluster& cluster);

/// One row per port of a switch.
pybind11::dict PortTable(const Cluster& cluster);

/// One row per card of a node; those of a node stand together.
pybind11::dict CardTable(Cluster& cluster);

/// What the workload measured, in ps; empty if none ran.
pybind11::array_t<Ps> SampleColumn(const Cluster& cluster);

} // namespace via
} // namespace ns3

#endif // VIA_TABLE_COLUMNS_H
