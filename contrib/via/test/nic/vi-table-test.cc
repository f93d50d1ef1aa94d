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
        Ring<WorkItem>& items = table.Create().ReceiveQueue().items;
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
    table.LendRoom(vi.SendQueue().items);
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

BOOST_AUTO_TEST_CASE(VisThatWereExpectedLieInOneBlock)
{
    ViTable table;
    table.Reserve(3, 0);
    VirtualInterface& first = table.Create();
    VirtualInterface& second = table.Create();
    BOOST_TEST(&second == &first + 1);
    BOOST_TEST(table.Find(1) == &second);
    BOOST_TEST(table.Find(2) == nullptr); // expected, and not made
}

BOOST_AUTO_TEST_CASE(ReceiveQueuesThatWereExpectedLieInOneBlock)
{
    ViTable table;
    table.Reserve(2, 4);
    WorkItem* ends[2];
    for (WorkItem*& end : ends)
    {
        Ring<WorkItem>& receives = table.Create().ReceiveQueue().items;
        table.MakeRoom(receives, 2);
        receives.Push(WorkItem{});
        end = &receives.Push(WorkItem{});
        BOOST_TEST(receives.IsFull());
    }
    BOOST_TEST(ends[1] == ends[0] + 2);
}

/// Lends @p sends room where it has none, and fills it.
WorkItem*
PostOn(ViTable& table, Ring<WorkItem>& sends)
{
    if (sends.IsFull())
    {
        table.LendRoom(sends);
    }
    return &sends.Push(WorkItem{});
}

BOOST_AUTO_TEST_CASE(SendQueuesTakeTurnsWithOneRoom)
{
    ViTable table;
    Ring<WorkItem>& first = table.Create().SendQueue().items;
    Ring<WorkItem>& second = table.Create().SendQueue().items;
    const WorkItem* room = PostOn(table, first);
    first.Pop();
    table.TakeBack(first);
    BOOST_TEST(PostOn(table, second) == room);
    BOOST_TEST(PostOn(table, first) != room);
    BOOST_TEST(first.FrontSerial() == 1U); // which does not depend on the room
}

BOOST_AUTO_TEST_CASE(ASendQueueThatOutgrowsItsRoomLeavesItToOthers)
{
    ViTable table;
    Ring<WorkItem>& many = table.Create().SendQueue().items;
    Ring<WorkItem>& few = table.Create().SendQueue().items;
    WorkItem* room = PostOn(table, many);
    room->length = 5;
    PostOn(table, many)->length = 6;
    BOOST_TEST(PostOn(table, few) == room);
    BOOST_TEST(many.At(0).length == 5U);
    BOOST_TEST(many.At(1).length == 6U);
    many.Pop();
    many.Pop();
    table.TakeBack(many); // its own block stays
    BOOST_TEST(!many.IsFull());
}

BOOST_AUTO_TEST_CASE(ADestroyedViGivesTheRoomOfItsSendsBack)
{
    ViTable table;
    VirtualInterface& gone = table.Create();
    const WorkItem* room = PostOn(table, gone.SendQueue().items);
    table.Destroy(gone.id);
    BOOST_TEST(PostOn(table, table.Create().SendQueue().items) == room);
}

BOOST_AUTO_TEST_CASE(MoreVisAndMoreRoomThanExpectedAreMadeElsewhere)
{
    ViTable table;
    table.Reserve(1, 2);
    VirtualInterface& first = table.Create();
    table.MakeRoom(first.ReceiveQueue().items, 8);
    for (ViId id = 1; id < 7; ++id)
    {
        VirtualInterface& vi = table.Create();
        table.MakeRoom(vi.ReceiveQueue().items, 4);
        BOOST_TEST(vi.id == id);
        BOOST_TEST(table.Find(id) == &vi);
    }
    for (std::uint32_t i = 0; i < 8; ++i)
    {
        first.ReceiveQueue().items.Push(WorkItem{}).length = i;
    }
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
