/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A checksum of a message's bytes that does not depend on how the message is split.

#include "via-payload-sum.h"

#include <algorithm>
#include <array>
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

/// An odd number for word @p index, so that a change of one word always changes the sum.
constexpr std::uint64_t
WeightOf(std::uint64_t index)
{
    const std::uint64_t step = (index + 1) * STEP;
    return (step ^ step >> 29) | 1;
}

/// The weights of the first words.
using Weights = std::array<std::uint64_t, 512>;

constexpr Weights
FirstWeights()
{
    Weights weights{};
    for (std::size_t i = 0; i < weights.size(); ++i)
    {
        weights[i] = WeightOf(i);
    }
    return weights;
}

constexpr Weights WEIGHTS = FirstWeights();

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
    std::uint64_t index = offset / WORD;
    std::uint64_t sum = 0;
    if (const std::uint32_t place = offset % WORD; place > 0)
    {
        const std::uint32_t n = std::min(length, WORD - place);
        sum = (ValueOf(from, n) << 8 * place) * WeightOf(index++);
        from += n;
        length -= n;
    }
    const std::uint64_t end = index + length / WORD;
    for (const std::uint64_t known = std::min(end, WEIGHTS.size()); index < known; ++index)
    {
        sum += ValueOf(from, WORD) * WEIGHTS[index];
        from += WORD;
    }
    for (; index < end; ++index)
    {
        sum += ValueOf(from, WORD) * WeightOf(index);
        from += WORD;
    }
    length %= WORD;
    return length == 0 ? sum : sum + ValueOf(from, length) * WeightOf(index);
}

} // namespace via
} // namespace ns3
