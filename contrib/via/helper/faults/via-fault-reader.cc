/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Reads the tables of a plan of faults: keys, times and their mistakes.

#include "via-fault-reader.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{

__extension__ typedef unsigned __int128 Wide;
constexpr std::size_t MOST_DIGITS = 18;

bool
IsDigits(const std::string& text)
{
    return !text.empty() && text.size() <= MOST_DIGITS &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string
Join(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words)
    {
        text += (text.empty() ? "" : ", ") + word;
    }
    return text;
}

} // namespace

Ps
ParseTime(const std::string& text)
{
    static const std::array<std::pair<const char*, Ps>, 5> units = {
        {{"ps", 1}, {"ns", PS_PER_NS}, {"us", PS_PER_US}, {"ms", PS_PER_MS}, {"s", PS_PER_SECOND}}};
    const std::size_t end = text.find_first_not_of("0123456789.");
    const std::size_t word = text.find_first_not_of(' ', std::min(end, text.size()));
    const std::string number = text.substr(0, end);
    const auto unit = std::find_if(units.begin(), units.end(), [&](const auto& one) {
        return word != std::string::npos && text.substr(word) == one.first;
    });
    const std::size_t dot = number.find('.');
    const std::string whole = number.substr(0, dot);
    const std::string rest = dot == std::string::npos ? "" : number.substr(dot + 1);
    const std::string digits = whole + rest;
    if (unit == units.end() || whole.empty() || !IsDigits(digits) ||
        (dot != std::string::npos && rest.empty()))
    {
        return -1;
    }
    Wide parts = Wide{std::stoull(digits)} * static_cast<Wide>(unit->second);
    for (std::size_t i = 0; i < rest.size(); ++i)
    {
        if (parts % 10 != 0)
        {
            return -1;
        }
        parts /= 10;
    }
    return parts < static_cast<Wide>(PS_NEVER) ? static_cast<Ps>(parts) : -1;
}

TableReader::TableReader(std::string name,
                         std::string path,
                         const DocumentValue& table,
                         const std::vector<std::string>& keys)
    : m_name(std::move(name)),
      m_path(std::move(path)),
      m_table(table)
{
    if (table.type != DocumentValue::Type::TABLE)
    {
        throw ConfigError(At(table) + m_path, table.Print(), "a table is needed");
    }
    for (const auto& [key, value] : table.table)
    {
        if (std::find(keys.begin(), keys.end(), key) == keys.end())
        {
            throw ConfigError(At(value) + m_path + "." + key,
                              value.Print(),
                              "there is no such key; it may have " + Join(keys));
        }
    }
}

std::string
TableReader::At(const DocumentValue& value) const
{
    return m_name + (value.line == 0 ? "" : ":" + std::to_string(value.line)) + ": ";
}

std::string
TableReader::Place() const
{
    return At(m_table) + m_path + ".";
}

ConfigError
TableReader::Refuse(const std::string& key, const std::string& allowed) const
{
    const DocumentValue& value = *m_table.Find(key);
    return ConfigError(At(value) + m_path + "." + key, value.Word(), allowed);
}

void
TableReader::Needs(const std::string& key) const
{
    if (!Has(key))
    {
        throw ConfigError(At(m_table) + m_path + ": " + key + " is missing");
    }
}

std::string
TableReader::Text(const std::string& key, const std::string& normal) const
{
    const DocumentValue* value = m_table.Find(key);
    if (value == nullptr)
    {
        return normal;
    }
    if (value->type != DocumentValue::Type::TEXT)
    {
        throw Refuse(key, "a text is needed");
    }
    return value->text;
}

bool
TableReader::Flag(const std::string& key) const
{
    const DocumentValue* value = m_table.Find(key);
    if (value != nullptr && value->type != DocumentValue::Type::BOOLEAN)
    {
        throw Refuse(key, "true or false");
    }
    return value != nullptr && value->boolean;
}

std::uint64_t
TableReader::Whole(const std::string& key,
                   std::uint64_t least,
                   std::uint64_t most,
                   std::uint64_t normal) const
{
    const DocumentValue* value = m_table.Find(key);
    if (value == nullptr)
    {
        return normal;
    }
    const auto number = static_cast<std::uint64_t>(value->integer);
    if (value->type != DocumentValue::Type::INTEGER || value->integer < 0 || number < least ||
        number > most)
    {
        throw Refuse(key,
                     "a whole number from " + std::to_string(least) + " to " +
                         std::to_string(most));
    }
    return number;
}

Ps
TableReader::Time(const std::string& key, Ps normal) const
{
    const DocumentValue* value = m_table.Find(key);
    if (value == nullptr)
    {
        return normal;
    }
    const bool isText = value->type == DocumentValue::Type::TEXT;
    const bool isNumber = value->type == DocumentValue::Type::INTEGER;
    const Ps time = isText ? ParseTime(value->text) : isNumber ? value->integer : -1;
    if (time < 0 || time == PS_NEVER)
    {
        throw Refuse(key,
                     "a time like \"1.5 ms\" (s, ms, us, ns or ps), exact to the ps, or a whole "
                     "number of ps");
    }
    return time;
}

std::pair<std::uint32_t, std::uint32_t>
TableReader::Ratio(const std::string& key) const
{
    constexpr std::size_t mostDigits = 7;
    const std::string text = m_table.Find(key) == nullptr ? "1" : m_table.Find(key)->Word();
    const std::size_t slash = text.find('/');
    const std::string above = text.substr(0, slash);
    const std::string below = slash == std::string::npos ? "1" : text.substr(slash + 1);
    const bool isRatio = IsDigits(above) && IsDigits(below) && above.size() <= mostDigits &&
                         below.size() <= mostDigits && std::stoul(below) > 0;
    if (!isRatio || std::stoul(above) < std::stoul(below))
    {
        throw Refuse(key, "a whole number or a ratio like \"3/2\", at least 1");
    }
    return {static_cast<std::uint32_t>(std::stoul(above)),
            static_cast<std::uint32_t>(std::stoul(below))};
}

std::vector<std::vector<std::string>>
TableReader::Sets(const std::string& key) const
{
    const std::string allowed = "a list of lists of hosts, like [[\"n0\", \"n1\"], [\"n2\"]]";
    std::vector<std::vector<std::string>> sets;
    const DocumentValue* value = m_table.Find(key);
    if (value == nullptr)
    {
        return sets;
    }
    for (const DocumentValue& list : value->list)
    {
        sets.emplace_back();
        for (const DocumentValue& host : list.list)
        {
            if (host.type != DocumentValue::Type::TEXT)
            {
                throw Refuse(key, allowed);
            }
            sets.back().push_back(host.text);
        }
        if (list.list.empty())
        {
            throw Refuse(key, allowed);
        }
    }
    if (sets.empty())
    {
        throw Refuse(key, allowed);
    }
    return sets;
}

} // namespace via
} // namespace ns3
