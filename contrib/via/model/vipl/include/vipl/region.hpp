/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Registered memory: regions over the caller's memory, and self-owned memory.

#ifndef VIPL_REGION_HPP
#define VIPL_REGION_HPP

#include "descriptor.hpp"
#include "nic.hpp"

#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

namespace vipl
{

/// Access rights of a region.
struct RegionAttributes
{
    VIP_PROTECTION_HANDLE tag{nullptr}; ///< ProtectionTag::Get()
    bool rdmaWrite{false};              ///< peers may write
    bool rdmaRead{false};               ///< peers may read

    /// The form that VIPL takes.
    VIP_MEM_ATTRIBUTES Raw() const noexcept
    {
        return {tag, rdmaWrite ? VIP_TRUE : VIP_FALSE, rdmaRead ? VIP_TRUE : VIP_FALSE};
    }

    static RegionAttributes From(const VIP_MEM_ATTRIBUTES& raw) noexcept
    {
        return {raw.Ptag, raw.EnableRdmaWrite != VIP_FALSE, raw.EnableRdmaRead != VIP_FALSE};
    }
};

namespace detail
{

struct RegionValue
{
    static constexpr const char* CLOSE_CALL = "VipDeregisterMem";
    VIP_NIC_HANDLE nic{nullptr};
    Span<std::byte> memory{};
    VIP_MEM_HANDLE handle{0};

    explicit operator bool() const noexcept
    {
        return nic != nullptr;
    }

    VIP_RETURN Close() const
    {
        return VipDeregisterMem(nic, memory.data(), handle);
    }
};

} // namespace detail

/// A registration of memory that the caller owns and must keep while the region lives.
class Region : public detail::Owned<detail::RegionValue>
{
  public:
    Region() noexcept = default;

    /// One VipRegisterMem.
    Region(const Nic& nic, Span<std::byte> memory, const RegionAttributes& attributes)
    {
        detail::OrThrow("VipRegisterMem",
                        [&](std::error_code& error) { Register(nic, memory, attributes, error); });
    }

    Region(const Nic& nic,
           Span<std::byte> memory,
           const RegionAttributes& attributes,
           std::error_code& error)
    {
        Register(nic, memory, attributes, error);
    }

    VIP_MEM_HANDLE Handle() const noexcept
    {
        return m_value.handle;
    }

    Span<std::byte> Memory() const noexcept
    {
        return m_value.memory;
    }

    /// A range for a descriptor. @throws std::out_of_range if it is not inside the region
    LocalBuffer Local(std::size_t offset, std::size_t length) const
    {
        Check(offset, length);
        return {Memory().data() + offset, static_cast<VIP_UINT32>(length), Handle()};
    }

    /// The range of an object or an array inside the region.
    template <class T>
    LocalBuffer Local(Span<T> objects) const
    {
        const auto bytes = vipl::Bytes(objects);
        return Local(static_cast<std::size_t>(bytes.data() - Memory().data()), bytes.size());
    }

    /// The address that a peer needs to write or read here. @throws std::out_of_range
    RemoteBuffer Remote(std::size_t offset = 0) const
    {
        Check(offset, 0);
        return {reinterpret_cast<VIP_UINT64>(Memory().data() + offset), Handle()};
    }

    /// One VipQueryMem.
    RegionAttributes Query() const
    {
        return detail::OrThrow("VipQueryMem", [&](std::error_code& error) { return Query(error); });
    }

    RegionAttributes Query(std::error_code& error) const
    {
        VIP_MEM_ATTRIBUTES raw{};
        error = VipQueryMem(m_value.nic, Memory().data(), Handle(), &raw);
        return RegionAttributes::From(raw);
    }

    /// One VipSetMemAttributes: applies to operations that start from now on.
    void SetAttributes(const RegionAttributes& attributes)
    {
        detail::OrThrow("VipSetMemAttributes",
                        [&](std::error_code& error) { SetAttributes(attributes, error); });
    }

    void SetAttributes(const RegionAttributes& attributes, std::error_code& error)
    {
        VIP_MEM_ATTRIBUTES raw = attributes.Raw();
        error = VipSetMemAttributes(m_value.nic, Memory().data(), Handle(), &raw);
    }

  private:
    void Register(const Nic& nic,
                  Span<std::byte> memory,
                  const RegionAttributes& attributes,
                  std::error_code& error)
    {
        VIP_MEM_ATTRIBUTES raw = attributes.Raw();
        VIP_MEM_HANDLE handle = 0;
        error = VipRegisterMem(nic.Get(), memory.data(), memory.size(), &raw, &handle);
        m_value = error ? detail::RegionValue{} : detail::RegionValue{nic.Get(), memory, handle};
    }

    void Check(std::size_t offset, std::size_t length) const
    {
        if (offset > Memory().size() || length > Memory().size() - offset)
        {
            throw std::out_of_range("a piece is not inside its region of " +
                                    std::to_string(Memory().size()) + " bytes");
        }
    }
};

/**
 * @brief Registered memory of its own: zeroed, aligned to ALIGNMENT.
 *
 * The cost of a registration depends on the pages it touches. Memory begins at a page boundary, so
 * the cost does not depend on where the allocator found room.
 */
class RegisteredMemory
{
  public:
    static constexpr std::size_t ALIGNMENT = 4096; ///< bytes

    RegisteredMemory() noexcept = default;

    /// One VipRegisterMem. @throws std::bad_alloc if out of memory
    RegisteredMemory(const Nic& nic, std::size_t bytes, const RegionAttributes& attributes)
        : m_memory(Allocate(bytes)),
          m_region(nic, {m_memory.get(), bytes}, attributes)
    {
    }

    RegisteredMemory(const Nic& nic,
                     std::size_t bytes,
                     const RegionAttributes& attributes,
                     std::error_code& error)
        : m_memory(Allocate(bytes)),
          m_region(nic, {m_memory.get(), bytes}, attributes, error)
    {
    }

    RegisteredMemory(RegisteredMemory&&) noexcept = default;

    /// The old memory is freed after its registration.
    RegisteredMemory& operator=(RegisteredMemory&& other) noexcept
    {
        m_region = std::move(other.m_region);
        m_memory = std::move(other.m_memory);
        return *this;
    }

    explicit operator bool() const noexcept
    {
        return static_cast<bool>(m_region);
    }

    const vipl::Region& Region() const noexcept
    {
        return m_region;
    }

    std::byte* Data() const noexcept
    {
        return m_memory.get();
    }

    std::size_t Size() const noexcept
    {
        return m_region.Memory().size();
    }

    VIP_MEM_HANDLE Handle() const noexcept
    {
        return m_region.Handle();
    }

    /// See Region::Local.
    LocalBuffer Local(std::size_t offset, std::size_t length) const
    {
        return m_region.Local(offset, length);
    }

    /// See Region::Remote.
    RemoteBuffer Remote(std::size_t offset = 0) const
    {
        return m_region.Remote(offset);
    }

  private:
    struct Free
    {
        void operator()(std::byte* memory) const noexcept
        {
            ::operator delete (memory, std::align_val_t{ALIGNMENT});
        }
    };

    using Storage = std::unique_ptr<std::byte, Free>;

    static Storage Allocate(std::size_t bytes)
    {
        Storage memory(
            static_cast<std::byte*>(::operator new (bytes, std::align_val_t{ALIGNMENT})));
        std::memset(memory.get(), 0, bytes);
        return memory;
    }

    Storage m_memory; // before the region, which is destroyed first
    vipl::Region m_region;
};

} // namespace vipl

#endif // VIPL_REGION_HPP
