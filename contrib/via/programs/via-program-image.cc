/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A shared object built by `./via cc`: checked once, loaded once per simulated process.

#include "via-program-image.h"

#include "ns3/abort.h"
#include "ns3/via-error.h"
#include "ns3/via-low-memory.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <fstream>
#include <iterator>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

namespace ns3
{
namespace via
{

namespace
{

constexpr const char* INFO_SYMBOL = "via_program_info";

struct RefusedSymbol
{
    const char* name;
    const char* why;
};

constexpr RefusedSymbol REFUSED[] = {
#define VIA_REFUSED(name, why) {#name, why},
#include "ns3/via-refused-symbols.h"
};

/// @return why a program cannot call this, or null if it can
const char*
WhyRefused(const char* symbol)
{
    const auto* found = std::find_if(std::begin(REFUSED), std::end(REFUSED), [&](const auto& r) {
        return std::strcmp(r.name, symbol) == 0;
    });
    return found == std::end(REFUSED) ? nullptr : found->why;
}

/**
 * The dynamic linker takes two files of the same name for one object, and descriptor numbers are
 * reused. So each load gets a unique path: the load's number in binary, in "/." and "//.".
 */
std::string
UniqueName(int fd)
{
    static std::uint64_t loads = 0;
    std::string name = "/proc/self/fd";
    for (auto rest = ++loads; rest > 0; rest /= 2)
    {
        name += rest % 2 ? "//." : "/.";
    }
    return name + "/" + std::to_string(fd);
}

} // namespace

ProgramImage::ProgramImage(const std::string& path, std::uint32_t viplCount)
    : m_path(path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
    {
        Refuse(std::string("cannot be read: ") + std::strerror(errno));
    }
    m_bytes.assign(std::istreambuf_iterator<char>(file), {});
    Parse(viplCount);
}

void
ProgramImage::Refuse(const std::string& why) const
{
    throw ConfigError("program", m_path, why);
}

template <class T>
T&
ProgramImage::At(std::size_t offset)
{
    if (offset > m_bytes.size() || m_bytes.size() - offset < sizeof(T))
    {
        Refuse("is cut short; build it again with ./via cc");
    }
    return *reinterpret_cast<T*>(m_bytes.data() + offset);
}

void
ProgramImage::Parse(std::uint32_t viplCount)
{
    if (m_bytes.size() < sizeof(Elf64_Ehdr) || std::memcmp(m_bytes.data(), ELFMAG, SELFMAG) != 0)
    {
        Refuse("is not a shared object; build one with: ./via cc prog.c -o prog.so");
    }
    const auto header = At<Elf64_Ehdr>(0);
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_type != ET_DYN)
    {
        Refuse("is not a 64-bit shared object; build one with: ./via cc prog.c -o prog.so");
    }
    for (int i = 0; i < header.e_phnum; i++)
    {
        const auto segment = At<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr));
        if (segment.p_type == PT_LOAD)
        {
            m_loadedBytes = std::max(m_loadedBytes, segment.p_offset + segment.p_filesz);
            m_spanBytes = std::max(m_spanBytes, segment.p_vaddr + segment.p_memsz);
        }
        else if (segment.p_type == PT_DYNAMIC)
        {
            ReadDynamic(segment.p_offset, segment.p_filesz);
        }
    }
    ReadSymbols();
    CheckInfo(viplCount);
    if (m_loadedBytes > m_bytes.size())
    {
        Refuse("is cut short; build it again with ./via cc");
    }
    // Copies end before the section table.
    auto& copied = At<Elf64_Ehdr>(0);
    copied.e_shoff = 0;
    copied.e_shnum = 0;
    copied.e_shstrndx = 0;
    m_bytes.resize(m_loadedBytes);
    m_bytes.shrink_to_fit();
}

void
ProgramImage::ReadDynamic(std::uint64_t offset, std::uint64_t bytes)
{
    for (std::uint64_t at = 0; at < bytes; at += sizeof(Elf64_Dyn))
    {
        auto& entry = At<Elf64_Dyn>(offset + at);
        switch (entry.d_tag)
        {
        case DT_INIT_ARRAY:
            m_init.offset = entry.d_un.d_ptr;
            break;
        case DT_INIT_ARRAYSZ:
            m_init.count = entry.d_un.d_val / sizeof(Elf64_Addr);
            entry.d_un.d_val = 0;
            break;
        case DT_FINI_ARRAY:
            m_fini.offset = entry.d_un.d_ptr;
            break;
        case DT_FINI_ARRAYSZ:
            m_fini.count = entry.d_un.d_val / sizeof(Elf64_Addr);
            entry.d_un.d_val = 0;
            break;
        case DT_FLAGS:
            if ((entry.d_un.d_val & DF_STATIC_TLS) != 0)
            {
                Refuse("keeps thread-local variables where all simulated threads would share them; "
                       "build it without -ftls-model=initial-exec or local-exec");
            }
            break;
        default:
            break;
        }
    }
}

void
ProgramImage::ReadSymbols()
{
    const auto header = At<Elf64_Ehdr>(0);
    for (int i = 0; i < header.e_shnum; i++)
    {
        const auto section = At<Elf64_Shdr>(header.e_shoff + i * sizeof(Elf64_Shdr));
        if (section.sh_type != SHT_DYNSYM)
        {
            continue;
        }
        m_symbols = {section.sh_offset, section.sh_size / sizeof(Elf64_Sym)};
        const auto strings =
            At<Elf64_Shdr>(header.e_shoff + section.sh_link * sizeof(Elf64_Shdr)).sh_offset;
        for (std::uint64_t at = 0; at < section.sh_size; at += sizeof(Elf64_Sym))
        {
            const auto symbol = At<Elf64_Sym>(section.sh_offset + at);
            const char* name = &At<char>(strings + symbol.st_name);
            const bool defined = symbol.st_shndx != SHN_UNDEF;
            if (defined && std::strcmp(name, INFO_SYMBOL) == 0)
            {
                m_infoAddress = symbol.st_value;
            }
            m_usesGammaSign |= std::strcmp(name, "signgam") == 0;
            const bool weak = ELF64_ST_BIND(symbol.st_info) == STB_WEAK;
            if (const char* why = defined || weak ? nullptr : WhyRefused(name))
            {
                Refuse(std::string("calls ") + name + "(): " + why);
            }
        }
    }
    if (m_infoAddress == 0)
    {
        Refuse("was not built by ./via cc; build it with: ./via cc prog.c -o prog.so");
    }
}

std::size_t
ProgramImage::FileOffset(std::uint64_t address)
{
    const auto header = At<Elf64_Ehdr>(0);
    for (int i = 0; i < header.e_phnum; i++)
    {
        const auto segment = At<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr));
        if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
            address - segment.p_vaddr < segment.p_filesz)
        {
            return segment.p_offset + (address - segment.p_vaddr);
        }
    }
    Refuse("has damaged program information; build it again with ./via cc");
}

void
ProgramImage::CheckInfo(std::uint32_t viplCount)
{
    const auto offset = FileOffset(m_infoAddress);
    m_info = At<ViaProgramInfo>(offset);
    m_hostCallsOffset = offset + offsetof(ViaProgramInfo, calls);
    if (std::strncmp(m_info.magic, VIA_PROGRAM_MAGIC, sizeof(m_info.magic)) != 0)
    {
        Refuse("was not built by ./via cc; build it with: ./via cc prog.c -o prog.so");
    }
    if (m_info.version != VIA_SEAM_VERSION || m_info.viplCount != viplCount)
    {
        Refuse("was built by another version of ./via cc (host calls " +
               std::to_string(m_info.version) + ", " + std::to_string(m_info.viplCount) +
               " VIPL functions; this is " + std::to_string(VIA_SEAM_VERSION) + ", " +
               std::to_string(viplCount) + "); build it again");
    }
}

int
ProgramImage::WriteCopy(const ViaHostCalls* calls, std::uint64_t shift) const
{
    std::vector<char> shifted;
    if (shift != 0)
    {
        shifted = m_bytes;
        const std::string wrong = ShiftImage(shifted, m_symbols, shift);
        if (!wrong.empty())
        {
            Refuse("cannot be moved below 2 GiB: it has " + wrong);
        }
    }
    const std::vector<char>& bytes = shift != 0 ? shifted : m_bytes;
    const int fd = memfd_create(Name().substr(0, 200).c_str(), MFD_CLOEXEC);
    if (fd < 0)
    {
        Refuse(std::string("cannot be copied: ") + std::strerror(errno));
    }
    for (std::size_t done = 0; done < bytes.size();)
    {
        const auto wrote = write(fd, bytes.data() + done, bytes.size() - done);
        if (wrote <= 0) // out of memory, or at the user's file size limit
        {
            const std::string why = std::strerror(errno);
            close(fd);
            Refuse("cannot be copied: " + why);
        }
        done += static_cast<std::size_t>(wrote);
    }
    const auto patched = pwrite(fd, &calls, sizeof(calls), static_cast<off_t>(m_hostCallsOffset));
    NS_ABORT_MSG_IF(patched != sizeof(calls), "cannot copy " << m_path);
    return fd;
}

LoadedImage::LoadedImage(const ProgramImage& image, const ViaHostCalls* calls)
    : m_image(image)
{
    LowMemory& low = LowMemory::Instance();
    m_low = low.IsWanted() ? low.Take(image.SpanBytes()) : 0;
    const int fd = image.WriteCopy(calls, m_low);
    m_handle = dlopen(UniqueName(fd).c_str(), RTLD_NOW | RTLD_LOCAL);
    const char* reason = m_handle ? "" : dlerror();
    close(fd);
    if (!m_handle)
    {
        throw ConfigError("program", image.Path(), std::string("cannot be loaded: ") + reason);
    }
    link_map* map = nullptr;
    NS_ABORT_MSG_IF(dlinfo(m_handle, RTLD_DI_LINKMAP, &map) != 0, "dlinfo: " << dlerror());
    m_base = reinterpret_cast<const char*>(map->l_addr + m_low);
    if (m_low != 0 && reinterpret_cast<std::uintptr_t>(m_base) != m_low)
    {
        throw ConfigError("low_memory",
                          image.Path(),
                          "this machine's dynamic linker does not load programs where it is asked");
    }
}

LoadedImage::~LoadedImage()
{
    dlclose(m_handle);
    if (m_low != 0)
    {
        LowMemory::Instance().Return(m_low);
    }
}

} // namespace via
} // namespace ns3
