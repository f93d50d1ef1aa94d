/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The translation and protection table: who may touch what, and which handles stay wrong.

#include "ns3/via-key-maker.h"
#include "ns3/via-tpt.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;

namespace
{

constexpr std::uint64_t BASE = 0x10000;
constexpr std::uint64_t LENGTH = 0x1000;

struct TptBench
{
    Tpt tpt;
    Ptag tag{tpt.CreateTag(0)};
    MemoryHandle handle{tpt.Register(0, BASE, LENGTH, {tag, false, false})};
};

} // namespace

BOOST_AUTO_TEST_SUITE(TptTest)

BOOST_FIXTURE_TEST_CASE(ARangeInsideTheRegionIsAllowed, TptBench)
{
    BOOST_TEST(tpt.Allows(handle, BASE, LENGTH, tag));
    BOOST_TEST(tpt.Allows(handle, BASE + LENGTH - 1, 1, tag));
    BOOST_TEST(tpt.Allows(handle, BASE + 5, 0, tag));
}

BOOST_FIXTURE_TEST_CASE(AByteOutsideIsRefused, TptBench)
{
    BOOST_TEST(!tpt.Allows(handle, BASE - 1, 1, tag));
    BOOST_TEST(!tpt.Allows(handle, BASE, LENGTH + 1, tag));
    BOOST_TEST(!tpt.Allows(handle, BASE + LENGTH, 1, tag));
}

BOOST_FIXTURE_TEST_CASE(ARangeThatRunsAroundTheAddressSpaceIsRefused, TptBench)
{
    BOOST_TEST(!tpt.Allows(handle, BASE + 1, UINT64_MAX, tag));
    BOOST_TEST(!tpt.Allows(handle, UINT64_MAX, 2, tag));
}

BOOST_FIXTURE_TEST_CASE(AnotherTagIsRefused, TptBench)
{
    const Ptag other = tpt.CreateTag(0);
    BOOST_TEST(other != tag);
    BOOST_TEST(!tpt.Allows(handle, BASE, 1, other));
    BOOST_TEST(!tpt.Allows(handle, BASE, 1, 0));
}

BOOST_FIXTURE_TEST_CASE(AHandleThatNeverWasIsRefused, TptBench)
{
    for (const MemoryHandle wrong : {0U, handle + 1, handle ^ 0x80000000U, 0xFFFFFFFFU})
    {
        BOOST_TEST(!tpt.Allows(wrong, BASE, 1, tag));
        BOOST_TEST(tpt.Find(wrong) == nullptr);
        BOOST_TEST(!tpt.Deregister(wrong));
    }
}

BOOST_FIXTURE_TEST_CASE(TheHandleOfARegionThatIsGoneStaysWrong, TptBench)
{
    BOOST_TEST(tpt.Deregister(handle));
    BOOST_TEST(!tpt.Deregister(handle));
    const MemoryHandle again = tpt.Register(0, BASE, LENGTH, {tag, false, false});
    BOOST_TEST(again != handle);
    BOOST_TEST(!tpt.Allows(handle, BASE, 1, tag));
    BOOST_TEST(tpt.Allows(again, BASE, 1, tag));
}

BOOST_FIXTURE_TEST_CASE(AHandleIsNeverZeroHoweverOftenASlotIsUsed, TptBench)
{
    MemoryHandle last = handle;
    for (int i = 0; i < 10'000; ++i)
    {
        tpt.Deregister(last);
        const MemoryHandle next = tpt.Register(0, BASE, LENGTH, {tag, false, false});
        BOOST_REQUIRE((next != 0 && next != last));
        BOOST_REQUIRE(tpt.Allows(next, BASE, LENGTH, tag));
        last = next;
    }
}

BOOST_FIXTURE_TEST_CASE(AStaleHandleStaysWrongForAMillionRegistrations, TptBench)
{
    const MemoryHandle stale = handle;
    tpt.Deregister(stale);
    for (int i = 0; i < 1'000'000; ++i)
    {
        const MemoryHandle next = tpt.Register(0, BASE, LENGTH, {tag, false, false});
        BOOST_REQUIRE(tpt.Find(stale) == nullptr);
        tpt.Deregister(next);
    }
}

BOOST_FIXTURE_TEST_CASE(TheLargestTableIsFilledAndItsLastSlotUsedAgain, TptBench)
{
    MemoryHandle last = handle;
    while (tpt.RegionCount() < KeyMaker::MAX_REGIONS)
    {
        last = tpt.Register(0, BASE, LENGTH, {tag, false, false});
    }
    tpt.Deregister(last);
    const MemoryHandle again = tpt.Register(0, BASE, LENGTH, {tag, false, false});
    BOOST_TEST(again != last);
    BOOST_TEST(tpt.Allows(again, BASE, LENGTH, tag));
    BOOST_TEST(tpt.Allows(handle, BASE, LENGTH, tag));
}

BOOST_FIXTURE_TEST_CASE(ARemoteWriteNeedsTheEnableBitToo, TptBench)
{
    const MemoryHandle open = tpt.Register(0, BASE, LENGTH, {tag, true, false});
    BOOST_TEST(tpt.AllowsRdmaWrite(open, BASE, LENGTH, tag));
    BOOST_TEST(!tpt.AllowsRdmaWrite(open, BASE, LENGTH + 1, tag));
    BOOST_TEST(!tpt.AllowsRdmaWrite(open, BASE, 1, tag + 1));
    BOOST_TEST(!tpt.AllowsRdmaWrite(handle, BASE, 1, tag));
    BOOST_TEST(!tpt.AllowsRdmaWrite(0, BASE, 1, tag));
}

BOOST_FIXTURE_TEST_CASE(RightsThatAreChangedCountAtOnce, TptBench)
{
    const Ptag other = tpt.CreateTag(0);
    BOOST_TEST(tpt.Allows(handle, BASE, 1, tag));
    tpt.SetRights(handle, {other, true, false});
    BOOST_TEST(!tpt.Allows(handle, BASE, 1, tag));
    BOOST_TEST(tpt.Allows(handle, BASE, 1, other));
    BOOST_TEST(tpt.AllowsRdmaWrite(handle, BASE, 1, other));
}

BOOST_FIXTURE_TEST_CASE(TheExtentOfARegionHasRoomToItsEnd, TptBench)
{
    BOOST_TEST(tpt.ExtentOf(handle).RoomAt(BASE) == LENGTH);
    BOOST_TEST(tpt.ExtentOf(handle).RoomAt(BASE + LENGTH - 1) == 1U);
    for (const std::uint64_t outside : {BASE - 1, BASE + LENGTH, std::uint64_t{0}})
    {
        BOOST_TEST(tpt.ExtentOf(handle).RoomAt(outside) == 0U);
    }
    tpt.Deregister(handle);
    BOOST_TEST(tpt.ExtentOf(handle).RoomAt(BASE) == 0U);
    BOOST_TEST(tpt.ExtentOf(handle).tag == 0U);
}

BOOST_FIXTURE_TEST_CASE(TheTableKeepsCount, TptBench)
{
    const MemoryHandle second = tpt.Register(1, BASE, 10, {tag, false, false});
    BOOST_TEST(tpt.RegionCount() == 2U);
    BOOST_TEST(tpt.RegisteredBytes() == LENGTH + 10);
    BOOST_TEST(tpt.RegionsWithTag(tag) == 2U);
    BOOST_TEST((tpt.HandlesOf(1) == std::vector<MemoryHandle>{second}));
    tpt.Deregister(handle);
    BOOST_TEST(tpt.RegionCount() == 1U);
    BOOST_TEST(tpt.RegisteredBytes() == 10U);
}

BOOST_FIXTURE_TEST_CASE(ATagBelongsToItsOwnerUntilItEnds, TptBench)
{
    BOOST_TEST(tpt.OwnsTag(tag, 0));
    BOOST_TEST(!tpt.OwnsTag(tag, 1));
    BOOST_TEST(!tpt.OwnsTag(0, 0));
    BOOST_TEST(!tpt.OwnsTag(tag + 1, 0));
    BOOST_TEST((tpt.TagsOf(0) == std::vector<Ptag>{tag}));
    tpt.DestroyTag(tag);
    BOOST_TEST(!tpt.OwnsTag(tag, 0));
    BOOST_TEST(tpt.TagCount() == 0U);
    BOOST_TEST(tpt.CreateTag(0) != tag);
}

BOOST_AUTO_TEST_SUITE_END()
