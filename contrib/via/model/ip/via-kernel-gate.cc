/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The way of one process into its host's IP stack: calls at the process' own clock.

#include "via-kernel-gate.h"

#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{
namespace via
{

KernelGate::KernelGate(Ptr<ViaIpDevice> device)
    : m_device(device),
      m_host(device->GetKernel()->GetNic().GetHost())
{
}

KernelGate::~KernelGate()
{
    while (!m_calls.empty())
    {
        Forget(m_calls.begin()->first);
    }
}

bool
KernelGate::Run(Process& thread, const std::function<void()>& call)
{
    const std::uint64_t number = ++m_last;
    const std::uint32_t item =
        m_host.Schedule(std::max(thread.Clock().at, m_host.Now()), IpKernel::PORT, this, 0, number);
    m_calls[number] = {&thread, &call, item, true, false};
    const Moment done = thread.Stall("a call of the kernel");
    const bool ran = m_calls.at(number).done;
    Forget(number);
    thread.Follow(Later(thread.Clock(), done));
    m_host.Cpus().Lose(thread); // the kernel's work was the thread's own
    if (IpKernel* const kernel = m_device->GetKernel())
    {
        thread.NoteKernelWork(kernel->TakeSpent());
    }
    return ran;
}

void
KernelGate::Forget(std::uint64_t number)
{
    const auto call = m_calls.find(number);
    if (call->second.planned)
    {
        m_host.GetWorld().agenda.Cancel(m_host.Id(), call->second.item);
    }
    m_calls.erase(call);
}

void
KernelGate::OnAgenda(std::uint32_t, std::uint64_t data)
{
    m_calls.at(data).planned = false;
    Simulator::ScheduleWithContext(m_device->GetNode()->GetId(),
                                   Time(0),
                                   &KernelGate::BeginIfAlive,
                                   this,
                                   std::weak_ptr<bool>(m_alive),
                                   data);
}

void
KernelGate::BeginIfAlive(KernelGate* gate, std::weak_ptr<bool> alive, std::uint64_t number)
{
    if (!alive.expired() && gate->m_calls.count(number) != 0)
    {
        gate->Begin(number);
    }
}

void
KernelGate::Begin(std::uint64_t number)
{
    const Call call = m_calls.at(number);
    const Moment now{Simulator::Now().GetTimeStep(), call.caller->Clock().cause};
    m_device->SetCause(now);
    const std::uint64_t before = m_device->Enqueued();
    (*call.run)();
    if (m_device->Enqueued() == before)
    {
        Return(number, now);
        return;
    }
    m_device->WhenStarted(m_device->Enqueued(),
                          [this, alive = std::weak_ptr<bool>(m_alive), number](Moment at) {
                              if (!alive.expired())
                              {
                                  Return(number, at);
                              }
                          });
}

void
KernelGate::Return(std::uint64_t number, Moment at)
{
    const auto call = m_calls.find(number);
    if (call != m_calls.end())
    {
        call->second.done = true;
        call->second.caller->OnReady(at);
    }
}

Moment
KernelGate::Present() const
{
    const Moment cause = m_device->Cause();
    return {std::max<Ps>(Simulator::Now().GetTimeStep(), cause.at), cause.cause};
}

Moment
KernelGate::WakeUp()
{
    return m_device->GetKernel()->WakeUp(Present());
}

} // namespace via
} // namespace ns3
