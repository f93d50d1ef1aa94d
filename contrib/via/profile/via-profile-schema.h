/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a provider profile may contain: the table of its keys, and the check of one value.

#ifndef VIA_PROFILE_SCHEMA_H
#define VIA_PROFILE_SCHEMA_H

#include "ns3/via-frequency.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/// The kind of file a key belongs to.
enum class ProfileScope
{
    HOST,    ///< the machine a card is plugged into: hosts/NAME.toml
    PRODUCT, ///< the card, its library, cable and switch: NAME.toml
    KERNEL   ///< the system's network stack and driver: kernels/NAME.toml
};

/// The type of a key's value.
enum class ProfileKind
{
    NUMBER,  ///< one whole number
    NUMBERS, ///< a list of whole numbers
    CLOCK,   ///< a frequency in text, see ParseFrequency
    WORD,    ///< one name
    WORDS    ///< a list of names
};

/**
 * @brief One key of a profile.
 *
 * A key that belongs to a mechanism names it in `onlyIf`: "nic.doorbell=polled-word", or several
 * such choices separated by " | ". The key is required if one of them is made, and forbidden
 * otherwise: an unused number would only mislead. Choices are words of the same file. An optional
 * key is for a cost that most products and hosts are not known to have.
 */
struct ProfileKey
{
    std::string key;      ///< dotted name
    ProfileScope scope;   ///< the file that contains it
    ProfileKind kind;     ///< type of its value
    std::string unit;     ///< unit that the file must state; empty: any
    std::uint64_t min;    ///< smallest value allowed (numbers and clocks)
    std::uint64_t max;    ///< largest value allowed (numbers and clocks)
    std::string words;    ///< allowed names, separated by ", "; empty: any name
    std::string meaning;  ///< one line, for users
    std::string onlyIf{}; ///< choices it belongs to; empty: every profile has it
    bool optional{false}; ///< may be absent; its number is 0 then
};

/// The form of a value in its source.
enum class ProfileForm
{
    INTEGER,
    STRING,
    OTHER ///< floating point, boolean, date, table, mixed list
};

/**
 * @brief A value as it was written, not yet checked.
 */
struct ProfileText
{
    std::string shown;              ///< as the user wrote it, for messages
    ProfileForm form;               ///< of the value, or of every item of the list
    bool isList;                    ///< whether it was written as a list
    std::vector<std::string> items; ///< the value, or the items of the list
};

/**
 * @brief A checked value. Only the member for its kind, and `canonical`, are set.
 */
struct ProfileValue
{
    std::vector<std::uint64_t> numbers; ///< NUMBER, NUMBERS
    std::vector<std::string> words;     ///< WORD, WORDS
    Frequency clock;                    ///< CLOCK
    std::string canonical;              ///< equal values have equal canonical texts
};

/// @return all keys of both scopes, sorted by name
const std::vector<ProfileKey>& ProfileKeys();

/// @return the definition shared by all keys `plug_in.NAME`, which ProfileKeys() does not list
const ProfileKey& PlugInKey();

/**
 * @param name a dotted name
 * @return the key, or nullptr if there is none of this name; PlugInKey() for each `plug_in.NAME` of
 * lower-case letters, digits and '_'
 */
const ProfileKey* FindProfileKey(const std::string& name);

/**
 * @param key a key
 * @param word returns the chosen word of another key, or "" if that key is absent
 * @return whether a profile with these choices has this key
 */
bool IsUsed(const ProfileKey& key, const std::function<std::string(const std::string&)>& word);

/**
 * @param name a dotted name
 * @return whether the name of some key starts with it and a dot
 */
bool IsProfileTable(const std::string& name);

/**
 * @param key a key
 * @return what its value must be, with range and unit: "a whole number from 1 to 65536, count"
 */
std::string DescribeAllowed(const ProfileKey& key);

/**
 * @param key the key the value was given for
 * @param text the value as it was written
 * @param where "FILE:LINE: " or another place, put before the key in the message
 * @return the checked value
 * @throws ConfigError naming place, key, value, range and unit
 */
ProfileValue CheckProfileValue(const ProfileKey& key,
                               const ProfileText& text,
                               const std::string& where);

} // namespace via
} // namespace ns3

#endif // VIA_PROFILE_SCHEMA_H
