/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Safe access to memory that a program names in a call, which may not exist.

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

/// Thrown if memory named by a program is not accessible.
class MemoryFault final : public std::exception
{
  public:
    explicit MemoryFault(const void* address)
        : m_address(address)
    {
    }

    /// The first inaccessible byte, as far as the processor reports it.
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
 * @brief The simulator's access to memory that a program's pointers refer to.
 *
 * Program pointers are dereferenced only here: they may refer to unmapped or constant memory, or be
 * no addresses at all. While a FaultGuard exists, such an access throws MemoryFault and has no
 * other effect; the caller then ends the program.
 */
class ProgramMemory
{
  public:
    /// @return a copy of the object at @p from. @throws MemoryFault
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

    /// @return the text at @p from, at most its first @p most characters. @throws MemoryFault
    static std::string ReadText(const char* from, std::size_t most);

    /// Stores @p value at @p to. @throws MemoryFault
    template <class T>
    static void Write(T* to, const std::common_type_t<T>& value)
    {
        static_assert(std::is_trivially_copyable_v<T>, "programs and simulator share plain bytes");
        Copy(to, &value, sizeof(T), to);
    }

    /// As Write. @return false: @p to is not accessible, and nothing has happened
    template <class T>
    static bool TryWrite(T* to, const std::common_type_t<T>& value) noexcept
    {
        static_assert(std::is_trivially_copyable_v<T>, "programs and simulator share plain bytes");
        return TryCopy(to, &value, sizeof(T));
    }

    /// As Write, for @p bytes bytes at @p from.
    static void WriteBytes(void* to, const void* from, std::size_t bytes)
    {
        Copy(to, from, bytes, to);
    }

    /**
     * @brief For the fault handler only.
     * @param code instruction address of the access that missed @p address
     * @param address null if the processor does not report it
     * @return where to continue if it was one of the accesses above; otherwise null
     */
    static const void* OnFault(const void* code, const void* address);

  private:
    /// @param named the pointer, of the two, that comes from the program
    static void Copy(void* to, const void* from, std::size_t bytes, const void* named);
    static bool TryCopy(void* to, const void* from, std::size_t bytes) noexcept;
};

} // namespace via
} // namespace ns3

#endif // VIA_PROGRAM_MEMORY_H
