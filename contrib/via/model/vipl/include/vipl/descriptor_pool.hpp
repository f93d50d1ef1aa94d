/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A pool of descriptors in registered memory.

#ifndef VIPL_DESCRIPTOR_POOL_HPP
#define VIPL_DESCRIPTOR_POOL_HPP

#include "region.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace vipl
{

/**
 * @brief Descriptors of one size in registered memory of their own.
 *
 * Take one, fill it in, post it; give it back when it has completed, or fill it in again. Take and
 * Give make no VIPL calls.
 */
class DescriptorPool
{
  public:
    DescriptorPool() noexcept = default;

    /**
     * @brief One VipRegisterMem.
     * @param tag of the VIs that will use the descriptors
     * @param count number of descriptors
     * @param segments capacity of each, including an RDMA operation's address segment
     */
    DescriptorPool(const Nic& nic,
                   const ProtectionTag& tag,
                   std::size_t count,
                   std::size_t segments = 2)
        : m_segments(segments),
          m_stride(Stride(segments)),
          m_memory(nic, count * m_stride, RegionAttributes{tag.Get()})
    {
        Fill(count);
    }

    /// Empty after an error.
    DescriptorPool(const Nic& nic,
                   const ProtectionTag& tag,
                   std::size_t count,
                   std::size_t segments,
                   std::error_code& error)
        : m_segments(segments),
          m_stride(Stride(segments)),
          m_memory(nic, count * m_stride, RegionAttributes{tag.Get()}, error)
    {
        Fill(error ? 0 : count);
    }

    /// Number of descriptors.
    std::size_t Size() const noexcept
    {
        return m_taken.size();
    }

    /// Number of descriptors that can be taken.
    std::size_t Available() const noexcept
    {
        return m_free.size();
    }

    /// @throws std::system_error, VIP_ERROR_RESOURCE, if none is left
    Descriptor Take()
    {
        return detail::OrThrow("DescriptorPool::Take",
                               [&](std::error_code& error) { return Take(error); });
    }

    Descriptor Take(std::error_code& error)
    {
        error.clear();
        if (m_free.empty())
        {
            error = VIP_ERROR_RESOURCE;
            return {};
        }
        const std::size_t i = m_free.back();
        m_free.pop_back();
        m_taken[i] = true;
        return At(i);
    }

    /// The descriptor of a completion, to be filled in and posted again.
    /// @throws std::invalid_argument if it was not taken here
    Descriptor Again(const VIP_DESCRIPTOR* descriptor) const
    {
        return At(Index(descriptor));
    }

    /// Gives one back. @throws std::invalid_argument if it was not taken here
    void Give(const VIP_DESCRIPTOR* descriptor)
    {
        const std::size_t i = Index(descriptor);
        m_taken[i] = false;
        m_free.push_back(i);
    }

  private:
    void Fill(std::size_t count)
    {
        m_taken.resize(count);
        m_free.reserve(count);
        while (count > 0)
        {
            m_free.push_back(--count); // Take pops the lowest index first
        }
    }

    static std::size_t Stride(std::size_t segments)
    {
        const std::size_t bytes =
            sizeof(VIP_CONTROL_SEGMENT) + segments * sizeof(VIP_DESCRIPTOR_SEGMENT);
        const std::size_t lines = (bytes + VIP_DESCRIPTOR_ALIGNMENT - 1) / VIP_DESCRIPTOR_ALIGNMENT;
        return lines * VIP_DESCRIPTOR_ALIGNMENT;
    }

    Descriptor At(std::size_t i) const noexcept
    {
        return {reinterpret_cast<VIP_DESCRIPTOR*>(m_memory.Data() + i * m_stride),
                m_memory.Handle(),
                m_segments};
    }

    std::size_t Index(const VIP_DESCRIPTOR* descriptor) const
    {
        const auto from = reinterpret_cast<std::uintptr_t>(m_memory.Data());
        const auto at = reinterpret_cast<std::uintptr_t>(descriptor);
        const std::size_t i = at < from || Size() == 0 ? Size() : (at - from) / m_stride;
        if (i >= Size() || (at - from) % m_stride != 0 || !m_taken[i])
        {
            throw std::invalid_argument("this descriptor was not taken from this pool");
        }
        return i;
    }

    std::size_t m_segments{0};
    std::size_t m_stride{1};
    RegisteredMemory m_memory;
    std::vector<std::size_t> m_free;
    std::vector<bool> m_taken;
};

} // namespace vipl

#endif // VIPL_DESCRIPTOR_POOL_HPP
