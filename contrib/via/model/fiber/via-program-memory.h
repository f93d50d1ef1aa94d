/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Memory that a program names in a call: it may be anywhere, or nowhere.

#ifndef VIA_PROGRAM_MEMORY_H
#define VIA_PROGRAM_MEMORY_H

#include <cstddef>
#include <exception>
#include <string>
#include <type_traits>

namespace ns3
{
namespace via
{

/// Thrown where memory that a program has named cannot be reached.
class MemoryFault final : public std::exception
{
  public:
    explicit MemoryFault(const void* address)
        : m_address(address)
    {
    }

    /// The first byte that was missed, as far as the processor tells it.
    const void* Address() const
    {
        return m_address;
    }

    const char* what() const noexcept override
    {
        return "memory of a program cannot be reached";
    }

  private:
    const void* m_address;
};

/**
 * @brief How the simulator reads and writes what a program's pointers point to.
 *
 * A pointer of a program is only followed through here: what it points to may be unmapped, or
 * constant, or no address at all. While a FaultGuard lives, the access throws MemoryFault then, and
 * nothing else happens; whoever called for the program ends it with that.
 */
class ProgramMemory
{
  public:
    /// @return a copy of what is at @p from. @throws MemoryFault
    template <class T>
    static T Read(const T* from)
    {
        static_assert(std::is_trivially_copyable_v<T>, "programs and simulator share plain bytes");
        T value;
        Copy(&value, from, sizeof(T), from);
        return value;
    }

    /// @return @p bytes bytes at @p from. @throws MemoryFault
    static std::string ReadBytes(const void* from, std::size_t bytes);

    /// @return the text at @p from, or its first @p most characters. @throws MemoryFault
    static std::string ReadText(const char* from, std::size_t most);

    /// Puts @p value where @p to points. @throws MemoryFault
    template <class T>
    static void Write(T* to, const std::common_type_t<T>& value)
    {
        static_assert(std::is_trivially_copyable_v<T>, "programs and simulator share plain bytes");
        Copy(to, &value, sizeof(T), to);
    }

    /// As Write, of @p bytes bytes at @p from.
    static void WriteBytes(void* to, const void* from, std::size_t bytes)
    {
        Copy(to, from, bytes, to);
    }

    /**
     * @brief For the handler of faults, and for nobody else.
     * @param code where the processor was when it missed @p address
     * @param address null if the processor does not say
     * @return where it goes on if that was one of the accesses above; else null
     */
    static const void* OnFault(const void* code, const void* address);

  private:
    /// @param named which of the two is the program's
    static void Copy(void* to, const void* from, std::size_t bytes, const void* named);
};

} // namespace via
} // namespace ns3

#endif // VIA_PROGRAM_MEMORY_H
