/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Mechanisms out of a shared object: what they cost, and which are refused.

#include "../support/via-test-folders.h"
#include "../support/via-test-variant.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <set>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// What is said when a cluster is made of such cards.
std::string
RefusalOfCard(const Changes& changes)
{
    const Variant card(changes);
    return RefusalOf([&card] { Cluster cluster(card.Recorded("star", 2)); });
}

void
ExpectParts(const std::string& said, const std::vector<std::string>& parts)
{
    for (const std::string& part : parts)
    {
        BOOST_TEST(said.find(part) != std::string::npos, said << " lacks " << part);
    }
}

std::string
Example()
{
    return (BuildFolder() / "plug-ins" / "two-level.toml").string();
}

WorkloadRun
ExamplePingPong(const std::string& size, std::map<std::string, std::string> overrides = {})
{
    ClusterConfig config = Recorded("star", 2);
    config.profile = Example();
    config.allowPlugIns = true;
    config.overrides = std::move(overrides);
    return RunWorkload(config, "ping-pong", {{"size", size}, {"rounds", "4"}});
}

} // namespace

BOOST_AUTO_TEST_SUITE(PlugInTest)

BOOST_AUTO_TEST_CASE(EachCostIsSpentInItsStage)
{
    const std::vector<BreakdownRow> rows = PingPongRows(Variant(PlugIn()), 4, 0);
    BOOST_TEST(SumOf(rows, "post-send").cycles == 180U + 31U + 41U);
    BOOST_TEST(SumOf(rows, "doorbell-scan").cycles == 7U);
    BOOST_TEST(SumOf(rows, "descriptor-read").cycles == 2U * 11U);
    BOOST_TEST(SumOf(rows, "translate").cycles == 2U * 13U);
    BOOST_TEST(SumOf(rows, "descriptor-write").rows == 1U);
    BOOST_TEST(SumOf(rows, "doorbell").rows == 2U);         // rung, and read by the card
    BOOST_TEST(SumOf(rows, "descriptor-fetch").rows == 4U); // read and written, at either end
    BOOST_TEST(SumOf(rows, "translation-fetch").rows == 2U);
}

BOOST_AUTO_TEST_CASE(EveryNumberIsHandedOver)
{
    const Variant card(PlugIn());
    ClusterConfig config = card.Recorded("star", 2);
    const std::string digest = RunWorkload(config, "ping-pong").report.digest;
    for (const auto& [key, value] : PlugIn())
    {
        if (key.rfind("plug_in.", 0) == 0)
        {
            config.overrides = {{key, std::to_string(std::stoull(value) + 8)}};
            BOOST_TEST(RunWorkload(config, "ping-pong").report.digest != digest, key);
        }
    }
}

BOOST_AUTO_TEST_CASE(WhatCostsNothingTakesNoTime)
{
    Changes free = PlugIn();
    for (auto& [key, value] : free)
    {
        value = key.rfind("plug_in.", 0) == 0 ? "0" : value;
    }
    const std::vector<BreakdownRow> rows = PingPongRows(Variant(free), 4, 0);
    BOOST_TEST(SumOf(rows, "post-send").cycles == 180U);
    for (const char* stage : {"doorbell", "doorbell-scan", "descriptor-fetch", "translate"})
    {
        BOOST_TEST(SumOf(rows, stage).rows == 0U, stage);
    }
}

BOOST_AUTO_TEST_CASE(TheExampleFetchesATableOncePerRegionAndKeepsIt)
{
    const WorkloadRun run = ExamplePingPong("4");
    BOOST_TEST((run.report.exit == RunExit::SUCCESS));
    BOOST_TEST(run.report.plugIn == "two-level 1.0");
    BOOST_TEST(EveryMessageIsTiled(run));
    BOOST_TEST(SumOf(RowsOf(run, "0.0.0"), "translation-fetch").rows == 2U);
    BOOST_TEST(SumOf(RowsOf(run, "0.0.0"), "translate").cycles == 2U * (12U + 8U));
    BOOST_TEST(SumOf(RowsOf(run, "0.0.3"), "translation-fetch").rows == 0U);
    BOOST_TEST(SumOf(RowsOf(run, "0.0.3"), "translate").cycles == 2U * 12U);
    BOOST_TEST(SumOf(RowsOf(run, "0.0.3"), "doorbell-scan").cycles == 6U);
}

BOOST_AUTO_TEST_CASE(TheExampleDiffersFromTheProductInItsMechanismsOnly)
{
    const ProviderProfile product = ProviderProfile::Load("giganet-clan1000");
    const ProviderProfile variant = ProviderProfile::Load(Example());
    const std::set<std::string> others = {"nic.doorbell", "nic.translation"};
    std::set<std::string> gone;
    for (const ProfileEntry& entry : product.Entries())
    {
        const auto& all = variant.Entries();
        const auto same = std::find_if(all.begin(), all.end(), [&entry](const ProfileEntry& one) {
            return one.key == entry.key;
        });
        if (same == all.end())
        {
            gone.insert(entry.key);
        }
        else if (others.count(entry.key) == 0)
        {
            BOOST_TEST(same->value == entry.value, entry.key);
        }
    }
    BOOST_TEST(
        (gone == std::set<std::string>{"nic.doorbell_depth", "nic.tpt_lookup", "nic.tpt_segment"}));
}

BOOST_AUTO_TEST_CASE(NumbersOfAPlugInCanBeChangedAndKeepTheirUnit)
{
    const ProviderProfile profile = ProviderProfile::Load(Example());
    const ProviderProfile changed = profile.With("plug_in.leaves", "1");
    BOOST_TEST(changed.Number("plug_in.leaves") == 1U);
    BOOST_TEST(changed.Entry("plug_in.leaves").unit == "count");
    BOOST_TEST(changed.Fingerprint() != profile.Fingerprint());
    BOOST_TEST(changed.PlugIn() == profile.PlugIn());
    ExpectParts(RefusalOf([&profile] { profile.With("plug_in.other", "1"); }),
                {"plug_in.other", "is not in the file"});
    const ProviderProfile without = profile.With({{"nic.doorbell", "mmio-fifo"},
                                                  {"nic.doorbell_depth", "4"},
                                                  {"nic.translation", "full-table"},
                                                  {"nic.tpt_lookup", "1"},
                                                  {"nic.tpt_segment", "1"}});
    BOOST_TEST(without.PlugIn().empty());
    BOOST_TEST(without.PlugInNumbers().empty());
}

BOOST_AUTO_TEST_CASE(AnotherFileOfTheSameNameIsAnotherFingerprint)
{
    const Variant card(PlugIn());
    const std::string before = card.Load().Fingerprint();
    const fs::path file = fs::path(card.Path()).parent_path() / "every-part.so";
    std::ofstream(file, std::ios::binary | std::ios::app) << " ";
    BOOST_TEST(card.Load().Fingerprint() != before);
}

BOOST_AUTO_TEST_CASE(AFileThatIsNotThereIsRefusedWithThePlacesThatWereLookedAt)
{
    const Variant card(PlugIn() + Changes{{"nic.plug_in", "nowhere.so"}});
    ExpectParts(RefusalOf([&card] { card.Load(); }),
                {card.Path() + ":",
                 "nic.plug_in = nowhere.so: must be a shared object in one of: ",
                 fs::path(card.Path()).parent_path().string(),
                 ProfileFolder()});
}

BOOST_AUTO_TEST_CASE(APlugInRunsOnlyIfTheUserSaysSo)
{
    const Variant card(PlugIn());
    ClusterConfig config = card.Recorded("star", 2);
    config.allowPlugIns = false;
    const std::vector<std::string> parts = {CARD + ".toml:",
                                            "nic.plug_in = every-part.so: the profile would run /",
                                            "allow it by --allow-plug-in"};
    ExpectParts(RefusalOf([&config] { Cluster cluster(config); }), parts);
    config.profile = CARD;
    config.others[1] = {card.Path(), ""};
    ExpectParts(RefusalOf([&config] { Cluster cluster(config); }), parts);
    config.others.clear();
    Cluster cluster(config); // which has none
}

BOOST_AUTO_TEST_CASE(WhatIsNoPlugInIsRefused)
{
    for (const auto& [file, why] : std::map<std::string, std::string>{
             {"README.md", "must be a shared object: "},
             {"no-entry.so", "must export via_plug_in()"},
             {"other-abi.so", "is made for version 0 of via-plug-in.h: must be 1"}})
    {
        ExpectParts(RefusalOfCard(PlugIn() + Changes{{"nic.plug_in", file}}),
                    {CARD + ".toml:", "nic.plug_in = " + file + ": " + why});
    }
}

BOOST_AUTO_TEST_CASE(APartThatIsNotOfferedIsRefused)
{
    Changes changes = PlugIn() + Changes{{"nic.plug_in", "two-level.so"}};
    ExpectParts(RefusalOfCard(changes),
                {CARD + ".toml:",
                 "nic.descriptor = plug-in: two-level.so offers only: nic.doorbell, "
                 "nic.translation"});
}

BOOST_AUTO_TEST_CASE(NumbersThatThePlugInDoesNotTakeAreRefused)
{
    ExpectParts(RefusalOfCard(PlugIn() + Changes{{"plug_in.colour", "3"}}),
                {"nic.plug_in = every-part.so: refuses the profile's numbers: ",
                 "plug_in.colour: no such key"});
    const ProviderProfile profile = ProviderProfile::Load(Example());
    ExpectParts(RefusalOf([] {
                    ExamplePingPong("4", {{"plug_in.leaves", "0"}});
                }),
                {"plug_in.leaves must be 1 or more"});
}

BOOST_AUTO_TEST_CASE(NumbersWithoutAPlugInAreRefused)
{
    const Variant card(Changes{{"plug_in.leaves", "3"}});
    ExpectParts(RefusalOf([&card] { card.Load(); }),
                {"plug_in.leaves = 3: is read only with nic.doorbell=plug-in"});
}

BOOST_AUTO_TEST_CASE(ANumberOfAPlugInIsWholeAndItsNameIsPlain)
{
    const Variant card(PlugIn());
    const std::string good = FileText(card.Path());
    for (const auto& [from, to] : std::map<std::string, std::string>{
             {"ring_bytes = { value = 8", "ring_bytes = { value = 8.5"},
             {"ring_bytes = ", "Ring-Bytes = "}})
    {
        std::string text = good;
        text.replace(text.find(from), from.size(), to);
        std::ofstream(card.Path()) << text;
        BOOST_CHECK_THROW(card.Load(), ConfigError);
    }
}

BOOST_AUTO_TEST_SUITE_END()
