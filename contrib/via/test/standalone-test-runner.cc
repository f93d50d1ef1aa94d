/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// ns-3's own test runner for a build outside an ns-3 tree, which ships none.

#include "ns3/test.h"

int
main(int argc, char* argv[])
{
    return ns3::TestRunner::Run(argc, argv);
}
