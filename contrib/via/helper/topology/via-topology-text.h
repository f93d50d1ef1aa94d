/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Parses the text of --topology: "family:shape,option=value".

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
 * @brief Splits the user's text into pieces. Each piece is taken once; pieces that are not taken
 * are an error.
 *
 * A path may contain commas: in "file:PATH" only known options at the end are options.
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

    /// Is there a shape, a text without an equals sign after the colon?
    bool HasShape() const
    {
        return !m_shape.empty();
    }

    std::string TakeShape();

    /// Whole numbers separated by x: "8x8x4". @throws ConfigError with @p usage
    std::vector<std::uint32_t> TakeSizes(const std::string& usage);

    /// The text of option @p name; @p otherwise if it is absent. @throws ConfigError if it is empty
    std::string TakeWord(const std::string& name, const std::string& otherwise);

    /**
     * @brief The number of option @p name; @p otherwise if it is absent.
     * @throws ConfigError with @p usage if it is no whole number from @p least to @p most
     */
    std::uint32_t TakeNumber(const std::string& name,
                             std::uint32_t least,
                             std::uint32_t most,
                             std::uint32_t otherwise,
                             const std::string& usage);

    /// @throws ConfigError with @p usage if pieces were not taken
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
