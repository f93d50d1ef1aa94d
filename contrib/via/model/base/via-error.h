/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// User errors: thrown before simulated time starts; base of via.errors in Python.

#ifndef VIA_ERROR_H
#define VIA_ERROR_H

#include <stdexcept>
#include <string>

namespace ns3
{
namespace via
{

/**
 * @brief An error in the user's configuration.
 *
 * The text names the option or key, the value given and the limit it violates.
 * Errors of the simulated program return VIPL codes instead; simulator bugs abort.
 */
class ConfigError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;

    /**
     * @param option the option, attribute or profile key as the user wrote it
     * @param value the value given
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
