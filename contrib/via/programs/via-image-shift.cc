/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Moves a shared object to another address, before the dynamic linker sees it.

#include "via-image-shift.h"

#include <elf.h>
#include <set>

namespace ns3
{
namespace via
{

namespace
{

/// An object's bytes, read and changed in place.
class ShiftedImage
{
  public:
    ShiftedImage(std::vector<char>& bytes, std::uint64_t by)
        : m_bytes(bytes),
          m_by(by)
    {
    }

    std::string Shift(const ImageSymbols& symbols);

  private:
    /// Something of the file; its place was checked when the program was read.
    template <class T>
    T* At(std::uint64_t offset)
    {
        return reinterpret_cast<T*>(m_bytes.data() + offset);
    }

    std::uint64_t OffsetOf(std::uint64_t address);
    void ShiftSegments();
    std::string ShiftDynamic(const Elf64_Phdr& segment);
    std::string ShiftRelocations(std::uint64_t address, std::uint64_t bytes);
    void ShiftSymbols(const ImageSymbols& symbols);

    std::vector<char>& m_bytes;
    std::uint64_t m_by;
};

/// Entries of the dynamic section that are addresses.
bool
IsAddress(Elf64_Sxword tag)
{
    static const std::set<Elf64_Sxword> addresses = {DT_PLTGOT,
                                                     DT_HASH,
                                                     DT_STRTAB,
                                                     DT_SYMTAB,
                                                     DT_RELA,
                                                     DT_INIT,
                                                     DT_FINI,
                                                     DT_JMPREL,
                                                     DT_VERSYM,
                                                     DT_GNU_HASH,
                                                     DT_VERDEF,
                                                     DT_VERNEED,
                                                     DT_INIT_ARRAY,
                                                     DT_PREINIT_ARRAY,
                                                     DT_FINI_ARRAY};
    return addresses.count(tag) != 0;
}

/// Every segment, with the addresses of the original.
std::uint64_t
ShiftedImage::OffsetOf(std::uint64_t address)
{
    const auto* const header = At<Elf64_Ehdr>(0);
    for (int i = 0; i < header->e_phnum; ++i)
    {
        const auto& segment = *At<Elf64_Phdr>(header->e_phoff + i * sizeof(Elf64_Phdr));
        if (segment.p_type == PT_LOAD && address - segment.p_vaddr < segment.p_filesz)
        {
            return segment.p_offset + (address - segment.p_vaddr);
        }
    }
    return 0;
}

void
ShiftedImage::ShiftSegments()
{
    const auto* const header = At<Elf64_Ehdr>(0);
    for (int i = 0; i < header->e_phnum; ++i)
    {
        auto& segment = *At<Elf64_Phdr>(header->e_phoff + i * sizeof(Elf64_Phdr));
        if (segment.p_type != PT_GNU_STACK)
        {
            segment.p_vaddr += m_by;
            segment.p_paddr += m_by;
        }
    }
}

std::string
ShiftedImage::ShiftRelocations(std::uint64_t address, std::uint64_t bytes)
{
    const std::uint64_t offset = OffsetOf(address);
    for (std::uint64_t at = 0; at < bytes; at += sizeof(Elf64_Rela))
    {
        auto& relocation = *At<Elf64_Rela>(offset + at);
        relocation.r_offset += m_by;
        switch (ELF64_R_TYPE(relocation.r_info))
        {
        case R_X86_64_RELATIVE:
        case R_X86_64_IRELATIVE:
            relocation.r_addend += static_cast<Elf64_Sxword>(m_by);
            break;
        case R_X86_64_64:
        case R_X86_64_GLOB_DAT:
        case R_X86_64_JUMP_SLOT:
        case R_X86_64_DTPMOD64:
        case R_X86_64_DTPOFF64:
            break;
        default:
            return "relocations of type " + std::to_string(ELF64_R_TYPE(relocation.r_info));
        }
    }
    return "";
}

std::string
ShiftedImage::ShiftDynamic(const Elf64_Phdr& segment)
{
    std::uint64_t tables[2] = {0, 0};
    std::uint64_t sizes[2] = {0, 0};
    for (std::uint64_t at = 0; at < segment.p_filesz; at += sizeof(Elf64_Dyn))
    {
        auto& entry = *At<Elf64_Dyn>(segment.p_offset + at);
        if (entry.d_tag == DT_RELR || entry.d_tag == DT_REL)
        {
            return "relocations without addends";
        }
        const bool isPlt = entry.d_tag == DT_JMPREL || entry.d_tag == DT_PLTRELSZ;
        if (entry.d_tag == DT_RELA || entry.d_tag == DT_JMPREL)
        {
            tables[isPlt] = entry.d_un.d_ptr;
        }
        else if (entry.d_tag == DT_RELASZ || entry.d_tag == DT_PLTRELSZ)
        {
            sizes[isPlt] = entry.d_un.d_val;
        }
        if (IsAddress(entry.d_tag))
        {
            entry.d_un.d_ptr += m_by;
        }
    }
    const std::string wrong = ShiftRelocations(tables[0], sizes[0]);
    return wrong.empty() ? ShiftRelocations(tables[1], sizes[1]) : wrong;
}

void
ShiftedImage::ShiftSymbols(const ImageSymbols& symbols)
{
    for (std::size_t i = 0; i < symbols.count; ++i)
    {
        auto& symbol = *At<Elf64_Sym>(symbols.offset + i * sizeof(Elf64_Sym));
        if (symbol.st_shndx != SHN_UNDEF && symbol.st_shndx != SHN_ABS &&
            ELF64_ST_TYPE(symbol.st_info) != STT_TLS)
        {
            symbol.st_value += m_by;
        }
    }
}

std::string
ShiftedImage::Shift(const ImageSymbols& symbols)
{
    const auto* const header = At<Elf64_Ehdr>(0);
    std::string wrong;
    for (int i = 0; i < header->e_phnum && wrong.empty(); ++i)
    {
        const auto segment = *At<Elf64_Phdr>(header->e_phoff + i * sizeof(Elf64_Phdr));
        if (segment.p_type == PT_DYNAMIC)
        {
            wrong = ShiftDynamic(segment);
        }
    }
    ShiftSymbols(symbols);
    ShiftSegments(); // last: offsets are found by the segments' own addresses
    return wrong;
}

} // namespace

std::string
ShiftImage(std::vector<char>& bytes, const ImageSymbols& symbols, std::uint64_t by)
{
    return ShiftedImage(bytes, by).Shift(symbols);
}

} // namespace via
} // namespace ns3
