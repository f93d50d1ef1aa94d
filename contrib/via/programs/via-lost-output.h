/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Whether something that programs printed could not be written.

#ifndef VIA_LOST_OUTPUT_H
#define VIA_LOST_OUTPUT_H

#include <cstddef>

namespace ns3
{
namespace via
{

/// What this OS process could not write for its programs: a full disk, a reader that is gone.
struct LostOutput
{
    int stream{0}; ///< 1 or 2; 0: all was written
    int code{0};   ///< the errno of the first failure

    /// Keeps the first failure; the streams belong to the OS process, so there is one place for it.
    static void Note(int stream, int code);

    /// @return the first failure since it was last asked for
    static LostOutput Take();
};

/// Writes all of @p text to a standard stream, or notes that it cannot.
void WriteToStream(int stream, const char* text, std::size_t bytes);

} // namespace via
} // namespace ns3

#endif // VIA_LOST_OUTPUT_H
