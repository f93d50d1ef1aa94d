/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Provider profiles: what the shipped ones say, what-if copies, what a fingerprint covers.

#include "../support/via-test-profile-bench.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <set>
#include <string>
#include <vector>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// "provider/metric/status" of every published row.
std::set<std::string>
PublishedRows()
{
    std::set<std::string> rows;
    std::ifstream file(fs::path(ProfileFolder()) / "published.csv");
    for (std::string line; std::getline(file, line);)
    {
        const std::size_t first = line.find(',');
        const std::size_t second = line.find(',', first + 1);
        const std::string metric = line.substr(first + 1, second - first - 1);
        rows.insert(line.substr(0, first) + "/" + metric + "/" + line.substr(line.rfind(',') + 1));
    }
    return rows;
}

/// Names of the keys that a profile with the words of @p entries must have, in their order.
std::vector<std::string>
KeysFor(const std::vector<ProfileEntry>& entries)
{
    const auto word = [&entries](const std::string& name) {
        const auto it = std::find_if(entries.begin(),
                                     entries.end(),
                                     [&](const ProfileEntry& entry) { return entry.key == name; });
        return it == entries.end() ? "" : it->value;
    };
    std::vector<std::string> names;
    for (const ProfileKey& key : ProfileKeys())
    {
        const bool isAbsent = key.optional && word(key.key).empty();
        if (key.scope != ProfileScope::KERNEL && IsUsed(key, word) && !isAbsent)
        {
            names.push_back(key.key);
        }
    }
    return names;
}

bool
IsCited(const ProfileEntry& entry, const std::set<std::string>& rows)
{
    const std::string beside = "conditions of "; // the row, not what it measured
    const std::size_t from = entry.source.rfind(beside, 0) == 0 ? beside.size() : 0;
    const std::size_t end = entry.source.find_first_of(":, ", from);
    const std::string row = entry.source.substr(from, end - from) + "/";
    if (entry.trust == "derived" || entry.trust == "fitted")
    {
        const auto found = rows.lower_bound(row);
        return found != rows.end() && found->compare(0, row.size(), row) == 0;
    }
    return entry.trust == "assumed" || rows.count(row + entry.trust) == 1;
}

} // namespace

BOOST_AUTO_TEST_SUITE(ProviderProfileTest)

BOOST_AUTO_TEST_CASE(TheClanProfileAnswersInTheUnitsOfItsKeys)
{
    const auto profile = ProviderProfile::Load(CARD);
    BOOST_TEST(profile.Name() == CARD);
    BOOST_TEST(profile.Title() == "Giganet cLAN1000");
    BOOST_TEST(profile.Host() == "pii300-linux22");
    BOOST_TEST(profile.Number("nic.max_vi") == 1024);
    BOOST_TEST(profile.Word("nic.doorbell") == "mmio-fifo");
    BOOST_TEST((profile.Clock("bus.clock") == Frequency{100'000'000, 3}));
    BOOST_TEST((profile.Numbers("switch.ports") == std::vector<std::uint64_t>{8, 30}));
    BOOST_TEST((profile.Words("switch.model") == std::vector<std::string>{"cLAN5000", "cLAN5300"}));
}

BOOST_AUTO_TEST_CASE(TheHostIsTheUsersChoice)
{
    const auto profile = ProviderProfile::Load(CARD, "xeon-w2k");
    BOOST_TEST(profile.Host() == "xeon-w2k");
    BOOST_TEST(profile.Number("bus.width") == 8);
    BOOST_TEST(profile.Fingerprint() != ProviderProfile::Load(CARD).Fingerprint());
}

BOOST_AUTO_TEST_CASE(EveryShippedPairOfCardAndHostLoads)
{
    for (const std::string& card : ProductNames())
    {
        for (const auto& host : fs::directory_iterator(fs::path(ProfileFolder()) / "hosts"))
        {
            BOOST_CHECK_NO_THROW(ProviderProfile::Load(card, host.path().string()));
        }
    }
}

BOOST_AUTO_TEST_CASE(EveryCitedRowIsPublishedWithTheTrustClaimed)
{
    const std::set<std::string> rows = PublishedRows();
    std::vector<ProviderProfile> profiles;
    for (const std::string& card : ProductNames())
    {
        profiles.push_back(ProviderProfile::Load(card));
    }
    for (const auto& host : fs::directory_iterator(fs::path(ProfileFolder()) / "hosts"))
    {
        profiles.push_back(ProviderProfile::Load(CARD, host.path().string()));
    }
    for (const auto& kernel : fs::directory_iterator(fs::path(ProfileFolder()) / "kernels"))
    {
        profiles.push_back(ProviderProfile::Load(CARD, "", kernel.path().string()));
    }
    for (const ProviderProfile& profile : profiles)
    {
        for (const ProfileEntry& entry : profile.Entries())
        {
            BOOST_TEST(IsCited(entry, rows),
                       entry.file << ": " << entry.key << ": " << entry.source);
        }
    }
}

BOOST_AUTO_TEST_CASE(TheReadmeHasTheRowOfEveryKey)
{
    const std::string readme = FileText(fs::path(ProfileFolder()) / "README.md");
    for (const ProfileKey& key : ProfileKeys())
    {
        const std::string row = "| `" + key.key + "` | " + key.unit + " | " + key.meaning + " |";
        BOOST_TEST(readme.find(row) != std::string::npos, row);
    }
}

BOOST_AUTO_TEST_CASE(EntriesAreSortedAndPointToTheirLines)
{
    const auto entries = ProviderProfile::Load(CARD).Entries();
    const std::vector<std::string> keys = KeysFor(entries);
    BOOST_REQUIRE(entries.size() == keys.size());
    for (std::size_t i = 0; i < entries.size(); ++i)
    {
        BOOST_TEST(entries[i].key == keys[i]);
        std::istringstream text(FileText(entries[i].file));
        std::string line;
        for (std::uint32_t n = 0; n < entries[i].line; ++n)
        {
            std::getline(text, line);
        }
        const std::string leaf = entries[i].key.substr(entries[i].key.find('.') + 1);
        BOOST_TEST(line.compare(0, leaf.size() + 1, leaf + " ") == 0);
    }
}

BOOST_AUTO_TEST_CASE(ClocksAreReadExactly)
{
    BOOST_TEST((*ParseFrequency("300 MHz") == Frequency{300'000'000, 1}));
    BOOST_TEST((*ParseFrequency("100/3 MHz") == Frequency{100'000'000, 3}));
    BOOST_TEST((*ParseFrequency("1.25 GHz") == Frequency{1'250'000'000, 1}));
    BOOST_TEST((*ParseFrequency("33.333 Hz") == Frequency{33'333, 1'000}));
    BOOST_TEST((*ParseFrequency("6/4 kHz") == Frequency{1'500, 1}));
    BOOST_TEST(FormatFrequency({100'000'000, 3}) == "100000000/3 Hz");
    BOOST_TEST(FormatFrequency({1'500, 1}) == "1500 Hz");
}

BOOST_AUTO_TEST_CASE(WhatIsNoClockIsRefused)
{
    for (const std::string text : {"",
                                   "300",
                                   "MHz",
                                   "300MHz",
                                   "-1 MHz",
                                   "1e6 Hz",
                                   "1/0 MHz",
                                   "0 Hz",
                                   "1. MHz",
                                   "1.5/3 MHz",
                                   "1 mHz",
                                   "300 MHz ",
                                   "99999999999 GHz",
                                   "1234567890123456789 Hz"})
    {
        BOOST_TEST(!ParseFrequency(text), text);
    }
}

BOOST_AUTO_TEST_CASE(AChangedCopyLeavesTheProfileAlone)
{
    const auto profile = ProviderProfile::Load(CARD);
    const auto changed = profile.With("nic.clock", "33.3 MHz").With("switch.ports", "8,16");
    BOOST_TEST((changed.Clock("nic.clock") == Frequency{33'300'000, 1}));
    BOOST_TEST((changed.Numbers("switch.ports") == std::vector<std::uint64_t>{8, 16}));
    BOOST_TEST((profile.Clock("nic.clock") == Frequency{62'500'000, 1}));
    BOOST_TEST(changed.Fingerprint() != profile.Fingerprint());
}

BOOST_AUTO_TEST_CASE(SeveralChangesAreOneStep)
{
    const auto profile = ProviderProfile::Load(CARD);
    BOOST_CHECK_THROW(profile.With("switch.ports", "16"), ConfigError); // still has two names
    const auto changed = profile.With({{"switch.ports", "16"}, {"switch.model", "mine"}});
    BOOST_TEST((changed.Words("switch.model") == std::vector<std::string>{"mine"}));
    BOOST_TEST(profile.With({}).Fingerprint() == profile.Fingerprint());
}

BOOST_AUTO_TEST_CASE(ASketchSaysWhy)
{
    const Bench bench;
    BOOST_TEST(bench.Load().Sketch() == "");
    bench.Edit("default_host", "sketch = \"nobody measured it\"\ndefault_host");
    BOOST_TEST(bench.Load().Sketch() == "nobody measured it");
    BOOST_TEST(bench.Load().Fingerprint() == ProviderProfile::Load(CARD).Fingerprint());
}

BOOST_AUTO_TEST_CASE(ASketchWithoutAReasonIsRefused)
{
    const Bench bench;
    bench.Edit("default_host", "sketch = \"\"\ndefault_host");
    const std::string refusal = RefusalOf([&] { bench.Load(); });
    BOOST_TEST(refusal.find(": sketch = ") != std::string::npos, refusal);
    BOOST_TEST(refusal.find("must be text") != std::string::npos, refusal);
}

BOOST_AUTO_TEST_CASE(AHostIsNoSketch)
{
    const Bench bench;
    bench.Edit("title", "sketch = \"no\"\ntitle", "hosts/pii300-linux22.toml");
    const std::string refusal = RefusalOf([&] { bench.Load(); });
    BOOST_TEST(refusal.find("pii300-linux22.toml:") != std::string::npos, refusal);
    BOOST_TEST(refusal.find("no such key") != std::string::npos, refusal);
}

BOOST_AUTO_TEST_CASE(EveryCanonicalValueIsItselfAValue)
{
    const auto profile = ProviderProfile::Load(CARD);
    for (const ProfileEntry& entry : profile.Entries())
    {
        BOOST_TEST(profile.With(entry.key, entry.value).Fingerprint() == profile.Fingerprint());
    }
}

BOOST_AUTO_TEST_CASE(EveryKeyCountsInTheFingerprint)
{
    const auto profile = ProviderProfile::Load(CARD);
    std::set<std::string> seen{profile.Fingerprint()};
    for (const std::string key :
         {"os.interrupt", "vipl.post_send", "nic.tpt_lookup", "link.credits"})
    {
        const auto changed = profile.With(key, std::to_string(profile.Number(key) + 1));
        BOOST_TEST(seen.insert(changed.Fingerprint()).second);
    }
    BOOST_TEST(profile.Fingerprint().size() == 16);
}

BOOST_AUTO_TEST_CASE(TheFingerprintIgnoresNamesSourcesAndSpelling)
{
    const Bench bench;
    bench.Edit("\"62.5 MHz\"", "\"125/2 MHz\"");
    bench.Edit("value = 180", "value = 1_80");
    bench.Edit("half of the link's 125 MHz byte clock", "asked the designer");
    bench.Edit("[nic]", "# another remark\n[nic]");
    BOOST_TEST(bench.Load().Fingerprint() == ProviderProfile::Load(CARD).Fingerprint());
}

BOOST_AUTO_TEST_CASE(ProfilesOfTheUsersFolderComeFirst)
{
    const Bench bench;
    bench.Edit("title = \"Giganet", "title = \"My");
    setenv("VIA_PROFILE_PATH", fs::path(bench.Card()).parent_path().c_str(), 1);
    const std::string title = ProviderProfile::Load(CARD).Title();
    unsetenv("VIA_PROFILE_PATH");
    BOOST_TEST(title == "My cLAN1000");
}

BOOST_AUTO_TEST_CASE(AnUnknownNameIsToldTheKnownOnes)
{
    const std::string product = RefusalOf([] { ProviderProfile::Load("clan"); });
    BOOST_TEST(product.find("profile = clan: ") == 0);
    BOOST_TEST(product.find(CARD) != std::string::npos);
    const std::string host = RefusalOf([] { ProviderProfile::Load(CARD, "cray"); });
    BOOST_TEST(host.find("host = cray: ") == 0);
    BOOST_TEST(host.find("pii400-linux22, pii450-win") != std::string::npos);
    BOOST_CHECK_THROW(ProviderProfile::Load("./no-such-file.toml"), ConfigError);
    BOOST_CHECK_THROW(ProviderProfile::Load(""), ConfigError);
}

BOOST_AUTO_TEST_CASE(ValuesThatContradictEachOtherAreRefused)
{
    const auto profile = ProviderProfile::Load(CARD);
    const std::vector<std::pair<std::string, std::string>> contradictions = {
        {"os.page_bytes", "4095"},
        {"bus.width", "3"},
        {"bus.burst_bytes", "6"},
        {"bus.write_combining", "2"},
        {"cpu.line_bytes", "24"},
        {"link.code_data", "11"},
        {"link.cell_payload", "54"},
        {"link.message_header", "48"},
        {"nic.dma_burst", "400"},
        {"nic.transmit_buffer", "383"},
        {"link.credits", "7"},
        {"nic.max_region_bytes", "1099511627776"},
        {"switch.ports", "30, 8"},
        {"switch.ports", "8"},
    };
    for (const auto& [key, value] : contradictions)
    {
        BOOST_CHECK_THROW(profile.With(key, value), ConfigError);
    }
}

BOOST_AUTO_TEST_CASE(ASliceThatASwitchUsesUpIsRefused)
{
    const auto profile = ProviderProfile::Load(CARD); // 300 MHz
    const auto crowded = profile.With("os.context_switch", "1800").With("os.quantum", "7");
    const std::string refusal = RefusalOf([&] { crowded.With("os.quantum", "6"); });
    BOOST_TEST(refusal.find("os.quantum = 6: must be longer than os.context_switch") !=
               std::string::npos);
    BOOST_CHECK_THROW(crowded.With("os.context_switch", "2100"), ConfigError);
}

BOOST_AUTO_TEST_CASE(AChangedCopyIsCheckedLikeAFile)
{
    const auto profile = ProviderProfile::Load(CARD);
    BOOST_CHECK_THROW(profile.With("nic.max_wi", "1"), ConfigError);
    BOOST_CHECK_THROW(profile.With("nic.max_vi", "0"), ConfigError);
    BOOST_CHECK_THROW(profile.With("nic.max_vi", "12 count"), ConfigError);
    BOOST_CHECK_THROW(profile.With("nic.max_vi", ""), ConfigError);
    BOOST_CHECK_THROW(profile.With("nic.max_vi", "99999999999999999999"), ConfigError);
    BOOST_CHECK_THROW(profile.With("nic.clock", "62.5"), ConfigError);
    BOOST_CHECK_THROW(profile.With("nic.clock", "200 GHz"), ConfigError);
    BOOST_CHECK_THROW(profile.With("switch.ports", ""), ConfigError);
    BOOST_CHECK_THROW(profile.With("nic.reliability", "unreliable, mostly"), ConfigError);
}

BOOST_AUTO_TEST_CASE(AKeyReadAsAnotherKindIsRefused)
{
    const auto profile = ProviderProfile::Load(CARD);
    BOOST_CHECK_THROW(profile.Number("nic.clock"), ConfigError);
    BOOST_CHECK_THROW(profile.Number("switch.ports"), ConfigError);
    BOOST_CHECK_THROW(profile.Clock("nic.max_vi"), ConfigError);
    BOOST_CHECK_THROW(profile.Word("nic.reliability"), ConfigError);
    BOOST_CHECK_THROW(profile.Number("nic.nonsense"), ConfigError);
}

BOOST_AUTO_TEST_SUITE_END()
