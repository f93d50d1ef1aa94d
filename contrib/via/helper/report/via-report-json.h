/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Reads and writes the report of a run as JSON, the output of `via run --json`.

#ifndef VIA_REPORT_JSON_H
#define VIA_REPORT_JSON_H

#include "ns3/via-run-report.h"

#include <string>

namespace ns3
{
namespace via
{

/// @p report as a JSON object of the schema "via-run/1".
std::string ReportAsJson(const RunReport& report);

/// Parses the output of ReportAsJson.
RunReport ReportFromJson(const std::string& text);

} // namespace via
} // namespace ns3

#endif // VIA_REPORT_JSON_H
