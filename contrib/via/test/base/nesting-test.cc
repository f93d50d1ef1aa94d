/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// How deep texts may be nested: what counts as a level in TOML, JSON and XML, and what does not.

#include "ns3/via-error.h"
#include "ns3/via-nesting.h"

#include <boost/test/unit_test.hpp>
#include <string>

using namespace ns3::via;

namespace
{

std::string
Times(const std::string& text, std::size_t count)
{
    std::string all;
    for (std::size_t i = 0; i < count; ++i)
    {
        all += text;
    }
    return all;
}

template <typename Check>
std::string
Said(Check check, const std::string& text)
{
    try
    {
        check(text, "x.file");
    }
    catch (const ConfigError& error)
    {
        return error.what();
    }
    return "";
}

const std::string TOO_DEEP = ": nested more than 64 levels deep";

} // namespace

BOOST_AUTO_TEST_SUITE(NestingTest)

BOOST_AUTO_TEST_CASE(AsManyLevelsAsAllowedPassAndOneMoreDoesNot)
{
    for (const std::string open : {"[", "{", "{\"a\":", "{a="})
    {
        BOOST_TEST(Said(CheckNesting, "a =\n" + Times(open, MAX_NESTING)) == "");
        BOOST_TEST(Said(CheckNesting, "a =\n" + Times(open, MAX_NESTING + 1)) ==
                   "x.file:2" + TOO_DEEP);
    }
    BOOST_TEST(Said(CheckXmlNesting, Times("<a>", MAX_NESTING)) == "");
    BOOST_TEST(Said(CheckXmlNesting, "\n\n" + Times("<a>", MAX_NESTING + 1)) ==
               "x.file:3" + TOO_DEEP);
}

BOOST_AUTO_TEST_CASE(ALongDottedKeyIsNestedToo)
{
    BOOST_TEST(Said(CheckNesting, "a" + Times(".a", 20'000) + " = 1") == "x.file:1" + TOO_DEEP);
    BOOST_TEST(Said(CheckNesting, "[a" + Times(" . \"a\"", 20'000) + "]") == "x.file:1" + TOO_DEEP);
    BOOST_TEST(Said(CheckNesting, "a = [" + Times("1.5, ", 20'000) + "]") == "");
}

BOOST_AUTO_TEST_CASE(WhatStandsSideBySideIsNotNested)
{
    BOOST_TEST(Said(CheckNesting, Times("[[loss]]\nwhere = { a = [1] }\n", 1000)) == "");
    BOOST_TEST(Said(CheckXmlNesting, Times("<a><b c='>'/></a>", 1000)) == "");
}

BOOST_AUTO_TEST_CASE(StringsAndCommentsDoNotNest)
{
    const std::string open = Times("[", 100);
    for (const std::string& text : {"a = \"" + open + "\\\"" + open + "\"",
                                    "a = '" + open + "\\'",
                                    "a = \"\"\"" + open + "\n\"" + open + "\"\"\"",
                                    "a = '''" + open + "\n'" + open + "'''",
                                    "# " + open + "\na = 1"})
    {
        BOOST_TEST(Said(CheckNesting, text) == "", text);
    }
    const std::string tags = Times("<a>", 100);
    for (const std::string& text :
         {"<!-- " + tags + " -->", "<a><![CDATA[" + tags + "]]></a>", "<a b = \"" + tags + "\"/>"})
    {
        BOOST_TEST(Said(CheckXmlNesting, text) == "", text);
    }
}

BOOST_AUTO_TEST_CASE(NothingHidesWhatAParserWouldSee)
{
    const std::string open = Times("[", 100);
    const std::string tags = Times("<a>", 100);
    for (const std::string& text : {"a = \"\"" + open, "a = \"x\n" + open, "a = ''\n" + open})
    {
        BOOST_TEST(Said(CheckNesting, text) != "", text);
    }
    for (const std::string& text : {"<a\">" + tags + "\">",
                                    "<a='>" + tags + "'>",
                                    "<a b=''>" + tags,
                                    "<!-- -->" + tags + "<!-- -->",
                                    "<?x ?>" + tags})
    {
        BOOST_TEST(Said(CheckXmlNesting, text) != "", text);
    }
}

BOOST_AUTO_TEST_CASE(AMistakeIsOneLineWithWhatItIsIn)
{
    const std::string text = "a = 1\nb = \x1b[2J\n";
    BOOST_TEST(MistakeIn(text, 2, "[error] no value\n 2 | b = ...\n") ==
               "no value, in \"b = ?[2J\"");
    BOOST_TEST(MistakeIn(text, 0, "no value") == "no value");
    BOOST_TEST(MistakeIn(text, 9, "no value").find('\n') == std::string::npos);
    BOOST_TEST(MistakeIn(std::string(500, 'x'), 1, "no").size() < 80U);
}

BOOST_AUTO_TEST_SUITE_END()
