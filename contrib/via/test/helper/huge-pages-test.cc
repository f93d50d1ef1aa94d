/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Memory of thousands of hosts in huge pages.

#include "ns3/via-huge-pages.h"
#include "ns3/via-sanitizer.h"

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

using namespace ns3::via;

namespace
{

constexpr std::uint64_t MIB = std::uint64_t{1} << 20;

/// Whether Linux was asked for huge pages in the mapping that contains @p at.
bool
IsAdvised(std::uintptr_t at)
{
    std::ifstream maps("/proc/self/smaps");
    bool isHere = false;
    for (std::string line; std::getline(maps, line);)
    {
        std::size_t dash = 0;
        if (line.find("-") < line.find(" "))
        {
            const std::uintptr_t begin = std::stoull(line, &dash, 16);
            isHere = begin <= at && at < std::stoull(line.substr(dash + 1), nullptr, 16);
        }
        else if (isHere && line.rfind("VmFlags:", 0) == 0)
        {
            return line.find(" hg") != std::string::npos;
        }
    }
    return false;
}

std::uintptr_t
EndOfHeap()
{
    return reinterpret_cast<std::uintptr_t>(sbrk(0));
}

/// Whether this kernel has them, and the heap is where sbrk() says.
boost::test_tools::assertion_result
HasHugePages(boost::unit_test::test_unit_id /*test*/)
{
#ifdef VIA_ASAN
    return false; // its heap is elsewhere
#else
    return access("/sys/kernel/mm/transparent_hugepage/enabled", F_OK) == 0;
#endif
}

} // namespace

BOOST_AUTO_TEST_SUITE(HugePagesTest)

BOOST_AUTO_TEST_CASE(TheHeapGrowsByHugePages, *boost::unit_test::precondition(HasHugePages))
{
    std::vector<std::unique_ptr<char[]>> others; // they fill what other tests have left
    const std::uintptr_t before = EndOfHeap();
    while (EndOfHeap() == before)
    {
        others.emplace_back(new char[MIB / 16]);
    }
    const std::uintptr_t end = EndOfHeap();
    UseHugePages(64 * MIB);
    BOOST_TEST(EndOfHeap() >= end + 60 * MIB); // the allocator gives some back
    BOOST_TEST(IsAdvised(EndOfHeap() - 8 * MIB));
}

BOOST_AUTO_TEST_CASE(SmallClustersLeaveTheHeapAlone)
{
    const std::uintptr_t end = EndOfHeap();
    UseHugePages(4 * MIB);
    BOOST_TEST(EndOfHeap() == end);
}

BOOST_AUTO_TEST_SUITE_END()
