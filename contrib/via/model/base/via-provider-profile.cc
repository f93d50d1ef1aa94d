/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Puts product and host together and answers for their numbers.

#include "via-provider-profile.h"

#include "ns3/via-error.h"
#include "ns3/via-mechanism-keys.h"
#include "ns3/via-packet.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace ns3
{
namespace via
{

namespace
{

/// FNV-1a with a final mix: the same on every machine and in every release.
class StableHash
{
  public:
    void Add(const std::string& text)
    {
        for (unsigned char c : text)
        {
            AddByte(c);
        }
        AddByte(0); // "ab" + "c" must differ from "a" + "bc"
    }

    std::string Hex() const
    {
        std::uint64_t mixed = m_state;
        mixed = (mixed ^ (mixed >> 33)) * 0xff51afd7ed558ccdULL;
        mixed = (mixed ^ (mixed >> 33)) * 0xc4ceb9fe1a85ec53ULL;
        mixed ^= mixed >> 33;
        std::string hex(16, '0');
        for (std::size_t i = 0; i < hex.size(); ++i)
        {
            hex[i] = "0123456789abcdef"[(mixed >> (60 - 4 * i)) & 15];
        }
        return hex;
    }

  private:
    void AddByte(unsigned char byte)
    {
        m_state = (m_state ^ byte) * 0x100000001b3ULL;
    }

    std::uint64_t m_state{0xcbf29ce484222325ULL};
};

/// A value given as one text has the form its key asks for; the check then judges the items.
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

std::string
Stem(const std::string& path)
{
    return std::filesystem::path(path).stem().string();
}

} // namespace

ProviderProfile
ProviderProfile::Load(const std::string& nameOrPath, const std::string& host)
{
    ProfileFile product = ReadProfileFile(FindProduct(nameOrPath), ProfileScope::PRODUCT);
    const std::string hostName = host.empty() ? product.defaultHost : host;
    ProfileFile machine = ReadProfileFile(FindHost(hostName, product.path), ProfileScope::HOST);

    ProviderProfile profile;
    profile.m_name = Stem(product.path);
    profile.m_title = product.title;
    profile.m_sketch = product.sketch;
    profile.m_host = Stem(machine.path);
    product.items.merge(machine.items);
    for (const auto& [key, item] : product.items)
    {
        profile.m_entries.push_back(item.entry);
        profile.m_values.push_back(item.value);
    }
    profile.CheckRelations();
    return profile;
}

const std::string&
ProviderProfile::Name() const
{
    return m_name;
}

const std::string&
ProviderProfile::Title() const
{
    return m_title;
}

const std::string&
ProviderProfile::Sketch() const
{
    return m_sketch;
}

const std::string&
ProviderProfile::Host() const
{
    return m_host;
}

std::size_t
ProviderProfile::PlaceOf(const std::string& key) const
{
    const auto found = std::lower_bound(
        m_entries.begin(),
        m_entries.end(),
        key,
        [](const ProfileEntry& entry, const std::string& name) { return entry.key < name; });
    return found - m_entries.begin();
}

bool
ProviderProfile::Has(const std::string& key) const
{
    const std::size_t place = PlaceOf(key);
    return place < m_entries.size() && m_entries[place].key == key;
}

std::size_t
ProviderProfile::IndexOf(const std::string& key) const
{
    if (!Has(key))
    {
        const ProfileKey* known = FindProfileKey(key);
        const std::string why =
            known ? ": is there only with " + known->onlyIf : std::string(": no such key");
        throw ConfigError("profile " + m_name + ": " + key + why);
    }
    return PlaceOf(key);
}

const ProfileValue&
ProviderProfile::ValueOf(const std::string& key, ProfileKind kind) const
{
    const std::size_t index = IndexOf(key);
    const ProfileKey& known = *FindProfileKey(key);
    if (known.kind != kind)
    {
        throw ConfigError("profile " + m_name + ": " + key,
                          m_entries[index].value,
                          "read as another kind than " + DescribeAllowed(known));
    }
    return m_values[index];
}

std::uint64_t
ProviderProfile::Number(const std::string& key) const
{
    return ValueOf(key, ProfileKind::NUMBER).numbers.front();
}

std::vector<std::uint64_t>
ProviderProfile::Numbers(const std::string& key) const
{
    return ValueOf(key, ProfileKind::NUMBERS).numbers;
}

Frequency
ProviderProfile::Clock(const std::string& key) const
{
    return ValueOf(key, ProfileKind::CLOCK).clock;
}

const std::string&
ProviderProfile::Word(const std::string& key) const
{
    return ValueOf(key, ProfileKind::WORD).words.front();
}

std::vector<std::string>
ProviderProfile::Words(const std::string& key) const
{
    return ValueOf(key, ProfileKind::WORDS).words;
}

const std::vector<ProfileEntry>&
ProviderProfile::Entries() const
{
    return m_entries;
}

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
    return changed;
}

void
ProviderProfile::Set(const std::string& key, const std::string& value)
{
    const ProfileKey* known = FindProfileKey(key);
    if (!known)
    {
        throw ConfigError("profile " + m_name + ": " + key + ": no such key");
    }
    const ProfileValue checked =
        CheckProfileValue(*known, TextFor(*known, value), "profile " + m_name + ": ");
    const std::size_t place = PlaceOf(key);
    const bool there = Has(key);
    const std::string was = there ? "was " + m_entries[place].value : "was not there";
    if (!there)
    {
        m_entries.insert(m_entries.begin() + place, ProfileEntry{});
        m_values.insert(m_values.begin() + place, ProfileValue{});
    }
    m_values[place] = checked;
    m_entries[place] =
        {key, checked.canonical, known->unit, "what-if: " + was, "assumed", "With", 0};
}

void
ProviderProfile::FollowMechanisms(const std::map<std::string, std::string>& given)
{
    const auto word = [this](const std::string& key) {
        return Has(key) ? m_entries[PlaceOf(key)].value : std::string();
    };
    for (const ProfileKey& key : ProfileKeys())
    {
        const bool used = IsUsed(key, word);
        const std::string where = "profile " + m_name + ": " + key.key;
        if (used && !Has(key.key))
        {
            throw ConfigError(where + " is missing with " + key.onlyIf + ": must be " +
                              DescribeAllowed(key));
        }
        if (!used && given.count(key.key) != 0)
        {
            throw ConfigError(where, given.at(key.key), "is read only with " + key.onlyIf);
        }
        if (!used && Has(key.key))
        {
            const std::size_t place = PlaceOf(key.key);
            m_entries.erase(m_entries.begin() + place);
            m_values.erase(m_values.begin() + place);
        }
    }
}

void
ProviderProfile::Require(bool holds, const std::string& key, const std::string& limit) const
{
    if (!holds)
    {
        const ProfileEntry& entry = m_entries[IndexOf(key)];
        throw ConfigError(entry.file + ":" + std::to_string(entry.line) + ": " + key,
                          entry.value,
                          "must be " + limit + ", " + entry.unit);
    }
}

void
ProviderProfile::CheckRelations() const
{
    const auto isPowerOfTwo = [](std::uint64_t n) { return (n & (n - 1)) == 0; };
    Require(isPowerOfTwo(Number("os.page_bytes")), "os.page_bytes", "a power of two");
    Require(isPowerOfTwo(Number("bus.width")), "bus.width", "a power of two");
    Require(isPowerOfTwo(Number("cpu.line_bytes")), "cpu.line_bytes", "a power of two");
    Require(Number("bus.burst_bytes") % Number("bus.width") == 0,
            "bus.burst_bytes",
            "a multiple of bus.width");
    Require(Number("bus.read_initial") + Number("bus.address") + Number("bus.arbitration") > 0 &&
                Number("bus.write_initial") + Number("bus.address") + Number("bus.arbitration") > 0,
            "bus.address",
            "more than 0 when bus.arbitration and an initial latency are 0");
    const std::uint64_t combined = Number("bus.write_combining");
    Require(combined == 0 || combined >= Number("bus.store_bytes"),
            "bus.write_combining",
            "0 or at least bus.store_bytes");
    Require(Number("link.code_data") <= Number("link.code_symbols"),
            "link.code_data",
            "at most link.code_symbols");
    const std::uint64_t payload = Number("link.cell_payload");
    Require(payload <= Number("link.cell_bytes"), "link.cell_payload", "at most link.cell_bytes");
    Require(Word("link.framing") == "cells" || Number("link.min_payload") <= payload,
            "link.min_payload",
            "at most link.cell_payload");
    Require(Number("link.message_header") < payload,
            "link.message_header",
            "less than link.cell_payload");
    const std::uint64_t dma = Number("nic.dma_burst");
    Require(dma <= payload || dma % payload == 0,
            "nic.dma_burst",
            "at most link.cell_payload, or a multiple of it");
    Require(dma / payload <= Burst::MAX_CELLS,
            "nic.dma_burst",
            "at most " + std::to_string(Burst::MAX_CELLS) + " times link.cell_payload");
    Require(Number("nic.transmit_buffer") >= std::max(dma, payload),
            "nic.transmit_buffer",
            "at least nic.dma_burst and link.cell_payload");
    Require(Number("nic.retransmit_buffer") >= payload,
            "nic.retransmit_buffer",
            "at least link.cell_payload");
    Require(Number("link.credits") >= dma / payload,
            "link.credits",
            "at least the cells of nic.dma_burst, which leave a receive buffer together");
    Require(Number("nic.max_region_bytes") <= Number("nic.max_registered_bytes"),
            "nic.max_region_bytes",
            "at most nic.max_registered_bytes");
    const std::vector<std::uint64_t> ports = Numbers("switch.ports");
    const bool rising =
        std::adjacent_find(ports.begin(), ports.end(), std::greater_equal<>()) == ports.end();
    Require(rising, "switch.ports", "rising");
    Require(ports.front() >= 2 * Number("nic.ports"),
            "switch.ports",
            "at least 2 * nic.ports each: a cable takes a port for each of its wires");
    Require(Words("switch.model").size() == ports.size(),
            "switch.model",
            "as many as switch.ports");
    CheckMechanisms(*this);
}

std::string
ProviderProfile::Fingerprint() const
{
    StableHash hash;
    for (const ProfileEntry& entry : m_entries)
    {
        hash.Add(entry.key);
        hash.Add(entry.value);
        hash.Add(entry.unit);
    }
    return hash.Hex();
}

} // namespace via
} // namespace ns3
