/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The descriptor table of one process.

#include "via-descriptor-table.h"

#include "ns3/via-scramble.h"

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace ns3
{
namespace via
{

short
FileDescriptor::Ready()
{
    return POLLIN | POLLOUT;
}

void
FileDescriptor::Close()
{
    if (m_stream == nullptr)
    {
        close(m_real);
    }
}

unsigned
FileDescriptor::Kind() const
{
    return S_IFREG;
}

short
OutputDescriptor::Ready()
{
    return POLLOUT;
}

std::int64_t
OutputDescriptor::Write(const void* bytes, std::size_t count)
{
    m_print(bytes, count);
    return static_cast<std::int64_t>(count);
}

unsigned
OutputDescriptor::Kind() const
{
    return S_IFCHR;
}

short
RandomDescriptor::Ready()
{
    return POLLIN | POLLOUT;
}

std::vector<std::uint8_t>
RandomDescriptor::Read(std::size_t most, std::int64_t& result)
{
    std::vector<std::uint8_t> bytes(most);
    for (auto& byte : bytes)
    {
        byte = static_cast<std::uint8_t>(Scramble(m_state++));
    }
    result = static_cast<std::int64_t>(most);
    return bytes;
}

std::int64_t
RandomDescriptor::Write(const void*, std::size_t count)
{
    return static_cast<std::int64_t>(count); // what is mixed in has no effect
}

unsigned
RandomDescriptor::Kind() const
{
    return S_IFCHR;
}

std::shared_ptr<OpenFile>
DescriptorTable::At(int number) const
{
    return number < 0 || static_cast<std::size_t>(number) >= m_entries.size()
               ? nullptr
               : m_entries[static_cast<std::size_t>(number)].descriptor;
}

int
DescriptorTable::Add(std::shared_ptr<OpenFile> descriptor, int least, bool closesOnExec)
{
    int number = least;
    while (At(number) != nullptr)
    {
        ++number;
    }
    if (number >= MOST)
    {
        return -EMFILE;
    }
    Put(std::move(descriptor), number);
    SetClosesOnExec(number, closesOnExec);
    return number;
}

int
DescriptorTable::Put(std::shared_ptr<OpenFile> descriptor, int number)
{
    if (number < 0 || number >= MOST)
    {
        return -EBADF;
    }
    if (At(number) != nullptr)
    {
        Close(number);
    }
    const auto at = static_cast<std::size_t>(number);
    m_entries.resize(std::max(m_entries.size(), at + 1));
    m_entries[at].descriptor = std::move(descriptor);
    return number;
}

int
DescriptorTable::Close(int number)
{
    auto descriptor = At(number);
    if (descriptor == nullptr)
    {
        return -EBADF;
    }
    Entry& closed = m_entries[static_cast<std::size_t>(number)];
    // standard streams stay with their numbers, whatever these stand for next
    closed = {nullptr, number <= STDERR_FILENO ? closed.stream : nullptr, false};
    const bool isLast = std::none_of(m_entries.begin(), m_entries.end(), [&](const Entry& entry) {
        return entry.descriptor == descriptor;
    });
    if (isLast)
    {
        m_inUse.push_back(std::move(descriptor));
        CloseIdle();
    }
    return 0;
}

bool
DescriptorTable::HasIdle() const
{
    return std::any_of(m_inUse.begin(), m_inUse.end(), [](const auto& file) {
        return file.use_count() == 1;
    });
}

void
DescriptorTable::CloseIdle()
{
    for (std::size_t i = 0; i < m_inUse.size();)
    {
        if (m_inUse[i].use_count() > 1)
        {
            ++i;
            continue;
        }
        const auto idle = std::move(m_inUse[i]);
        m_inUse.erase(m_inUse.begin() + static_cast<std::ptrdiff_t>(i));
        idle->Close();
    }
}

void
DescriptorTable::CloseAll()
{
    for (std::size_t number = 0; number < m_entries.size(); ++number)
    {
        Close(static_cast<int>(number));
    }
    for (const auto& file : std::exchange(m_inUse, {}))
    {
        file->RemoveAll(); // the calls that use it do not go on
        file->Close();
    }
}

int
DescriptorTable::NumberOf(const FILE* stream) const
{
    const auto found = std::find_if(m_entries.begin(), m_entries.end(), [=](const Entry& entry) {
        return entry.stream == stream;
    });
    return stream == nullptr || found == m_entries.end()
               ? -1
               : static_cast<int>(found - m_entries.begin());
}

void
DescriptorTable::SetStream(int number, FILE* stream)
{
    m_entries[static_cast<std::size_t>(number)].stream = stream;
}

} // namespace via
} // namespace ns3
