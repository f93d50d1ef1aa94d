/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Serializes lists of plain values and texts between OS processes on machines of one type.

#ifndef VIA_PARTITION_BYTES_H
#define VIA_PARTITION_BYTES_H

#include "ns3/abort.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace ns3
{
namespace via
{

/// Writes lists one after the other.
class PartitionWriter
{
  public:
    template <class T>
    void Put(const std::vector<T>& values)
    {
        static_assert(std::is_trivially_copyable_v<T>, "it travels as bytes");
        const std::uint64_t count = values.size();
        Add(&count, sizeof(count));
        Add(values.data(), count * sizeof(T));
    }

    void Put(const std::string& text)
    {
        Put(std::vector<char>(text.begin(), text.end()));
    }

    const std::vector<std::uint8_t>& Bytes() const
    {
        return m_bytes;
    }

  private:
    void Add(const void* from, std::size_t size)
    {
        const auto* bytes = static_cast<const std::uint8_t*>(from);
        m_bytes.insert(m_bytes.end(), bytes, bytes + size);
    }

    std::vector<std::uint8_t> m_bytes;
};

/// Reads the output of a PartitionWriter, in the same order.
class PartitionReader
{
  public:
    /// @param bytes must outlive this
    explicit PartitionReader(const std::vector<std::uint8_t>& bytes)
        : m_bytes(bytes)
    {
    }

    template <class T>
    std::vector<T> Get()
    {
        std::uint64_t count = 0;
        Take(&count, sizeof(count));
        std::vector<T> values(count);
        Take(values.data(), count * sizeof(T));
        return values;
    }

    std::string GetText()
    {
        const auto text = Get<char>();
        return {text.begin(), text.end()};
    }

  private:
    void Take(void* to, std::size_t size)
    {
        NS_ABORT_MSG_IF(m_bytes.size() - m_at < size, "truncated result of a partition");
        if (size > 0)
        {
            std::memcpy(to, m_bytes.data() + m_at, size);
        }
        m_at += size;
    }

    const std::vector<std::uint8_t>& m_bytes;
    std::size_t m_at{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_PARTITION_BYTES_H
