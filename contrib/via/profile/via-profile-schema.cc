/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Checks one value of a profile against its key.

#include "via-profile-schema.h"

#include "ns3/via-error.h"

#include <algorithm>
#include <cctype>
#include <optional>

namespace ns3
{
namespace via
{

namespace
{

/// A number with more digits may exceed 64 bits.
constexpr std::size_t MAX_DIGITS = 19;

const std::string PLUG_IN_TABLE = "plug_in.";

bool
KeyIsBefore(const ProfileKey& key, const std::string& name)
{
    return key.key < name;
}

bool
TakesList(const ProfileKey& key)
{
    return key.kind == ProfileKind::NUMBERS || key.kind == ProfileKind::WORDS;
}

bool
TakesIntegers(const ProfileKey& key)
{
    return key.kind == ProfileKind::NUMBER || key.kind == ProfileKind::NUMBERS;
}

std::string
Join(const std::vector<std::string>& items)
{
    std::string joined;
    for (const std::string& item : items)
    {
        joined += (joined.empty() ? "" : ", ") + item;
    }
    return joined;
}

std::optional<std::uint64_t>
ParseNumber(const ProfileKey& key, const std::string& text)
{
    const bool digits =
        std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    if (text.empty() || text.size() > MAX_DIGITS || !digits)
    {
        return std::nullopt;
    }
    const std::uint64_t number = std::stoull(text);
    if (number < key.min || number > key.max)
    {
        return std::nullopt;
    }
    return number;
}

std::optional<Frequency>
ParseClock(const ProfileKey& key, const std::string& text)
{
    const std::optional<Frequency> clock = ParseFrequency(text);
    if (!clock)
    {
        return std::nullopt;
    }
    const std::uint64_t floorHz = clock->num / clock->den;
    const std::uint64_t ceilHz = floorHz + (clock->num % clock->den != 0 ? 1 : 0);
    if (floorHz < key.min || ceilHz > key.max)
    {
        return std::nullopt;
    }
    return clock;
}

bool
IsAllowedWord(const ProfileKey& key, const std::string& word)
{
    const bool name = std::all_of(word.begin(), word.end(), [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '-' || c == '.';
    });
    if (word.empty() || !name)
    {
        return false;
    }
    return key.words.empty() ||
           (", " + key.words + ", ").find(", " + word + ", ") != std::string::npos;
}

/// Appends one item to the value. @return whether the key allows it
bool
TakeItem(const ProfileKey& key, const std::string& item, ProfileValue& value)
{
    if (TakesIntegers(key))
    {
        const std::optional<std::uint64_t> number = ParseNumber(key, item);
        value.numbers.push_back(number.value_or(0));
        return number.has_value();
    }
    if (key.kind == ProfileKind::CLOCK)
    {
        const std::optional<Frequency> clock = ParseClock(key, item);
        value.clock = clock.value_or(Frequency{});
        return clock.has_value();
    }
    value.words.push_back(item);
    return IsAllowedWord(key, item);
}

std::string
CanonicalText(const ProfileKey& key, const ProfileValue& value)
{
    if (key.kind == ProfileKind::CLOCK)
    {
        return FormatFrequency(value.clock);
    }
    std::vector<std::string> items = value.words;
    for (std::uint64_t number : value.numbers)
    {
        items.push_back(std::to_string(number));
    }
    return Join(items);
}

bool
IsPlugInName(const std::string& name)
{
    return name.size() > PLUG_IN_TABLE.size() &&
           name.compare(0, PLUG_IN_TABLE.size(), PLUG_IN_TABLE) == 0 &&
           std::all_of(name.begin() + PLUG_IN_TABLE.size(), name.end(), [](unsigned char c) {
               return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '_';
           });
}

} // namespace

const ProfileKey*
FindProfileKey(const std::string& name)
{
    if (IsPlugInName(name))
    {
        return &PlugInKey();
    }
    const std::vector<ProfileKey>& keys = ProfileKeys();
    const auto found = std::lower_bound(keys.begin(), keys.end(), name, KeyIsBefore);
    return found != keys.end() && found->key == name ? &*found : nullptr;
}

bool
IsUsed(const ProfileKey& key, const std::function<std::string(const std::string&)>& word)
{
    const std::string between = " | ";
    std::string rest = key.onlyIf;
    while (!rest.empty())
    {
        const std::size_t end = rest.find(between);
        const std::string choice = rest.substr(0, end);
        const std::size_t equals = choice.find('=');
        if (word(choice.substr(0, equals)) == choice.substr(equals + 1))
        {
            return true;
        }
        rest = end == std::string::npos ? "" : rest.substr(end + between.size());
    }
    return key.onlyIf.empty();
}

bool
IsProfileTable(const std::string& name)
{
    const std::string prefix = name + ".";
    if (prefix == PLUG_IN_TABLE)
    {
        return true;
    }
    const std::vector<ProfileKey>& keys = ProfileKeys();
    const auto found = std::lower_bound(keys.begin(), keys.end(), prefix, KeyIsBefore);
    return found != keys.end() && found->key.compare(0, prefix.size(), prefix) == 0;
}

std::string
DescribeAllowed(const ProfileKey& key)
{
    const std::string range = std::to_string(key.min) + " to " + std::to_string(key.max);
    const std::string unit = key.unit.empty() ? "in the stated unit" : key.unit;
    const std::string names = key.words.empty() ? "any name" : "one of: " + key.words;
    switch (key.kind)
    {
    case ProfileKind::NUMBER:
        return "a whole number from " + range + ", " + unit;
    case ProfileKind::NUMBERS:
        return "a list of whole numbers from " + range + ", " + unit;
    case ProfileKind::CLOCK:
        return "a clock from " + range + " Hz, such as \"62.5 MHz\" or \"100/3 MHz\"";
    case ProfileKind::WORD:
        return names;
    case ProfileKind::WORDS:
        return "a list, each " + names;
    }
    return "";
}

ProfileValue
CheckProfileValue(const ProfileKey& key, const ProfileText& text, const std::string& where)
{
    const ProfileForm wanted = TakesIntegers(key) ? ProfileForm::INTEGER : ProfileForm::STRING;
    bool good = text.form == wanted && text.isList == TakesList(key) && !text.items.empty();
    ProfileValue value;
    for (const std::string& item : text.items)
    {
        good = good && TakeItem(key, item, value);
    }
    if (!good)
    {
        throw ConfigError(where + key.key, text.shown, "must be " + DescribeAllowed(key));
    }
    value.canonical = CanonicalText(key, value);
    return value;
}

} // namespace via
} // namespace ns3
