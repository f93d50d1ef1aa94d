/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The VIs of one NIC by number, in blocks of memory.

#include "via-vi-table.h"

#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>

namespace ns3
{
namespace via
{

VirtualInterface&
ViTable::Create()
{
    if (m_free.empty())
    {
        m_blocks.push_back(std::make_unique<Block>());
        Block& block = *m_blocks.back();
        for (auto vi = block.rbegin(); vi != block.rend(); ++vi)
        {
            m_free.push_back(&*vi); // the first is the next to be taken
        }
    }
    VirtualInterface* vi = m_free.back();
    m_free.pop_back();
    vi->id = static_cast<ViId>(m_byNumber.size());
    m_byNumber.push_back(vi);
    ++m_count;
    return *vi;
}

void
ViTable::Destroy(ViId id)
{
    VirtualInterface* vi = m_byNumber[id];
    m_byNumber[id] = nullptr;
    --m_count;
    vi->~VirtualInterface();
    m_free.push_back(new (vi) VirtualInterface);
}

static_assert(sizeof(WorkItem) == 64 && std::is_trivially_destructible_v<WorkItem>);

void
ViTable::MakeRoom(Ring<WorkItem>& items, std::uint32_t entries)
{
    if (entries == 0)
    {
        return;
    }
    if (entries > m_itemsLeft)
    {
        m_itemsLeft = std::max(entries, ITEMS);
        m_nextItem = static_cast<WorkItem*>(::operator new(m_itemsLeft * sizeof(WorkItem), LINE));
        m_items.emplace_back(m_nextItem);
        std::uninitialized_default_construct_n(m_nextItem, m_itemsLeft); // nothing to destroy
    }
    m_itemsLeft -= entries;
    items.Borrow(std::exchange(m_nextItem, m_nextItem + entries), entries);
}

} // namespace via
} // namespace ns3
