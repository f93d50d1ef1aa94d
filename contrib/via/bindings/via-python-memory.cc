/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Memory of simulated processes written in Python.

#include "via-python-memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

namespace py = pybind11;

namespace ns3
{
namespace via
{

namespace
{

constexpr std::size_t PAGE = 4096; // of the machine that simulates, not of a simulated one

std::uint8_t*
Pages(std::size_t bytes)
{
    void* data = std::aligned_alloc(PAGE, (bytes + PAGE - 1) / PAGE * PAGE);
    if (data == nullptr)
    {
        throw std::bad_alloc();
    }
    std::memset(data, 0, bytes);
    return static_cast<std::uint8_t*>(data);
}

} // namespace

void
PythonMemory::Free::operator()(std::uint8_t* data) const
{
    std::free(data);
}

PythonMemory::PythonMemory(std::size_t bytes)
    : m_size(bytes),
      m_data(Pages(bytes))
{
}

PythonView::PythonView(py::handle object, bool writable)
{
    if (PyObject_GetBuffer(object.ptr(), &m_view, writable ? PyBUF_WRITABLE : PyBUF_SIMPLE) != 0)
    {
        throw py::error_already_set();
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
    const auto found = std::find_if(m_regions.begin(),
                                    m_regions.end(),
                                    [&](const auto& each) { return each.get() == &region; });
    if (found != m_regions.end())
    {
        m_regions.erase(found);
    }
}

PythonPiece
RegionBook::Find(py::handle data, VIP_PROTECTION_HANDLE tag) const
{
    const PythonView view(data, false);
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
