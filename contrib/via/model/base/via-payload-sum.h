/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A checksum of a message's bytes that does not depend on the pieces in which they move.

#ifndef VIA_PAYLOAD_SUM_H
#define VIA_PAYLOAD_SUM_H

#include <cstdint>

namespace ns3
{
namespace via
{

/**
 * @brief What @p length bytes at place @p offset of a message add to its checksum.
 *
 * The message is a row of 64-bit words, each weighted by its place; the sum over all pieces, modulo
 * 2^64, is the same however the message was cut. One wrong byte, or two words exchanged, change it.
 *
 * @param bytes the piece
 * @param offset of its first byte in the message
 */
std::uint64_t PayloadSum(const void* bytes, std::uint32_t length, std::uint32_t offset);

} // namespace via
} // namespace ns3

#endif // VIA_PAYLOAD_SUM_H
