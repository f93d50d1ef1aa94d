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

/// Weights grow by it from word to word, before their bits are mixed.
constexpr std::uint64_t STEP = 0x9e3779b97f4a7c15ULL;

/// An odd number for each word, so that a change of one word always changes the sum.
std::uint64_t
WeightOf(std::uint64_t step)
{
    return (step ^ step >> 29) | 1;
}

/// The first @p n bytes, at most a word, at @p from.
std::uint64_t
ValueOf(const std::uint8_t* from, std::uint32_t n)
{
    std::uint64_t value = 0; // little endian, as in all of VIPL's layouts
    std::memcpy(&value, from, n);
    return value;
}

} // namespace

std::uint64_t
PayloadSum(const void* bytes, std::uint32_t length, std::uint32_t offset)
{
    const auto* from = static_cast<const std::uint8_t*>(bytes);
    std::uint64_t step = (offset / WORD + std::uint64_t{1}) * STEP;
    std::uint64_t sum = 0;
    if (const std::uint32_t place = offset % WORD; place > 0)
    {
        const std::uint32_t n = std::min(length, WORD - place);
        sum = (ValueOf(from, n) << 8 * place) * WeightOf(step);
        step += STEP;
        from += n;
        length -= n;
    }
    for (; length >= WORD; length -= WORD, from += WORD, step += STEP)
    {
        sum += ValueOf(from, WORD) * WeightOf(step);
    }
    return length == 0 ? sum : sum + ValueOf(from, length) * WeightOf(step);
}

} // namespace via
} // namespace ns3
