/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The C library's state that belongs to one hosted program, swapped at each fiber switch.

#ifndef VIA_LIBC_STATE_H
#define VIA_LIBC_STATE_H

#include <array>
#include <cerrno>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

class ProgramServices;

/// Where a hosted program starts: its directory and its standard streams.
struct LibcOptions
{
    std::string cwd;    ///< working directory; empty = the simulator's own
    std::string input;  ///< file read as standard input; empty = /dev/null
    std::string prefix; ///< written before each line of output, for example "[n3.0] "
};

/**
 * @brief stdin, stdout, stderr and the working directory of one process, errno of its threads.
 *
 * What the shim can keep inside the program (environ, rand, optind ...) is kept there; this is
 * the rest, which functions of the shared C library reach by themselves. A swap is a few loads
 * and stores; a process with a directory of its own pays two fchdir calls more.
 */
class LibcState
{
  public:
    /**
     * @param options where the program starts
     * @param services receives the output; must outlive this
     * @throws ConfigError when the directory or the input file cannot be opened
     */
    LibcState(const LibcOptions& options, ProgramServices& services);

    /// Closes what the process left open, without flushing.
    ~LibcState();
    LibcState(const LibcState&) = delete;
    LibcState& operator=(const LibcState&) = delete;

    /**
     * @brief The process' state becomes the C library's. Pairs nest (a fiber resumed by a fiber).
     * @param code errno of the thread that runs from now on; afterwards the resumer's
     */
    void Enter(int& code) noexcept
    {
        Swap(code);
        if (m_directory >= 0)
        {
            EnterDirectory();
        }
    }

    /// Undoes Enter() of the same thread.
    void Leave(int& code) noexcept
    {
        Swap(code);
        if (m_directory >= 0)
        {
            LeaveDirectory();
        }
    }

    /**
     * @brief chdir (path) or fchdir (path null), from inside the process.
     * @return 0, or -1 with errno set
     */
    int ChangeDirectory(const char* path, int fd);

    /// @param stream opened by the process, closed with it
    void Keep(FILE* stream);
    /// @param stream about to be closed by the process
    void Forget(FILE* stream);
    /// @param fd opened by the process, closed with it
    void Keep(int fd);
    /// @param fd about to be closed by the process
    void Forget(int fd);

    /// Writes out what all streams of the process hold.
    void Flush();

    /**
     * @brief Prints past the streams' buffers.
     * @param stream 1 or 2
     */
    void Output(int stream, const char* text, std::size_t bytes);

    /// As Output, of bytes that the program names. @return false, with EFAULT, if they are not
    /// there
    bool TryOutput(int stream, const void* text, std::size_t bytes);

  private:
    /// One of standard output and standard error: adds the prefix to whole lines.
    struct Sink
    {
        LibcState* owner;
        int stream;
        std::string line; ///< begun and not yet ended; used with a prefix only
    };

    static ssize_t WriteSink(void* sink, const char* text, std::size_t bytes);
    FILE* OpenSink(Sink& sink);
    void WriteLines(Sink& sink, const char* text, std::size_t bytes);
    void EndLine(Sink& sink);
    void EnterDirectory() noexcept;
    void LeaveDirectory() noexcept;

    void Swap(int& code) noexcept
    {
        const int other = errno;
        errno = code;
        code = other;
        std::swap(stdin, m_streams[0]);
        std::swap(stdout, m_streams[1]);
        std::swap(stderr, m_streams[2]);
    }

    ProgramServices& m_services;
    std::string m_prefix;
    std::array<Sink, 2> m_sinks;
    std::array<FILE*, 3> m_streams{}; ///< the process' own while it waits, else the resumer's
    std::vector<FILE*> m_openStreams;
    std::vector<int> m_openFds;
    int m_directory{-1};      ///< own directory, -1 = the simulator's
    int m_outerDirectory{-1}; ///< the simulator's directory while this one is in force
};

} // namespace via
} // namespace ns3

#endif // VIA_LIBC_STATE_H
