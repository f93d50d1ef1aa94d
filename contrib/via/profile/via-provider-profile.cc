/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Combines the files of product, host and kernel, and gives access to their numbers.

#include "via-provider-profile.h"

#include "ns3/abort.h"
#include "ns3/via-clock-domain.h"
#include "ns3/via-error.h"
#include "ns3/via-mechanism-keys.h"
#include "ns3/via-stable-hash.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

namespace ns3
{
namespace via
{

namespace
{

std::string
Stem(const std::string& path)
{
    return std::filesystem::path(path).stem().string();
}

std::string
HashOfFile(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    StableHash hash;
    hash.Add(std::string(std::istreambuf_iterator<char>(file), {}));
    return hash.Hex();
}

} // namespace

ProviderProfile
ProviderProfile::Load(const std::string& nameOrPath,
                      const std::string& host,
                      const std::string& kernel)
{
    ProfileFile product = ReadProfileFile(FindProduct(nameOrPath), ProfileScope::PRODUCT);
    const std::string hostName = host.empty() ? product.defaultHost : host;
    ProfileFile machine = ReadProfileFile(FindHost(hostName, product.path), ProfileScope::HOST);

    ProviderProfile profile;
    profile.m_name = Stem(product.path);
    profile.m_file = product.path;
    profile.m_title = product.title;
    profile.m_sketch = product.sketch;
    profile.m_host = Stem(machine.path);
    profile.m_defaultKernel = machine.defaultKernel;
    product.items.merge(machine.items);
    for (const auto& [key, item] : product.items)
    {
        profile.m_entries.push_back(item.entry);
        profile.m_values.push_back(item.value);
    }
    profile.CheckRelations();
    profile.FindPlugInFile();
    return kernel.empty() ? profile : profile.WithKernel(kernel);
}

ProviderProfile
ProviderProfile::WithKernel(const std::string& kernel) const
{
    const std::string name = kernel.empty() ? m_defaultKernel : kernel;
    if (!m_kernel.empty())
    {
        throw ConfigError("kernel", name, "the profile has " + m_kernel + " already");
    }
    if (name.empty())
    {
        throw ConfigError("kernel", "none", "host " + m_host + " has no default_kernel: name one");
    }
    const ProfileFile file = ReadProfileFile(FindKernel(name, m_file), ProfileScope::KERNEL);
    ProviderProfile whole = *this;
    whole.m_kernel = Stem(file.path);
    for (const auto& [key, item] : file.items)
    {
        const std::size_t place = whole.PlaceOf(key);
        whole.m_entries.insert(whole.m_entries.begin() + place, item.entry);
        whole.m_values.insert(whole.m_values.begin() + place, item.value);
    }
    return whole;
}

const std::string&
ProviderProfile::Kernel() const
{
    return m_kernel;
}

void
ProviderProfile::FindPlugInFile()
{
    m_plugIn.clear();
    m_plugInHash.clear();
    if (Has("nic.plug_in"))
    {
        const ProfileEntry& entry = m_entries[PlaceOf("nic.plug_in")];
        m_plugIn = FindPlugIn(entry.value, m_file, Place(entry));
        m_plugInHash = HashOfFile(m_plugIn);
    }
}

const std::string&
ProviderProfile::PlugIn() const
{
    return m_plugIn;
}

std::string
ProviderProfile::Place(const ProfileEntry& entry)
{
    return entry.file + ":" + std::to_string(entry.line) + ": ";
}

std::vector<ProfileEntry>
ProviderProfile::PlugInNumbers() const
{
    std::vector<ProfileEntry> numbers;
    for (const ProfileEntry& entry : m_entries)
    {
        if (FindProfileKey(entry.key) == &PlugInKey())
        {
            numbers.push_back(entry);
        }
    }
    return numbers;
}

const ProfileEntry&
ProviderProfile::Entry(const std::string& key) const
{
    return m_entries[IndexOf(key)];
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
            !known ? ": no such key"
                   : ": exists only with " +
                         (known->onlyIf.empty() ? std::string("a kernel") : known->onlyIf);
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
                          "cannot be read as another kind than " + DescribeAllowed(known));
    }
    return m_values[index];
}

std::uint64_t
ProviderProfile::Number(const std::string& key) const
{
    const ProfileKey* known = FindProfileKey(key);
    if (known != nullptr && known->optional && !Has(key))
    {
        return 0;
    }
    return ValueOf(key, ProfileKind::NUMBER).numbers.front();
}

std::uint32_t
ProviderProfile::Number32(const std::string& key) const
{
    const std::uint64_t number = Number(key);
    NS_ABORT_MSG_IF(number > std::numeric_limits<std::uint32_t>::max(), key << " is too large");
    return static_cast<std::uint32_t>(number);
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

void
ProviderProfile::Require(bool holds, const std::string& key, const std::string& limit) const
{
    if (!holds)
    {
        const ProfileEntry& entry = m_entries[IndexOf(key)];
        throw ConfigError(Place(entry) + key, entry.value, "must be " + limit + ", " + entry.unit);
    }
}

void
ProviderProfile::CheckHost() const
{
    const auto isPowerOfTwo = [](std::uint64_t n) { return (n & (n - 1)) == 0; };
    Require(isPowerOfTwo(Number("os.page_bytes")), "os.page_bytes", "a power of two");
    Require(isPowerOfTwo(Number("bus.width")), "bus.width", "a power of two");
    Require(isPowerOfTwo(Number("cpu.line_bytes")), "cpu.line_bytes", "a power of two");
    // a slice pays for the switch first, and its process would never work
    const ClockDomain cpu(Clock("cpu.clock"), 0);
    Require(static_cast<Ps>(Number("os.quantum")) * PS_PER_US >
                cpu.Span(Cycles(Number("os.context_switch"))),
            "os.quantum",
            "longer than os.context_switch");
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
}

void
ProviderProfile::CheckRelations() const
{
    CheckHost();
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
    Require(rising, "switch.ports", "ascending");
    Require(ports.front() >= 2 * Number("nic.ports"),
            "switch.ports",
            "at least 2 * nic.ports each: a cable takes a port for each of its wires");
    Require(Words("switch.model").size() == ports.size(),
            "switch.model",
            "as many names as switch.ports has numbers");
    CheckFlowControl(dma / payload);
    CheckMechanisms(*this);
}

void
ProviderProfile::CheckFlowControl(std::uint64_t group) const
{
    const std::string flow = Word("link.flow_control");
    if (flow == "stop-and-go" || flow == "pause")
    {
        Require(Number("link.stop_mark") < Number("link.credits"),
                "link.stop_mark",
                "less than link.credits");
        Require(Number("link.go_mark") < Number("link.stop_mark"),
                "link.go_mark",
                "less than link.stop_mark");
        Require(Number("link.go_mark") >= group,
                "link.go_mark",
                "at least the cells of nic.dma_burst, which leave a receive buffer together");
    }
    Require(Word("switch.forwarding") != "wormhole" || Word("switch.queueing") != "output",
            "switch.queueing",
            "fifo or voq with switch.forwarding = wormhole: outputs are kept for packets that wait "
            "at inputs");
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
    if (!m_plugInHash.empty())
    {
        hash.Add(m_plugInHash);
    }
    return hash.Hex();
}

} // namespace via
} // namespace ns3
