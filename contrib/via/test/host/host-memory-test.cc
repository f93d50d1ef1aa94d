/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Host memory: bytes move at stated instants, in order of time, when somebody could notice.

#include "ns3/via-host-memory.h"

#include <boost/test/unit_test.hpp>
#include <string>

using namespace ns3::via;

namespace
{

/// Fills the packet it reads from only when it is settled, as the sender's memory does.
class LateSource final : public PayloadSource
{
  public:
    explicit LateSource(std::string& bytes)
        : m_bytes(bytes)
    {
    }

    void Forget(const void*, std::size_t) override
    {
    }

    void Settle(Ps until) override
    {
        settledUntil = until;
        m_bytes = "sent";
    }

    Ps settledUntil{0};

  private:
    std::string& m_bytes;
};

} // namespace

BOOST_AUTO_TEST_SUITE(HostMemoryTest)

BOOST_AUTO_TEST_CASE(AWriteIsSeenAtItsInstantNotBefore)
{
    HostMemory memory;
    std::string buffer = "old.";
    const std::string packet = "new!";
    memory.WriteAt(100, buffer.data(), packet.data(), 4, nullptr);
    memory.Settle(99);
    BOOST_TEST(buffer == "old.");
    memory.Settle(100);
    BOOST_TEST(buffer == "new!");
    BOOST_TEST(memory.PendingCount() == 0U);
}

BOOST_AUTO_TEST_CASE(AReadTakesWhatIsThereAtItsInstant)
{
    HostMemory memory;
    std::string buffer = "before";
    std::string packet(6, ' ');
    memory.ReadAt(100, packet.data(), buffer.data(), 6);
    memory.Settle(99);
    buffer = "at 100";
    memory.Settle(200);
    buffer = "after ";
    BOOST_TEST(packet == "at 100");
}

BOOST_AUTO_TEST_CASE(MovementsHappenInOrderOfTimeHoweverPlanned)
{
    HostMemory memory;
    std::string cell = "0";
    memory.WriteAt(30, cell.data(), "3", 1, nullptr);
    memory.WriteAt(10, cell.data(), "1", 1, nullptr);
    memory.WriteAt(20, cell.data(), "2", 1, nullptr);
    std::string seen;
    for (const Ps at : {10, 20, 30})
    {
        memory.Settle(at);
        seen += cell;
    }
    BOOST_TEST(seen == "123");
}

BOOST_AUTO_TEST_CASE(MovementsOfOneInstantHappenAsPlanned)
{
    HostMemory memory;
    std::string cell = "0";
    std::string copy = "-";
    memory.WriteAt(10, cell.data(), "1", 1, nullptr);
    memory.ReadAt(10, copy.data(), cell.data(), 1);
    memory.WriteAt(10, cell.data(), "2", 1, nullptr);
    memory.Settle(10);
    BOOST_TEST(copy == "1");
    BOOST_TEST(cell == "2");
}

BOOST_AUTO_TEST_CASE(StatusAndImmediateDataAreStoredWithTheirWidth)
{
    HostMemory memory;
    std::uint32_t words[4] = {7, 7, 7, 7};
    memory.StoreAt(10, &words[0], 0x0000000200000001ULL);
    memory.StoreAt4(10, &words[2], 3);
    memory.Settle(10);
    BOOST_TEST(words[0] == 1U);
    BOOST_TEST(words[1] == 2U);
    BOOST_TEST(words[2] == 3U);
    BOOST_TEST(words[3] == 7U);
}

BOOST_AUTO_TEST_CASE(TheSenderIsSettledBeforeItsBytesAreTaken)
{
    HostMemory memory;
    std::string packet = "none";
    LateSource source(packet);
    std::string buffer = "....";
    memory.WriteAt(50, buffer.data(), packet.data(), 4, &source);
    memory.Settle(80);
    BOOST_TEST(buffer == "sent");
    BOOST_TEST(source.settledUntil == 50);
}

BOOST_AUTO_TEST_CASE(APacketIsFreedBehindItsLastUse)
{
    HostMemory memory;
    PacketPool pool;
    Packet* packet = pool.NewPacket();
    packet->bytes = {42};
    std::uint8_t byte = 0;
    memory.FreeAt(20, packet, pool);
    memory.WriteAt(10, &byte, packet->bytes.data(), 1, nullptr);
    memory.Settle(15);
    BOOST_TEST(pool.PacketsAlive() == 1U);
    memory.Settle(20);
    BOOST_TEST(byte == 42);
    BOOST_TEST(pool.PacketsAlive() == 0U);
}

BOOST_AUTO_TEST_CASE(AThousandMovementsAreAllMadeOnce)
{
    HostMemory memory;
    std::vector<std::uint8_t> target(1'000, 0);
    const std::uint8_t one = 1;
    for (std::size_t i = 0; i < target.size(); ++i)
    {
        memory.WriteAt(static_cast<Ps>(i * 7919 % 1'000), &target[i], &one, 1, nullptr);
    }
    BOOST_TEST(memory.PendingCount() == 1'000U);
    for (Ps at = 0; at < 1'000; at += 10)
    {
        memory.Settle(at);
        BOOST_REQUIRE(memory.PendingCount() == static_cast<std::size_t>(999 - at));
    }
    memory.Settle(1'000);
    BOOST_TEST((target == std::vector<std::uint8_t>(1'000, 1)));
}

BOOST_AUTO_TEST_CASE(TheLastUseOfAPieceIsThatOfAnyOfItsBytes)
{
    HostMemory memory;
    std::string buffer(16, ' ');
    std::string packet(16, ' ');
    BOOST_TEST(memory.LastUse(buffer.data(), 16) == 0);
    memory.WriteAt(100, buffer.data() + 4, packet.data(), 4, nullptr);
    memory.ReadAt(200, packet.data(), buffer.data(), 2);
    BOOST_TEST(memory.LastUse(buffer.data(), 16) == 200);
    BOOST_TEST(memory.LastUse(buffer.data() + 2, 14) == 100);
    BOOST_TEST(memory.LastUse(buffer.data() + 7, 1) == 100);
    BOOST_TEST(memory.LastUse(buffer.data() + 8, 8) == 0);
    BOOST_TEST(memory.LastUse(buffer.data() + 2, 2) == 0);
}

BOOST_AUTO_TEST_CASE(APacketThatNobodyReadIsFilledBeforeItIsFreed)
{
    PacketPool pool;
    HostMemory memory;
    std::string bytes;
    LateSource sender(bytes);
    Packet* dropped = pool.NewPacket();
    dropped->origin = &sender;
    memory.FreeAt(100, dropped, pool);
    memory.Settle(200);
    BOOST_TEST(sender.settledUntil == 100); // else its bytes would go to the packet's next user
    BOOST_TEST(bytes == "sent");
}

BOOST_AUTO_TEST_SUITE_END()
