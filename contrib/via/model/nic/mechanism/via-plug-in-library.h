/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The shared object of a plug-in: opened, checked, and what it keeps for one card.

#ifndef VIA_PLUG_IN_LIBRARY_H
#define VIA_PLUG_IN_LIBRARY_H

#include "ns3/via-plug-in.h"
#include "ns3/via-provider-profile.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/// A plug-in and the numbers that a profile has for it. Closed with the last card that uses it.
class PlugInLibrary
{
  public:
    /**
     * @brief Opens what `nic.plug_in` names.
     * @throws ConfigError naming file, key and what is allowed, if it is no shared object, has no
     *         via_plug_in(), is for another ABI, or lacks a part that the profile asks for
     */
    explicit PlugInLibrary(const ProviderProfile& profile);

    PlugInLibrary(const PlugInLibrary&) = delete;
    PlugInLibrary& operator=(const PlugInLibrary&) = delete;

    const via_plug_in_table& Table() const
    {
        return *m_table;
    }

    const std::vector<via_number>& Numbers() const
    {
        return m_numbers;
    }

    /// Says that the profile's choice is wrong. @throws ConfigError
    [[noreturn]] void Refuse(const std::string& limit) const;

  private:
    using Handle = std::unique_ptr<void, void (*)(void*)>;

    void Open(const std::string& path);
    void CheckTable() const;
    void CheckPart(const ProviderProfile& profile, const char* key, bool offered) const;

    std::string m_key;  ///< "FILE:LINE: nic.plug_in"
    std::string m_name; ///< value of the key
    Handle m_handle;
    const via_plug_in_table* m_table{nullptr};
    std::vector<std::string> m_names;
    std::vector<via_number> m_numbers;
};

/// The state that a plug-in keeps for one card.
class PlugInState
{
  public:
    /// @throws ConfigError if the plug-in does not take the profile's numbers
    PlugInState(const std::shared_ptr<const PlugInLibrary>& library,
                std::uint32_t node,
                std::uint32_t pageBytes,
                std::uint64_t seed);
    ~PlugInState();

    PlugInState(const PlugInState&) = delete;
    PlugInState& operator=(const PlugInState&) = delete;

    const via_plug_in_table& Table() const
    {
        return m_library->Table();
    }

    /// Name and version, for people.
    std::string Name() const
    {
        return std::string(Table().name) + " " + Table().version;
    }

    void* Get() const
    {
        return m_state;
    }

  private:
    std::shared_ptr<const PlugInLibrary> m_library;
    void* m_state;
};

} // namespace via
} // namespace ns3

#endif // VIA_PLUG_IN_LIBRARY_H
