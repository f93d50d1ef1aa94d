/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Parses the text of --topology: "family:shape,option=value".

#include "via-topology-text.h"

#include "ns3/via-error.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{

constexpr std::size_t MOST_DIGITS = 6;

std::vector<std::string>
Split(const std::string& text, char separator)
{
    std::vector<std::string> pieces;
    std::size_t at = 0;
    while (at <= text.size())
    {
        const std::size_t end = std::min(text.find(separator, at), text.size());
        pieces.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return pieces;
}

bool
ReadNumber(const std::string& text, std::uint32_t& number)
{
    const bool digits =
        !text.empty() && text.size() <= MOST_DIGITS &&
        std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    number = digits ? static_cast<std::uint32_t>(std::stoul(text)) : 0;
    return digits;
}

/// Removes options of any family from the end of @p path; commas of the path stay.
std::string
PathOf(std::string path, std::vector<std::string>& options)
{
    for (std::size_t comma = path.rfind(','); comma != std::string::npos; comma = path.rfind(','))
    {
        const std::string last = path.substr(comma + 1);
        const std::string name = last.substr(0, last.find('='));
        if (name != "routing" && name != "deadlock" && name != "rails")
        {
            break;
        }
        options.push_back(last);
        path.resize(comma);
    }
    return path;
}

} // namespace

TopologyText::TopologyText(const std::string& text)
    : m_text(text)
{
    const std::size_t end = std::min(text.find_first_of(":,"), text.size());
    m_family = text.substr(0, end);
    const bool hasShape = end < text.size() && text[end] == ':';
    std::string rest = end < text.size() ? text.substr(end + 1) : "";
    std::vector<std::string> pieces;
    if (m_family == "file")
    {
        m_shape = PathOf(rest, pieces);
    }
    else if (end < text.size())
    {
        pieces = Split(rest, ',');
    }
    if (hasShape && m_shape.empty() && !pieces.empty() && pieces[0].find('=') == std::string::npos)
    {
        m_shape = pieces[0];
        pieces.erase(pieces.begin());
    }
    for (const std::string& piece : pieces)
    {
        const std::size_t equals = std::min(piece.find('='), piece.size());
        const bool isNew = m_options.emplace(piece.substr(0, equals), piece.substr(equals)).second;
        if (!isNew)
        {
            Refuse("the option " + piece.substr(0, equals) + " appears twice");
        }
    }
}

void
TopologyText::Refuse(const std::string& limit) const
{
    throw ConfigError("--topology", m_text, limit);
}

std::string
TopologyText::TakeShape()
{
    return std::exchange(m_shape, "");
}

std::vector<std::uint32_t>
TopologyText::TakeSizes(const std::string& usage)
{
    std::vector<std::uint32_t> sizes;
    for (const std::string& piece : Split(TakeShape(), 'x'))
    {
        std::uint32_t size = 0;
        if (!ReadNumber(piece, size) || size == 0)
        {
            Refuse(usage);
        }
        sizes.push_back(size);
    }
    return sizes;
}

std::string
TopologyText::TakeWord(const std::string& name, const std::string& otherwise)
{
    const auto found = m_options.find(name);
    if (found == m_options.end())
    {
        return otherwise;
    }
    const std::string value = found->second;
    m_options.erase(found);
    if (value.size() <= 1)
    {
        Refuse(name + "= needs a value");
    }
    return value.substr(1); // the equals sign
}

std::uint32_t
TopologyText::TakeNumber(const std::string& name,
                         std::uint32_t least,
                         std::uint32_t most,
                         std::uint32_t otherwise,
                         const std::string& usage)
{
    std::uint32_t number = 0;
    if (!ReadNumber(TakeWord(name, std::to_string(otherwise)), number) || number < least ||
        number > most)
    {
        Refuse(usage);
    }
    return number;
}

void
TopologyText::ExpectNoMore(const std::string& usage) const
{
    if (!m_shape.empty() || !m_options.empty())
    {
        Refuse(usage);
    }
}

} // namespace via
} // namespace ns3
