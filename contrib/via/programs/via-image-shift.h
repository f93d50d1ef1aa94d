/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Moves a shared object to another address, before the dynamic linker sees it.

#ifndef VIA_IMAGE_SHIFT_H
#define VIA_IMAGE_SHIFT_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/// Where an object's dynamic symbols lie in its file.
struct ImageSymbols
{
    std::uint64_t offset{0};
    std::size_t count{0};
};

/**
 * @brief Adds a distance to all addresses of an object that begins at address 0. The dynamic linker
 * asks the kernel to map an object where its addresses begin.
 *
 * Code needs no change, as it is position-independent: addresses are in the program headers, the
 * dynamic section, symbols and relocations.
 *
 * @param bytes of the file, an x86-64 shared object
 * @param symbols of it
 * @param by a multiple of the page size
 * @return "", or what of the object cannot be moved
 */
std::string ShiftImage(std::vector<char>& bytes, const ImageSymbols& symbols, std::uint64_t by);

} // namespace via
} // namespace ns3

#endif // VIA_IMAGE_SHIFT_H
