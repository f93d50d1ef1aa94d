/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Clock rates as exact fractions; the model never uses floating-point clock rates.

#ifndef VIA_FREQUENCY_H
#define VIA_FREQUENCY_H

#include <cstdint>
#include <optional>
#include <string>

namespace ns3
{
namespace via
{

/**
 * @brief A frequency of num/den Hz, always in lowest terms and above zero.
 */
struct Frequency
{
    std::uint64_t num{1}; ///< numerator, Hz
    std::uint64_t den{1}; ///< denominator
};

inline bool
operator==(const Frequency& a, const Frequency& b)
{
    return a.num == b.num && a.den == b.den;
}

/**
 * @brief Reads "300 MHz", "100/3 MHz" or "1.25 GHz" exactly.
 *
 * A whole number, a fraction or a decimal; one space; Hz, kHz, MHz or GHz.
 *
 * @param text the text
 * @return the frequency, or nothing if the text has another form, is zero or exceeds 64 bits
 */
std::optional<Frequency> ParseFrequency(const std::string& text);

/**
 * @param frequency a frequency
 * @return its one canonical text, for example "62500000 Hz" or "100000000/3 Hz"
 */
std::string FormatFrequency(const Frequency& frequency);

} // namespace via
} // namespace ns3

#endif // VIA_FREQUENCY_H
