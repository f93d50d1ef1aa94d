/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A VI of a Python process: its descriptors and its awaitables.

#ifndef VIA_PYTHON_VI_H
#define VIA_PYTHON_VI_H

#include "via-python-process.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <pybind11/pybind11.h>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/// Memory of another process, for RDMA.
struct RemoteMemory
{
    std::uint64_t address{0};
    VIP_MEM_HANDLE handle{0};
    std::uint64_t length{0};
};

/// A completed descriptor.
struct PythonCompletion
{
    pybind11::object data; ///< the object that was passed to the post
    std::uint32_t length{0};
    std::uint32_t status{0};
    std::optional<std::uint32_t> immediate;
    bool receive{false};
};

/// Requested properties of a VI.
struct ViShape
{
    VIP_VI_ATTRIBUTES attributes{};
    VIP_CQ_HANDLE sendCq{nullptr};
    VIP_CQ_HANDLE receiveCq{nullptr};
    std::uint32_t descriptors{0}; ///< that can be posted at a time
    std::uint32_t segments{0};    ///< maximum per descriptor
};

/// The content of a descriptor.
struct Posting
{
    VIP_UINT16 control{0};
    std::uint32_t immediate{0};
    bool receive{false};
    std::optional<RemoteMemory> remote;
    std::vector<PythonPiece> pieces;
    pybind11::object data;
};

/// How to wait for a completion.
struct WaitMode
{
    bool poll{false};                ///< poll in a loop, which keeps the CPU busy
    VIP_ULONG timeout{VIP_INFINITE}; ///< of a wait, in ms
};

/**
 * @brief A VI with registered descriptors: a post takes one, its completion returns it.
 */
class PythonVi : public std::enable_shared_from_this<PythonVi>
{
  public:
    PythonVi(std::shared_ptr<PythonProcess> process, VIP_NIC_HANDLE nic, const ViShape& shape);

    /// Makes its memory and the VI: VipRegisterMem, VipCreateVi. On the process' stack.
    CallResult Create();

    /// VipDestroyVi, VipDeregisterMem. On the process' stack.
    CallResult Destroy();

    VIP_VI_HANDLE Handle() const
    {
        return m_handle;
    }

    const std::shared_ptr<PythonProcess>& Owner() const
    {
        return m_process;
    }

    VIP_PROTECTION_HANDLE Tag() const
    {
        return m_shape.attributes.Ptag;
    }

    /// The segments of a send, receive or RDMA of @p data. @throws exceptions for Python to catch
    Posting Prepare(const pybind11::object& data, VIP_UINT16 control) const;

    /// Posts. On the process' stack. Swaps its data with the descriptor's previous data, so that no
    /// Python object is released here.
    CallResult Post(Posting& posting);

    /// The result of a harvest; found: false if there was none.
    struct Harvested
    {
        bool found{false};
        std::uint32_t slot{0};
        std::uint32_t length{0};
        std::uint32_t status{0};
        std::uint32_t immediate{0};
    };

    /// VipSendDone or VipRecvDone, once. On the process' stack.
    CallResult Done(bool receive, Harvested& out);

    /// Takes back a descriptor from VIPL: it can be posted again.
    Harvested Collect(const VIP_DESCRIPTOR& descriptor);

    /// Waits until a descriptor is complete. On the process' stack.
    CallResult Await(bool receive, const WaitMode& how, Harvested& out);

    /// The completion, for Python; None if there is none.
    pybind11::object Completed(bool receive, const Harvested& out);

  private:
    VIP_DESCRIPTOR* DescriptorAt(std::uint32_t slot) const;
    void Write(VIP_DESCRIPTOR& descriptor, const Posting& posting) const;
    CallResult Harvest(const char* call,
                       VIP_RETURN code,
                       VIP_DESCRIPTOR* descriptor,
                       Harvested& out);

    std::shared_ptr<PythonProcess> m_process;
    VIP_NIC_HANDLE m_nic;
    ViShape m_shape;
    std::size_t m_stride;  ///< bytes from one descriptor to the next
    PythonMemory m_memory; ///< of the descriptors
    VIP_MEM_HANDLE m_memoryHandle{0};
    VIP_VI_HANDLE m_handle{nullptr};
    std::vector<std::uint32_t> m_free;      ///< free descriptors, the next one last
    std::vector<pybind11::object> m_posted; ///< the data of each descriptor
};

} // namespace via
} // namespace ns3

#endif // VIA_PYTHON_VI_H
