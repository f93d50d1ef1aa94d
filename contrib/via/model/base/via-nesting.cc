/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Nesting limits, checked before a recursive parser reads a text.

#include "via-nesting.h"

#include "ns3/via-error.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace ns3
{
namespace via
{

namespace
{

constexpr std::size_t LONGEST_QUOTE = 60;
const std::string PREFIX = "[error] "; // of toml11

void
CheckDepth(std::uint64_t depth, const std::string& text, std::size_t at, const std::string& name)
{
    if (depth > MAX_NESTING)
    {
        const auto line = 1 + std::count(text.begin(), text.begin() + at, '\n');
        throw ConfigError(name + ":" + std::to_string(line) + ": nested more than " +
                          std::to_string(MAX_NESTING) + " levels deep");
    }
}

/// The position of the next @p what, or the end of @p text.
std::size_t
FindFrom(const std::string& text, const std::string& what, std::size_t at)
{
    return std::min(text.find(what, at), text.size());
}

/// The last character of the string that begins at @p at. An unterminated string ends with its
/// line, where both languages report an error.
std::size_t
EndOfString(const std::string& text, std::size_t at)
{
    const char quote = text[at];
    const bool isLong = text.compare(at, 3, std::string(3, quote)) == 0;
    const std::string closing(isLong ? 3 : 1, quote);
    for (std::size_t i = at + closing.size(); i < text.size(); ++i)
    {
        if (text[i] == '\\' && quote == '"')
        {
            ++i;
        }
        else if (text.compare(i, closing.size(), closing) == 0)
        {
            return i + closing.size() - 1;
        }
        else if (text[i] == '\n' && !isLong)
        {
            return i;
        }
    }
    return text.size();
}

/// The position of the ">" that ends the tag whose name begins at @p at. Only
/// attribute values are quoted.
std::size_t
EndOfTag(const std::string& text, std::size_t at)
{
    std::size_t i = std::min(text.find_first_of(" \t\r\n/>?", at), text.size());
    bool isValue = false; // after "="
    for (; i < text.size() && text[i] != '>'; ++i)
    {
        if (isValue && (text[i] == '"' || text[i] == '\''))
        {
            i = FindFrom(text, std::string(1, text[i]), i + 1);
        }
        isValue =
            i < text.size() && (text[i] == '=' || (isValue && std::isspace(text[i] & 0xff) != 0));
    }
    return std::min(i, text.size());
}

} // namespace

void
CheckNesting(const std::string& text, const std::string& name)
{
    std::uint64_t depth = 0;
    std::uint64_t dots = 0; // in the key that may be here
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        const char c = text[i];
        if (c == '"' || c == '\'')
        {
            i = EndOfString(text, i);
        }
        else if (c == '#')
        {
            i = FindFrom(text, "\n", i);
            dots = 0;
        }
        else if (c == '[' || c == '{')
        {
            CheckDepth(++depth, text, i, name);
            dots = 0;
        }
        else if (c == ']' || c == '}')
        {
            depth -= std::min<std::uint64_t>(depth, 1);
        }
        else if (c == '.')
        {
            CheckDepth(++dots, text, i, name);
        }
        else if (c == ',' || c == '=' || c == '\n')
        {
            dots = 0;
        }
    }
}

void
CheckXmlNesting(const std::string& text, const std::string& name)
{
    std::uint64_t depth = 0;
    for (std::size_t i = FindFrom(text, "<", 0); i < text.size(); i = FindFrom(text, "<", i))
    {
        if (text.compare(i, 4, "<!--") == 0)
        {
            i = FindFrom(text, "-->", i + 4);
        }
        else if (text.compare(i, 9, "<![CDATA[") == 0)
        {
            i = FindFrom(text, "]]>", i + 9);
        }
        else if (text.compare(i, 2, "<?") == 0)
        {
            i = FindFrom(text, "?>", i + 2);
        }
        else if (text.compare(i, 2, "<!") == 0)
        {
            i = FindFrom(text, ">", i + 2);
        }
        else if (text.compare(i, 2, "</") == 0)
        {
            depth -= std::min<std::uint64_t>(depth, 1);
            i += 2;
        }
        else
        {
            const std::size_t end = EndOfTag(text, i + 1);
            const bool isEmpty = end > i + 1 && text[end - 1] == '/';
            CheckDepth(depth + 1, text, i, name);
            depth += isEmpty ? 0 : 1;
            i = end;
        }
    }
}

std::string
MistakeIn(const std::string& text, std::uint32_t line, const std::string& message)
{
    std::istringstream lines(text);
    std::string quoted;
    for (std::uint32_t i = 0; i < line && std::getline(lines, quoted); ++i)
    {
    }
    quoted.resize(std::min(quoted.size(), LONGEST_QUOTE));
    std::replace_if(
        quoted.begin(),
        quoted.end(),
        [](unsigned char c) { return std::isprint(c) == 0; },
        '?');
    std::string said = message.substr(0, message.find('\n'));
    said.erase(0, said.rfind(PREFIX, 0) == 0 ? PREFIX.size() : 0);
    return quoted.empty() ? said : said + ", in \"" + quoted + "\"";
}

} // namespace via
} // namespace ns3
