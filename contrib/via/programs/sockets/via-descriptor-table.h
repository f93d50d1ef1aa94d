/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The descriptor table of one process.

#ifndef VIA_DESCRIPTOR_TABLE_H
#define VIA_DESCRIPTOR_TABLE_H

#include "ns3/via-open-file.h"

#include <cstdio>
#include <functional>
#include <memory>
#include <vector>

namespace ns3
{
namespace via
{

/// A file of the real machine.
class FileDescriptor final : public OpenFile
{
  public:
    /**
     * @param real closed with the last number of it
     * @param stream that owns @p real instead; null: none
     */
    FileDescriptor(int real, FILE* stream)
        : m_real(real),
          m_stream(stream)
    {
    }

    int RealFile() const override
    {
        return m_real;
    }

    short Ready() override;
    void Close() override;
    unsigned Kind() const override;

  private:
    int m_real;
    FILE* m_stream;
};

/// Standard output or standard error of a process: lines for the simulator's own.
class OutputDescriptor final : public OpenFile
{
  public:
    explicit OutputDescriptor(std::function<void(const void*, std::size_t)> print)
        : m_print(std::move(print))
    {
    }

    short Ready() override;
    std::int64_t Write(const void* bytes, std::size_t count) override;
    unsigned Kind() const override;

  private:
    std::function<void(const void*, std::size_t)> m_print;
};

/// Random bytes without an end, which are the same in every run.
class RandomDescriptor final : public OpenFile
{
  public:
    explicit RandomDescriptor(std::uint64_t seed)
        : m_state(seed)
    {
    }

    short Ready() override;
    std::vector<std::uint8_t> Read(std::size_t most, std::int64_t& result) override;
    std::int64_t Write(const void* bytes, std::size_t count) override;
    unsigned Kind() const override;

  private:
    std::uint64_t m_state;
};

/// Numbers are the lowest that are free, whatever the simulator itself has open.
class DescriptorTable
{
  public:
    /// Numbers of a process: fd_set holds as many.
    static constexpr int MOST = 1024;

    ~DescriptorTable()
    {
        CloseAll();
    }

    /// @return the descriptor with this number; null: none
    std::shared_ptr<OpenFile> At(int number) const;

    /// Gives @p descriptor the lowest free number from @p least on. @return it, or -EMFILE
    int Add(std::shared_ptr<OpenFile> descriptor, int least = 0, bool closesOnExec = false);

    /// Gives @p descriptor this number, which is closed before. @return it, or -EBADF
    int Put(std::shared_ptr<OpenFile> descriptor, int number);

    /**
     * @brief Frees the number. Its file is closed with its last number, but not before the calls
     * of other threads that use it have returned, as in Linux.
     * @return 0 or -EBADF
     */
    int Close(int number);

    /// Whether a file without a number is used by no call any more.
    bool HasIdle() const;

    /// Closes the files without a number that no call uses any more.
    void CloseIdle();

    /// Closes all files, used or not: the process ends.
    void CloseAll();

    /// The number of what stream @p stream reads or writes; -1: it has none.
    int NumberOf(const FILE* stream) const;

    /// Number @p number belongs to @p stream.
    void SetStream(int number, FILE* stream);

    bool ClosesOnExec(int number) const
    {
        return m_entries[static_cast<std::size_t>(number)].closesOnExec;
    }

    void SetClosesOnExec(int number, bool isSet)
    {
        m_entries[static_cast<std::size_t>(number)].closesOnExec = isSet;
    }

  private:
    struct Entry
    {
        std::shared_ptr<OpenFile> descriptor;
        FILE* stream{nullptr};
        bool closesOnExec{false};
    };

    std::vector<Entry> m_entries;
    std::vector<std::shared_ptr<OpenFile>> m_inUse; ///< without a number
};

} // namespace via
} // namespace ns3

#endif // VIA_DESCRIPTOR_TABLE_H
