/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Provider profiles: what the shipped ones say, what a bad one is told, what a fingerprint covers.

#include "ns3/via-error.h"
#include "ns3/via-provider-profile.h"

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

using namespace ns3::via;
namespace fs = std::filesystem;

namespace
{

const std::string CARD = "giganet-clan1000";

std::string
FileText(const fs::path& path)
{
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

/// A folder with its own copies of the card and its host, free to be spoiled.
class Bench
{
  public:
    Bench()
    {
        std::string name = (fs::temp_directory_path() / "via-profile-XXXXXX").string();
        BOOST_REQUIRE(mkdtemp(name.data()) != nullptr);
        m_folder = name;
        fs::copy(ProfileFolder(), m_folder, fs::copy_options::recursive);
    }

    ~Bench()
    {
        fs::remove_all(m_folder);
    }

    std::string Card() const
    {
        return (m_folder / (CARD + ".toml")).string();
    }

    /// Replaces text that must be there, in the card's file or another.
    void Edit(const std::string& from,
              const std::string& to,
              const std::string& file = CARD + ".toml") const
    {
        std::string text = FileText(m_folder / file);
        const std::size_t at = text.find(from);
        BOOST_REQUIRE_MESSAGE(at != std::string::npos, from);
        std::ofstream(m_folder / file) << text.replace(at, from.size(), to);
    }

    ProviderProfile Load() const
    {
        return ProviderProfile::Load(Card());
    }

  private:
    fs::path m_folder;
};

template <class Action>
std::string
RefusalOf(Action action)
{
    try
    {
        action();
    }
    catch (const ConfigError& error)
    {
        return error.what();
    }
    BOOST_FAIL("nothing was refused");
    return "";
}

/// Expects a refusal of the edited card whose text holds all the given parts.
void
ExpectRefusal(const Bench& bench, const std::vector<std::string>& parts)
{
    const std::string said = RefusalOf([&] { bench.Load(); });
    for (const std::string& part : parts)
    {
        BOOST_TEST(said.find(part) != std::string::npos, said << " lacks " << part);
    }
}

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

bool
IsCited(const ProfileEntry& entry, const std::set<std::string>& rows)
{
    const std::string row = entry.source.substr(0, entry.source.find(':')) + "/";
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
    for (const std::string host : {"pii300-linux22", "pii450-win", "xeon-w2k", "ppro-nt4"})
    {
        const auto profile = ProviderProfile::Load(CARD, host);
        for (const ProfileEntry& entry : profile.Entries())
        {
            BOOST_TEST(IsCited(entry, rows), host << " " << entry.key << ": " << entry.source);
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
    BOOST_TEST(entries.size() == ProfileKeys().size());
    for (std::size_t i = 0; i < entries.size(); ++i)
    {
        BOOST_TEST(entries[i].key == ProfileKeys()[i].key);
        std::istringstream text(FileText(entries[i].file));
        std::string line;
        for (int n = 0; n < entries[i].line; ++n)
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
    BOOST_TEST(host.find("pii300-linux22, pii450-win") != std::string::npos);
    BOOST_CHECK_THROW(ProviderProfile::Load("./no-such-file.toml"), ConfigError);
    BOOST_CHECK_THROW(ProviderProfile::Load(""), ConfigError);
}

BOOST_AUTO_TEST_CASE(ARefusalNamesFileLineKeyValueRangeAndUnit)
{
    const Bench bench;
    bench.Edit("max_segments = { value = 252", "max_segments = { value = 253");
    const auto entries = ProviderProfile::Load(CARD).Entries();
    const auto it = std::find_if(entries.begin(), entries.end(), [](const auto& entry) {
        return entry.key == "nic.max_segments";
    });
    BOOST_TEST(RefusalOf([&] { bench.Load(); }) ==
               bench.Card() + ":" + std::to_string(it->line) +
                   ": nic.max_segments = 253: must be a whole number from 1 to 252, count");
}

BOOST_AUTO_TEST_CASE(AFloatingPointNumberIsRefused)
{
    const Bench bench;
    bench.Edit("max_vi = { value = 1024", "max_vi = { value = 1024.0");
    ExpectRefusal(bench, {"nic.max_vi = 1024.0", "whole number"});
}

BOOST_AUTO_TEST_CASE(ANegativeNumberIsRefused)
{
    const Bench bench;
    bench.Edit("max_vi = { value = 1024", "max_vi = { value = -1");
    ExpectRefusal(bench, {"nic.max_vi = -1", "from 1 to"});
}

BOOST_AUTO_TEST_CASE(ANumberInTextIsRefused)
{
    const Bench bench;
    bench.Edit("max_vi = { value = 1024", "max_vi = { value = \"1024\"");
    ExpectRefusal(bench, {"nic.max_vi = \"1024\"", "whole number"});
}

BOOST_AUTO_TEST_CASE(AClockAsNumberIsRefused)
{
    const Bench bench;
    bench.Edit("\"62.5 MHz\"", "62500000");
    ExpectRefusal(bench, {"nic.clock = 62500000", "such as \"62.5 MHz\""});
}

BOOST_AUTO_TEST_CASE(ASingleValueForAListIsRefused)
{
    const Bench bench;
    bench.Edit("[8, 30]", "8");
    ExpectRefusal(bench, {"switch.ports = 8", "a list of whole numbers from 2 to"});
}

BOOST_AUTO_TEST_CASE(AnEmptyOrMixedListIsRefused)
{
    for (const std::string list : {"[]", "[8, \"30\"]"})
    {
        const Bench bench;
        bench.Edit("[8, 30]", list);
        ExpectRefusal(bench, {"switch.ports = [", "a list of whole numbers"});
    }
}

BOOST_AUTO_TEST_CASE(AMechanismNobodyBuiltIsRefused)
{
    const Bench bench;
    bench.Edit("\"mmio-fifo\"", "\"telepathy\"");
    ExpectRefusal(bench, {"nic.doorbell = \"telepathy\"", "one of: mmio-fifo"});
}

BOOST_AUTO_TEST_CASE(AnUnknownKeyIsRefused)
{
    const Bench bench;
    bench.Edit("max_vi =", "max_wi =");
    ExpectRefusal(bench, {"nic.max_wi", "no such key"});
}

BOOST_AUTO_TEST_CASE(AMissingKeyIsRefused)
{
    const Bench bench;
    bench.Edit("max_vi =", "# max_vi =");
    ExpectRefusal(bench, {bench.Card(), "nic.max_vi is missing", "from 1 to", "count"});
}

BOOST_AUTO_TEST_CASE(AKeyGivenTwiceIsRefused)
{
    const Bench bench;
    bench.Edit("max_ptags =", "max_vi =");
    ExpectRefusal(bench, {bench.Card(), "not TOML", "max_vi"});
}

BOOST_AUTO_TEST_CASE(AHostKeyInAProductIsRefused)
{
    const Bench bench;
    bench.Edit("[nic]", "[cpu]\ncount = 1\n[nic]");
    ExpectRefusal(bench, {"cpu.count = 1", "belongs to a host profile"});
}

BOOST_AUTO_TEST_CASE(ALeafWithoutUnitSourceOrTrustIsRefused)
{
    for (const std::string field : {"value = 1024, ", "unit = \"count\", ", "trust = "})
    {
        const Bench bench;
        const std::string was = "max_vi = { value = 1024, unit = \"count\", source = \"cLAN/max_VIs"
                                "_per_NIC: data sheet\", trust = \"MEMORY-high\" }";
        std::string now = was;
        now.replace(now.find(field), field.size(), field == "trust = " ? "thrust = " : "");
        bench.Edit(was, now);
        ExpectRefusal(bench, {"nic.max_vi: " + field.substr(0, field.find(' ')) + " is missing"});
    }
}

BOOST_AUTO_TEST_CASE(AnEmptySourceIsRefused)
{
    const Bench bench;
    bench.Edit("source = \"cLAN/max_VIs_per_NIC: data sheet\"", "source = \"\"");
    ExpectRefusal(bench, {"nic.max_vi.source", "must be text"});
}

BOOST_AUTO_TEST_CASE(ALeafWithoutSourceIsRefused)
{
    const Bench bench;
    bench.Edit("source = \"cLAN/max_VIs_per_NIC: data sheet\", ", "");
    ExpectRefusal(bench, {"nic.max_vi: source is missing"});
}

BOOST_AUTO_TEST_CASE(AnotherUnitIsRefused)
{
    const Bench bench;
    bench.Edit("tpt_lookup = { value = 12, unit = \"nic cycles\"",
               "tpt_lookup = { value = 12, unit = \"us\"");
    ExpectRefusal(bench, {"nic.tpt_lookup.unit = us", "must be nic cycles"});
}

BOOST_AUTO_TEST_CASE(AnInventedTrustIsRefused)
{
    const Bench bench;
    bench.Edit("\"MEMORY-high\"", "\"certain\"");
    ExpectRefusal(bench, {".trust = certain", "VERIFIED, MEMORY-high"});
}

BOOST_AUTO_TEST_CASE(AFieldTooManyIsRefused)
{
    const Bench bench;
    bench.Edit("max_vi = { value = 1024", "max_vi = { error = 3, value = 1024");
    ExpectRefusal(bench, {"nic.max_vi.error = 3", "no such field"});
}

BOOST_AUTO_TEST_CASE(ABareValueIsRefused)
{
    const Bench bench;
    bench.Edit("[nic]", "[nic]\nmax_wait = 3");
    ExpectRefusal(bench, {"nic.max_wait = 3", "no such key"});
    const Bench other;
    other.Edit("count = {", "count = 1 # {", "hosts/pii300-linux22.toml");
    ExpectRefusal(other, {"hosts/pii300-linux22.toml:", "cpu.count = 1", "{ value, unit, source"});
}

BOOST_AUTO_TEST_CASE(BrokenTomlIsRefusedWithItsLine)
{
    const Bench bench;
    bench.Edit("schema = \"via-product/1\"", "schema = \"via-product/1");
    ExpectRefusal(bench, {bench.Card() + ":3: not TOML"});
}

BOOST_AUTO_TEST_CASE(AnotherSchemaIsRefused)
{
    const Bench bench;
    bench.Edit("via-product/1", "via-product/2");
    ExpectRefusal(bench, {bench.Card() + ":3: schema = via-product/2", "must be via-product/1"});
    const std::string host = RefusalOf([&] { ProviderProfile::Load(CARD, bench.Card()); });
    BOOST_TEST(host.find("must be via-host/1") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(AHeadWithoutTitleIsRefused)
{
    const Bench bench;
    bench.Edit("title = \"Giganet cLAN1000\"\n", "");
    ExpectRefusal(bench, {"title is missing"});
}

BOOST_AUTO_TEST_CASE(ValuesThatContradictEachOtherAreRefused)
{
    const auto profile = ProviderProfile::Load(CARD);
    const std::vector<std::pair<std::string, std::string>> contradictions = {
        {"os.page_bytes", "4095"},
        {"bus.width", "3"},
        {"link.code_data", "11"},
        {"link.cell_payload", "53"},
        {"link.message_header", "48"},
        {"nic.max_region_bytes", "1099511627776"},
        {"switch.ports", "30, 8"},
        {"switch.ports", "8"},
    };
    for (const auto& [key, value] : contradictions)
    {
        BOOST_CHECK_THROW(profile.With(key, value), ConfigError);
    }
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
