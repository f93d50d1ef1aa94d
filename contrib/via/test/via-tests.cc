/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The Boost.Test program: every test/<layer>/*.cc is linked into it.

#define BOOST_TEST_MODULE via

#include "ns3/nstime.h"

#include <boost/test/unit_test.hpp>

namespace
{

/// The resolution is global to ns-3 and can be set only while no Time has been run with.
struct PicosecondResolution
{
    PicosecondResolution()
    {
        ns3::Time::SetResolution(ns3::Time::PS);
    }
};

} // namespace

BOOST_TEST_GLOBAL_FIXTURE(PicosecondResolution);
