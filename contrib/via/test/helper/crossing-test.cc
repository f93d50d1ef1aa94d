/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Cables between ranks, on one rank: every cable is treated as if it went to another one.

#include "../support/via-test-cluster.h"

#include "ns3/simulator.h"

#include <boost/test/unit_test.hpp>

using namespace ns3;
using namespace ns3::via;
using namespace ns3::via::test;
