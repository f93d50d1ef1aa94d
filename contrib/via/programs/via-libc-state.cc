/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// C library state of one hosted program, swapped at each fiber switch.

#include "via-libc-state.h"

#include "ns3/abort.h"
#include "ns3/via-error.h"
#include "ns3/via-program-memory.h"
#include "ns3/via-program-services.h"
#include "ns3/via-system-calls.h"
#include "ns3/via-usual-floats.h"

#include <algorithm>
#include <cmath>
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

int
OpenInput(const std::string& path)
{
    const int fd = open(path.empty() ? "/dev/null" : path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
    {
        throw ConfigError("--stdin", path, std::strerror(errno));
    }
    return fd;
}

} // namespace

unsigned LocaleGuard::s_count = 0;
locale_t LocaleGuard::s_outer = nullptr;
pthread_t LocaleGuard::s_thread{};

LocaleGuard::LocaleGuard()
{
    if (s_count++ > 0)
    {
        return;
    }
    s_thread = pthread_self();
    s_outer = uselocale(nullptr);
    if (s_outer != LC_GLOBAL_LOCALE || std::strcmp(std::setlocale(LC_ALL, nullptr), "C") != 0)
    {
        LibcState::UseLocales();
    }
}

LocaleGuard::~LocaleGuard()
{
    if (--s_count > 0)
    {
        return;
    }
    LibcState::s_hasLocales = false; // the last program's switches have ended, or need none
    if (pthread_equal(pthread_self(), s_thread) != 0)
    {
        uselocale(s_outer);
    }
}

locale_t
LocaleGuard::Usual()
{
    static const locale_t usual = newlocale(LC_ALL_MASK, "C", nullptr);
    return usual;
}

bool LibcState::s_hasMore = false;
bool LibcState::s_hasLocales = false;
bool LibcState::s_hasGammaSigns = false;

LibcState::LibcState(const LibcOptions& options, ProgramServices& services, SystemCalls& system)
    : m_services(services),
      m_system(system),
      m_prefix(options.prefix),
      m_sinks{Sink{this, 1, {}}, Sink{this, 2, {}}}
{
    system.Table().Put(std::make_shared<FileDescriptor>(OpenInput(options.input), nullptr), 0);
    m_directory = OpenDirectory(options.cwd);
    s_hasMore |= m_directory >= 0;
    for (int stream = 1; stream <= 2; ++stream)
    {
        const auto print = [this, stream](const void* text, std::size_t bytes) {
            PrintFromProgram(stream, text, bytes);
        };
        system.Table().Put(std::make_shared<OutputDescriptor>(print), stream);
    }
    m_streams = {Open(0, "r", false), Open(1, "w", false), Open(2, "w", false)};
    NS_ABORT_MSG_IF(m_openStreams.size() < m_streams.size(), "no memory for standard streams");
    // As on a terminal: output of several processes mixes line by line.
    std::setvbuf(m_streams[1], nullptr, _IOLBF, BUFSIZ);
    std::setvbuf(m_streams[2], nullptr, _IONBF, 0);
}

LibcState::~LibcState()
{
    for (FILE* stream : m_openStreams)
    {
        __fpurge(stream);
        std::fclose(stream);
    }
    for (FILE* stream : m_ownStreams)
    {
        __fpurge(stream); // the program's functions are gone when the simulator flushes the rest
    }
    EndLines();
    if (m_directory >= 0)
    {
        close(m_directory);
    }
}

void
LibcState::EnterMore(ThreadState& thread) noexcept
{
    SwapMore(thread);
    if (m_directory >= 0)
    {
        EnterDirectory();
    }
    if (m_hasFileMask)
    {
        m_outerFileMask = umask(m_fileMask);
    }
}

void
LibcState::LeaveMore(ThreadState& thread) noexcept
{
    SwapMore(thread);
    if (m_directory >= 0)
    {
        LeaveDirectory();
    }
    if (m_hasFileMask)
    {
        umask(m_outerFileMask);
    }
}

void
LibcState::SwapMore(ThreadState& thread) noexcept
{
    if (s_hasLocales)
    {
        thread.locale = uselocale(thread.locale);
    }
    if (s_hasGammaSigns)
    {
        std::swap(signgam, m_gammaSign);
    }
}

FILE*
LibcState::Open(int number, const char* mode, bool closes)
{
    m_channels.push_back(std::make_unique<Channel>(Channel{this, number, closes}));
    cookie_io_functions_t functions{};
    functions.read = &LibcState::ReadChannel;
    functions.write = &LibcState::WriteChannel;
    functions.seek = &LibcState::SeekChannel;
    functions.close = &LibcState::CloseChannel;
    FILE* stream = fopencookie(m_channels.back().get(), mode, functions);
    if (stream == nullptr)
    {
        m_channels.pop_back();
        return nullptr; // no memory, or a wrong mode
    }
    m_openStreams.push_back(stream);
    m_system.Table().SetStream(number, stream);
    return stream;
}

FILE*
LibcState::OpenStream(int number, const char* mode)
{
    if (m_system.Table().At(number) == nullptr)
    {
        errno = EBADF;
        return nullptr;
    }
    return Open(number, mode, true);
}

ssize_t
LibcState::ReadChannel(void* channel, char* to, std::size_t bytes)
{
    const UsualFloats usual;
    const auto& self = *static_cast<Channel*>(channel);
    const std::int64_t result = self.owner->m_system.Read(self.number, to, bytes);
    errno = result < 0 ? static_cast<int>(-result) : errno;
    return result < 0 ? -1 : result;
}

ssize_t
LibcState::WriteChannel(void* channel, const char* text, std::size_t bytes)
{
    const UsualFloats usual;
    const auto& self = *static_cast<Channel*>(channel);
    std::int64_t result = 0;
    try
    {
        result = self.owner->m_system.Write(self.number, text, bytes);
    }
    catch (const MemoryFault&)
    {
        result = -EFAULT; // an unbuffered stream passes the program's own bytes on
    }
    errno = result < 0 ? static_cast<int>(-result) : errno;
    return result < 0 ? 0 : result;
}

int
LibcState::SeekChannel(void* channel, off64_t* offset, int whence)
{
    const UsualFloats usual;
    const auto& self = *static_cast<Channel*>(channel);
    const auto descriptor = self.owner->m_system.Table().At(self.number);
    const int real = descriptor == nullptr ? -1 : descriptor->RealFile();
    const off64_t at = real < 0 ? -1 : lseek64(real, *offset, whence);
    *offset = at < 0 ? *offset : at;
    errno = real < 0 ? ESPIPE : errno;
    return at < 0 ? -1 : 0;
}

int
LibcState::CloseChannel(void* channel)
{
    const UsualFloats usual;
    const auto& self = *static_cast<Channel*>(channel);
    if (self.closes)
    {
        self.owner->m_system.Close(self.number);
    }
    return 0;
}

void
LibcState::Output(int stream, const char* text, std::size_t bytes)
{
    WriteLines(m_sinks[stream - 1], text, bytes);
}

void
LibcState::PrintFromProgram(int stream, const void* text, std::size_t bytes)
{
    constexpr std::size_t most = std::size_t(1) << 20; // the largest part read at once
    const auto* next = static_cast<const char*>(text);
    for (; bytes > 0; bytes -= std::min(bytes, most), next += most)
    {
        const std::string part = ProgramMemory::ReadBytes(next, std::min(bytes, most));
        Output(stream, part.data(), part.size());
    }
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
LibcState::EndLines()
{
    for (Sink& sink : m_sinks)
    {
        if (!sink.line.empty())
        {
            WriteLines(sink, "\n", 1);
        }
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
    s_hasMore = true;
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

mode_t
LibcState::SetFileMask(mode_t mask)
{
    const mode_t before = umask(mask);
    m_outerFileMask = m_hasFileMask ? m_outerFileMask : before;
    m_hasFileMask = true;
    s_hasMore = true;
    m_fileMask = mask;
    return before;
}

void
LibcState::Keep(FILE* stream, bool isOwn)
{
    (isOwn ? m_ownStreams : m_openStreams).push_back(stream);
}

void
LibcState::Forget(FILE* stream)
{
    for (auto* all : {&m_openStreams, &m_ownStreams})
    {
        all->erase(std::remove(all->begin(), all->end(), stream), all->end());
    }
}

bool
LibcState::IsOpen(FILE* stream) const
{
    const auto holds = [stream](const std::vector<FILE*>& all) {
        return std::find(all.begin(), all.end(), stream) != all.end();
    };
    return holds(m_openStreams) || holds(m_ownStreams);
}

FILE*
LibcState::StreamAt(std::size_t place) const
{
    const std::size_t usual = m_openStreams.size();
    return place < usual                         ? m_openStreams[place]
           : place < usual + m_ownStreams.size() ? m_ownStreams[place - usual]
                                                 : nullptr;
}

void
LibcState::Flush()
{
    std::vector<FILE*> streams = m_openStreams;
    streams.insert(streams.end(), m_ownStreams.begin(), m_ownStreams.end());
    for (FILE* stream : streams)
    {
        if (IsOpen(stream) && __fpending(stream) > 0) // a write may wait, and others close streams
        {
            std::fflush(stream);
        }
    }
}

} // namespace via
} // namespace ns3
