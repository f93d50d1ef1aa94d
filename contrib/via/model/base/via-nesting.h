/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// How deep a text is nested: asked before a library reads it that calls itself for each level.

#ifndef VIA_NESTING_H
#define VIA_NESTING_H

#include <cstdint>
#include <string>

namespace ns3
{
namespace via
{

/// More levels than any file of ours has; a parser's stack holds many times as many.
constexpr std::uint32_t MAX_NESTING = 64;

/**
 * @brief Refuses a TOML or JSON text with too many brackets, or parts of a dotted key, one inside
 * the other.
 * @param name of the file, for the error
 * @throws ConfigError naming file, line and limit
 */
void CheckNesting(const std::string& text, const std::string& name);

/**
 * @brief Refuses an XML text with too many elements, one inside the other.
 * @param name of the file, for the error
 * @throws ConfigError naming file, line and limit
 */
void CheckXmlNesting(const std::string& text, const std::string& name);

/**
 * @brief What a library says of a wrong text, in one line.
 * @param message of the library; the lines that it draws below its first one are left out
 * @param text what it was reading
 * @param line of @p text, from 1, which is quoted; 0: none
 */
std::string MistakeIn(const std::string& text, std::uint32_t line, const std::string& message);

} // namespace via
} // namespace ns3

#endif // VIA_NESTING_H
