/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Host memory: bytes move at stated instants, in order of time, when somebody could notice.

#include "ns3/via-component.h"
#include "ns3/via-host-memory.h"
#include "ns3/via-payload-sum.h"

#include <boost/test/unit_test.hpp>
#include <numeric>
#include <string>

using namespace ns3::via;

namespace
{

/// Fills the packet it is the origin of only when asked to, as the sender's memory does.
class LateSource final : public PayloadSource
{
  public:
    explicit LateSource(std::vector<std::uint8_t>& bytes)
        : m_bytes(bytes)
    {
    }

    void Provide(const Packet&, std::uint32_t upTo) override
    {
        std::fill_n(m_bytes.begin(), upTo, 's');
    }

  private:
    std::vector<std::uint8_t>& m_bytes;
};

struct MemoryBench
{
    World world;
    HostMemory memory{world};

    /// A packet of the test's own with @p text for bytes.
    Packet& PacketOf(const std::string& text)
    {
        Packet* packet = world.packets.NewPacket();
        packet->bytes.assign(text.begin(), text.end());
        packet->length = static_cast<std::uint32_t>(text.size());
        return *packet;
    }

    /// What happens when @p text is delivered to a buffer in pieces of @p most bytes.
    std::string PayloadAfter(const std::string& text, std::uint32_t most)
    {
        HostMemory other(world);
        std::string buffer(text.size(), ' ');
        Packet& packet = PacketOf(text);
        for (std::uint32_t at = 0; at < packet.length; at += most)
        {
            other.WriteAt(10 + at, &buffer[at], packet, at, std::min(most, packet.length - at));
        }
        other.DeliverAt(1'000, packet);
        other.Settle(1'000);
        BOOST_TEST(buffer == text);
        return other.Payload().Hex();
    }
};

std::string
Text(const Packet& packet)
{
    return {packet.bytes.begin(), packet.bytes.end()};
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(HostMemoryTest, MemoryBench)

BOOST_AUTO_TEST_CASE(AWriteIsSeenAtItsInstantNotBefore)
{
    std::string buffer = "old.";
    memory.WriteAt(100, buffer.data(), PacketOf("new!"), 0, 4);
    memory.Settle(99);
    BOOST_TEST(buffer == "old.");
    memory.Settle(100);
    BOOST_TEST(buffer == "new!");
    BOOST_TEST(memory.PendingCount() == 0U);
}

BOOST_AUTO_TEST_CASE(AReadTakesWhatIsThereAtItsInstant)
{
    std::string buffer = "before";
    Packet& packet = PacketOf("      ");
    memory.ReadAt(100, packet, 0, buffer.data(), 6);
    memory.Settle(99);
    buffer = "at 100";
    memory.Settle(200);
    buffer = "after ";
    BOOST_TEST(Text(packet) == "at 100");
}

BOOST_AUTO_TEST_CASE(MovementsHappenInOrderOfTimeHoweverPlanned)
{
    std::string cell = "0";
    Packet& packet = PacketOf("123");
    memory.WriteAt(30, cell.data(), packet, 2, 1);
    memory.WriteAt(10, cell.data(), packet, 0, 1);
    memory.WriteAt(20, cell.data(), packet, 1, 1);
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
    std::string cell = "0";
    Packet& packet = PacketOf("12-");
    memory.WriteAt(10, cell.data(), packet, 0, 1);
    memory.ReadAt(10, packet, 2, cell.data(), 1);
    memory.WriteAt(10, cell.data(), packet, 1, 1);
    memory.Settle(10);
    BOOST_TEST(Text(packet) == "121");
    BOOST_TEST(cell == "2");
}

BOOST_AUTO_TEST_CASE(StatusAndImmediateDataAreStoredWithTheirWidth)
{
    std::uint32_t words[4] = {7, 7, 7, 7};
    memory.StoreAt(10, &words[0], 0x0000000200000001ULL);
    memory.StoreAt4(10, &words[2], 3);
    memory.Settle(10);
    BOOST_TEST(words[0] == 1U);
    BOOST_TEST(words[1] == 2U);
    BOOST_TEST(words[2] == 3U);
    BOOST_TEST(words[3] == 7U);
}

BOOST_AUTO_TEST_CASE(TheSenderProvidesItsBytesBeforeTheyAreTaken)
{
    Packet& packet = PacketOf("none");
    LateSource source(packet.bytes);
    packet.origin = &source;
    std::string buffer = "....";
    memory.WriteAt(50, buffer.data(), packet, 0, 4);
    memory.Settle(80);
    BOOST_TEST(buffer == "ssss");
}

BOOST_AUTO_TEST_CASE(MemoryThatProvidesBytesDoesNotShowWhatIsWrittenLater)
{
    HostMemory sender(world);
    Packet& packet = PacketOf("....");
    Packet& other = PacketOf("*");
    packet.origin = &sender;
    const std::string sent = "abcd";
    char early = ' ';
    char late = ' ';
    sender.WriteAt(5, &early, other, 0, 1); // the read at 10 may be of these bytes
    sender.ReadAt(10, packet, 0, sent.data(), 2);
    sender.WriteAt(20, &late, other, 0, 1);
    sender.ReadAt(30, packet, 2, sent.data() + 2, 2); // of the next piece
    std::string buffer = "....";
    memory.WriteAt(50, buffer.data(), packet, 0, 2);
    memory.Settle(80);
    BOOST_TEST(buffer == "ab..");
    BOOST_TEST(early == '*');
    BOOST_TEST(late == ' '); // a process at the sender may not have come to 20 yet
    BOOST_TEST(sender.PendingCount() == 2U);
}

BOOST_AUTO_TEST_CASE(APacketLivesUntilItsLastPlannedWrite)
{
    Packet& packet = PacketOf("*");
    char byte = ' ';
    memory.WriteAt(10, &byte, packet, 0, 1);
    world.packets.Release(&packet); // by who made it
    memory.Settle(9);
    BOOST_TEST(world.packets.PacketsAlive() == 1U);
    memory.Settle(10);
    BOOST_TEST(byte == '*');
    BOOST_TEST(world.packets.PacketsAlive() == 0U);
}

BOOST_AUTO_TEST_CASE(APacketThatIsDroppedIsNotUsedAgainWhileItsBytesAreBeingRead)
{
    const std::string buffer = "old";
    Packet& dropped = PacketOf("   ");
    memory.ReadAt(100, dropped, 0, buffer.data(), 3);
    world.packets.Release(&dropped);
    Packet& next = PacketOf("new");
    memory.Settle(200);
    BOOST_TEST((&next != &dropped));
    BOOST_TEST(Text(next) == "new");
    BOOST_TEST(world.packets.PacketsAlive() == 1U);
}

BOOST_AUTO_TEST_CASE(WhoLeavesHoldsNoPacketAnyLonger)
{
    std::string gone = "gone";
    Packet& sent = PacketOf("    ");
    Packet& arriving = PacketOf("lost");
    memory.ReadAt(10, sent, 0, gone.data(), 4, 1);
    memory.WriteAt(20, gone.data(), arriving, 0, 4, 1);
    world.packets.Release(&arriving);
    memory.Leave(1);
    BOOST_TEST(Text(sent) == "gone");
    BOOST_TEST(gone == "gone");
    BOOST_TEST(sent.holders == 1U);
    BOOST_TEST(world.packets.PacketsAlive() == 1U);
}

BOOST_AUTO_TEST_CASE(AThousandMovementsAreAllMadeOnce)
{
    std::vector<std::uint8_t> target(1'000, 0);
    Packet& packet = PacketOf("\1");
    for (std::size_t i = 0; i < target.size(); ++i)
    {
        memory.WriteAt(static_cast<Ps>(i * 7919 % 1'000), &target[i], packet, 0, 1);
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
    std::string buffer(16, ' ');
    Packet& packet = PacketOf(buffer);
    BOOST_TEST(memory.LastUse(buffer.data(), 16) == 0);
    memory.WriteAt(100, buffer.data() + 4, packet, 0, 4);
    memory.ReadAt(200, packet, 4, buffer.data(), 2);
    BOOST_TEST(memory.LastUse(buffer.data(), 16) == 200);
    BOOST_TEST(memory.LastUse(buffer.data() + 2, 14) == 100);
    BOOST_TEST(memory.LastUse(buffer.data() + 7, 1) == 100);
    BOOST_TEST(memory.LastUse(buffer.data() + 8, 8) == 0);
    BOOST_TEST(memory.LastUse(buffer.data() + 2, 2) == 0);
}

BOOST_AUTO_TEST_CASE(ThePayloadDigestIsTheSameHoweverAMessageIsCut)
{
    std::string text(100, ' ');
    std::iota(text.begin(), text.end(), 'A');
    const std::string whole = PayloadAfter(text, 100);
    for (const std::uint32_t piece : {1U, 3U, 8U, 13U, 64U})
    {
        BOOST_TEST(PayloadAfter(text, piece) == whole);
    }
    text[57] ^= 1;
    BOOST_TEST(PayloadAfter(text, 100) != whole);
    text[57] ^= 1;
    std::swap(text[0], text[8]);
    BOOST_TEST(PayloadAfter(text, 100) != whole);
}

BOOST_AUTO_TEST_CASE(EachBitOfAMessageChangesItsSum)
{
    std::vector<std::uint8_t> bytes(41, 0x5a);
    const std::uint64_t sum = PayloadSum(bytes.data(), 41, 0);
    for (std::size_t bit = 0; bit < 41 * 8; ++bit)
    {
        bytes[bit / 8] ^= 1 << bit % 8;
        BOOST_TEST(PayloadSum(bytes.data(), 41, 0) != sum);
        bytes[bit / 8] ^= 1 << bit % 8;
    }
}

BOOST_AUTO_TEST_CASE(PiecesOfALongMessageHaveItsSum)
{
    std::vector<std::uint8_t> bytes(5'000);
    for (std::size_t i = 0; i < bytes.size(); ++i)
    {
        bytes[i] = static_cast<std::uint8_t>(i * 31 + i / 256);
    }
    const std::uint64_t whole = PayloadSum(bytes.data(), 5'000, 0);
    for (std::uint32_t cut = 4'080; cut < 4'112; ++cut) // the weights of 4,096 bytes are in a table
    {
        const std::uint64_t first = PayloadSum(bytes.data(), cut, 0);
        const std::uint64_t rest = PayloadSum(bytes.data() + cut, 5'000 - cut, cut);
        BOOST_TEST(first + rest == whole);
    }
}

BOOST_AUTO_TEST_CASE(NothingIsHashedWhenThatIsSwitchedOff)
{
    world.payloadDigest = false;
    BOOST_TEST(PayloadAfter("some bytes", 4) == Digest().Hex());
}

BOOST_AUTO_TEST_SUITE_END()
