/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What-if copies of a profile.

#include "ns3/via-error.h"
#include "ns3/via-provider-profile.h"

#include <sstream>

namespace ns3
{
namespace via
{

namespace
{

/// A value given as one text, in the form that its key requires. The check
/// then validates the items.
ProfileText
TextFor(const ProfileKey& key, const std::string& value)
{
    const bool integers = key.kind == ProfileKind::NUMBER || key.kind == ProfileKind::NUMBERS;
    const bool list = key.kind == ProfileKind::NUMBERS || key.kind == ProfileKind::WORDS;
    ProfileText text{value, integers ? ProfileForm::INTEGER : ProfileForm::STRING, list, {}};
    if (!list)
    {
        text.items.push_back(value);
        return text;
    }
    std::istringstream items(value);
    for (std::string item; std::getline(items >> std::ws, item, ',');)
    {
        item.erase(item.find_last_not_of(' ') + 1);
        text.items.push_back(item);
    }
    return text;
}

} // namespace

ProviderProfile
ProviderProfile::With(const std::string& key, const std::string& value) const
{
    return With({{key, value}});
}

ProviderProfile
ProviderProfile::With(const std::map<std::string, std::string>& changes) const
{
    ProviderProfile changed = *this;
    for (const auto& [key, value] : changes)
    {
        changed.Set(key, value);
    }
    changed.FollowMechanisms(changes);
    changed.CheckRelations();
    changed.FindPlugInFile();
    return changed;
}

void
ProviderProfile::Set(const std::string& key, const std::string& value)
{
    const ProfileKey* known = FindProfileKey(key);
    const std::size_t place = PlaceOf(key);
    const bool there = Has(key);
    if (!known || (known->unit.empty() && !there))
    {
        throw ConfigError(
            "profile " + m_name + ": " + key + ": " +
            (known ? "is not in the file, and only the file can state its unit" : "no such key"));
    }
    if (known->scope == ProfileScope::KERNEL && m_kernel.empty())
    {
        throw ConfigError("profile " + m_name + ": " + key, value, "no kernel was chosen");
    }
    ProfileKey named = *known;
    named.key = key;
    const ProfileValue checked =
        CheckProfileValue(named, TextFor(named, value), "profile " + m_name + ": ");
    const std::string was = there ? "was " + m_entries[place].value : "was not there";
    const std::string unit = there ? m_entries[place].unit : known->unit;
    if (!there)
    {
        m_entries.insert(m_entries.begin() + place, ProfileEntry{});
        m_values.insert(m_values.begin() + place, ProfileValue{});
    }
    m_values[place] = checked;
    m_entries[place] = {key, checked.canonical, unit, "what-if: " + was, "assumed", "With", 0};
}

void
ProviderProfile::FollowMechanisms(const std::map<std::string, std::string>& given)
{
    const auto word = [this](const std::string& key) {
        return Has(key) ? m_entries[PlaceOf(key)].value : std::string();
    };
    const std::string where = "profile " + m_name + ": ";
    for (const ProfileKey& key : ProfileKeys())
    {
        const bool isThere = key.scope != ProfileScope::KERNEL || !m_kernel.empty();
        if (isThere && !key.optional && IsUsed(key, word) && !Has(key.key))
        {
            throw ConfigError(where + key.key + " is missing with " + key.onlyIf + ": must be " +
                              DescribeAllowed(key));
        }
    }
    for (std::size_t place = m_entries.size(); place-- > 0;)
    {
        const std::string key = m_entries[place].key;
        const ProfileKey& known = *FindProfileKey(key);
        if (IsUsed(known, word))
        {
            continue;
        }
        if (given.count(key) != 0)
        {
            throw ConfigError(where + key, given.at(key), "is read only with " + known.onlyIf);
        }
        m_entries.erase(m_entries.begin() + place);
        m_values.erase(m_values.begin() + place);
    }
}

} // namespace via
} // namespace ns3
