/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Plans of faults: what is read, what is refused and how, and what storms draw.

#include "../support/via-test-folders.h"

#include "ns3/via-error.h"
#include "ns3/via-fault-places.h"
#include "ns3/via-fault-plan.h"
#include "ns3/via-fault-reader.h"
#include "ns3/via-topology-shapes.h"

#include <boost/test/unit_test.hpp>
#include <fstream>
#include <unistd.h>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

const std::string HEAD = "schema = \"via-faults/1\"\n";

std::string
Written(const std::string& text, const std::string& name = "fault-plan-test.toml")
{
    const std::string ours = std::to_string(getpid()) + "-" + name; // cases run side by side
    const std::string path = (BuildFolder() / ours).string();
    std::ofstream(path) << text;
    return path;
}

/// Reads a plan and checks it for a fat tree of 8 hosts and 12 switches.
FaultPlan
Checked(const std::string& tables)
{
    const FaultPlan plan = FaultPlan::Read(Written(HEAD + tables));
    plan.Check(FatTree(2, 3, 8));
    return plan;
}

/// A thousand cuts of each wire per second, between @p at and @p until.
FaultPlan
StormOfCuts(const std::string& at,
            const std::string& until,
            const std::string& least,
            const std::string& most)
{
    return Checked("[[storm]]\nkind = \"link_down\"\nper_second = 1000\nat = \"" + at +
                   "\"\nuntil = \"" + until + "\"\nleast = \"" + least + "\"\nmost = \"" + most +
                   "\"\n");
}

/// What is said of a plan that is refused, without the name of the file.
std::string
Refusal(const std::string& tables)
{
    try
    {
        Checked(tables);
    }
    catch (const ConfigError& error)
    {
        const std::string text = error.what();
        return text.substr(text.find("test.toml") + 9);
    }
    return "";
}

} // namespace

BOOST_AUTO_TEST_SUITE(FaultPlanTest)

BOOST_AUTO_TEST_CASE(EveryKindIsRead)
{
    const FaultPlan plan = Checked("[[loss]]\nwhere = \"n3>s1\"\nbit_errors = 1000\n"
                                   "[[link_down]]\nwhere = \"s0.2\"\nat = \"1.5 us\"\n"
                                   "[[switch_down]]\nwhere = \"s11\"\nuntil = \"3 ms\"\n"
                                   "[[nic_reset]]\nwhere = \"n7\"\nat = 5\nuntil = 6\n"
                                   "[[node_crash]]\nwhere = \"n0\"\n"
                                   "[[slow_node]]\nwhere = \"n1\"\nfactor = \"3/2\"\n"
                                   "[[partition]]\nsets = [[\"n0\", \"n1\"], [\"n2\"]]\n");
    BOOST_TEST(plan.faults.size() == FAULT_KINDS);
    for (const PlannedFault& fault : plan.faults)
    {
        BOOST_TEST((fault.when.until == PS_NEVER || fault.kind == FaultKind::SWITCH_DOWN ||
                    fault.kind == FaultKind::NIC_RESET));
    }
}

BOOST_AUTO_TEST_CASE(JsonSaysTheSameAsToml)
{
    const std::string json = "{\"schema\": \"via-faults/1\",\n \"slow_node\": [{\"where\": \"n1\", "
                             "\"factor\": 3,\n\"at\": \"2 us\", \"until\": 3000000}]}";
    const FaultPlan plan = FaultPlan::Read(Written(json, "fault-plan-test.json"));
    BOOST_TEST(plan.faults.size() == 1U);
    BOOST_TEST(plan.faults[0].num == 3U);
    BOOST_TEST(plan.faults[0].when.from == 2 * PS_PER_US);
    BOOST_TEST(plan.faults[0].when.until == 3 * PS_PER_US);
    BOOST_TEST(FaultPlan::ReadJson(json, "x").faults.size() == 1U);
}

BOOST_AUTO_TEST_CASE(AMistakeInJsonIsNamedWithItsLine)
{
    const auto refuses = [](const std::string& text, const std::string& what) {
        const std::string path = Written(text, "fault-plan-test.json");
        BOOST_CHECK_EXCEPTION(FaultPlan::Read(path), ConfigError, [&](const ConfigError& error) {
            BOOST_TEST_MESSAGE(error.what());
            return std::string(error.what()).find("test.json" + what) != std::string::npos;
        });
    };
    refuses("{\"schema\": \"via-faults/1\",\n \"loss\":\n [{\"were\": 1}]}",
            ":3: loss[0].were = 1: there is no such key");
    refuses("{\"schema\": \"via-faults/1\",\n \"loss\": [{\"where\": 1.5}]}",
            ":2: loss[0].where = 1.5: a text is needed");
    refuses("{\"schema\": \"via-faults/1\",\n\n ]", ":3: not JSON");
    refuses("{\"schema\": \"via-faults/1\", \"schema\": 1}", ":1: schema appears twice");
    refuses("{}", ":1: faults: schema is missing");
    refuses("{\"schema\":\n" + std::string(20'000, '['), ":2: nested more than 64 levels deep");
}

BOOST_AUTO_TEST_CASE(EveryRefusalNamesLineKeyValueAndWhatIsAllowed)
{
    BOOST_TEST(Refusal("[[link_down]]\nwhere = \"n8\"\n")
                   .find(":2: link_down[0].where = n8: all, a "
                         "host n0, a switch s0") == 0U);
    BOOST_TEST(Refusal("[[link_down]]\nat = 1\n") == ":2: link_down[0]: where is missing");
    BOOST_TEST(Refusal("[[nic_reset]]\nwhere = \"n1\"\n") == ":2: nic_reset[0]: until is missing");
    BOOST_TEST(Refusal("[[nic_reset]]\nwhere = \"s1\"\nuntil = 3\n") ==
               ":2: nic_reset[0].where = s1: a host; hosts are n0 to n7");
    BOOST_TEST(Refusal("[[switch_down]]\nwhere = \"s12\"\n") ==
               ":2: switch_down[0].where = s12: a switch; switches are s0 to s11");
    BOOST_TEST(Refusal("[[slow_node]]\nwhere = \"n1\"\n") == ":2: slow_node[0]: factor is missing");
    BOOST_TEST(Refusal("[[slow_node]]\nwhere = \"n1\"\nfactor = \"1/2\"\n") ==
               ":4: slow_node[0].factor = 1/2: a whole number or a ratio like \"3/2\", "
               "at least 1");
    BOOST_TEST(Refusal("[[partition]]\nsets = [[\"n0\"], [\"n0\"]]\n") ==
               ":2: partition[0].sets = n0: a host can be in only one set");
    BOOST_TEST(Refusal("[[node_crash]]\nwhere = \"n1\"\nrestart = 1\n") ==
               ":4: node_crash[0].restart = 1: true or false");
    BOOST_TEST(Refusal("[[node_crash]]\nwhere = \"n1\"\nrestart = true\n") ==
               ":2: node_crash[0].until = never: this fault needs an end");
    BOOST_TEST(Refusal("[[quake]]\nwhere = \"n1\"\n")
                   .find(":2: faults.quake = [{where = \"n1\"}]: there is no "
                         "such key") == 0U);
}

BOOST_AUTO_TEST_CASE(TimesAreExact)
{
    BOOST_TEST(ParseTime("1.5 us") == 1'500'000);
    BOOST_TEST(ParseTime("0ps") == 0);
    BOOST_TEST(ParseTime("0.001 ns") == 1);
    BOOST_TEST(ParseTime("12s") == 12 * PS_PER_SECOND);
    for (const char* wrong : {"",
                              "1",
                              "us",
                              "1.5",
                              "1,5 us",
                              "-1 us",
                              "0.0001 ns",
                              "1. us",
                              ".5 us",
                              "1 us ",
                              "1e3 us",
                              "99999999999999999 s",
                              "1 2 us",
                              "1.2.3 us"})
    {
        BOOST_TEST(ParseTime(wrong) == -1, wrong);
    }
    BOOST_TEST(Refusal("[[link_down]]\nwhere = \"n1\"\nat = \"0.1 ps\"\n")
                   .find(":4: link_down[0].at = 0.1 ps: a time like") == 0U);
    BOOST_TEST(Refusal("[[link_down]]\nwhere = \"n1\"\nat = 5\nuntil = 5\n") ==
               ":5: link_down[0].until = 5: must be later than `at`");
}

BOOST_AUTO_TEST_CASE(NamesOfWires)
{
    const Topology tree = FatTree(2, 3, 8);
    const FaultPlaces places(tree);
    BOOST_TEST(places.Wires("all").size() == 2 * tree.cables.size());
    BOOST_TEST(places.Wires("n3").size() == 2U);
    const FaultPlaces::Wire first = places.Wires("n3").front();
    const std::string leaf =
        "s" + std::to_string(first.from.isSwitch ? first.from.index : first.to.index);
    BOOST_TEST(places.Wires("n3-" + leaf).size() == 2U);
    BOOST_TEST(places.Wires(leaf + "-n3").size() == 2U);
    BOOST_TEST(places.Wires("n3>" + leaf).size() == 1U);
    BOOST_TEST(places.Wires(leaf + ">n3").size() == 1U);
    BOOST_TEST(!places.Wires(leaf + ">n3").front().to.isSwitch);
    BOOST_TEST(places.Wires(leaf).size() == 8U);
    BOOST_TEST(places.Wires(leaf + ".0").size() == 2U);
    for (const char* nothing :
         {"", "n", "n8", "s12", "n03", "x0", "n0-n1", "n0-", "-n0", "s0.9", "s0."})
    {
        BOOST_TEST(places.Wires(nothing).empty(), nothing);
    }
}

BOOST_AUTO_TEST_CASE(StormsDrawTheSameForTheSameSeedOnly)
{
    const Topology tree = FatTree(2, 3, 8);
    const FaultPlan plan = StormOfCuts("1 ms", "11 ms", "10 us", "20 us");
    const std::vector<PlannedFault> one = plan.Expand(tree, 1);
    BOOST_TEST(one.size() == 10 * tree.cables.size()); // ten of each wire
    Ps last = 0;
    for (const PlannedFault& fault : one)
    {
        BOOST_TEST((fault.when.from >= last && fault.when.from < 11 * PS_PER_MS));
        BOOST_TEST(fault.when.until - fault.when.from >= 10 * PS_PER_US);
        BOOST_TEST(fault.when.until - fault.when.from <= 20 * PS_PER_US);
        last = fault.when.from;
    }
    BOOST_TEST(plan.Expand(tree, 1).front().when.from == one.front().when.from);
    BOOST_TEST(plan.Expand(tree, 2).front().when.from != one.front().when.from);
}

BOOST_AUTO_TEST_CASE(AFaultOfAStormThatOutlastsAllTimeNeverEnds)
{
    const Topology tree = FatTree(2, 3, 8);
    const FaultPlan plan = StormOfCuts("50 ms", "60 ms", "9223372 s", "9223372 s");
    const std::vector<PlannedFault> faults = plan.Expand(tree, 1);
    BOOST_TEST(!faults.empty());
    for (const PlannedFault& fault : faults)
    {
        BOOST_TEST(fault.when.until == PS_NEVER);
    }
}

BOOST_AUTO_TEST_CASE(AStormWithoutEndOrMeasureIsRefused)
{
    const std::string head = "[[storm]]\nkind = \"node_crash\"\nper_second = 3\nleast = 1\n";
    BOOST_TEST(Refusal(head + "most = 2\n") == ":2: storm[0]: until is missing");
    BOOST_TEST(Refusal(head + "until = 5\n") == ":2: storm[0]: most is missing");
    BOOST_TEST(Refusal(head + "most = 0\nuntil = 5\n").find(":2: storm[0].least, most = ") == 0U);
    BOOST_TEST(Refusal("[[storm]]\nkind = \"rain\"\nper_second = 3\nleast = 1\nmost = 2\nuntil = "
                       "5\n")
                   .find(":3: storm[0].kind = rain: one of loss, link_down") == 0U);
    BOOST_TEST(Refusal("[[storm]]\nkind = \"nic_reset\"\nper_second = 1000000000\nleast = 1\nmost "
                       "= 2\nuntil = \"1 s\"\n")
                   .find("a plan can have at most 1000000 faults") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(TheChanceOfABitErrorGrowsWithTheCell)
{
    const long double one = 18446744073709551616.0L;
    BOOST_TEST(CellErrorChance(0, 53) == 0U);
    BOOST_TEST(CellErrorChance(LinkLoss::ALL_BITS, 1) == UINT64_MAX);
    const double rare = static_cast<double>(CellErrorChance(1'000'000, 53) / one); // 1e-9
    BOOST_TEST(rare == 424e-9, boost::test_tools::tolerance(1e-6));
    const double often = static_cast<double>(CellErrorChance(1'000'000'000'000, 53) / one); // 1e-3
    BOOST_TEST(often == 0.34571, boost::test_tools::tolerance(1e-4));
}

BOOST_AUTO_TEST_SUITE_END()
