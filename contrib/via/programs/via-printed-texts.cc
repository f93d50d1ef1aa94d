/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Collects the output of programs until the run is over.

#include "via-printed-texts.h"

#include "ns3/abort.h"

namespace ns3
{
namespace via
{

namespace
{

PrintedTexts* g_current = nullptr;

} // namespace

PrintedTexts::PrintedTexts()
{
    NS_ABORT_MSG_IF(g_current != nullptr, "what programs print is kept in one place");
    g_current = this;
}

PrintedTexts::~PrintedTexts()
{
    g_current = nullptr;
}

PrintedTexts*
PrintedTexts::Current()
{
    return g_current;
}

} // namespace via
} // namespace ns3
