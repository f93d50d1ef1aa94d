/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A checksum of a message's bytes that does not depend on how the message is split.

#ifndef VIA_PAYLOAD_SUM_H
#define VIA_PAYLOAD_SUM_H

#include <cstdint>

namespace ns3
{
namespace via
{

/**
 * @brief Contribution of @p length bytes at @p offset of a message to its checksum.
 *
 * The message is a sequence of 64-bit words, each weighted by its position. The sum over all
 * pieces, modulo 2^64, does not depend on how the message was split. One wrong byte, or two
 * exchanged words, change it.
 *
 * @param bytes the piece
 * @param offset of its first byte in the message
 */
std::uint64_t PayloadSum(const void* bytes, std::uint32_t length, std::uint32_t offset);

} // namespace via
} // namespace ns3

#endif // VIA_PAYLOAD_SUM_H
