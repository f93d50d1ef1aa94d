/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What keeps the steady state free of allocations: rings and the packet pool.

#include "ns3/via-packet.h"
#include "ns3/via-ring.h"

#include <boost/test/unit_test.hpp>
#include <string>

using namespace ns3::via;

BOOST_AUTO_TEST_SUITE(PoolTest)

BOOST_AUTO_TEST_CASE(ARingIsFirstInFirstOut)
{
    Ring<int> ring;
    BOOST_TEST(ring.IsEmpty());
    for (int i = 0; i < 5; ++i)
    {
        ring.Push(i);
    }
    BOOST_TEST(ring.Size() == 5U);
    for (int i = 0; i < 5; ++i)
    {
        BOOST_TEST(ring.Front() == i);
        ring.Pop();
    }
    BOOST_TEST(ring.IsEmpty());
}

BOOST_AUTO_TEST_CASE(ARingGrowsWithItsEndsAnywhere)
{
    Ring<std::string> ring;
    int pushed = 0;
    int popped = 0;
    for (int round = 1; round < 20; ++round)
    {
        for (int i = 0; i < round; ++i)
        {
            ring.Push(std::to_string(pushed++));
        }
        for (int i = 0; i < round / 2; ++i)
        {
            BOOST_REQUIRE(ring.Front() == std::to_string(popped++));
            ring.Pop();
        }
    }
    BOOST_TEST(ring.At(3) == std::to_string(popped + 3));
    BOOST_TEST(ring.Size() == static_cast<std::uint32_t>(pushed - popped));
}

BOOST_AUTO_TEST_CASE(SerialsFindWhatIsStillThere)
{
    Ring<int> ring;
    for (int i = 0; i < 4; ++i)
    {
        ring.Push(10 * i);
    }
    ring.Pop();
    BOOST_TEST(ring.FrontSerial() == 1U);
    BOOST_TEST(ring.EndSerial() == 4U);
    BOOST_TEST(ring.Find(0) == nullptr);
    BOOST_REQUIRE(ring.Find(3) != nullptr);
    BOOST_TEST(*ring.Find(3) == 30);
    BOOST_TEST(ring.Find(4) == nullptr);
}

BOOST_AUTO_TEST_CASE(ARingInSteadyStateStaysWhereItIs)
{
    Ring<int> ring;
    ring.Push(0);
    ring.Push(1);
    const int* first = &ring.At(0);
    const int* second = &ring.At(1);
    for (int i = 2; i < 100; ++i)
    {
        ring.Pop();
        const int* slot = &ring.Push(i);
        BOOST_REQUIRE((slot == first || slot == second));
    }
}

BOOST_AUTO_TEST_CASE(AFreedPacketIsUsedAgainAndClean)
{
    PacketPool pool;
    Packet* packet = pool.NewPacket();
    packet->kind = PacketKind::RDMA_WRITE;
    packet->length = 100;
    packet->bytes.resize(100);
    const std::uint8_t* room = packet->bytes.data();
    pool.Release(packet);
    Packet* again = pool.NewPacket();
    BOOST_TEST(again == packet);
    BOOST_TEST((again->kind == PacketKind::SEND && again->length == 0 && again->bytes.empty()));
    again->bytes.resize(100);
    BOOST_TEST(again->bytes.data() == room);
}

BOOST_AUTO_TEST_CASE(PacketsAliveAreThoseNotFreed)
{
    PacketPool pool;
    BOOST_TEST(pool.PacketsAlive() == 0U);
    Packet* a = pool.NewPacket();
    Packet* b = pool.NewPacket();
    BOOST_TEST((a != b && pool.PacketsAlive() == 2U));
    pool.Release(a);
    BOOST_TEST(pool.PacketsAlive() == 1U);
    pool.Release(b);
    BOOST_TEST(pool.PacketsAlive() == 0U);
}

BOOST_AUTO_TEST_CASE(AFreedCellIsUsedAgainWithoutItsPast)
{
    PacketPool pool;
    Packet* packet = pool.NewPacket();
    packet->cells = 2;
    Cell* cell = pool.NewCell(packet, 1);
    BOOST_TEST(cell->ends);
    cell->lost = true;
    cell->lane = 3;
    pool.Free(cell);
    BOOST_TEST(packet->holders == 1U);
    Cell* again = pool.NewCell(packet, 0);
    BOOST_TEST(again == cell);
    BOOST_TEST((!again->lost && !again->ends && again->lane == 0));
}

BOOST_AUTO_TEST_CASE(SerialsOfARingWrap)
{
    Ring<int> ring(UINT32_MAX - 1);
    for (int i = 0; i < 3; ++i)
    {
        ring.Push(i);
    }
    BOOST_TEST(ring.FrontSerial() == UINT32_MAX - 1);
    BOOST_TEST(ring.EndSerial() == 1U);
    ring.Pop();
    BOOST_TEST(ring.Find(UINT32_MAX - 1) == nullptr);
    BOOST_TEST(*ring.Find(UINT32_MAX) == 1);
    BOOST_TEST(*ring.Find(0) == 2);
    ring.Reserve(8);
    BOOST_TEST(*ring.Find(0) == 2);
    BOOST_TEST(ring.Find(1) == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
