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

PythonMemory::PythonMemory(std::size_t bytes)
    : m_size(bytes)
{
    // the system's zero pages: untouched ones take no memory
    void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED)
    {
        throw std::bad_alloc();
    }
    m_data = static_cast<std::uint8_t*>(data);
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
