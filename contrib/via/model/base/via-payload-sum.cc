/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A checksum of a message's bytes that does not depend on how the message is split.

#include "via-payload-sum.h"

#include <algorithm>
#include <cstring>

namespace ns3
{
namespace via
{

namespace
{

constexpr std::uint32_t WORD = sizeof(std::uint64_t);

/// An odd number for each word, so that a change of one word always changes the sum.
std::uint64_t
WeightOf(std::uint32_t word)
{
    const std::uint64_t step = (word + std::uint64_t{1}) * 0x9e3779b97f4a7c15ULL;
    return (step ^ step >> 29) | 1;
}

} // namespace

std::uint64_t
PayloadSum(const void* bytes, std::uint32_t length, std::uint32_t offset)
{
    const auto* from = static_cast<const std::uint8_t*>(bytes);
    std::uint64_t sum = 0;
    for (std::uint32_t word = offset / WORD, place = offset % WORD; length > 0; ++word, place = 0)
    {
        const std::uint32_t n = std::min(length, WORD - place);
        std::uint64_t value = 0; // little endian, as in all of VIPL's layouts
        if (n == WORD)
        {
            std::memcpy(&value, from, WORD); // one load
        }
        else
        {
            std::memcpy(&value, from, n);
        }
        sum += (value << 8 * place) * WeightOf(word);
        from += n;
        length -= n;
    }
    return sum;
}

} // namespace via
} // namespace ns3
