/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The hash used for fingerprints.

#ifndef VIA_STABLE_HASH_H
#define VIA_STABLE_HASH_H

#include <cstdint>
#include <string>

namespace ns3
{
namespace via
{

/// FNV-1a with a final mix: the same on every machine and in every release.
class StableHash
{
  public:
    void Add(const std::string& text)
    {
        for (unsigned char c : text)
        {
            AddByte(c);
        }
        AddByte(0); // "ab" + "c" must differ from "a" + "bc"
    }

    std::string Hex() const
    {
        std::uint64_t mixed = m_state;
        mixed = (mixed ^ (mixed >> 33)) * 0xff51afd7ed558ccdULL;
        mixed = (mixed ^ (mixed >> 33)) * 0xc4ceb9fe1a85ec53ULL;
        mixed ^= mixed >> 33;
        std::string hex(16, '0');
        for (std::size_t i = 0; i < hex.size(); ++i)
        {
            hex[i] = "0123456789abcdef"[(mixed >> (60 - 4 * i)) & 15];
        }
        return hex;
    }

  private:
    void AddByte(unsigned char byte)
    {
        m_state = (m_state ^ byte) * 0x100000001b3ULL;
    }

    std::uint64_t m_state{0xcbf29ce484222325ULL};
};

} // namespace via
} // namespace ns3

#endif // VIA_STABLE_HASH_H
