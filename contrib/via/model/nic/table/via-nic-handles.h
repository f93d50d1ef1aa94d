/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What processes have open on a NIC.

#ifndef VIA_NIC_HANDLES_H
#define VIA_NIC_HANDLES_H

#include "ns3/via-async-error.h"
#include "ns3/via-completion-queue.h"
#include "ns3/via-tpt.h"
#include "ns3/via-virtual-interface.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace via
{

class Nic;

/**
 * @brief NIC handles, and the VIs and CQs that are made through them.
 *
 * A process that opens the NIC gets a handle and owns what it makes with it. When it closes the
 * handle, or ends, all of that is released.
 */
class NicHandles
{
  public:
    explicit NicHandles(Nic& nic)
        : m_nic(nic)
    {
    }

    /// A process opens the NIC. @return the handle's number
    std::uint32_t Open(AsyncListener* listener);

    /// Releases all that @p owner still has: disconnects VIs, frees VIs, CQs, regions and tags.
    void CloseAll(std::uint32_t owner, Moment at);

    /// True while VIs, CQs, regions or tags of @p owner exist.
    bool HasObjects(std::uint32_t owner) const;

    /// Creates a VI in state IDLE. The caller checks limits and arguments.
    VirtualInterface& CreateVi(const ViAttributes& attributes,
                               std::uint32_t owner,
                               std::uint32_t rank,
                               CompletionQueue* sendCq,
                               CompletionQueue* receiveCq);

    void DestroyVi(ViId id);

    /// Deregisters a region. A message that the card is reading from it keeps its bytes.
    void Deregister(MemoryHandle handle);

    CompletionQueue& CreateCq(std::uint32_t entries, std::uint32_t owner);
    void DestroyCq(CompletionQueue* cq);

    std::uint32_t CqCount() const
    {
        return static_cast<std::uint32_t>(m_cqs.size());
    }

    /// Reports an asynchronous error of @p vi to the process that owns it.
    void Raise(const VirtualInterface& vi,
               AsyncCode code,
               Ps at,
               CompletionQueue* cq = nullptr,
               Descriptor* descriptor = nullptr);

  private:
    Nic& m_nic;
    std::vector<std::unique_ptr<CompletionQueue>> m_cqs;
    std::vector<AsyncListener*> m_owners; ///< by NIC handle; null when closed
};

} // namespace via
} // namespace ns3

#endif // VIA_NIC_HANDLES_H
