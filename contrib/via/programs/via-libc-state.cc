/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// C library state of one hosted program, swapped at each fiber switch.

#include "via-libc-state.h"

#include "ns3/abort.h"
#include "ns3/via-error.h"
#include "ns3/via-program-memory.h"
#include "ns3/via-program-services.h"

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <stdio_ext.h>
#include <unistd.h>

namespace ns3
{
namespace via
{

namespace
{

constexpr int DIRECTORY_FLAGS = O_PATH | O_DIRECTORY | O_CLOEXEC;

int
OpenDirectory(const std::string& path)
{
    if (path.empty())
    {
        return -1;
    }
    const int fd = open(path.c_str(), DIRECTORY_FLAGS);
    if (fd < 0)
    {
        throw ConfigError("--cwd", path, std::strerror(errno));
    }
    return fd;
}

FILE*
OpenInput(const std::string& path)
{
    FILE* stream = std::fopen(path.empty() ? "/dev/null" : path.c_str(), "re");
    if (!stream)
    {
        throw ConfigError("--stdin", path, std::strerror(errno));
    }
    return stream;
}

} // namespace

LibcState::LibcState(const LibcOptions& options, ProgramServices& services)
    : m_services(services),
      m_prefix(options.prefix),
      m_sinks{Sink{this, 1, {}}, Sink{this, 2, {}}}
{
    m_streams[0] = OpenInput(options.input);
    try
    {
        m_directory = OpenDirectory(options.cwd);
    }
    catch (...)
    {
        std::fclose(m_streams[0]);
        throw;
    }
    m_streams[1] = OpenSink(m_sinks[0]);
    m_streams[2] = OpenSink(m_sinks[1]);
    // As on a terminal: output of several processes mixes line by line, in simulated-time order.
    std::setvbuf(m_streams[1], nullptr, _IOLBF, BUFSIZ);
    std::setvbuf(m_streams[2], nullptr, _IONBF, 0);
    m_openStreams.assign(m_streams.begin(), m_streams.end());
}

LibcState::~LibcState()
{
    for (FILE* stream : m_openStreams)
    {
        __fpurge(stream);
        std::fclose(stream);
    }
    for (int fd : m_openFds)
    {
        close(fd);
    }
    for (auto& sink : m_sinks)
    {
        EndLine(sink);
    }
    if (m_directory >= 0)
    {
        close(m_directory);
    }
}

FILE*
LibcState::OpenSink(Sink& sink)
{
    cookie_io_functions_t functions{};
    functions.write = &LibcState::WriteSink;
    FILE* stream = fopencookie(&sink, "w", functions);
    NS_ABORT_MSG_IF(!stream, "no memory for the standard streams of a process");
    return stream;
}

ssize_t
LibcState::WriteSink(void* sink, const char* text, std::size_t bytes)
{
    const auto& self = *static_cast<Sink*>(sink);
    return self.owner->TryOutput(self.stream, text, bytes) ? static_cast<ssize_t>(bytes) : 0;
}

void
LibcState::Output(int stream, const char* text, std::size_t bytes)
{
    WriteLines(m_sinks[stream - 1], text, bytes);
}

bool
LibcState::TryOutput(int stream, const void* text, std::size_t bytes)
{
    constexpr std::size_t most = std::size_t(1) << 20; // the largest part read at once
    const auto* next = static_cast<const char*>(text);
    try
    {
        for (; bytes > 0; bytes -= std::min(bytes, most), next += most)
        {
            const std::string part = ProgramMemory::ReadBytes(next, std::min(bytes, most));
            Output(stream, part.data(), part.size());
        }
    }
    catch (const MemoryFault&)
    {
        errno = EFAULT;
        return false;
    }
    return true;
}

void
LibcState::WriteLines(Sink& sink, const char* text, std::size_t bytes)
{
    if (m_prefix.empty())
    {
        m_services.Output(sink.stream, text, bytes);
        return;
    }
    while (bytes > 0)
    {
        const auto* end = static_cast<const char*>(std::memchr(text, '\n', bytes));
        const std::size_t part = end ? static_cast<std::size_t>(end - text) : bytes;
        sink.line.append(text, part);
        if (!end)
        {
            return;
        }
        const auto whole = m_prefix + sink.line + "\n";
        sink.line.clear();
        m_services.Output(sink.stream, whole.data(), whole.size());
        text += part + 1;
        bytes -= part + 1;
    }
}

void
LibcState::EndLine(Sink& sink)
{
    if (!sink.line.empty())
    {
        WriteLines(sink, "\n", 1);
    }
}

int
LibcState::ChangeDirectory(const char* path, int fd)
{
    const int directory = path ? open(path, DIRECTORY_FLAGS) : openat(fd, ".", DIRECTORY_FLAGS);
    if (directory < 0)
    {
        return -1;
    }
    const int outer = m_directory < 0 ? open(".", DIRECTORY_FLAGS) : m_outerDirectory;
    if (outer < 0 || fchdir(directory) != 0)
    {
        const int code = errno;
        close(directory);
        errno = code;
        return -1;
    }
    if (m_directory >= 0)
    {
        close(m_directory);
    }
    m_directory = directory;
    m_outerDirectory = outer;
    return 0;
}

void
LibcState::EnterDirectory() noexcept
{
    const int code = errno;
    m_outerDirectory = open(".", DIRECTORY_FLAGS);
    NS_ABORT_MSG_IF(m_outerDirectory < 0 || fchdir(m_directory) != 0,
                    "cannot enter the directory of a process: " << std::strerror(errno));
    errno = code;
}

void
LibcState::LeaveDirectory() noexcept
{
    const int code = errno;
    NS_ABORT_MSG_IF(fchdir(m_outerDirectory) != 0,
                    "cannot return to the simulator's directory: " << std::strerror(errno));
    close(m_outerDirectory);
    m_outerDirectory = -1;
    errno = code;
}

void
LibcState::Keep(FILE* stream)
{
    m_openStreams.push_back(stream);
}

void
LibcState::Forget(FILE* stream)
{
    auto& all = m_openStreams;
    all.erase(std::remove(all.begin(), all.end(), stream), all.end());
}

void
LibcState::Keep(int fd)
{
    m_openFds.push_back(fd);
}

void
LibcState::Forget(int fd)
{
    m_openFds.erase(std::remove(m_openFds.begin(), m_openFds.end(), fd), m_openFds.end());
}

void
LibcState::Flush()
{
    for (FILE* stream : m_openStreams)
    {
        std::fflush(stream);
    }
}

} // namespace via
} // namespace ns3
