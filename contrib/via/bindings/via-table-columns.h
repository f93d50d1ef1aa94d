/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The records of a run, as dictionaries of columns.

#ifndef VIA_TABLE_COLUMNS_H
#define VIA_TABLE_COLUMNS_H

#include "ns3/via-cluster.h"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

namespace ns3
{
namespace via
{

/// Three fixed rows with a column of each kind that tables have. via checks them, since a pybind11
/// older than its numpy repeats the first row.
pybind11::dict KnownTable();

/// One row per message.
pybind11::dict MessageTable(const RunLog& log);

/// One row per stage of a message's critical path: the columns of the breakdown file.
pybind11::dict BreakdownTable(const RunLog& log);

/// One row per span, overlapped work included.
pybind11::dict SpanTable(const RunLog& log);

/// One row per event that a protocol's processes reported; empty if none ran.
pybind11::dict DecisionTable(const Cluster& cluster);

/// The workload's measurements, in ps; empty if none ran.
pybind11::array_t<Ps> SampleColumn(const Cluster& cluster);

} // namespace via
} // namespace ns3

#endif // VIA_TABLE_COLUMNS_H
