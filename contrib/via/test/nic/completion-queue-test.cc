/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Completion queues: merged in order of visibility, bounded, and free of VIs that are gone.

#include "ns3/via-completion-queue.h"

#include <boost/test/unit_test.hpp>
#include <vector>

using namespace ns3::via;

namespace
{

/// Remembers since when it could have gone on.
class Sleeper final : public Waiter
{
  public:
    void OnReady(Moment visible) override
    {
        calls.push_back(visible.at);
    }

    std::vector<Ps> calls;
};

Completion
Entry(ViId vi, Ps visible)
{
    return {vi, true, {visible, 0}};
}

} // namespace

BOOST_AUTO_TEST_SUITE(CompletionQueueTest)

BOOST_AUTO_TEST_CASE(AnEntryIsSeenWhenItIsInMemory)
{
    CompletionQueue cq(4, 0);
    BOOST_TEST(cq.Next() == nullptr);
    cq.Push(Entry(7, 100));
    BOOST_TEST(cq.Peek(99) == nullptr);
    BOOST_REQUIRE(cq.Peek(100) != nullptr);
    BOOST_TEST(cq.Peek(100)->vi == 7U);
    cq.Pop();
    BOOST_TEST(cq.Size() == 0U);
}

BOOST_AUTO_TEST_CASE(EntriesComeInOrderOfVisibilityAndThenOfAdding)
{
    CompletionQueue cq(8, 0);
    for (const auto& [vi, at] : {std::pair{0U, 30}, {1U, 10}, {2U, 20}, {3U, 10}, {4U, 30}})
    {
        BOOST_TEST(cq.Push(Entry(vi, at)));
    }
    std::vector<ViId> order;
    while (const Completion* next = cq.Peek(1'000))
    {
        order.push_back(next->vi);
        cq.Pop();
    }
    BOOST_TEST((order == std::vector<ViId>{1, 3, 2, 0, 4}));
}

BOOST_AUTO_TEST_CASE(AnEntryTooManyIsLost)
{
    CompletionQueue cq(2, 0);
    BOOST_TEST(cq.Push(Entry(0, 1)));
    BOOST_TEST(cq.Push(Entry(1, 2)));
    BOOST_TEST(!cq.Push(Entry(2, 3)));
    BOOST_TEST(cq.Size() == 2U);
    cq.Resize(3);
    BOOST_TEST(cq.Push(Entry(2, 3)));
    BOOST_TEST(cq.Capacity() == 3U);
}

BOOST_AUTO_TEST_CASE(EntriesOfAViThatIsGoneAreDropped)
{
    CompletionQueue cq(8, 0);
    for (const ViId vi : {1U, 2U, 1U, 3U, 1U})
    {
        cq.Push(Entry(vi, 10));
    }
    cq.Purge(1);
    BOOST_TEST(cq.Size() == 2U);
    BOOST_TEST(cq.Next()->vi == 2U);
    cq.Pop();
    BOOST_TEST(cq.Next()->vi == 3U);
}

BOOST_AUTO_TEST_CASE(AWaiterHearsWhenTheFirstEntryCanBeSeen)
{
    CompletionQueue cq(8, 0);
    Sleeper sleeper;
    cq.SetWaiter(&sleeper);
    cq.Push(Entry(0, 50));
    cq.Push(Entry(1, 30));
    cq.SetWaiter(nullptr);
    cq.Push(Entry(2, 10));
    BOOST_TEST((sleeper.calls == std::vector<Ps>{50, 30}));
}

BOOST_AUTO_TEST_SUITE_END()
