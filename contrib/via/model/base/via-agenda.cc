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
#include <utility>

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
    m_rest.resize(count);
    m_places.resize(count);
    for (std::vector<Item>& rest : m_rest)
    {
        rest.reserve(2); // a host's NIC and its process seldom have more
    }
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
    const std::uint64_t sequence = queue.nextSequence++;
    const Item item{at, port, kind, sequence, data, target};
    ++m_size;
    if (queue.IsEmpty())
    {
        queue.head = item;
        m_order.push_back({at, component});
        SiftUp(static_cast<std::uint32_t>(m_order.size() - 1), {at, component});
    }
    else if (Later(queue.head, item))
    {
        PushRest(component, queue.head);
        queue.head = item;
        SiftUp(m_places[component], {at, component});
    }
    else
    {
        PushRest(component, item);
    }
    if (!m_running)
    {
        Arm();
    }
    return sequence;
}

void
Agenda::PushRest(ComponentId component, const Item& item)
{
    std::vector<Item>& rest = m_rest[component];
    rest.push_back(item);
    std::push_heap(rest.begin(), rest.end(), Later);
    ++m_queues[component].others;
}

void
Agenda::DropHead(ComponentId component)
{
    Queue& queue = m_queues[component];
    --m_size;
    if (queue.others == 0)
    {
        queue.head = NOTHING;
        Remove(m_places[component]);
        return;
    }
    std::vector<Item>& rest = m_rest[component];
    queue.head = rest.front();
    std::pop_heap(rest.begin(), rest.end(), Later);
    rest.pop_back();
    --queue.others;
    SiftDown(m_places[component], {queue.head.at, component});
}

void
Agenda::Cancel(ComponentId component, std::uint64_t sequence)
{
    Queue& queue = m_queues[component];
    if (!queue.IsEmpty() && queue.head.sequence == sequence)
    {
        DropHead(component);
        return;
    }
    std::vector<Item>& rest = m_rest[component];
    const auto found = std::find_if(rest.begin(), rest.end(), [sequence](const Item& item) {
        return item.sequence == sequence;
    });
    NS_ABORT_MSG_IF(found == rest.end(), "nothing to cancel at component " << component);
    *found = rest.back();
    rest.pop_back();
    std::make_heap(rest.begin(), rest.end(), Later);
    --queue.others;
    --m_size;
}

void
Agenda::Arm()
{
    ArmFrom(Simulator::Now().GetTimeStep());
}

void
Agenda::ArmFrom(Ps now)
{
    const Ps head = Head();
    if (head == PS_NEVER || head > m_limit || head >= m_armedAt)
    {
        return;
    }
    m_armedAt = head;
    // it is never cancelled: without a context ns-3 makes no EventId, which costs as much as our
    // step
    m_event->Ref();
    Simulator::ScheduleWithContext(Simulator::NO_CONTEXT,
                                   TimeStep(static_cast<std::uint64_t>(head - now)),
                                   PeekPointer(m_event));
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
    ArmFrom(now);
}

void
Agenda::DoFirst()
{
    const ComponentId component = m_order.front().component;
    const Item item = m_queues[component].head;
    DropHead(component);
    LookAhead();
    m_now = item.at;
    ++m_done;
    item.target->OnAgenda(item.kind, item.data);
    if (m_queues[component].follower != nullptr)
    {
        std::exchange(m_queues[component].follower, nullptr)->Follow();
    }
}

void
Agenda::LookAhead() const
{
    // With thousands of hosts each touches its memory once in a long while, and every step would
    // wait for it line by line. Let what comes next be fetched while this is done.
    if (m_order.empty())
    {
        return;
    }
    const Item& next = m_queues[m_order.front().component].head;
    next.target->Expect(next.kind, next.data);
    if (const Item* afterNext = AfterNext())
    {
        afterNext->target->Foresee(afterNext->kind, afterNext->data);
    }
    const auto size = static_cast<std::uint32_t>(m_order.size());
    for (std::uint32_t place = 1; place < std::min(size, 5U); ++place)
    {
        const Item& later = m_queues[m_order[place].component].head;
        __builtin_prefetch(later.target);
        __builtin_prefetch(reinterpret_cast<const char*>(later.target) + 64);
        __builtin_prefetch(reinterpret_cast<const char*>(later.target) + 128);
        __builtin_prefetch(reinterpret_cast<const void*>(later.data));
    }
    for (std::uint32_t place = 5; place < std::min(size, 21U); ++place)
    {
        __builtin_prefetch(&m_queues[m_order[place].component]);
    }
}

const Agenda::Item*
Agenda::AfterNext() const
{
    const auto size = static_cast<std::uint32_t>(m_order.size());
    std::uint32_t second = 1;
    for (std::uint32_t place = 2; place < std::min(size, 5U); ++place)
    {
        second = Before(m_order[place], m_order[second]) ? place : second;
    }
    // a switch has thousands of bursts to pass: its next work may be before that of all others
    const ComponentId first = m_order.front().component;
    if (m_queues[first].others > 0 &&
        (size == 1 || Before({m_rest[first].front().at, first}, m_order[second])))
    {
        return &m_rest[first].front();
    }
    return size == 1 ? nullptr : &m_queues[m_order[second].component].head;
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
    m_places[head.component] = place;
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
