/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Random choices that are the same on every machine: splitmix64, and no floating point.

#ifndef VIA_FUZZ_RANDOM_H
#define VIA_FUZZ_RANDOM_H

#include <cstdint>
#include <vector>

namespace ns3
{
namespace via
{
namespace test
{

class FuzzRandom
{
  public:
    explicit FuzzRandom(std::uint64_t seed)
        : m_state(seed)
    {
    }

    std::uint64_t Next()
    {
        m_state += 0x9e3779b97f4a7c15ULL;
        std::uint64_t z = m_state;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }

    /// 0 .. @p limit - 1; 0 if there is no such number.
    std::uint64_t Below(std::uint64_t limit)
    {
        return limit == 0 ? 0 : Next() % limit;
    }

    bool OneIn(std::uint64_t n)
    {
        return Below(n) == 0;
    }

    /// One of a list that is not empty.
    template <class T>
    T& Of(std::vector<T>& list)
    {
        return list[Below(list.size())];
    }

    template <class T>
    T Of(std::initializer_list<T> list)
    {
        return list.begin()[Below(list.size())];
    }

  private:
    std::uint64_t m_state;
};

} // namespace test
} // namespace via
} // namespace ns3

#endif // VIA_FUZZ_RANDOM_H
