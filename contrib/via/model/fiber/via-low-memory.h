/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Addresses below 2 GiB, for programs that keep pointers in 32 bits.

#ifndef VIA_LOW_MEMORY_H
#define VIA_LOW_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

namespace ns3
{
namespace via
{

/**
 * @brief Divides the low addresses of this OS process among stacks, heaps and program images.
 *
 * Each part takes the lowest free place, so addresses depend only on the order of requests.
 */
class LowMemory
{
  public:
    static LowMemory& Instance();

    /// Whether what is made from now on lies there.
    void Want(bool isWanted)
    {
        m_isWanted = isWanted;
    }

    bool IsWanted() const
    {
        return m_isWanted;
    }

    /// @return where @p bytes are free, page by page; none: nowhere
    std::optional<std::uintptr_t> Find(std::size_t bytes) const;

    /**
     * @brief As Find, and keeps the place for the caller, who maps it.
     * @throws ConfigError if there is no room left
     */
    std::uintptr_t Take(std::size_t bytes);

    /// Gives back what Take has returned.
    void Return(std::uintptr_t address)
    {
        m_taken.erase(address);
    }

    /// @return whether @p address is one of the low ones
    static bool Holds(std::uint64_t address);

  private:
    bool m_isWanted{false};
    std::map<std::uintptr_t, std::size_t> m_taken; ///< bytes by address
};

} // namespace via
} // namespace ns3

#endif // VIA_LOW_MEMORY_H
