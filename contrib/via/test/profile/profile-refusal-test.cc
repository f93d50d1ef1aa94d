/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Bad profile files: each mistake is told with its place and what is allowed.

#include "../support/via-test-profile-bench.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

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

} // namespace

BOOST_AUTO_TEST_SUITE(ProfileRefusalTest)

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

BOOST_AUTO_TEST_CASE(MoreThanTheSimulatorCanNumberIsRefused)
{
    const Bench bench;
    bench.Edit("max_regions = { value = 32768", "max_regions = { value = 1048577");
    ExpectRefusal(bench, {"nic.max_regions = 1048577", "from 1 to 1048576"});
    const Bench other;
    other.Edit("max_transfer_size = { value = 65536", "max_transfer_size = { value = 2147483649");
    ExpectRefusal(other, {"nic.max_transfer_size = 2147483649", "from 32768 to 2147483648"});
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

BOOST_AUTO_TEST_CASE(ANestedFileIsRefusedBeforeItIsParsed)
{
    for (const char bracket : {'[', '{'})
    {
        const Bench bench;
        bench.Edit("schema = ", "a = " + std::string(20'000, bracket) + "\nschema = ");
        ExpectRefusal(bench, {bench.Card() + ":3: nested more than 64 levels deep"});
    }
}

BOOST_AUTO_TEST_CASE(AFileNamesHostAndKernelButNoPath)
{
    const std::string was = "default_host = \"pii300-linux22\"";
    for (const std::string name :
         {"../../etc/passwd", "/etc/passwd", "hosts/pii300-linux22", "..", ".", "x.toml", "a b"})
    {
        const Bench bench;
        bench.Edit(was, "default_host = \"" + name + "\"");
        ExpectRefusal(bench, {"default_host = " + name + ": must be a name, not a path"});
        const Bench other;
        other.Edit("default_kernel = \"nt4\"",
                   "default_kernel = \"" + name + "\"",
                   "hosts/pii450-win.toml");
        const std::string said =
            RefusalOf([&] { ProviderProfile::Load(other.Card(), "pii450-win"); });
        BOOST_TEST(said.find("default_kernel = " + name + ": must be a name, not a path") !=
                       std::string::npos,
                   said);
    }
}

BOOST_AUTO_TEST_CASE(AnotherSchemaIsRefused)
{
    const Bench bench;
    bench.Edit("via-product/1", "via-product/2");
    ExpectRefusal(bench, {bench.Card() + ":3: schema = via-product/2", "must be via-product/1"});
    const std::string host = RefusalOf([&] { ProviderProfile::Load(CARD, bench.Card()); });
    BOOST_TEST(host.find("must be via-host/1") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(AHeadWithoutSchemaIsToldWhichItNeeds)
{
    const Bench bench;
    bench.Edit("schema = \"via-product/1\"\n", "");
    ExpectRefusal(bench, {"schema is missing: must be \"via-product/1\" at the top"});
}

BOOST_AUTO_TEST_CASE(AHeadWithoutTitleIsRefused)
{
    const Bench bench;
    bench.Edit("title = \"Giganet cLAN1000\"\n", "");
    ExpectRefusal(bench, {"title is missing"});
}

BOOST_AUTO_TEST_SUITE_END()
