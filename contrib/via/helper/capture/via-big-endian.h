/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Encodes numbers as bytes, most significant first.

#ifndef VIA_BIG_ENDIAN_H
#define VIA_BIG_ENDIAN_H

#include <cstddef>
#include <string>

namespace ns3
{
namespace via
{

/// Appends an unsigned @p number to @p bytes.
template <class T>
void
AppendBigEndian(std::string& bytes, T number)
{
    for (std::size_t left = sizeof(T); left > 0; --left)
    {
        bytes.push_back(static_cast<char>(number >> (left - 1) * 8 & 0xff));
    }
}

} // namespace via
} // namespace ns3

#endif // VIA_BIG_ENDIAN_H
