/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Documents: the tree of a TOML or JSON text, the lines of its values, and how messages show them.

#include "../support/via-test-folders.h"

#include "ns3/via-document.h"
#include "ns3/via-error.h"

#include <boost/test/unit_test.hpp>
#include <string>

using namespace ns3::via;
using namespace ns3::via::test;

BOOST_AUTO_TEST_SUITE(DocumentTest)

BOOST_AUTO_TEST_CASE(EachValueOfTomlTellsItsLine)
{
    const DocumentValue root = ReadToml("a = 1\n[b]\nc = [2,\n3]\n", "x.toml");
    const DocumentValue& list = *root.Find("b")->Find("c");
    BOOST_TEST(root.Find("a")->line == 1U);
    BOOST_TEST(list.line == 3U);
    BOOST_TEST(list.list.at(1).line == 4U);
}

BOOST_AUTO_TEST_CASE(EachValueOfJsonTellsItsLine)
{
    const DocumentValue root = ReadJson("{\n\"a\": 1,\n\"b\": [\n2]}", "x.json", 1);
    BOOST_TEST(root.Find("a")->line == 2U);
    BOOST_TEST(root.Find("b")->list.at(0).line == 4U);
}

BOOST_AUTO_TEST_CASE(AMessageShowsAValueAsItWouldStandInTheDocument)
{
    const DocumentValue root =
        ReadToml("v = {a = \"x y\", b = [1, true], c = 1.5, d = {}}\n", "x.toml");
    BOOST_TEST(root.Find("v")->Print() == "{a = \"x y\", b = [1, true], c = 1.5, d = {}}");
    BOOST_TEST(ReadJson("null", "x.json", 1).Print() == "null");
}

BOOST_AUTO_TEST_CASE(AMessageShowsTheFirstItemsOfALongList)
{
    std::string many = "v = [0";
    for (int i = 1; i < 1000; ++i)
    {
        many += ", " + std::to_string(i);
    }
    const std::string shown = ReadToml(many + "]\n", "x.toml").Find("v")->Print();
    BOOST_TEST(shown.size() < 80U);
    BOOST_TEST(shown.substr(0, 10) == "[0, 1, 2, ");
    BOOST_TEST(shown.substr(shown.size() - 6) == ", ...]");
}

BOOST_AUTO_TEST_CASE(AWordIsATextWithoutItsQuotes)
{
    const DocumentValue root = ReadToml("a = \"n8\"\nb = 8\n", "x.toml");
    BOOST_TEST(root.Find("a")->Word() == "n8");
    BOOST_TEST(root.Find("b")->Word() == "8");
}

BOOST_AUTO_TEST_CASE(AFolderIsNoDocument)
{
    const std::string folder = BuildFolder().string();
    BOOST_CHECK_EXCEPTION(ReadText(folder, "faults"), ConfigError, [&](const ConfigError& error) {
        return error.what() == "faults = " + folder + ": cannot be read";
    });
}

BOOST_AUTO_TEST_SUITE_END()
