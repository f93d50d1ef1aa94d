/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Handles for simulated programs: opaque, never a simulator address, never reused.

#ifndef VIA_VIPL_HANDLES_H
#define VIA_VIPL_HANDLES_H

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief One kind of handle of one process.
 *
 * The value is (process << 32 | kind << 24 | number), the same in every run. Process is 0 if none
 * was set, so that programs may keep handles in 32 bits. A lookup of anything else, such as a
 * handle of another kind or of a destroyed object, finds nothing.
 */
template <class T>
class HandleTable
{
  public:
    /// @param kind 1 .. 255, different for each table of a process
    explicit HandleTable(std::uintptr_t kind)
        : m_kind(kind << 24)
    {
    }

    /// Before the first object is added.
    void SetProcess(std::uint32_t process)
    {
        m_kind |= std::uintptr_t(process) << 32;
    }

    /// Adds an object. @return its handle
    void* Add(const T& object)
    {
        m_entries.push_back(std::make_unique<Entry>(Entry{object, true}));
        return reinterpret_cast<void*>(m_kind | m_entries.size());
    }

    /// @return the object of @p handle, or null
    T* Find(const void* handle)
    {
        const std::uintptr_t place = (reinterpret_cast<std::uintptr_t>(handle) ^ m_kind) - 1;
        return place < m_entries.size() && m_entries[place]->live ? &m_entries[place]->object
                                                                  : nullptr;
    }

    /// Removes a live handle.
    void Remove(const void* handle)
    {
        m_entries[(reinterpret_cast<std::uintptr_t>(handle) ^ m_kind) - 1]->live = false;
    }

    /// @return the handle of the first live object for which @p matches is true, or null
    template <class Matches>
    void* HandleOf(Matches matches)
    {
        for (std::size_t i = 0; i < m_entries.size(); ++i)
        {
            if (m_entries[i]->live && matches(m_entries[i]->object))
            {
                return reinterpret_cast<void*>(m_kind | (i + 1));
            }
        }
        return nullptr;
    }

  private:
    struct Entry
    {
        T object;
        bool live;
    };

    std::uintptr_t m_kind;
    std::vector<std::unique_ptr<Entry>> m_entries; ///< calls keep addresses while others add
};

} // namespace via
} // namespace ns3

#endif // VIA_VIPL_HANDLES_H
