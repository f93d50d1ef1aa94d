/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Memory of Python processes: Python and the NIC access the same bytes.

#ifndef VIA_PYTHON_MEMORY_H
#define VIA_PYTHON_MEMORY_H

#include <cstdint>
#include <memory>
#include <pybind11/pybind11.h>
#include <vector>
#include <vipl.h>

namespace ns3
{
namespace via
{

/// Where the memory of a process lies: at the same addresses in every run, as a message may hold
/// them. Beyond some 500 MB per process, and where others have placed something, it lies elsewhere.
class PythonPlaces
{
  public:
    explicit PythonPlaces(std::uint32_t rank);

    /// Maps zeroed bytes. @throws std::bad_alloc
    void* Map(std::size_t bytes);

  private:
    std::uintptr_t m_next;
    std::uintptr_t m_end;
};

/// Zeroed, page-aligned bytes for Python's buffer protocol.
class PythonMemory
{
  public:
    /// @param bytes at least 1
    PythonMemory(PythonPlaces& places, std::size_t bytes);
    ~PythonMemory();
    PythonMemory(const PythonMemory&) = delete;
    PythonMemory& operator=(const PythonMemory&) = delete;

    std::uint8_t* Data() const
    {
        return m_data;
    }

    std::size_t Size() const
    {
        return m_size;
    }

  private:
    std::size_t m_size;
    std::uint8_t* m_data;
};

/// A view of a Python object's bytes, pinned for the lifetime of this.
class PythonView
{
  public:
    /// @param name of the argument
    /// @throws py::type_error without contiguous bytes or, if writable, for a read-only object
    PythonView(pybind11::handle object, bool writable, const char* name);
    ~PythonView();
    PythonView(const PythonView&) = delete;
    PythonView& operator=(const PythonView&) = delete;

    std::uint8_t* Data() const
    {
        return static_cast<std::uint8_t*>(m_view.buf);
    }

    std::size_t Size() const
    {
        return static_cast<std::size_t>(m_view.len);
    }

  private:
    Py_buffer m_view;
};

/// A registered region. Its bytes stay in place until it is deregistered.
struct PythonRegion
{
    pybind11::object memory; ///< the object that owns the bytes
    std::unique_ptr<PythonView> view;
    VIP_NIC_HANDLE nic{nullptr};
    VIP_PROTECTION_HANDLE tag{nullptr};
    VIP_MEM_HANDLE handle{0};
    std::uint8_t* address{nullptr};
    std::size_t length{0};
    bool live{false};
};

/// A range of registered memory, as used in a descriptor.
struct PythonPiece
{
    std::uint8_t* address{nullptr};
    std::uint32_t length{0};
    VIP_MEM_HANDLE handle{0};
};

/// The registered regions of a process.
class RegionBook
{
  public:
    void Add(const std::shared_ptr<PythonRegion>& region);
    void Remove(const PythonRegion& region);

    /**
     * @brief Finds the registration of the bytes of @p data.
     * @param tag of the VI that will use them: of several regions the newest with this tag
     * @throws py::value_error if they are not registered, or too many for a descriptor
     */
    PythonPiece Find(pybind11::handle data, VIP_PROTECTION_HANDLE tag) const;

    void Clear()
    {
        m_regions.clear();
    }

  private:
    std::vector<std::shared_ptr<PythonRegion>> m_regions; ///< newest last
};

} // namespace via
} // namespace ns3

#endif // VIA_PYTHON_MEMORY_H
