/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Ranges of registered memory, descriptors made of them, and completions.

#ifndef VIPL_DESCRIPTOR_HPP
#define VIPL_DESCRIPTOR_HPP

#include "status.hpp"

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>

namespace vipl
{

/// A range of local registered memory, as used in a data segment.
struct LocalBuffer
{
    void* address{nullptr};
    VIP_UINT32 length{0}; ///< bytes
    VIP_MEM_HANDLE handle{0};
};

/// A location in a peer's registered memory. Plain bytes: peers send it to each other in messages.
struct RemoteBuffer
{
    VIP_UINT64 address{0};
    VIP_MEM_HANDLE handle{0};

    /// The location @p bytes further on.
    friend constexpr RemoteBuffer operator+(RemoteBuffer place, VIP_UINT64 bytes) noexcept
    {
        return {place.address + bytes, place.handle};
    }
};

/**
 * @brief A descriptor being filled in; it refers to memory owned elsewhere.
 *
 * Begin with Send, Receive, RdmaWrite or RdmaRead, which discard the previous content. Then add the
 * ranges of local memory in order, and post it:
 *
 *     vi.PostSend(pool.Take().RdmaWrite(target).Add(region.Local(0, 512)).Immediate(7));
 *
 * From post to completion it belongs to VIPL: do not touch it.
 */
class Descriptor
{
  public:
    /// No descriptor.
    Descriptor() noexcept = default;

    /**
     * @param descriptor aligned to VIP_DESCRIPTOR_ALIGNMENT, in registered memory
     * @param handle of that memory
     * @param segments capacity in segments, including an RDMA operation's address segment
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

    /// Handle of the memory that holds the descriptor.
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

    /// Writes the added ranges, one after another, to @p target.
    Descriptor& RdmaWrite(RemoteBuffer target)
    {
        return Begin(VIP_CONTROL_OP_RDMAWRITE).Remote(target);
    }

    /// Reads from @p source into the added ranges.
    Descriptor& RdmaRead(RemoteBuffer source)
    {
        return Begin(VIP_CONTROL_OP_RDMAREAD).Remote(source);
    }

    /// @throws std::length_error if all segments are in use
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

    /// 32 bits sent beside the data; they consume a receive of the peer, even on a write.
    Descriptor& Immediate(VIP_UINT32 data)
    {
        m_descriptor->CS.Control |= VIP_CONTROL_IMMEDIATE;
        m_descriptor->CS.ImmediateData = data;
        return *this;
    }

    /// Delays this descriptor until all earlier RDMA reads of the queue are complete.
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
        // Segments past the second follow the descriptor, whose struct declares only two.
        auto* const first = reinterpret_cast<VIP_DESCRIPTOR_SEGMENT*>(
            reinterpret_cast<std::byte*>(m_descriptor) + sizeof(VIP_CONTROL_SEGMENT));
        return first[m_descriptor->CS.SegCount++];
    }

    VIP_DESCRIPTOR* m_descriptor{nullptr};
    VIP_MEM_HANDLE m_handle{0};
    std::size_t m_room{0};
};

/// The result of a descriptor.
struct Completion
{
    vipl::Operation operation{vipl::Operation::Send};
    VIP_UINT32 bytes{0};                 ///< transferred
    std::optional<VIP_UINT32> immediate; ///< received with it
    Status status;                       ///< check it first: a flushed receive completes, too
    VIP_DESCRIPTOR* descriptor{nullptr}; ///< owned by the caller again

    bool Ok() const noexcept
    {
        return status.Ok();
    }

    /// @throws std::system_error unless Ok(): of DescriptorCategory(), or VIP_NOT_DONE
    const Completion& Check() const
    {
        if (!Ok())
        {
            const std::error_code error = status.Error();
            throw std::system_error(error ? error : make_error_code(VIP_NOT_DONE), "descriptor");
        }
        return *this;
    }

    /// Reads a completed descriptor. Makes no VIPL call.
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
