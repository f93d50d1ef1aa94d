/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// C library state of one hosted program, swapped at each fiber switch.

#ifndef VIA_LIBC_STATE_H
#define VIA_LIBC_STATE_H

#include <array>
#include <cerrno>
#include <clocale>
#include <cstdio>
#include <memory>
#include <pthread.h>
#include <string>
#include <sys/stat.h>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

class ProgramServices;
class SystemCalls;

/// Initial directory and standard streams of a hosted program.
struct LibcOptions
{
    std::string cwd;    ///< working directory; empty = the simulator's own
    std::string input;  ///< file read as standard input; empty = /dev/null
    std::string prefix; ///< written before each line of output, for example "[n3.0] "
};

/**
 * @brief While one exists, programs run, in the "C" locale.
 *
 * A switch between them and the simulator changes the locale if that of the user is another one, or
 * once a program wants another one.
 */
class LocaleGuard
{
  public:
    LocaleGuard();
    ~LocaleGuard();
    LocaleGuard(const LocaleGuard&) = delete;
    LocaleGuard& operator=(const LocaleGuard&) = delete;

    /// @return the "C" locale, whatever the user's is
    static locale_t Usual();

  private:
    static unsigned s_count;
    static locale_t s_outer;   ///< the user's
    static pthread_t s_thread; ///< whose it was
};

/**
 * @brief stdin, stdout, stderr and the working directory of a process, errno and locale of its
 * threads.
 *
 * The shim keeps what it can inside the program (environ, rand, optind ...). This class keeps the
 * rest: state that functions of the shared C library access directly. A swap takes a few loads and
 * stores; a process with its own directory adds two fchdir calls. Locales and signgam are swapped
 * once a program uses them, for all processes: their switches nest.
 */
class LibcState
{
  public:
    /// What the C library keeps for each thread.
    struct ThreadState
    {
        int code{0}; ///< errno
        locale_t locale{LocaleGuard::Usual()};
    };

    /**
     * @param options initial directory and streams
     * @param services receives the output; must outlive this
     * @param system gets descriptors 0 to 2; must outlive this
     * @throws ConfigError if the directory or the input file cannot be opened
     */
    LibcState(const LibcOptions& options, ProgramServices& services, SystemCalls& system);

    /// Closes what the process left open, without flushing.
    ~LibcState();
    LibcState(const LibcState&) = delete;
    LibcState& operator=(const LibcState&) = delete;

    /**
     * @brief Installs the process' state in the C library. Pairs nest (one fiber resumes another).
     * @param thread state of the thread that runs next; afterwards the resumer's
     */
    void Enter(ThreadState& thread) noexcept
    {
        Swap(thread);
        if (s_hasMore)
        {
            EnterMore(thread);
        }
    }

    /// Undoes Enter() of the same thread.
    void Leave(ThreadState& thread) noexcept
    {
        Swap(thread);
        if (s_hasMore)
        {
            LeaveMore(thread);
        }
    }

    /// A thread is about to get a locale of its own.
    static void UseLocales()
    {
        s_hasMore = s_hasLocales = true;
    }

    /// A program that reads signgam will run.
    static void UseGammaSigns()
    {
        s_hasMore = s_hasGammaSigns = true;
    }

    /**
     * @brief chdir (path) or fchdir (path null), from inside the process.
     * @return 0, or -1 with errno set
     */
    int ChangeDirectory(const char* path, int fd);

    /// umask, from inside the process. @return the mask before
    mode_t SetFileMask(mode_t mask);

    /**
     * @param stream opened by the process, closed with it
     * @param isOwn its functions or memory are the program's: at the end it is not closed
     */
    void Keep(FILE* stream, bool isOwn);
    /// @param stream about to be closed by the process
    void Forget(FILE* stream);

    /**
     * @brief fdopen of a descriptor that is no real file.
     * @return a stream, null with errno set
     */
    FILE* OpenStream(int number, const char* mode);

    /// @return an open stream by its place; null: there are fewer
    FILE* StreamAt(std::size_t place) const;

    /// Flushes all streams of the process.
    void Flush();

    /**
     * @brief Prints, bypassing the streams' buffers.
     * @param stream 1 or 2
     */
    void Output(int stream, const char* text, std::size_t bytes);

    /// Ends unfinished lines that have a prefix.
    void EndLines();

  private:
    /// Standard output or standard error; prefixes whole lines.
    struct Sink
    {
        LibcState* owner;
        int stream;
        std::string line; ///< an unfinished line; used with a prefix only
    };

    /// What a stream without a real file reads and writes.
    struct Channel
    {
        LibcState* owner;
        int number;
        bool closes; ///< the descriptor, with the stream
    };

    static ssize_t ReadChannel(void* channel, char* to, std::size_t bytes);
    static ssize_t WriteChannel(void* channel, const char* text, std::size_t bytes);
    static int SeekChannel(void* channel, off64_t* offset, int whence);
    static int CloseChannel(void* channel);
    FILE* Open(int number, const char* mode, bool closes);
    bool IsOpen(FILE* stream) const;
    void PrintFromProgram(int stream, const void* text, std::size_t bytes);
    void WriteLines(Sink& sink, const char* text, std::size_t bytes);
    void EnterMore(ThreadState& thread) noexcept;
    void LeaveMore(ThreadState& thread) noexcept;
    void SwapMore(ThreadState& thread) noexcept;
    void EnterDirectory() noexcept;
    void LeaveDirectory() noexcept;

    void Swap(ThreadState& thread) noexcept
    {
        const int other = errno;
        errno = thread.code;
        thread.code = other;
        std::swap(stdin, m_streams[0]);
        std::swap(stdout, m_streams[1]);
        std::swap(stderr, m_streams[2]);
    }

    friend class LocaleGuard; // without one, no program has a locale

    /// A process has, or had, more than what every process has.
    [[gnu::visibility("hidden")]] static bool s_hasMore;
    static bool s_hasLocales;
    static bool s_hasGammaSigns;

    ProgramServices& m_services;
    SystemCalls& m_system;
    std::string m_prefix;
    std::array<Sink, 2> m_sinks;
    int m_gammaSign{0};
    std::array<FILE*, 3> m_streams{}; ///< the process' own while switched out, else the resumer's
    std::vector<FILE*> m_openStreams;
    std::vector<FILE*> m_ownStreams; ///< over memory and functions of the program
    std::vector<std::unique_ptr<Channel>> m_channels;
    int m_directory{-1};       ///< own directory; -1: the simulator's
    int m_outerDirectory{-1};  ///< the simulator's directory while this one is in effect
    bool m_hasFileMask{false}; ///< false: the simulator's
    mode_t m_fileMask{0};
    mode_t m_outerFileMask{0}; ///< the simulator's mask while this one is in effect
};

} // namespace via
} // namespace ns3

#endif // VIA_LIBC_STATE_H
