/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The conformance program: VIPL's rules as cases in the guide's three levels, on one profile.
//
// VIA_TEST_PROFILE=giganet-clan1000 via-conformance --run_test=early
//
// For each case it prints one line for tools/conformance_table.py:
//   conformance PROFILE LEVEL CASE passed|FAILED|not offered: REASON

#define BOOST_TEST_MODULE conformance

#include "via-conformance-bench.h"

#include "ns3/nstime.h"

#include <boost/test/results_collector.hpp>
#include <boost/test/tree/observer.hpp>
#include <boost/test/tree/traverse.hpp>
#include <boost/test/unit_test.hpp>
#include <iostream>

using namespace ns3::via::test;
namespace but = boost::unit_test;

namespace
{

class Reporter : public but::test_observer
{
  public:
    void test_unit_start(const but::test_unit& unit) override
    {
        NotOffered().clear();
    }

    void test_unit_finish(const but::test_unit& unit, unsigned long) override
    {
        if (unit.p_type != but::TUT_CASE)
        {
            return;
        }
        const std::string level = but::framework::get<but::test_suite>(unit.p_parent_id).p_name;
        const bool passed = but::results_collector.results(unit.p_id).passed();
        std::cout << "conformance " << TestConfig().profile << " " << level << " " << unit.p_name
                  << " "
                  << (!passed                ? "FAILED"
                      : NotOffered().empty() ? "passed"
                                             : "not offered: " + NotOffered())
                  << std::endl;
    }

    int priority() override // after the collector of results
    {
        return 10;
    }
};

struct Run
{
    Run()
    {
        ns3::Time::SetResolution(ns3::Time::PS);
        but::framework::register_observer(reporter);
    }

    ~Run()
    {
        but::framework::deregister_observer(reporter);
    }

    Reporter reporter;
};

} // namespace

BOOST_TEST_GLOBAL_FIXTURE(Run);
