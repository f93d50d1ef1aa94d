/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The user's mistakes: thrown before simulated time starts, root of via.errors in Python.

#ifndef VIA_ERROR_H
#define VIA_ERROR_H

#include <stdexcept>
#include <string>

namespace ns3
{
namespace via
{

/**
 * @brief A mistake in what the user asked for.
 *
 * The text names the option or key, the value that was given and the limit it broke.
 * Mistakes of the simulated program are VIPL codes instead; our own mistakes abort.
 */
class ConfigError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;

    /**
     * @param option the option, attribute or profile key as the user wrote it
     * @param value the value that was given
     * @param limit what is allowed, with its unit
     */
    ConfigError(const std::string& option, const std::string& value, const std::string& limit)
        : std::runtime_error(option + " = " + value + ": " + limit)
    {
    }
};

} // namespace via
} // namespace ns3

#endif // VIA_ERROR_H
