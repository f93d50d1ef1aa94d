/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A set of small numbers, visited in ascending order.

#ifndef VIA_INDEX_SET_H
#define VIA_INDEX_SET_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief A subset of 0 .. size - 1, a bit for each number.
 *
 *     for (auto i = set.Next(0); i != IndexSet::NONE; i = set.Next(i + 1))
 */
class IndexSet
{
  public:
    static constexpr std::uint32_t NONE = UINT32_MAX;

    /// An empty subset of 0 .. @p size - 1.
    explicit IndexSet(std::uint32_t size = 0)
        : m_words((std::size_t{size} + BITS - 1) / BITS, 0)
    {
    }

    void Add(std::uint32_t index)
    {
        m_words[index / BITS] |= std::uint64_t{1} << index % BITS;
    }

    void Remove(std::uint32_t index)
    {
        m_words[index / BITS] &= ~(std::uint64_t{1} << index % BITS);
    }

    void Clear()
    {
        std::fill(m_words.begin(), m_words.end(), 0);
    }

    /// The least element that is at least @p from, which may be the size; NONE: there is none.
    std::uint32_t Next(std::uint32_t from) const
    {
        return NextInBoth(from, *this);
    }

    /// The least common element of this set and @p other, of the same size, from @p from on.
    std::uint32_t NextInBoth(std::uint32_t from, const IndexSet& other) const
    {
        std::uint64_t mask = ~std::uint64_t{0} << from % BITS;
        for (std::size_t word = from / BITS; word < m_words.size(); ++word)
        {
            const std::uint64_t bits = m_words[word] & other.m_words[word] & mask;
            if (bits != 0)
            {
                return static_cast<std::uint32_t>(word) * BITS +
                       static_cast<std::uint32_t>(__builtin_ctzll(bits));
            }
            mask = ~std::uint64_t{0};
        }
        return NONE;
    }

  private:
    static constexpr std::uint32_t BITS = 64;

    std::vector<std::uint64_t> m_words;
};

} // namespace via
} // namespace ns3

#endif // VIA_INDEX_SET_H
