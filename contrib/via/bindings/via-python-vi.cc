/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A VI of a Python process.

#include "via-python-vi.h"

#include <cstddef>
#include <cstring>
#include <utility>

namespace py = pybind11;

namespace ns3
{
namespace via
{

namespace
{

std::size_t
StrideFor(std::uint32_t segments)
{
    const std::size_t bytes =
        sizeof(VIP_CONTROL_SEGMENT) + segments * sizeof(VIP_DESCRIPTOR_SEGMENT);
    return (bytes + VIP_DESCRIPTOR_ALIGNMENT - 1) / VIP_DESCRIPTOR_ALIGNMENT *
           VIP_DESCRIPTOR_ALIGNMENT;
}

} // namespace

PythonVi::PythonVi(std::shared_ptr<PythonProcess> process, VIP_NIC_HANDLE nic, const ViShape& shape)
    : m_process(std::move(process)),
      m_nic(nic),
      m_shape(shape),
      m_stride(StrideFor(shape.segments)),
      m_memory(m_process->Places(), m_stride * shape.descriptors),
      m_posted(shape.descriptors)
{
    for (std::uint32_t slot = shape.descriptors; slot-- > 0;)
    {
        m_free.push_back(slot);
    }
}

VIP_DESCRIPTOR*
PythonVi::DescriptorAt(std::uint32_t slot) const
{
    return reinterpret_cast<VIP_DESCRIPTOR*>(m_memory.Data() + slot * m_stride);
}

CallResult
PythonVi::Create()
{
    VIP_MEM_ATTRIBUTES rights{Tag(), VIP_FALSE, VIP_FALSE};
    const CallResult registered{
        "VipRegisterMem",
        VipRegisterMem(m_nic, m_memory.Data(), m_memory.Size(), &rights, &m_memoryHandle)};
    if (registered.Failed())
    {
        return registered;
    }
    const CallResult created{
        "VipCreateVi",
        VipCreateVi(m_nic, &m_shape.attributes, m_shape.sendCq, m_shape.receiveCq, &m_handle)};
    if (created.Failed())
    {
        VipDeregisterMem(m_nic, m_memory.Data(), m_memoryHandle);
    }
    return created;
}

CallResult
PythonVi::Destroy()
{
    const CallResult destroyed{"VipDestroyVi", VipDestroyVi(m_handle)};
    if (destroyed.Failed())
    {
        return destroyed;
    }
    return {"VipDeregisterMem", VipDeregisterMem(m_nic, m_memory.Data(), m_memoryHandle)};
}

Posting
PythonVi::Prepare(const py::object& data, VIP_UINT16 control) const
{
    Posting posting;
    posting.control = control;
    posting.data = data;
    const bool isList = py::isinstance<py::list>(data) || py::isinstance<py::tuple>(data);
    if (isList)
    {
        for (const py::handle each : data)
        {
            posting.pieces.push_back(m_process->Regions().Find(each, Tag()));
        }
    }
    else if (!data.is_none())
    {
        posting.pieces.push_back(m_process->Regions().Find(data, Tag()));
    }
    const bool rdma = (control & VIP_CONTROL_OP_MASK) != 0;
    if (posting.pieces.size() + (rdma ? 1 : 0) > m_shape.segments)
    {
        throw py::value_error("the descriptors of this VI have " +
                              std::to_string(m_shape.segments) +
                              " segments, one of them for the remote end of RDMA; "
                              "create_vi(..., segments=N) makes longer ones");
    }
    return posting;
}

void
PythonVi::Write(VIP_DESCRIPTOR& descriptor, const Posting& posting) const
{
    std::memset(&descriptor, 0, m_stride);
    auto* segment = reinterpret_cast<VIP_DESCRIPTOR_SEGMENT*>(
        reinterpret_cast<std::uint8_t*>(&descriptor) + sizeof(VIP_CONTROL_SEGMENT));
    std::size_t count = posting.pieces.size();
    if (posting.remote)
    {
        segment->Remote.Data.AddressBits = posting.remote->address;
        segment->Remote.Handle = posting.remote->handle;
        ++segment;
        ++count;
    }
    std::uint64_t length = 0;
    for (const PythonPiece& piece : posting.pieces)
    {
        segment->Local.Data.AddressBits = reinterpret_cast<std::uint64_t>(piece.address);
        segment->Local.Handle = piece.handle;
        segment->Local.Length = piece.length;
        length += piece.length;
        ++segment;
    }
    descriptor.CS.SegCount = static_cast<VIP_UINT16>(count);
    descriptor.CS.Control = posting.control;
    descriptor.CS.ImmediateData = posting.immediate;
    descriptor.CS.Length = static_cast<VIP_UINT32>(length);
}

CallResult
PythonVi::Post(Posting& posting)
{
    const char* call = posting.receive ? "VipPostRecv" : "VipPostSend";
    if (m_free.empty())
    {
        return {call, VIP_ERROR_RESOURCE};
    }
    const std::uint32_t slot = m_free.back();
    VIP_DESCRIPTOR* descriptor = DescriptorAt(slot);
    Write(*descriptor, posting);
    m_free.pop_back();
    std::swap(m_posted[slot], posting.data);
    const VIP_RETURN code = posting.receive ? VipPostRecv(m_handle, descriptor, m_memoryHandle)
                                            : VipPostSend(m_handle, descriptor, m_memoryHandle);
    if (code != VIP_SUCCESS)
    {
        m_free.push_back(slot);
    }
    return {call, code};
}

CallResult
PythonVi::Harvest(const char* call, VIP_RETURN code, VIP_DESCRIPTOR* descriptor, Harvested& out)
{
    if (descriptor == nullptr)
    {
        return {call, code};
    }
    out = Collect(*descriptor);
    return {call, code, out.status};
}

PythonVi::Harvested
PythonVi::Collect(const VIP_DESCRIPTOR& descriptor)
{
    const std::ptrdiff_t offset =
        reinterpret_cast<const std::uint8_t*>(&descriptor) - m_memory.Data();
    const auto slot = static_cast<std::uint32_t>(static_cast<std::size_t>(offset) / m_stride);
    m_free.push_back(slot);
    return {true, slot, descriptor.CS.Length, descriptor.CS.Status, descriptor.CS.ImmediateData};
}

CallResult
PythonVi::Done(bool receive, Harvested& out)
{
    VIP_DESCRIPTOR* descriptor = nullptr;
    const VIP_RETURN code =
        receive ? VipRecvDone(m_handle, &descriptor) : VipSendDone(m_handle, &descriptor);
    const char* call = receive ? "VipRecvDone" : "VipSendDone";
    return code == VIP_NOT_DONE ? CallResult{call} : Harvest(call, code, descriptor, out);
}

CallResult
PythonVi::Await(bool receive, const WaitMode& how, Harvested& out)
{
    if (how.poll)
    {
        for (;;)
        {
            const CallResult result = Done(receive, out);
            if (out.found || result.Failed())
            {
                return result;
            }
        }
    }
    VIP_DESCRIPTOR* descriptor = nullptr;
    const VIP_RETURN code = receive ? VipRecvWait(m_handle, how.timeout, &descriptor)
                                    : VipSendWait(m_handle, how.timeout, &descriptor);
    return Harvest(receive ? "VipRecvWait" : "VipSendWait", code, descriptor, out);
}

py::object
PythonVi::Completed(bool receive, const Harvested& out)
{
    if (!out.found)
    {
        return py::none();
    }
    PythonCompletion completion;
    completion.data = std::move(m_posted[out.slot]);
    completion.length = out.length;
    completion.status = out.status;
    completion.receive = receive;
    if ((out.status & VIP_STATUS_IMMEDIATE) != 0)
    {
        completion.immediate = out.immediate;
    }
    return py::cast(std::move(completion));
}

} // namespace via
} // namespace ns3
