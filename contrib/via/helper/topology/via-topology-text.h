/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The text of --topology, taken apart: "family:shape,option=value".

#ifndef VIA_TOPOLOGY_TEXT_H
#define VIA_TOPOLOGY_TEXT_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief What a user wrote, piece by piece. Each piece is taken once; what nobody takes is refused.
 *
 * A path may contain commas: of "file:PATH" only known options at the end are options.
 */
class TopologyText
{
  public:
    explicit TopologyText(const std::string& text);

    const std::string& Text() const
    {
        return m_text;
    }

    const std::string& Family() const
    {
        return m_family;
    }

    /// @throws ConfigError "--topology = text: limit"
    [[noreturn]] void Refuse(const std::string& limit) const;

    /// Does something without an equals sign follow the colon?
    bool HasShape() const
    {
        return !m_shape.empty();
    }

    std::string TakeShape();

    /// Whole numbers with an x between: "8x8x4". @throws ConfigError with @p usage
    std::vector<std::uint32_t> TakeSizes(const std::string& usage);

    /// A word; @p otherwise if it is not there.
    std::string TakeWord(const std::string& name, const std::string& otherwise);

    /**
     * @brief A number; @p otherwise if it is not there.
     * @throws ConfigError with @p usage: no whole number from @p least to @p most
     */
    std::uint32_t TakeNumber(const std::string& name,
                             std::uint32_t least,
                             std::uint32_t most,
                             std::uint32_t otherwise,
                             const std::string& usage);

    /// @throws ConfigError with @p usage if something was not taken
    void ExpectNoMore(const std::string& usage) const;

  private:
    std::string m_text;
    std::string m_family;
    std::string m_shape;
    std::map<std::string, std::string> m_options;
};

} // namespace via
} // namespace ns3

#endif // VIA_TOPOLOGY_TEXT_H
