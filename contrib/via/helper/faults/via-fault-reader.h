/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Reads the tables of a plan of faults: keys, times and their mistakes.

#ifndef VIA_FAULT_READER_H
#define VIA_FAULT_READER_H

#include "ns3/via-document.h"
#include "ns3/via-error.h"
#include "ns3/via-time.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief One table of a document, whose keys must be those that its kind knows.
 * All mistakes name document, line, key, value and what is allowed.
 */
class TableReader
{
  public:
    /**
     * @param name of the document
     * @param path of the table in it, e.g. "link_down[0]"
     * @param keys that it may have
     */
    TableReader(std::string name,
                std::string path,
                const DocumentValue& table,
                const std::vector<std::string>& keys);

    /// "NAME:LINE: PATH." for later messages.
    std::string Place() const;

    bool Has(const std::string& key) const
    {
        return m_table.Find(key) != nullptr;
    }

    /// Refuses the table if it has no @p key.
    void Needs(const std::string& key) const;

    std::string Text(const std::string& key, const std::string& normal) const;
    bool Flag(const std::string& key) const;

    /// A whole number in [@p least, @p most], or @p normal.
    std::uint64_t Whole(const std::string& key,
                        std::uint64_t least,
                        std::uint64_t most,
                        std::uint64_t normal) const;

    /// "1.5 ms" and the like, or a whole number of ps; or @p normal.
    Ps Time(const std::string& key, Ps normal) const;

    /// "3/2" or 3: numerator and denominator.
    std::pair<std::uint32_t, std::uint32_t> Ratio(const std::string& key) const;

    /// A list of lists of texts; none if there is no such key.
    std::vector<std::vector<std::string>> Sets(const std::string& key) const;

    /// @p key has a value that is none of what is @p allowed.
    ConfigError Refuse(const std::string& key, const std::string& allowed) const;

  private:
    std::string At(const DocumentValue& value) const;

    std::string m_name;
    std::string m_path;
    const DocumentValue& m_table;
};

/// @return ps, or -1 if @p text is not a number with a unit, exact to the ps and within 63 bits
Ps ParseTime(const std::string& text);

} // namespace via
} // namespace ns3

#endif // VIA_FAULT_READER_H
