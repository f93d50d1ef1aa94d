/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A shared object built by `./via cc`: checked once, loaded once per simulated process.

#ifndef VIA_PROGRAM_IMAGE_H
#define VIA_PROGRAM_IMAGE_H

#include "ns3/via-host-calls.h"
#include "ns3/via-image-shift.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/// An array of functions in a loaded object, by offset from the load address.
struct ImageArray
{
    std::uint64_t offset{0};
    std::size_t count{0};
};

/**
 * @brief The bytes of a program, which can be loaded any number of times.
 *
 * Each load maps its own copy of the file, so every process has its own global variables; the
 * copies omit debug sections. In the copies the array sizes of constructors and destructors are 0:
 * they run on the process' own fiber instead, where they may block.
 */
class ProgramImage
{
  public:
    /**
     * @param path the shared object
     * @param viplCount number of VIPL functions of this simulator
     * @throws ConfigError if the file is missing, is not a program built by `./via cc`, was built
     * for another version, or calls a function that simulated programs cannot call
     */
    ProgramImage(const std::string& path, std::uint32_t viplCount);

    /// @return the path as it was given
    const std::string& Path() const
    {
        return m_path;
    }

    /// @return the file name without its directory
    std::string Name() const
    {
        return m_path.substr(m_path.rfind('/') + 1);
    }

    /// @return false if a loop that polls memory stops simulated time forever
    bool ReportsBlocks() const
    {
        return m_info.flags & VIA_PROGRAM_REPORTS_BLOCKS;
    }

    /// @return the object's description of itself
    const ViaProgramInfo& Info() const
    {
        return m_info;
    }

    /// @return the constructors
    const ImageArray& Init() const
    {
        return m_init;
    }

    /// @return the destructors
    const ImageArray& Fini() const
    {
        return m_fini;
    }

    /// @return whether its code reads signgam
    bool UsesGammaSign() const
    {
        return m_usesGammaSign;
    }

    /// @return size of a loaded copy in bytes
    std::size_t SpanBytes() const
    {
        return m_spanBytes;
    }

    /// @return offset of the ViaProgramInfo from the load address
    std::uint64_t InfoOffset() const
    {
        return m_infoAddress;
    }

    /**
     * @brief Writes a copy that uses the given host calls.
     * @param shift where it has to be loaded, if the kernel can; 0: anywhere
     * @return descriptor of an anonymous file; the caller closes it
     */
    int WriteCopy(const ViaHostCalls* calls, std::uint64_t shift) const;

  private:
    void Parse(std::uint32_t viplCount);
    void ReadDynamic(std::uint64_t offset, std::uint64_t bytes);
    void ReadSymbols();
    void CheckInfo(std::uint32_t viplCount);
    std::size_t FileOffset(std::uint64_t address);
    template <class T>
    T& At(std::size_t offset);
    [[noreturn]] void Refuse(const std::string& why) const;

    std::string m_path;
    std::vector<char> m_bytes;
    std::size_t m_loadedBytes{0}; ///< that a copy needs: the rest is symbols and debug sections
    std::size_t m_spanBytes{0};
    std::uint64_t m_infoAddress{0};
    bool m_usesGammaSign{false};
    ImageSymbols m_symbols;
    std::size_t m_hostCallsOffset{0}; ///< file offset of the pointer to the host calls
    ViaProgramInfo m_info{};
    ImageArray m_init;
    ImageArray m_fini;
};

/// One loaded copy; unloaded when destroyed.
class LoadedImage
{
  public:
    /**
     * @param image the program
     * @param calls the host calls of this process; must outlive this
     * @throws ConfigError with the dynamic linker's reason if it refuses, and if a low copy
     * (LowMemory) has no room or cannot be moved
     */
    LoadedImage(const ProgramImage& image, const ViaHostCalls* calls);
    ~LoadedImage();
    LoadedImage(const LoadedImage&) = delete;
    LoadedImage& operator=(const LoadedImage&) = delete;

    /// @return the copy's own info
    const ViaProgramInfo& Info() const
    {
        return *reinterpret_cast<const ViaProgramInfo*>(m_base + m_image.InfoOffset());
    }

    /// @return whether @p code lies in the copy
    bool Holds(const void* code) const
    {
        return reinterpret_cast<std::uintptr_t>(code) - reinterpret_cast<std::uintptr_t>(m_base) <
               m_image.SpanBytes();
    }

    /// @return the place of @p code in the file, as its debug information has it
    std::uint64_t OffsetOf(const void* code) const
    {
        return static_cast<std::uint64_t>(static_cast<const char*>(code) - m_base);
    }

    /// @return a function array of the copy
    template <class Function>
    const Function* Array(const ImageArray& array) const
    {
        return reinterpret_cast<const Function*>(m_base + array.offset);
    }

  private:
    const ProgramImage& m_image;
    std::uintptr_t m_low{0}; ///< its place below 2 GiB; 0: it is anywhere
    void* m_handle{nullptr};
    const char* m_base{nullptr};
};

} // namespace via
} // namespace ns3

#endif // VIA_PROGRAM_IMAGE_H
