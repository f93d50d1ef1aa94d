/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Payload through the card: in one go, or collected in its memory at both ends.

#include "../support/via-test-variant.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// Half a round trip of @p size bytes, in ps.
Ps
Latency(const Changes& changes, std::uint32_t size)
{
    const Variant card(changes);
    return RunWorkload(card.Recorded("back-to-back", 2),
                       "ping-pong",
                       {{"size", std::to_string(size)}, {"rounds", "1"}})
               .samples[0] /
           2;
}

} // namespace

BOOST_AUTO_TEST_SUITE(DataPathTest)

BOOST_AUTO_TEST_CASE(AStoredMessageCrossesBusWireAndBusOneAfterTheOther)
{
    const std::vector<BreakdownRow> rows = PingPongRows(Variant(StoreAndForward()), 4096, 0);
    const StageSum read = SumOf(rows, "payload-read");
    const StageSum written = SumOf(rows, "payload-write");
    BOOST_TEST(read.rows == 11U); // bursts of 384 bytes, the first one shares with the header
    BOOST_TEST(written.rows == 11U);
    const StageSum wire = SumOf(rows, "serialize");
    BOOST_TEST(read.end <= wire.start);
    BOOST_TEST(wire.end <= written.start);
}

BOOST_AUTO_TEST_CASE(CutThroughOverlapsWhatStoreAndForwardDoesInTurn)
{
    const std::vector<BreakdownRow> rows = PingPongRows(Variant({}), 4096, 0);
    BOOST_TEST(SumOf(rows, "payload-read").rows + SumOf(rows, "payload-write").rows < 22U);
    BOOST_TEST(Latency({}, 4096) + 30'000'000 < Latency(StoreAndForward(), 4096));
}

BOOST_AUTO_TEST_CASE(LongMessagesArePipelinedInPieces)
{
    // the knee: up to a piece each byte costs bus, wire and bus; behind it, the slowest of them
    const Changes card = StoreAndForward();
    const Ps small = Latency(card, 4096) - Latency(card, 4);
    const Ps large = Latency(card, 61440) - Latency(card, 57344);
    BOOST_TEST(large * 2 < small);
}

BOOST_AUTO_TEST_CASE(APieceMustFitTheTransmitBuffer)
{
    const std::string said = RefusalOf([] {
        Variant(StoreAndForward() + Changes{{"nic.transmit_buffer", "3072"}}).Load();
    });
    BOOST_TEST(said.find("nic.transmit_buffer = 3072: must be at least nic.store_bytes") !=
                   std::string::npos,
               said);
}

BOOST_AUTO_TEST_CASE(ChainedBurstsNeedOneStartForAMessage)
{
    const auto starts = [](const char* chaining) {
        const Variant card(Changes{{"nic.dma_start", "15"}, {"nic.dma_chaining", chaining}});
        return SumOf(PingPongRows(card, 4096, 0), "dma-start").rows;
    };
    BOOST_TEST(starts("1") < starts("0"));
}

BOOST_AUTO_TEST_SUITE_END()
