/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The way of one process into its host's IP stack: calls at the process' own clock.

#ifndef VIA_KERNEL_GATE_H
#define VIA_KERNEL_GATE_H

#include "ns3/via-ip-device.h"
#include "ns3/via-process.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>

namespace ns3
{
namespace via
{

/**
 * @brief Runs calls of one process' threads in the kernel of its host.
 *
 * Stack and timers of ns-3 are not part of a process' horizon, so a thread may look at a socket
 * only inside of Run, where the agenda has reached its clock.
 */
class KernelGate final : public AgendaTarget
{
  public:
    /// @param device of the process' host; must outlive this
    explicit KernelGate(Ptr<ViaIpDevice> device);
    ~KernelGate() override;

    /**
     * @brief Runs @p call at the clock of @p thread, which continues after the kernel's work for
     * it: when the card has the frames that the call sends. All that the host's kernel has done for
     * IP since the last call of any process is time of this one.
     * @return false: the process is ending, and the call may not have run
     */
    bool Run(Process& thread, const std::function<void()>& call);

    /// @return the end of the kernel's present work. For calls from inside the stack.
    Moment Present() const;

    /// Pays for the wake-up of a thread after the present work. @return when it may continue
    Moment WakeUp();

    const Ptr<ViaIpDevice>& Device() const
    {
        return m_device;
    }

    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;

  private:
    /// A call that has been planned, or whose frames are on their way to the card.
    struct Call
    {
        Process* caller;
        const std::function<void()>* run; ///< null: it has run
        std::uint32_t item;               ///< number on the agenda
        bool planned;
        bool done;
    };

    static void BeginIfAlive(KernelGate* gate, std::weak_ptr<bool> alive, std::uint64_t number);
    void Begin(std::uint64_t number);
    void Return(std::uint64_t number, Moment at);
    void Forget(std::uint64_t number);

    Ptr<ViaIpDevice> m_device;
    Host& m_host;
    std::map<std::uint64_t, Call> m_calls;
    std::uint64_t m_last{0}; ///< number of the last call
    std::shared_ptr<bool> m_alive{std::make_shared<bool>(true)};
};

} // namespace via
} // namespace ns3

#endif // VIA_KERNEL_GATE_H
