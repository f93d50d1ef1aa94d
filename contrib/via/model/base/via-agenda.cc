/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The order of the world: what every component does next, and which of them is first.

#include "via-agenda.h"

#include "ns3/abort.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <tuple>

namespace ns3
{
namespace via
{

namespace
{

/// Heap order: std::*_heap keep the greatest first, so "greater" means "earlier".
bool
Later(const Agenda::Item& a, const Agenda::Item& b)
{
    return std::tie(a.at, a.port, a.sequence) > std::tie(b.at, b.port, b.sequence);
}

} // namespace

/// The one ns-3 event of an agenda, scheduled again and again.
class Agenda::HeadEvent : public EventImpl
{
  public:
    explicit HeadEvent(Agenda* agenda)
        : m_agenda(agenda)
    {
    }

    /// The agenda is gone; a copy still held by ns-3 does nothing.
    void Disown()
    {
        m_agenda = nullptr;
    }

  private:
    void Notify() override
    {
        if (m_agenda != nullptr)
        {
            m_agenda->RunHead();
        }
    }

    Agenda* m_agenda;
};

Agenda::Agenda()
    : m_event(Ptr<HeadEvent>(new HeadEvent(this), false))
{
}

Agenda::~Agenda()
{
    m_event->Disown();
}

void
Agenda::SetComponents(ComponentId count)
{
    NS_ABORT_MSG_IF(!m_order.empty(), "the agenda has work already");
    m_queues.resize(count);
}

std::uint64_t
Agenda::Schedule(ComponentId component,
                 Ps at,
                 AgendaPort port,
                 AgendaTarget* target,
                 std::uint32_t kind,
                 std::uint64_t data)
{
    NS_ABORT_MSG_IF(at < m_now,
                    "component " << component << " plans for " << at << " ps, but it is " << m_now
                                 << " ps already");
    Queue& queue = m_queues[component];
    const bool wasEmpty = queue.items.empty();
    const Ps oldHead = wasEmpty ? PS_NEVER : queue.items.front().at;
    const std::uint64_t sequence = queue.nextSequence++;
    queue.items.push_back({at, port, kind, sequence, data, target});
    std::push_heap(queue.items.begin(), queue.items.end(), Later);
    if (wasEmpty)
    {
        m_order.push_back({at, component});
        SiftUp(static_cast<std::uint32_t>(m_order.size() - 1), {at, component});
    }
    else if (at < oldHead)
    {
        SiftUp(queue.place, {at, component});
    }
    if (!m_running)
    {
        Arm();
    }
    return sequence;
}

void
Agenda::Cancel(ComponentId component, std::uint64_t sequence)
{
    Queue& queue = m_queues[component];
    auto& items = queue.items;
    const auto found = std::find_if(items.begin(), items.end(), [sequence](const Item& item) {
        return item.sequence == sequence;
    });
    NS_ABORT_MSG_IF(found == items.end(), "nothing to cancel at component " << component);
    *found = items.back();
    items.pop_back();
    std::make_heap(items.begin(), items.end(), Later);
    if (items.empty())
    {
        Remove(queue.place);
    }
    else
    {
        SiftDown(queue.place, {items.front().at, component});
    }
}

void
Agenda::Arm()
{
    const Ps head = Head();
    if (head == PS_NEVER || head > m_limit || head >= m_armedAt)
    {
        return;
    }
    m_armedAt = head;
    Simulator::Schedule(TimeStep(static_cast<std::uint64_t>(head)) - Simulator::Now(), m_event);
}

void
Agenda::RunHead()
{
    const Ps now = Simulator::Now().GetTimeStep();
    if (m_armedAt <= now)
    {
        m_armedAt = PS_NEVER;
    }
    m_running = true;
    while (Head() <= now)
    {
        DoFirst();
    }
    m_running = false;
    Arm();
}

void
Agenda::DoFirst()
{
    const ComponentId component = m_order.front().component;
    auto& items = m_queues[component].items;
    const Item item = items.front();
    std::pop_heap(items.begin(), items.end(), Later);
    items.pop_back();
    if (items.empty())
    {
        Remove(0);
    }
    else
    {
        SiftDown(0, {items.front().at, component});
    }
    m_now = item.at;
    ++m_done;
    item.target->OnAgenda(item.kind, item.data);
}

bool
Agenda::Before(const Entry& a, const Entry& b)
{
    return a.at != b.at ? a.at < b.at : a.component < b.component;
}

void
Agenda::Put(std::uint32_t place, Entry head)
{
    m_order[place] = head;
    m_queues[head.component].place = place;
}

void
Agenda::Remove(std::uint32_t place)
{
    const Entry last = m_order.back();
    m_order.pop_back();
    if (place < m_order.size())
    {
        Move(place, last);
    }
}

void
Agenda::Move(std::uint32_t place, Entry head)
{
    if (place > 0 && Before(head, m_order[(place - 1) / 4]))
    {
        SiftUp(place, head);
    }
    else
    {
        SiftDown(place, head);
    }
}

void
Agenda::SiftUp(std::uint32_t place, Entry head)
{
    while (place > 0 && Before(head, m_order[(place - 1) / 4]))
    {
        Put(place, m_order[(place - 1) / 4]);
        place = (place - 1) / 4;
    }
    Put(place, head);
}

void
Agenda::SiftDown(std::uint32_t place, Entry head)
{
    const auto size = static_cast<std::uint32_t>(m_order.size());
    for (std::uint32_t child = 4 * place + 1; child < size; child = 4 * place + 1)
    {
        std::uint32_t best = child;
        for (std::uint32_t next = child + 1; next < std::min(child + 4, size); ++next)
        {
            best = Before(m_order[next], m_order[best]) ? next : best;
        }
        if (!Before(m_order[best], head))
        {
            break;
        }
        Put(place, m_order[best]);
        place = best;
    }
    Put(place, head);
}

} // namespace via
} // namespace ns3
