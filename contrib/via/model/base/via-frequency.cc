/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Exact parsing and formatting of clock rates.

#include "via-frequency.h"

#include <numeric>

namespace ns3
{
namespace via
{

namespace
{

/// Any 18 digits fit 64 bits.
constexpr std::size_t MAX_DIGITS = 18;

/// Takes the digits at `at` and moves `at` past them.
std::string
TakeDigits(const std::string& text, std::size_t& at)
{
    const std::size_t start = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9')
    {
        ++at;
    }
    return text.substr(start, at - start);
}

std::optional<std::uint64_t>
ScaleOf(const std::string& unit)
{
    if (unit == " Hz")
    {
        return 1;
    }
    if (unit == " kHz")
    {
        return 1'000;
    }
    if (unit == " MHz")
    {
        return 1'000'000;
    }
    if (unit == " GHz")
    {
        return 1'000'000'000;
    }
    return std::nullopt;
}

} // namespace

std::optional<Frequency>
ParseFrequency(const std::string& text)
{
    std::size_t at = 0;
    std::string digits = TakeDigits(text, at);
    std::uint64_t den = 1;
    if (digits.empty())
    {
        return std::nullopt;
    }
    if (at < text.size() && (text[at] == '.' || text[at] == '/'))
    {
        const bool decimal = text[at] == '.';
        const std::string second = TakeDigits(text, ++at);
        if (second.empty() || second.size() > MAX_DIGITS)
        {
            return std::nullopt;
        }
        den = std::stoull(decimal ? "1" + std::string(second.size(), '0') : second);
        digits += decimal ? second : "";
    }
    const std::optional<std::uint64_t> scale = ScaleOf(text.substr(at));
    if (digits.size() > MAX_DIGITS || !scale || den == 0)
    {
        return std::nullopt;
    }
    const std::uint64_t value = std::stoull(digits);
    // Reduce by both factors first, so that the product overflows only if the result does.
    const std::uint64_t byValue = std::gcd(value, den);
    const std::uint64_t byScale = std::gcd(*scale, den / byValue);
    Frequency frequency;
    frequency.den = den / byValue / byScale;
    if (value == 0 || __builtin_mul_overflow(value / byValue, *scale / byScale, &frequency.num))
    {
        return std::nullopt;
    }
    return frequency;
}

std::string
FormatFrequency(const Frequency& frequency)
{
    const std::string den = frequency.den == 1 ? "" : "/" + std::to_string(frequency.den);
    return std::to_string(frequency.num) + den + " Hz";
}

} // namespace via
} // namespace ns3
