/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// All numbers of one product on one host, with sources and a fingerprint. No other code holds any.

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
 * An immutable value that can be copied freely. profiles/README.md lists every key with unit and
 * meaning. Every key of the schema is present, so reading a known key of the
 * right type cannot fail.
 */
class ProviderProfile
{
  public:
    /**
     * @brief Reads a product's file, its host's file and optionally a kernel's.
     *
     * @param nameOrPath the product: a name or a path, see FindProduct
     * @param host the host: a name or a path, see FindHost; empty: the product's default_host
     * @param kernel the kernel: see WithKernel; empty: no kernel keys
     * @return the profile
     * @throws ConfigError naming file, line, key, value, allowed range and unit
     */
    static ProviderProfile Load(const std::string& nameOrPath,
                                const std::string& host = "",
                                const std::string& kernel = "");

    /**
     * @param kernel a name or a path, see FindKernel; empty: the host's default_kernel
     * @return a copy that also has the numbers of a kernel's network stack and driver
     * @throws ConfigError as Load, and if the profile already has a kernel
     */
    ProviderProfile WithKernel(const std::string& kernel = "") const;

    /// @return the kernel's file name without folder and ".toml"; empty: no kernel
    const std::string& Kernel() const;

    /// @return whether it has a kernel, or WithKernel() would give it one
    bool MayHaveKernel() const
    {
        return !m_kernel.empty() || !m_defaultKernel.empty();
    }

    /// @return the product's file name without folder and ".toml"
    const std::string& Name() const;

    /// @return the product's full name
    const std::string& Title() const;

    /**
     * @return why the product is only a sketch, whose numbers are unreliable; empty: it
     * is not a sketch
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
     * @brief A changed copy, for what-if questions.
     *
     * @param key a key
     * @param value its new value as it would be written in the file, lists as "8, 30"
     * @return the copy, in which the entry is marked as assumed
     * @throws ConfigError if a file with this value would be rejected
     */
    ProviderProfile With(const std::string& key, const std::string& value) const;

    /**
     * @brief A copy with several changes made in one step, as needed to change a mechanism.
     *
     * A key that belongs to a mechanism must be given with the choice of that mechanism; the copy
     * drops the keys of mechanisms that are no longer chosen.
     *
     * @param changes new values by key, each as it would be written in the file
     * @return the copy, in which the entries are marked as assumed
     * @throws ConfigError if a file with these values would be rejected
     */
    ProviderProfile With(const std::map<std::string, std::string>& changes) const;

    /**
     * @return 16 hexadecimal digits over every (key, canonical value, unit) and the bytes of the
     * plug-in: equal for profiles that simulate alike, regardless of names, sources and comments
     */
    std::string Fingerprint() const;

    /**
     * @return the file of the shared object that `nic.plug_in` names; empty: no
     * plug-in provides a mechanism
     */
    const std::string& PlugIn() const;

    /// @return the entries `plug_in.NAME`, sorted by key
    std::vector<ProfileEntry> PlugInNumbers() const;

    /**
     * @param key a key
     * @return the entry: value, unit, source, trust and place
     * @throws ConfigError if there is no such key
     */
    const ProfileEntry& Entry(const std::string& key) const;

    /// @return "FILE:LINE: " of @p entry, the beginning of an error message
    static std::string Place(const ProfileEntry& entry);

    /**
     * @brief Checks a relation between keys.
     * @throws ConfigError naming @p key, its value and @p limit, unless it @p holds
     */
    void Require(bool holds, const std::string& key, const std::string& limit) const;

  private:
    ProviderProfile() = default;

    std::size_t IndexOf(const std::string& key) const;
    std::size_t PlaceOf(const std::string& key) const;
    bool Has(const std::string& key) const;

    /// Sets or adds one entry; checks only the entry itself.
    void Set(const std::string& key, const std::string& value);

    /// Checks that exactly the needed keys are present; drops unneeded ones unless
    /// they were just given.
    void FollowMechanisms(const std::map<std::string, std::string>& given);
    const ProfileValue& ValueOf(const std::string& key, ProfileKind kind) const;

    /// Finds the shared object that is named. @throws ConfigError
    void FindPlugInFile();

    /// Checks relations between keys. @throws ConfigError
    void CheckRelations() const;
    void CheckHost() const;
    void CheckFlowControl(std::uint64_t group) const;

    std::string m_name;
    std::string m_file; ///< of the product
    std::string m_plugIn;
    std::string m_plugInHash; ///< of its bytes; empty: no plug-in
    std::string m_title;
    std::string m_sketch;
    std::string m_host;
    std::string m_defaultKernel; ///< of the host; empty: none
    std::string m_kernel;
    std::vector<ProfileEntry> m_entries;
    std::vector<ProfileValue> m_values; ///< value of the entry at the same index
};

} // namespace via
} // namespace ns3

#endif // VIA_PROVIDER_PROFILE_H
