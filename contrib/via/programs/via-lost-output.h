/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Records whether program output could not be written.

#ifndef VIA_LOST_OUTPUT_H
#define VIA_LOST_OUTPUT_H

#include <cstddef>

namespace ns3
{
namespace via
{

/// A failure of this OS process to write output of its programs: disk full, or reader gone.
struct LostOutput
{
    int stream{0}; ///< 1 or 2; 0: all was written
    int code{0};   ///< the errno of the first failure

    /// Keeps the first failure, in one place: the OS process owns the streams.
    static void Note(int stream, int code);

    /// @return the first failure since the last call
    static LostOutput Take();
};

/// Writes all of @p text to a standard stream, or notes the failure.
void WriteToStream(int stream, const char* text, std::size_t bytes);

} // namespace via
} // namespace ns3

#endif // VIA_LOST_OUTPUT_H
