/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Memory of Python processes.

#include "via-python-memory.h"

#include <algorithm>
#include <limits>
#include <new>
#include <string>
#include <sys/mman.h>

namespace py = pybind11;

namespace ns3
{
namespace via
{

namespace
{

// Below the fiber stacks, above AddressSanitizer's shadow.
constexpr std::uintptr_t PLACES_BEGIN = 0x110000000000;
constexpr std::uintptr_t PLACES_BYTES = std::uintptr_t(512) << 20;
constexpr std::uint32_t PROCESSES = 16384; ///< with places of their own
constexpr std::uintptr_t PAGE = 4096;

/// Maps zeroed bytes at @p place, or anywhere if that is 0. @return null: it is not free
void*
MapAt(std::uintptr_t place, std::size_t bytes)
{
    // the system's zero pages: untouched ones take no memory
    void* const data = mmap(reinterpret_cast<void*>(place),
                            bytes,
                            PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | (place > 0 ? MAP_FIXED_NOREPLACE : 0),
                            -1,
                            0);
    return data == MAP_FAILED ? nullptr : data;
}

} // namespace

PythonPlaces::PythonPlaces(std::uint32_t rank)
    : m_next(PLACES_BEGIN + (rank % PROCESSES) * PLACES_BYTES),
      m_end(m_next + PLACES_BYTES)
{
}

void*
PythonPlaces::Map(std::size_t bytes)
{
    const std::size_t room = (bytes + PAGE - 1) / PAGE * PAGE;
    void* data = nullptr;
    while (data == nullptr && room <= m_end - m_next)
    {
        data = MapAt(m_next, bytes); // if not, an earlier run's memory is there, which lives on
        m_next += room;
    }
    data = data == nullptr ? MapAt(0, bytes) : data;
    if (data == nullptr)
    {
        throw std::bad_alloc();
    }
    return data;
}

PythonMemory::PythonMemory(PythonPlaces& places, std::size_t bytes)
    : m_size(bytes),
      m_data(static_cast<std::uint8_t*>(places.Map(bytes)))
{
}

PythonMemory::~PythonMemory()
{
    munmap(m_data, m_size);
}

PythonView::PythonView(py::handle object, bool writable, const char* name)
{
    if (PyObject_GetBuffer(object.ptr(), &m_view, writable ? PyBUF_WRITABLE : PyBUF_SIMPLE) != 0)
    {
        PyErr_Clear();
        const std::string kind = py::str(py::type::of(object).attr("__name__"));
        throw py::type_error(std::string(name) + " is a " + kind +
                             ": a bytes-like object is needed" +
                             (writable ? ", contiguous and writable" : ""));
    }
}

PythonView::~PythonView()
{
    PyBuffer_Release(&m_view);
}

void
RegionBook::Add(const std::shared_ptr<PythonRegion>& region)
{
    m_regions.push_back(region);
}

void
RegionBook::Remove(const PythonRegion& region)
{
    const auto found = std::find_if(m_regions.begin(), m_regions.end(), [&](const auto& each) {
        return each.get() == &region;
    });
    if (found != m_regions.end())
    {
        m_regions.erase(found);
    }
}

PythonPiece
RegionBook::Find(py::handle data, VIP_PROTECTION_HANDLE tag) const
{
    const PythonView view(data, false, "data");
    const PythonRegion* best = nullptr;
    for (auto each = m_regions.rbegin(); each != m_regions.rend(); ++each)
    {
        const PythonRegion& region = **each;
        const bool inside = view.Data() >= region.address &&
                            view.Data() + view.Size() <= region.address + region.length;
        if (inside && (best == nullptr || (best->tag != tag && region.tag == tag)))
        {
            best = &region;
        }
        if (best != nullptr && best->tag == tag)
        {
            break;
        }
    }
    if (best == nullptr)
    {
        throw py::value_error("these bytes are not in registered memory of this process; "
                              "`region = await nic.register(memory)` makes them so");
    }
    if (view.Size() > std::numeric_limits<std::uint32_t>::max())
    {
        throw py::value_error("a segment has at most 2^32 - 1 bytes");
    }
    return {view.Data(), static_cast<std::uint32_t>(view.Size()), best->handle};
}

} // namespace via
} // namespace ns3
