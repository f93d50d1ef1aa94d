/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Pieces of registered memory, descriptors made of them, and what became of a descriptor.

#ifndef VIPL_DESCRIPTOR_HPP
#define VIPL_DESCRIPTOR_HPP

#include "status.hpp"

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>

namespace vipl
{

/// A piece of local registered memory, as a data segment names it.
struct LocalBuffer
{
    void* address{nullptr};
    VIP_UINT32 length{0}; ///< bytes
    VIP_MEM_HANDLE handle{0};
};

/// A place in a peer's registered memory. Plain bytes: peers tell it to each other in messages.
struct RemoteBuffer
{
    VIP_UINT64 address{0};
    VIP_MEM_HANDLE handle{0};

    /// The place @p bytes further on.
    friend constexpr RemoteBuffer operator+(RemoteBuffer place, VIP_UINT64 bytes) noexcept
    {
        return {place.address + bytes, place.handle};
    }
};

/**
 * @brief A descriptor being filled in; it refers to memory that somebody else owns.
 *
 * Begin with one of Send, Receive, RdmaWrite and RdmaRead, which forget what was there, add the
 * pieces of local memory in order, then post it:
 *
 *     vi.PostSend(pool.Take().RdmaWrite(target).Add(region.Local(0, 512)).Immediate(7));
 *
 * From the post to its completion it belongs to VIPL: do not touch it.
 */
class Descriptor
{
  public:
    /// No descriptor.
    Descriptor() noexcept = default;

    /**
     * @param descriptor aligned to VIP_DESCRIPTOR_ALIGNMENT, in registered memory
     * @param handle of that memory
     * @param segments how many segments have room, an RDMA operation's address segment included
     */
    Descriptor(VIP_DESCRIPTOR* descriptor, VIP_MEM_HANDLE handle, std::size_t segments) noexcept
        : m_descriptor(descriptor),
          m_handle(handle),
          m_room(segments)
    {
    }

    explicit operator bool() const noexcept
    {
        return m_descriptor != nullptr;
    }

    VIP_DESCRIPTOR* Get() const noexcept
    {
        return m_descriptor;
    }

    /// Of the memory that the descriptor lies in.
    VIP_MEM_HANDLE Handle() const noexcept
    {
        return m_handle;
    }

    Descriptor& Send()
    {
        return Begin(VIP_CONTROL_OP_SENDRECV);
    }

    Descriptor& Receive()
    {
        return Begin(VIP_CONTROL_OP_SENDRECV);
    }

    /// Writes the pieces that are added, one behind the other, to @p target.
    Descriptor& RdmaWrite(RemoteBuffer target)
    {
        return Begin(VIP_CONTROL_OP_RDMAWRITE).Remote(target);
    }

    /// Reads from @p source into the pieces that are added.
    Descriptor& RdmaRead(RemoteBuffer source)
    {
        return Begin(VIP_CONTROL_OP_RDMAREAD).Remote(source);
    }

    /// @throws std::length_error when all segments are taken
    Descriptor& Add(const LocalBuffer& piece)
    {
        VIP_DATA_SEGMENT& segment = Next().Local;
        segment.Data.AddressBits = 0;
        segment.Data.Address = piece.address;
        segment.Handle = piece.handle;
        segment.Length = piece.length;
        m_descriptor->CS.Length = m_descriptor->CS.Length + piece.length;
        return *this;
    }

    /// 32 bits that travel beside the data; they take a receive of the peer, even of a write.
    Descriptor& Immediate(VIP_UINT32 data)
    {
        m_descriptor->CS.Control |= VIP_CONTROL_IMMEDIATE;
        m_descriptor->CS.ImmediateData = data;
        return *this;
    }

    /// Wait with this descriptor until all earlier RDMA reads of the queue are complete.
    Descriptor& Fence()
    {
        m_descriptor->CS.Control |= VIP_CONTROL_QFENCE;
        return *this;
    }

  private:
    Descriptor& Begin(VIP_UINT16 control)
    {
        m_descriptor->CS = VIP_CONTROL_SEGMENT();
        m_descriptor->CS.Control = control;
        return *this;
    }

    Descriptor& Remote(RemoteBuffer place)
    {
        VIP_ADDRESS_SEGMENT& segment = Next().Remote;
        segment.Data.AddressBits = place.address;
        segment.Handle = place.handle;
        segment.Reserved = 0;
        return *this;
    }

    VIP_DESCRIPTOR_SEGMENT& Next()
    {
        if (m_descriptor->CS.SegCount == m_room)
        {
            throw std::length_error("a descriptor with room for " + std::to_string(m_room) +
                                    " segments was given one more");
        }
        // Segments past the second follow the descriptor, which only declares two.
        auto* const first = reinterpret_cast<VIP_DESCRIPTOR_SEGMENT*>(
            reinterpret_cast<std::byte*>(m_descriptor) + sizeof(VIP_CONTROL_SEGMENT));
        return first[m_descriptor->CS.SegCount++];
    }

    VIP_DESCRIPTOR* m_descriptor{nullptr};
    VIP_MEM_HANDLE m_handle{0};
    std::size_t m_room{0};
};

/// What became of a descriptor.
struct Completion
{
    vipl::Operation operation{vipl::Operation::Send};
    VIP_UINT32 bytes{0};                 ///< transferred
    std::optional<VIP_UINT32> immediate; ///< that came with it
    Status status;                       ///< look at it first: a flushed receive completes, too
    VIP_DESCRIPTOR* descriptor{nullptr}; ///< the caller's again

    bool Ok() const noexcept
    {
        return status.Ok();
    }

    /// @throws std::system_error of DescriptorCategory() unless Ok()
    const Completion& Check() const
    {
        if (!Ok())
        {
            throw std::system_error(status.Error(), "descriptor");
        }
        return *this;
    }

    /// Reads what the NIC has left in a completed descriptor. No call of VIPL.
    static Completion Of(VIP_DESCRIPTOR* descriptor) noexcept
    {
        Completion completion;
        completion.status = Status(descriptor->CS.Status);
        completion.operation = completion.status.Operation();
        completion.bytes = descriptor->CS.Length;
        completion.descriptor = descriptor;
        if (completion.status.HasImmediate())
        {
            completion.immediate = descriptor->CS.ImmediateData;
        }
        return completion;
    }
};

} // namespace vipl

#endif // VIPL_DESCRIPTOR_HPP
