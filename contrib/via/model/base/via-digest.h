/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A hash of what a component did, and when.

#ifndef VIA_DIGEST_H
#define VIA_DIGEST_H

#include <cstdint>
#include <string>

namespace ns3
{
namespace via
{

/**
 * @brief A 128-bit digest of a component's spans: their stages, times and cycles.
 *
 * A sum of a hash of each span: the order in which the spans were computed does not count, as each
 * contains its time. Not cryptographic. It never includes payload, addresses or anything else that
 * may differ between two runs of the same program, profile and seed. It is the same with every
 * compiler.
 */
class Digest
{
  public:
    /// Adds a pair. The order of calls does not count.
    void Mix(std::uint64_t a, std::uint64_t b)
    {
        const std::uint64_t one = Fold(a ^ 0xa0761d6478bd642fULL, b ^ 0xe7037ed1a0b428dbULL);
        m_low += one;
        m_high += Fold(one ^ a, b ^ 0x8ebc6af09c88c6e3ULL);
        ++m_count;
    }

    /// Adds the state of @p other, the digest of component @p id.
    void Combine(std::uint32_t id, const Digest& other)
    {
        const std::uint64_t whose = Fold(id ^ 0x589965cc75374cc3ULL, 0x9e3779b97f4a7c15ULL);
        Mix(whose, other.m_count);
        Mix(whose ^ other.m_low, other.m_high);
    }

    /// Number of calls of Mix.
    std::uint64_t Count() const
    {
        return m_count;
    }

    /// 32 hexadecimal digits.
    std::string Hex() const;

  private:
    __extension__ using Wide = unsigned __int128;

    /// Both halves of the product of @p a and @p b, in one.
    static std::uint64_t Fold(std::uint64_t a, std::uint64_t b)
    {
        const Wide product = static_cast<Wide>(a) * b;
        return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
    }

    std::uint64_t m_low{0x8ebc6af09c88c6e3ULL};
    std::uint64_t m_high{0x589965cc75374cc3ULL};
    std::uint64_t m_count{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_DIGEST_H
