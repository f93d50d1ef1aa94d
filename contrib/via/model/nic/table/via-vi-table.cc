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

static_assert(sizeof(WorkItem) == 64 && std::is_trivially_destructible_v<WorkItem>);

ViTable::~ViTable()
{
    for (ViId id = 0; id < m_expected; ++id)
    {
        ExpectedAt(id)->~VirtualInterface();
    }
}

void
ViTable::Reserve(std::uint32_t count, std::uint32_t entries)
{
    if (End() == 0 && m_first == nullptr)
    {
        m_stride =
            static_cast<std::uint32_t>(sizeof(VirtualInterface) + entries * sizeof(WorkItem));
        m_lines.push_back(MakeLines(std::size_t{count} * m_stride));
        m_first = static_cast<char*>(m_lines.back().get());
        m_toCome = count;
        return;
    }
    m_others.reserve(m_others.size() + count);
}

VirtualInterface&
ViTable::Create()
{
    VirtualInterface* vi = nullptr;
    const ViId id = End();
    if (m_toCome > 0 && m_others.empty())
    {
        --m_toCome;
        vi = new (ExpectedAt(m_expected++)) VirtualInterface;
        m_itemsLeft = static_cast<std::uint32_t>((m_stride - sizeof(*vi)) / sizeof(WorkItem));
        m_nextItem = reinterpret_cast<WorkItem*>(vi + 1);
    }
    else
    {
        if (m_free.empty())
        {
            m_blocks.push_back(std::make_unique<Block>());
            Block& block = *m_blocks.back();
            for (auto one = block.rbegin(); one != block.rend(); ++one)
            {
                m_free.push_back(&*one); // the first one is taken next
            }
        }
        vi = m_free.back();
        m_free.pop_back();
        m_others.push_back(vi);
    }
    vi->id = id;
    ++m_count;
    return *vi;
}

void
ViTable::Destroy(ViId id)
{
    VirtualInterface* vi = Find(id);
    if (id >= m_expected)
    {
        m_others[id - m_expected] = nullptr;
    }
    --m_count;
    vi->~VirtualInterface();
    m_free.push_back(new (vi) VirtualInterface);
    vi->id = NO_ID;
}

std::vector<VirtualInterface*>
ViTable::All() const
{
    std::vector<VirtualInterface*> all;
    for (ViId id = 0; id < End(); ++id)
    {
        if (VirtualInterface* vi = Find(id))
        {
            all.push_back(vi);
        }
    }
    return all;
}

WorkItem*
ViTable::TakeRoom(std::uint32_t entries)
{
    if (entries > m_itemsLeft)
    {
        m_itemsLeft = std::max(entries, ITEMS);
        m_lines.push_back(MakeLines(m_itemsLeft * sizeof(WorkItem)));
        m_nextItem = static_cast<WorkItem*>(m_lines.back().get());
    }
    m_itemsLeft -= entries;
    return std::exchange(m_nextItem, m_nextItem + entries);
}

void
ViTable::MakeRoom(Ring<WorkItem>& items, std::uint32_t entries)
{
    if (entries > 0)
    {
        WorkItem* room = TakeRoom(entries);
        std::uninitialized_default_construct_n(room, entries); // nothing to destroy
        items.Borrow(room, entries);
    }
}

} // namespace via
} // namespace ns3
