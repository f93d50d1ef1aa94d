/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The table of VIs: numbers, memory that is used again, room for descriptors, arrivals.

#include "ns3/via-arrivals.h"
#include "ns3/via-vi-table.h"

#include <boost/test/unit_test.hpp>
#include <cstdint>

using namespace ns3::via;

BOOST_AUTO_TEST_SUITE(ViTableTest)

BOOST_AUTO_TEST_CASE(VisAreNumberedAndStayWhereTheyAre)
{
    ViTable table;
    const VirtualInterface* first = &table.Create();
    for (ViId id = 1; id < 10; ++id)
    {
        BOOST_TEST(table.Create().id == id);
    }
    BOOST_TEST(table.Find(0) == first);
    BOOST_TEST(table.Find(9)->id == 9U);
    BOOST_TEST(table.Find(10) == nullptr);
    BOOST_TEST(table.Count() == 10U);
}

BOOST_AUTO_TEST_CASE(AnotherViGetsTheMemoryOfADestroyedOneButNotItsNumber)
{
    ViTable table;
    table.Create();
    VirtualInterface* gone = &table.Create();
    gone->state = ViState::CONNECTED;
    gone->SendQueue().items.Push(WorkItem{});
    table.Destroy(1);
    BOOST_TEST(table.Find(1) == nullptr);
    BOOST_TEST(table.Count() == 1U);
    VirtualInterface& next = table.Create();
    BOOST_TEST(&next == gone);
    BOOST_TEST(next.id == 2U);
    BOOST_TEST((next.state == ViState::IDLE));
    BOOST_TEST(next.SendQueue().items.IsEmpty());
}

BOOST_AUTO_TEST_CASE(AQueueOutgrowsTheRoomThatItWasGiven)
{
    ViTable table;
    for (const std::uint32_t room : {0U, 2U, 16U, 32U})
    {
        Ring<WorkItem>& items = table.Create().SendQueue().items;
        table.MakeRoom(items, room);
        for (std::uint32_t i = 0; i < 40; ++i)
        {
            WorkItem item;
            item.length = i;
            items.Push(item);
        }
        for (std::uint32_t i = 0; i < 40; ++i)
        {
            BOOST_TEST(items.Front().length == i);
            items.Pop();
        }
    }
}

BOOST_AUTO_TEST_CASE(QueuesDoNotShareRoom)
{
    ViTable table;
    VirtualInterface& vi = table.Create();
    table.MakeRoom(vi.SendQueue().items, 2);
    table.MakeRoom(vi.ReceiveQueue().items, 2);
    for (std::uint32_t i = 0; i < 2; ++i)
    {
        vi.SendQueue().items.Push(WorkItem{}).length = 1;
        vi.ReceiveQueue().items.Push(WorkItem{}).length = 2;
    }
    for (std::uint32_t i = 0; i < 2; ++i)
    {
        BOOST_TEST(vi.SendQueue().items.At(i).length == 1U);
        BOOST_TEST(vi.ReceiveQueue().items.At(i).length == 2U);
    }
}

BOOST_AUTO_TEST_CASE(AQueueKnowsTheSerialsOfWhatBeginsAndWhatIsComplete)
{
    WorkQueue queue;
    for (std::uint32_t i = 0; i < 5; ++i)
    {
        queue.items.Push(WorkItem{});
        BOOST_TEST(queue.started++ == i);
        ++queue.completed;
    }
    queue.items.Pop();
    BOOST_TEST(queue.started == 5U);
    BOOST_TEST(queue.completed == 5U);
    queue.started = 3;
    BOOST_TEST(queue.started == 3U);
    BOOST_TEST((queue.Next() == queue.items.Find(3)));
}

BOOST_AUTO_TEST_CASE(AViWithoutExtrasHasTheirDefaults)
{
    VirtualInterface vi;
    BOOST_TEST(vi.CqOf(true) == nullptr);
    BOOST_TEST(vi.Extras().readsOut == 0U);
    vi.MakeExtras().readsOut = 2;
    BOOST_TEST(vi.Extras().readsOut == 2U);
    BOOST_TEST(VirtualInterface().Extras().readsOut == 0U);
}

BOOST_AUTO_TEST_CASE(VisThatWereExpectedLieWithTheirQueuesInOneBlock)
{
    ViTable table;
    table.Reserve(3, 2);
    VirtualInterface& first = table.Create();
    table.MakeRoom(first.SendQueue().items, 2);
    VirtualInterface& second = table.Create();
    table.MakeRoom(second.ReceiveQueue().items, 2);
    constexpr std::size_t distance = sizeof(VirtualInterface) + 2 * sizeof(WorkItem);
    BOOST_TEST(reinterpret_cast<char*>(&second) - reinterpret_cast<char*>(&first) == distance);
    BOOST_TEST(static_cast<void*>(&first.SendQueue().items.Push(WorkItem{})) ==
               static_cast<void*>(&first + 1));
    BOOST_TEST(static_cast<void*>(&second.ReceiveQueue().items.Push(WorkItem{})) ==
               static_cast<void*>(&second + 1));
    BOOST_TEST(table.Find(1) == &second);
    BOOST_TEST(table.Find(2) == nullptr); // expected, and not made
}

BOOST_AUTO_TEST_CASE(MoreVisAndMoreRoomThanExpectedAreMadeElsewhere)
{
    ViTable table;
    table.Reserve(1, 2);
    VirtualInterface& first = table.Create();
    table.MakeRoom(first.SendQueue().items, 2);
    table.MakeRoom(first.ReceiveQueue().items, 8);
    for (ViId id = 1; id < 7; ++id)
    {
        VirtualInterface& vi = table.Create();
        table.MakeRoom(vi.SendQueue().items, 4);
        BOOST_TEST(vi.id == id);
        BOOST_TEST(table.Find(id) == &vi);
    }
    for (std::uint32_t i = 0; i < 8; ++i)
    {
        first.ReceiveQueue().items.Push(WorkItem{}).length = i;
    }
    BOOST_TEST(first.SendQueue().items.IsEmpty());
    BOOST_TEST(first.ReceiveQueue().items.At(7).length == 7U);
}

BOOST_AUTO_TEST_CASE(AnExpectedViThatIsGoneIsNotFoundAndItsMemoryIsUsedAgain)
{
    ViTable table;
    table.Reserve(2, 2);
    VirtualInterface* gone = &table.Create();
    table.Destroy(0);
    BOOST_TEST(table.Find(0) == nullptr);
    VirtualInterface& second = table.Create(); // the other expected one
    VirtualInterface& third = table.Create();
    BOOST_TEST(&third == gone);
    BOOST_TEST(table.Find(1) == &second);
    BOOST_TEST(table.Find(2) == gone);
    BOOST_TEST(table.Find(0) == nullptr);
}

BOOST_AUTO_TEST_CASE(SeveralMessagesArriveAtATime)
{
    Arrivals arrivals;
    VirtualInterface a;
    VirtualInterface b;
    arrivals.Open(a, 1);
    arrivals.Open(b, 2);
    a.arrival->placed = 8;
    BOOST_TEST(a.arrival->packet == 1U);
    BOOST_TEST(b.arrival->packet == 2U);
    arrivals.Close(a);
    arrivals.Close(a); // there is none
    BOOST_TEST(a.arrival == nullptr);
    arrivals.Open(a, 3);
    BOOST_TEST(a.arrival->packet == 3U);
    BOOST_TEST(a.arrival->placed == 0U);
    BOOST_TEST(a.arrival != b.arrival);
}

BOOST_AUTO_TEST_SUITE_END()
