/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Nesting limits, checked before a recursive parser reads a text.

#ifndef VIA_NESTING_H
#define VIA_NESTING_H

#include <cstdint>
#include <string>

namespace ns3
{
namespace via
{

/// More levels than any of our files has; a parser's stack holds many times as many.
constexpr std::uint32_t MAX_NESTING = 64;

/**
 * @brief Rejects a TOML or JSON text whose brackets, or parts of a dotted key, nest too deeply.
 * @param name of the file, for the error
 * @throws ConfigError naming file, line and limit
 */
void CheckNesting(const std::string& text, const std::string& name);

/**
 * @brief Rejects an XML text whose elements nest too deeply.
 * @param name of the file, for the error
 * @throws ConfigError naming file, line and limit
 */
void CheckXmlNesting(const std::string& text, const std::string& name);

/**
 * @brief Formats a parser's error message as one line.
 * @param message of the parser; only its first line is used
 * @param text the parser was reading
 * @param line of @p text to quote, from 1; 0: none
 */
std::string MistakeIn(const std::string& text, std::uint32_t line, const std::string& message);

} // namespace via
} // namespace ns3

#endif // VIA_NESTING_H
