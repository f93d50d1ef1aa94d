/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The VIs of one NIC by number, in blocks of memory.

#ifndef VIA_VI_TABLE_H
#define VIA_VI_TABLE_H

#include "ns3/via-agenda.h"
#include "ns3/via-virtual-interface.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief Makes VIs, numbers them from 0 on, and keeps them until they are destroyed.
 *
 * Numbers are not used twice, memory is: what one NIC has lies together.
 */
class ViTable
{
  public:
    /// A VI in state IDLE with the next number. It stays where it is.
    VirtualInterface& Create();

    /// The VI @p id, which exists, is gone.
    void Destroy(ViId id);

    /// The VI with number @p id, or null.
    VirtualInterface* Find(ViId id) const
    {
        return id < m_byNumber.size() ? m_byNumber[id] : nullptr;
    }

    /// A hint: one of them will be looked for soon.
    void Foresee() const
    {
        const std::size_t bytes = std::min<std::size_t>(m_byNumber.size() * sizeof(void*), 256);
        PrefetchUpTo(m_byNumber.data(), reinterpret_cast<const char*>(m_byNumber.data()) + bytes);
    }

    /// By number; null where a VI is gone.
    const std::vector<VirtualInterface*>& All() const
    {
        return m_byNumber;
    }

    /// So many VIs more will be made.
    void Expect(std::size_t count)
    {
        m_byNumber.reserve(m_byNumber.size() + count);
    }

    /// Room for @p entries entries in @p items, which has none; a power of two, or 0.
    void MakeRoom(Ring<WorkItem>& items, std::uint32_t entries);

    /// VIs that exist.
    std::uint32_t Count() const
    {
        return m_count;
    }

  private:
    using Block = std::array<VirtualInterface, 4>;

    static constexpr std::uint32_t ITEMS = 16;  ///< in a block of them, at least
    static constexpr std::align_val_t LINE{64}; ///< a work item is one line of cache

    struct FreeItems
    {
        void operator()(WorkItem* items) const
        {
            ::operator delete(items, LINE);
        }
    };

    std::vector<VirtualInterface*> m_byNumber;
    std::vector<std::unique_ptr<Block>> m_blocks;
    std::vector<VirtualInterface*> m_free; ///< those of a destroyed VI, and the rest of a block
    std::uint32_t m_count{0};
    std::vector<std::unique_ptr<WorkItem, FreeItems>> m_items; ///< blocks of room for rings
    WorkItem* m_nextItem{nullptr}; ///< of the last block: the first not given
    std::uint32_t m_itemsLeft{0};  ///< so many
};

} // namespace via
} // namespace ns3

#endif // VIA_VI_TABLE_H
