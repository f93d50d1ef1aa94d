/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// All numbers of one product on one host, cited and fingerprinted. No other code holds any.

#ifndef VIA_PROVIDER_PROFILE_H
#define VIA_PROVIDER_PROFILE_H

#include "ns3/via-frequency.h"
#include "ns3/via-profile-reader.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief A product (card, library, cable, switch) plugged into a host, as read from TOML.
 *
 * A value: copied freely, never changed. profiles/README.md lists every key with unit and
 * meaning. Every key of the schema is there, so that reading a known key of the right type
 * cannot fail.
 */
class ProviderProfile
{
  public:
    /**
     * @brief Reads a product's file and its host's, and perhaps a kernel's.
     *
     * @param nameOrPath the product: a name or a path, see FindProduct
     * @param host the host: a name or a path, see FindHost; empty: the product's default_host
     * @param kernel the kernel: see WithKernel; empty: without the keys of one
     * @return the profile
     * @throws ConfigError naming file, line, key, value, allowed range and unit
     */
    static ProviderProfile Load(const std::string& nameOrPath,
                                const std::string& host = "",
                                const std::string& kernel = "");

    /**
     * @param kernel a name or a path, see FindKernel; empty: the host's default_kernel
     * @return a copy that has the numbers of a kernel's network stack and driver, too
     * @throws ConfigError as Load; and when it has those of a kernel already
     */
    ProviderProfile WithKernel(const std::string& kernel = "") const;

    /// @return the kernel's file name without folder and ".toml"; empty: it has none
    const std::string& Kernel() const;

    /// @return the product's file name without folder and ".toml"
    const std::string& Name() const;

    /// @return the product's full name
    const std::string& Title() const;

    /**
     * @return why the product is but a sketch, whose numbers nobody should rely on; empty: it is
     * none
     */
    const std::string& Sketch() const;

    /// @return the host's file name without folder and ".toml"
    const std::string& Host() const;

    /**
     * @param key a key whose value is one whole number
     * @return the number, in the unit of the key
     * @throws ConfigError if there is no such key, or it is of another kind
     */
    std::uint64_t Number(const std::string& key) const;

    /// The same, for a key whose largest value fits into 32 bits.
    std::uint32_t Number32(const std::string& key) const;

    /**
     * @param key a key whose value is a list of whole numbers
     * @return the numbers, in the unit of the key
     * @throws ConfigError if there is no such key, or it is of another kind
     */
    std::vector<std::uint64_t> Numbers(const std::string& key) const;

    /**
     * @param key a key whose value is a clock
     * @return the exact frequency
     * @throws ConfigError if there is no such key, or it is of another kind
     */
    Frequency Clock(const std::string& key) const;

    /**
     * @param key a key whose value is one name, such as a mechanism
     * @return the name
     * @throws ConfigError if there is no such key, or it is of another kind
     */
    const std::string& Word(const std::string& key) const;

    /**
     * @param key a key whose value is a list of names
     * @return the names
     * @throws ConfigError if there is no such key, or it is of another kind
     */
    std::vector<std::string> Words(const std::string& key) const;

    /// @return all entries of product and host, sorted by key
    const std::vector<ProfileEntry>& Entries() const;

    /**
     * @brief A changed copy, for what-if questions. The profile itself stays as it is.
     *
     * @param key a key
     * @param value its new value as it would stand in the file, lists as "8, 30"
     * @return the copy, in which the entry is marked as assumed
     * @throws ConfigError if a file with this value would be refused
     */
    ProviderProfile With(const std::string& key, const std::string& value) const;

    /**
     * @brief A copy with several changes made in one step, as another mechanism needs.
     *
     * A key that belongs to a mechanism must be given with the choice of that mechanism; keys of a
     * mechanism that is no longer chosen leave the copy.
     *
     * @param changes new values by key, each as it would stand in the file
     * @return the copy, in which the entries are marked as assumed
     * @throws ConfigError if a file with these values would be refused
     */
    ProviderProfile With(const std::map<std::string, std::string>& changes) const;

    /**
     * @return 16 hexadecimal digits over every (key, canonical value, unit) and the bytes of the
     *         plug-in: equal for profiles that simulate alike, whatever their names, sources and
     *         comments say
     */
    std::string Fingerprint() const;

    /**
     * @return the file of the shared object that `nic.plug_in` names; empty: no mechanism is a
     *         plug-in's
     */
    const std::string& PlugIn() const;

    /// @return the entries `plug_in.NAME`, sorted by key
    std::vector<ProfileEntry> PlugInNumbers() const;

    /**
     * @param key a key
     * @return all that is known of it
     * @throws ConfigError if there is no such key
     */
    const ProfileEntry& Entry(const std::string& key) const;

    /// @return "FILE:LINE: " of @p entry, as messages begin
    static std::string Place(const ProfileEntry& entry);

    /**
     * @brief For a relation between keys that a profile must keep.
     * @throws ConfigError naming @p key, its value and @p limit, unless it @p holds
     */
    void Require(bool holds, const std::string& key, const std::string& limit) const;

  private:
    ProviderProfile() = default;

    std::size_t IndexOf(const std::string& key) const;
    std::size_t PlaceOf(const std::string& key) const;
    bool Has(const std::string& key) const;

    /// Sets one entry, a new one if need be, checked by itself alone.
    void Set(const std::string& key, const std::string& value);

    /// Checks that each key is there if it is read; drops those that are not, unless just given.
    void FollowMechanisms(const std::map<std::string, std::string>& given);
    const ProfileValue& ValueOf(const std::string& key, ProfileKind kind) const;

    /// Finds the shared object that is named; throws ConfigError.
    void FindPlugInFile();

    /// Checks what no single key can tell; throws ConfigError.
    void CheckRelations() const;
    void CheckFlowControl(std::uint64_t group) const;

    std::string m_name;
    std::string m_file; ///< of the product
    std::string m_plugIn;
    std::string m_plugInHash; ///< of its bytes; empty: there is none
    std::string m_title;
    std::string m_sketch;
    std::string m_host;
    std::string m_defaultKernel; ///< of the host; empty: it names none
    std::string m_kernel;
    std::vector<ProfileEntry> m_entries;
    std::vector<ProfileValue> m_values; ///< value of the entry at the same index
};

} // namespace via
} // namespace ns3

#endif // VIA_PROVIDER_PROFILE_H
