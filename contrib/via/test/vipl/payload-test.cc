/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Each byte that a program reads with success is the byte that was sent, whatever becomes of
// others.

#include "support/via-test-program-bench.h"
#include "support/via-test-program-run.h"

#include "ns3/via-profile-reader.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

constexpr std::uint32_t PER_NODE = 3;

/// What VIPL calls the levels.
const std::vector<std::string> LEVELS = {"1", "2", "4"};

/// A product that offers all levels, on two nodes.
ClusterConfig
ConfigOf(const std::string& product, bool reference, std::uint64_t seed)
{
    ClusterConfig config;
    config.profile = product;
    config.seed = seed;
    config.reference = reference;
    config.overrides["nic.reliability"] = "unreliable, reliable-delivery, reliable-reception";
    return config;
}

/// Without the hook by which time passes: bytes that are compared would take most of it.
std::string
Payloads()
{
    return BuiltProgram("payloads.c", "-fno-sanitize-coverage=trace-pc");
}

RunReport
Exchange(ClusterConfig config, const std::string& level, const std::string& milliseconds)
{
    const SharedRun run =
        RunOnEachNode(Payloads(),
                      {level, milliseconds, std::to_string(config.seed), std::to_string(PER_NODE)},
                      PER_NODE,
                      config);
    BOOST_TEST(static_cast<int>(run.report.exit) == 0,
               config.profile << ", level " << level << ": " << run.out);
    BOOST_TEST(run.report.messages > 50U, config.profile << ", level " << level);
    return run.report;
}

void
ExpectRightBytes(const std::string& product, std::uint64_t seed, const std::string& milliseconds)
{
    for (const bool reference : {false, true})
    {
        for (const std::string& level : LEVELS)
        {
            Exchange(ConfigOf(product, reference, seed), level, milliseconds);
        }
    }
}

void
ExpectRightBytesOnEveryProduct(const std::string& milliseconds)
{
    for (const std::string& product : ProductNames())
    {
        BOOST_TEST_CONTEXT(product)
        {
            ExpectRightBytes(product, 3, milliseconds);
        }
    }
}

void
LoseCellsOnEveryProduct(const std::string& milliseconds)
{
    for (const std::string& product : ProductNames())
    {
        for (const std::string& level : LEVELS)
        {
            ClusterConfig config = ConfigOf(product, false, 4);
            config.plan.AddLoss("all", {10'000'000, 1'000'000}); // 1 % damaged, 0.1 % gone
            Exchange(config, level, milliseconds);
        }
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(payload)

BOOST_AUTO_TEST_CASE(BytesThatArriveAreThoseThatWereSentWhateverBecomesOfOtherMessages)
{
    ExpectRightBytes("giganet-clan1000", 1, "60");
    ExpectRightBytes("mvia-gnic2", 2, "60");
}

BOOST_AUTO_TEST_CASE(BytesAreRightOnEveryProduct, *boost::unit_test::label("ci"))
{
    ExpectRightBytesOnEveryProduct("100");
}

BOOST_AUTO_TEST_CASE(ManyBytesAreRightOnEveryProduct, *boost::unit_test::label("night"))
{
    ExpectRightBytesOnEveryProduct("200");
}

BOOST_AUTO_TEST_CASE(BytesAreRightWhileCellsAreLost, *boost::unit_test::label("ci"))
{
    LoseCellsOnEveryProduct("100");
}

BOOST_AUTO_TEST_CASE(ManyBytesAreRightWhileCellsAreLost, *boost::unit_test::label("night"))
{
    LoseCellsOnEveryProduct("200");
}

BOOST_AUTO_TEST_CASE(TheRunTellsADigestOfTheBytesItDelivered)
{
    const ClusterConfig config = ConfigOf("giganet-clan1000", false, 1);
    const RunReport one = Exchange(config, "1", "30");
    const RunReport again = Exchange(config, "1", "30");
    BOOST_TEST(one.payloadDigest.size() == 32U);
    BOOST_TEST(one.payloadDigest != one.digest);
    BOOST_TEST(one.payloadDigest == again.payloadDigest);
}

BOOST_AUTO_TEST_CASE(ThePayloadDigestCanBeSwitchedOffAndChangesNoTime)
{
    ClusterConfig config = ConfigOf("giganet-clan1000", false, 1);
    const std::string digest = Exchange(config, "1", "30").digest;
    config.payloadDigest = false;
    const RunReport off = Exchange(config, "1", "30");
    BOOST_TEST(off.payloadDigest == "");
    BOOST_TEST(off.digest == digest);
}

BOOST_AUTO_TEST_CASE(ManyProcessesOfACardSendToVisWithoutReceives)
{
    for (const char* product : {"firmvia-sp", "giganet-clan1000", "unet-atm"})
    {
        for (const bool reference : {false, true})
        {
            const ClusterConfig config = ConfigOf(product, reference, 1);
            const SharedRun run =
                RunOnEachNode(BuiltProgram("crowd.c"), {"60", "1", "3"}, 3, config);
            BOOST_TEST(static_cast<int>(run.report.exit) == 0, product << ": " << run.out);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
