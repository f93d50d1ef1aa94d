/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// An open NIC of a simulated process for Python: memory, tags, queues, listening.

#include "via-bindings.h"
#include "via-python-arguments.h"
#include "via-python-nic.h"

namespace py = pybind11;

namespace ns3
{
namespace via
{

namespace
{

constexpr std::uint32_t MOST_DESCRIPTORS = 65536; // of a VI's own memory
constexpr std::uint32_t MOST_SEGMENTS = 255;      // more than any product has

using RegionHandle = std::shared_ptr<PythonRegion>;

VIP_PROTECTION_HANDLE
HandleOf(const PythonTag* tag)
{
    return tag == nullptr ? nullptr : tag->handle;
}

std::unique_ptr<Operation>
CreateTag(const PythonNic& nic)
{
    return MakeOperation(
        nic.process,
        PythonTag{nic.process, nic.handle},
        [](PythonTag& tag) -> CallResult {
            return {"VipCreatePtag", VipCreatePtag(tag.nic, &tag.handle)};
        },
        [](PythonTag& tag) -> py::object { return py::cast(tag); });
}

std::unique_ptr<Operation>
DestroyTag(const PythonTag& tag)
{
    return MakeOperation(tag.process, [nic = tag.nic, handle = tag.handle]() -> CallResult {
        return {"VipDestroyPtag", VipDestroyPtag(nic, handle)};
    });
}

std::unique_ptr<Operation>
Register(const PythonNic& nic,
         const py::object& memory,
         const PythonTag* tag,
         bool rdmaWrite,
         bool rdmaRead)
{
    auto region = std::make_shared<PythonRegion>();
    region->memory = memory;
    region->view = std::make_unique<PythonView>(memory, true, "memory");
    region->nic = nic.handle;
    region->tag = HandleOf(tag);
    region->address = region->view->Data();
    region->length = region->view->Size();
    const VIP_MEM_ATTRIBUTES rights{region->tag,
                                    rdmaWrite ? VIP_TRUE : VIP_FALSE,
                                    rdmaRead ? VIP_TRUE : VIP_FALSE};
    return MakeOperation(
        nic.process,
        region,
        [rights](const RegionHandle& made) -> CallResult {
            VIP_MEM_ATTRIBUTES given = rights;
            return {"VipRegisterMem",
                    VipRegisterMem(made->nic, made->address, made->length, &given, &made->handle)};
        },
        [process = nic.process.get()](const RegionHandle& made) -> py::object {
            made->live = true;
            process->Regions().Add(made);
            return py::cast(made);
        });
}

std::unique_ptr<Operation>
Deregister(const PythonNic& nic, const RegionHandle& region)
{
    return MakeOperation(
        nic.process,
        region,
        [handle = nic.handle](const RegionHandle& gone) -> CallResult {
            return {"VipDeregisterMem", VipDeregisterMem(handle, gone->address, gone->handle)};
        },
        [process = nic.process.get()](const RegionHandle& gone) -> py::object {
            process->Regions().Remove(*gone);
            gone->live = false;
            gone->view.reset();
            gone->memory = py::none();
            return py::none();
        });
}

std::unique_ptr<Operation>
CreateCq(const PythonNic& nic, std::uint32_t entries)
{
    return MakeOperation(
        nic.process,
        PythonCq{nic.process},
        [handle = nic.handle, entries](PythonCq& cq) -> CallResult {
            return {"VipCreateCQ", VipCreateCQ(handle, entries, &cq.handle)};
        },
        [](PythonCq& cq) -> py::object { return py::cast(cq); });
}

/// The Python arguments for a new VI.
struct ViRequest
{
    const PythonTag* tag;
    const PythonCq* sendCq;
    const PythonCq* receiveCq;
    std::uint32_t reliability;
    const py::object& maxTransfer;
    bool rdmaWrite;
    bool rdmaRead;
    std::uint32_t descriptors;
    std::uint32_t segments;
};

std::unique_ptr<Operation>
CreateVi(const PythonNic& nic, const ViRequest& asked)
{
    if (asked.descriptors < 1 || asked.descriptors > MOST_DESCRIPTORS || asked.segments < 1 ||
        asked.segments > MOST_SEGMENTS || asked.reliability > 0xffff)
    {
        throw py::value_error("a VI needs 1 to 65536 descriptors of 1 to 255 segments");
    }
    ViShape shape;
    shape.attributes.ReliabilityLevel = static_cast<VIP_RELIABILITY_LEVEL>(asked.reliability);
    shape.attributes.MaxTransferSize =
        asked.maxTransfer.is_none()
            ? nic.attributes.MaxTransferSize
            : static_cast<std::uint32_t>(
                  WholeNumber(asked.maxTransfer.ptr(), "max_transfer", UINT32_MAX));
    shape.attributes.Ptag = HandleOf(asked.tag);
    shape.attributes.EnableRdmaWrite = asked.rdmaWrite ? VIP_TRUE : VIP_FALSE;
    shape.attributes.EnableRdmaRead = asked.rdmaRead ? VIP_TRUE : VIP_FALSE;
    shape.sendCq = asked.sendCq == nullptr ? nullptr : asked.sendCq->handle;
    shape.receiveCq = asked.receiveCq == nullptr ? nullptr : asked.receiveCq->handle;
    shape.descriptors = asked.descriptors;
    shape.segments = asked.segments;
    return MakeOperation(
        nic.process,
        std::make_shared<PythonVi>(nic.process, nic.handle, shape),
        [](const std::shared_ptr<PythonVi>& vi) { return vi->Create(); },
        [](const std::shared_ptr<PythonVi>& vi) -> py::object {
            vi->Owner()->Enter(vi, vi->Handle());
            return py::cast(vi);
        });
}

/// Inputs and results of VipConnectWait.
struct Listening
{
    PythonConnection connection;
    AddressBytes local;
    AddressBytes remote;
};

std::unique_ptr<Operation>
Listen(const PythonNic& nic, const py::object& discriminator, const py::object& timeout)
{
    // whatever may throw comes first: g++ 12 destroys members of a partly built aggregate twice
    const VIP_ULONG wait = TimeoutOf(timeout);
    AddressBytes local(nic.process->Node(), DiscriminatorOf(discriminator));
    AddressBytes remote(nic.attributes.MaxDiscriminatorLen);
    PythonConnection connection;
    connection.process = nic.process;
    return MakeOperation(
        nic.process,
        Listening{std::move(connection), std::move(local), std::move(remote)},
        [handle = nic.handle, wait](Listening& out) -> CallResult {
            VIP_VI_ATTRIBUTES attributes{};
            const VIP_RETURN code = VipConnectWait(handle,
                                                   out.local.Get(),
                                                   wait,
                                                   out.remote.Get(),
                                                   &attributes,
                                                   &out.connection.handle);
            return {"VipConnectWait", code};
        },
        [](Listening& out) -> py::object {
            out.connection.node = out.remote.Node();
            out.connection.discriminator = out.remote.Discriminator();
            return py::cast(out.connection);
        });
}

std::unique_ptr<Operation>
Close(const PythonNic& nic)
{
    return MakeOperation(nic.process, [handle = nic.handle]() -> CallResult {
        return {"VipCloseNic", VipCloseNic(handle)};
    });
}

py::dict
Limits(const PythonNic& nic)
{
    const VIP_NIC_ATTRIBUTES& of = nic.attributes;
    py::dict limits;
    limits["name"] = std::string(of.Name);
    limits["max_vi"] = of.MaxVI;
    limits["max_descriptors_per_queue"] = of.MaxDescriptorsPerQueue;
    limits["max_segments_per_descriptor"] = of.MaxSegmentsPerDesc;
    limits["max_transfer_size"] = of.MaxTransferSize;
    limits["max_cq"] = of.MaxCQ;
    limits["max_cq_entries"] = of.MaxCQEntries;
    limits["max_register_bytes"] = of.MaxRegisterBytes;
    limits["max_discriminator_bytes"] = of.MaxDiscriminatorLen;
    limits["native_mtu"] = of.NativeMTU;
    limits["reliability"] = of.ReliabilityLevelSupport;
    limits["rdma_read"] = of.RDMAReadSupport;
    return limits;
}

void
BindObjects(py::module_& module)
{
    py::class_<PythonTag>(module, "ProtectionTag").def("destroy", &DestroyTag);

    py::class_<PythonRegion, RegionHandle>(module, "Region")
        .def_readonly("memory", &PythonRegion::memory)
        .def_readonly("handle", &PythonRegion::handle)
        .def_readonly("length", &PythonRegion::length)
        .def_readonly("live", &PythonRegion::live)
        .def_property_readonly("address",
                               [](const PythonRegion& region) {
                                   return reinterpret_cast<std::uint64_t>(region.address);
                               })
        .def_property_readonly("remote", [](const PythonRegion& region) {
            return RemoteMemory{reinterpret_cast<std::uint64_t>(region.address),
                                region.handle,
                                region.length};
        });

    py::class_<RemoteMemory>(module, "RemoteMemory")
        .def(py::init([](std::uint64_t address, std::uint32_t handle, std::uint64_t length) {
                 return RemoteMemory{address, handle, length};
             }),
             py::arg("address"),
             py::arg("handle"),
             py::arg("length"))
        .def_readonly("address", &RemoteMemory::address)
        .def_readonly("handle", &RemoteMemory::handle)
        .def_readonly("length", &RemoteMemory::length)
        .def(
            "at",
            [](const RemoteMemory& memory, std::uint64_t offset, std::uint64_t length) {
                if (offset > memory.length || length > memory.length - offset)
                {
                    throw py::value_error("this part lies outside the remote memory");
                }
                return RemoteMemory{memory.address + offset, memory.handle, length};
            },
            py::arg("offset"),
            py::arg("length"));
}

} // namespace

void
BindProcessNic(py::module_& module)
{
    BindObjects(module);

    py::class_<PythonNic>(module, "Nic")
        .def_property_readonly("limits", &Limits)
        .def("create_tag", &CreateTag)
        .def("register",
             &Register,
             py::arg("memory"),
             py::kw_only(),
             py::arg("tag") = nullptr,
             py::arg("rdma_write") = false,
             py::arg("rdma_read") = false)
        .def("deregister", &Deregister, py::arg("region").none(false))
        .def("create_cq", &CreateCq, py::arg("entries"))
        .def(
            "create_vi",
            [](const PythonNic& nic,
               const PythonTag* tag,
               const PythonCq* sendCq,
               const PythonCq* receiveCq,
               std::uint32_t reliability,
               const py::object& maxTransfer,
               bool rdmaWrite,
               bool rdmaRead,
               std::uint32_t descriptors,
               std::uint32_t segments) {
                return CreateVi(nic,
                                {tag,
                                 sendCq,
                                 receiveCq,
                                 reliability,
                                 maxTransfer,
                                 rdmaWrite,
                                 rdmaRead,
                                 descriptors,
                                 segments});
            },
            // not py::kw_only(): without positional arguments it converts nothing, not even None
            py::arg("tag") = nullptr,
            py::arg("send_cq") = nullptr,
            py::arg("recv_cq") = nullptr,
            py::arg("reliability") = VIP_SERVICE_RELIABLE_DELIVERY,
            py::arg("max_transfer") = py::none(),
            py::arg("rdma_write") = false,
            py::arg("rdma_read") = false,
            py::arg("descriptors") = 64,
            py::arg("segments") = 2)
        .def("listen", &Listen, py::arg("discriminator"), py::arg("timeout") = py::none())
        .def("close", &Close);
}

} // namespace via
} // namespace ns3
