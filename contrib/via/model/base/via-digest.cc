/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A hash of what a component did, and when.

#include "via-digest.h"

namespace ns3
{
namespace via
{

std::string
Digest::Hex() const
{
    static const char digits[] = "0123456789abcdef";
    std::string text;
    for (const std::uint64_t half : {m_high, m_low})
    {
        for (int shift = 60; shift >= 0; shift -= 4)
        {
            text += digits[half >> shift & 0xf];
        }
    }
    return text;
}

} // namespace via
} // namespace ns3
