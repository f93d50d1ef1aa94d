/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Records whether program output could not be written.

#include "via-lost-output.h"

#include <cerrno>
#include <poll.h>
#include <unistd.h>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{

LostOutput g_lost;

constexpr int FOR_EVER = -1; // of poll()

} // namespace

void
LostOutput::Note(int stream, int code)
{
    if (g_lost.stream == 0)
    {
        g_lost = {stream, code};
    }
}

LostOutput
LostOutput::Take()
{
    return std::exchange(g_lost, LostOutput{});
}

void
WriteToStream(int stream, const char* text, std::size_t bytes)
{
    // not through stdio: stdout is the program's own while it runs
    while (bytes > 0)
    {
        const ssize_t written = ::write(stream, text, bytes);
        if (written >= 0)
        {
            text += written;
            bytes -= static_cast<std::size_t>(written);
        }
        else if (errno == EAGAIN)
        {
            pollfd ready{stream, POLLOUT, 0};
            ::poll(&ready, 1, FOR_EVER);
        }
        else if (errno != EINTR)
        {
            LostOutput::Note(stream, errno);
            return;
        }
    }
}

} // namespace via
} // namespace ns3
