/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The shared object of a plug-in: opened, checked, and what it keeps for one card.

#include "via-plug-in-library.h"

#include "ns3/via-error.h"

#include <array>
#include <dlfcn.h>

namespace ns3
{
namespace via
{

namespace
{

void
Close(void* handle)
{
    dlclose(handle);
}

} // namespace

PlugInLibrary::PlugInLibrary(const ProviderProfile& profile)
    : m_key(ProviderProfile::Place(profile.Entry("nic.plug_in")) + "nic.plug_in"),
      m_name(profile.Word("nic.plug_in")),
      m_handle(nullptr, Close)
{
    Open(profile.PlugIn());
    CheckTable();
    CheckPart(profile, "nic.doorbell", m_table->doorbell != nullptr);
    CheckPart(profile, "nic.descriptor", m_table->descriptor != nullptr);
    CheckPart(profile, "nic.translation", m_table->translation != nullptr);
    const std::size_t prefix = std::string("plug_in.").size();
    const std::vector<ProfileEntry> entries = profile.PlugInNumbers();
    for (const ProfileEntry& entry : entries)
    {
        m_names.push_back(entry.key.substr(prefix));
    }
    for (std::size_t i = 0; i < entries.size(); ++i) // names no longer move
    {
        m_numbers.push_back({m_names[i].c_str(), profile.Number(entries[i].key)});
    }
}

void
PlugInLibrary::Refuse(const std::string& limit) const
{
    throw ConfigError(m_key, m_name, limit);
}

void
PlugInLibrary::Open(const std::string& path)
{
    m_handle.reset(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL));
    if (m_handle == nullptr)
    {
        Refuse(std::string("must be a shared object: ") + dlerror());
    }
    using Entry = const via_plug_in_table* (*)();
    const auto entry = reinterpret_cast<Entry>(dlsym(m_handle.get(), "via_plug_in"));
    m_table = entry == nullptr ? nullptr : entry();
    if (m_table == nullptr)
    {
        Refuse("must export via_plug_in(), which returns a table: see via-plug-in.h");
    }
}

void
PlugInLibrary::CheckTable() const
{
    if (m_table->abi != VIA_PLUG_IN_ABI)
    {
        Refuse("is made for version " + std::to_string(m_table->abi) +
               " of via-plug-in.h: must be " + std::to_string(VIA_PLUG_IN_ABI));
    }
    const via_doorbell_part* doorbell = m_table->doorbell;
    const via_descriptor_part* descriptor = m_table->descriptor;
    const via_translation_part* translation = m_table->translation;
    const bool whole =
        m_table->name != nullptr && m_table->version != nullptr && m_table->create != nullptr &&
        m_table->destroy != nullptr &&
        (doorbell == nullptr || (doorbell->ring != nullptr && doorbell->notice != nullptr)) &&
        (descriptor == nullptr || (descriptor->post != nullptr && descriptor->take != nullptr)) &&
        (translation == nullptr || translation->look_up != nullptr);
    if (!whole)
    {
        Refuse(
            "must have name, version, create, destroy, and all functions of the parts it offers");
    }
}

void
PlugInLibrary::CheckPart(const ProviderProfile& profile, const char* key, bool offered) const
{
    if (profile.Word(key) == "plug-in" && !offered)
    {
        std::string parts;
        for (const auto& [name, part] :
             {std::pair<const char*, const void*>{"nic.doorbell", m_table->doorbell},
              {"nic.descriptor", m_table->descriptor},
              {"nic.translation", m_table->translation}})
        {
            parts += part == nullptr ? "" : (parts.empty() ? "" : ", ") + std::string(name);
        }
        const std::string where = ProviderProfile::Place(profile.Entry(key));
        throw ConfigError(where + key,
                          "plug-in",
                          m_name + " offers only: " + (parts.empty() ? "nothing" : parts));
    }
}

PlugInState::PlugInState(const std::shared_ptr<const PlugInLibrary>& library,
                         std::uint32_t node,
                         std::uint32_t pageBytes,
                         std::uint64_t seed)
    : m_library(library)
{
    const std::vector<via_number>& numbers = library->Numbers();
    const via_card card{node, pageBytes, seed, numbers.data(), numbers.size()};
    std::array<char, 256> error{};
    m_state = Table().create(&card, error.data(), error.size());
    if (m_state == nullptr)
    {
        error.back() = '\0';
        library->Refuse(std::string("refuses the profile's numbers: ") + error.data());
    }
}

PlugInState::~PlugInState()
{
    Table().destroy(m_state);
}

} // namespace via
} // namespace ns3
