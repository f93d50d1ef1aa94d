/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A VI of a simulated process for Python: connections, sends, receives, RDMA.

#include "via-bindings.h"
#include "via-python-nic.h"

#include "ns3/via-topology.h"

#include <pybind11/stl.h>
#include <string>

namespace py = pybind11;

namespace ns3
{
namespace via
{

namespace
{

using Vi = std::shared_ptr<PythonVi>;
using Harvested = PythonVi::Harvested;

/// An operation on @p vi whose result is a completion. @tparam Work CallResult(Harvested&)
template <class Work>
std::unique_ptr<Operation>
MakeHarvest(const Vi& vi, bool receive, Work work)
{
    return MakeOperation(
        vi->Owner(),
        Harvested{},
        [work = std::move(work)](Harvested& out) mutable { return work(out); },
        [vi = vi.get(), receive](Harvested& out) -> py::object {
            return vi->Completed(receive, out);
        });
}

std::unique_ptr<Operation>
Post(const Vi& vi, Posting posting)
{
    return MakeOperation(
        vi->Owner(),
        std::move(posting),
        [vi = vi.get()](Posting& given) { return vi->Post(given); },
        [vi](Posting&) -> py::object { return py::none(); });
}

/// A post and the wait for it, in one await.
std::unique_ptr<Operation>
PostAndAwait(const Vi& vi, Posting posting, bool poll)
{
    return MakeHarvest(
        vi,
        false,
        [vi, posting = std::move(posting), how = WaitMode{poll}](Harvested& out) mutable {
            const CallResult posted = vi->Post(posting);
            return posted.Failed() ? posted : vi->Await(false, how, out);
        });
}

Posting
SendOf(const Vi& vi, const py::object& data, std::optional<std::uint32_t> immediate)
{
    Posting posting =
        vi->Prepare(data, immediate ? VIP_CONTROL_IMMEDIATE : VIP_CONTROL_OP_SENDRECV);
    posting.immediate = immediate.value_or(0);
    return posting;
}

Posting
RdmaOf(const Vi& vi,
       VIP_UINT16 control,
       const py::object& data,
       const RemoteMemory& remote,
       std::optional<std::uint32_t> immediate)
{
    const auto all = static_cast<VIP_UINT16>(control | (immediate ? VIP_CONTROL_IMMEDIATE : 0));
    Posting posting = vi->Prepare(data, all);
    posting.immediate = immediate.value_or(0);
    posting.remote = remote;
    return posting;
}

Posting
ReceiveOf(const Vi& vi, const py::object& data)
{
    Posting posting = vi->Prepare(data, VIP_CONTROL_OP_SENDRECV);
    posting.receive = true;
    return posting;
}

std::unique_ptr<Operation>
Await(const Vi& vi, bool receive, bool poll, const py::object& timeout)
{
    if (poll && !timeout.is_none())
    {
        throw py::value_error("poll=True and timeout cannot be combined");
    }
    const WaitMode how{poll, TimeoutOf(timeout)};
    return MakeHarvest(vi, receive, [vi = vi.get(), receive, how](Harvested& out) {
        return vi->Await(receive, how, out);
    });
}

std::unique_ptr<Operation>
Done(const Vi& vi, bool receive)
{
    return MakeHarvest(vi, receive, [vi = vi.get(), receive](Harvested& out) {
        return vi->Done(receive, out);
    });
}

/// Both ends of a new connection.
struct Ends
{
    AddressBytes local;
    AddressBytes remote;

    Ends(const Vi& vi, std::uint32_t node, const py::object& discriminator)
        : local(vi->Owner()->Node(), DiscriminatorOf(discriminator)),
          remote(node, DiscriminatorOf(discriminator))
    {
        if (node >= MOST_HOSTS)
        {
            throw py::value_error("nodes are 0 to " + std::to_string(MOST_HOSTS - 1));
        }
    }
};

std::unique_ptr<Operation>
Connect(const Vi& vi,
        std::uint32_t node,
        const py::object& discriminator,
        const py::object& timeout)
{
    const VIP_ULONG wait = TimeoutOf(timeout);
    Ends between(vi, node, discriminator);
    return MakeOperation(
        vi->Owner(),
        std::move(between),
        [vi, wait](Ends& ends) -> CallResult {
            VIP_VI_ATTRIBUTES attributes{};
            return {"VipConnectRequest",
                    VipConnectRequest(vi->Handle(),
                                      ends.local.Get(),
                                      ends.remote.Get(),
                                      wait,
                                      &attributes)};
        },
        [](Ends&) -> py::object { return py::none(); });
}

std::unique_ptr<Operation>
ConnectPeer(const Vi& vi,
            std::uint32_t node,
            const py::object& discriminator,
            const py::object& timeout)
{
    const VIP_ULONG wait = TimeoutOf(timeout);
    Ends between(vi, node, discriminator);
    return MakeOperation(
        vi->Owner(),
        std::move(between),
        [vi, wait](Ends& ends) -> CallResult {
            const CallResult asked{
                "VipConnectPeerRequest",
                VipConnectPeerRequest(vi->Handle(), ends.local.Get(), ends.remote.Get(), wait)};
            VIP_VI_ATTRIBUTES attributes{};
            return asked.Failed() ? asked
                                  : CallResult{"VipConnectPeerWait",
                                               VipConnectPeerWait(vi->Handle(), &attributes)};
        },
        [](Ends&) -> py::object { return py::none(); });
}

std::unique_ptr<Operation>
Disconnect(const Vi& vi)
{
    return MakeOperation(vi->Owner(), [vi]() -> CallResult {
        return {"VipDisconnect", VipDisconnect(vi->Handle())};
    });
}

std::unique_ptr<Operation>
Destroy(const Vi& vi)
{
    return MakeOperation(vi->Owner(), [vi] { return vi->Destroy(); });
}

std::unique_ptr<Operation>
Query(const Vi& vi)
{
    return MakeOperation(
        vi->Owner(),
        VIP_STATE_IDLE,
        [vi](VIP_VI_STATE& state) -> CallResult {
            VIP_VI_ATTRIBUTES attributes{};
            VIP_BOOLEAN sendEmpty = VIP_FALSE;
            VIP_BOOLEAN receiveEmpty = VIP_FALSE;
            return {"VipQueryVi",
                    VipQueryVi(vi->Handle(), &state, &attributes, &sendEmpty, &receiveEmpty)};
        },
        [](VIP_VI_STATE& state) -> py::object {
            static const char* const names[] = {"idle", "connected", "connect-pending", "error"};
            return py::str(names[state]);
        });
}

void
BindPosts(py::class_<PythonVi, Vi>& vi)
{
    const auto none = py::none();
    vi.def(
          "post_send",
          [](const Vi& on, const py::object& data, std::optional<std::uint32_t> immediate) {
              return Post(on, SendOf(on, data, immediate));
          },
          py::arg("data"),
          py::arg("immediate") = none)
        .def(
            "post_recv",
            [](const Vi& on, const py::object& data) { return Post(on, ReceiveOf(on, data)); },
            py::arg("data"))
        .def(
            "post_rdma_write",
            [](const Vi& on,
               const py::object& data,
               const RemoteMemory& remote,
               std::optional<std::uint32_t> immediate) {
                return Post(on, RdmaOf(on, VIP_CONTROL_OP_RDMAWRITE, data, remote, immediate));
            },
            py::arg("data"),
            py::arg("remote"),
            py::arg("immediate") = none)
        .def(
            "post_rdma_read",
            [](const Vi& on, const py::object& data, const RemoteMemory& remote) {
                return Post(on, RdmaOf(on, VIP_CONTROL_OP_RDMAREAD, data, remote, {}));
            },
            py::arg("data"),
            py::arg("remote"));
}

void
BindTransfers(py::class_<PythonVi, Vi>& vi)
{
    const auto none = py::none();
    vi.def(
          "send",
          [](const Vi& on,
             const py::object& data,
             std::optional<std::uint32_t> immediate,
             bool poll) { return PostAndAwait(on, SendOf(on, data, immediate), poll); },
          py::arg("data"),
          py::arg("immediate") = none,
          py::kw_only(),
          py::arg("poll") = false)
        .def(
            "rdma_write",
            [](const Vi& on,
               const py::object& data,
               const RemoteMemory& remote,
               std::optional<std::uint32_t> immediate,
               bool poll) {
                return PostAndAwait(on,
                                    RdmaOf(on, VIP_CONTROL_OP_RDMAWRITE, data, remote, immediate),
                                    poll);
            },
            py::arg("data"),
            py::arg("remote"),
            py::arg("immediate") = none,
            py::kw_only(),
            py::arg("poll") = false)
        .def(
            "rdma_read",
            [](const Vi& on, const py::object& data, const RemoteMemory& remote, bool poll) {
                return PostAndAwait(on,
                                    RdmaOf(on, VIP_CONTROL_OP_RDMAREAD, data, remote, {}),
                                    poll);
            },
            py::arg("data"),
            py::arg("remote"),
            py::kw_only(),
            py::arg("poll") = false);
}

} // namespace

void
BindProcessVi(py::module_& module)
{
    const auto none = py::none();
    py::class_<PythonVi, Vi> vi(module, "Vi");
    BindPosts(vi);
    BindTransfers(vi);
    vi.def(
          "recv",
          [](const Vi& on, bool poll, const py::object& timeout) {
              return Await(on, true, poll, timeout);
          },
          py::kw_only(),
          py::arg("poll") = false,
          py::arg("timeout") = none)
        .def(
            "sent",
            [](const Vi& on, bool poll, const py::object& timeout) {
                return Await(on, false, poll, timeout);
            },
            py::kw_only(),
            py::arg("poll") = false,
            py::arg("timeout") = none)
        .def("recv_done", [](const Vi& on) { return Done(on, true); })
        .def("send_done", [](const Vi& on) { return Done(on, false); })
        .def("connect",
             &Connect,
             py::arg("node"),
             py::arg("discriminator"),
             py::arg("timeout") = none)
        .def("connect_peer",
             &ConnectPeer,
             py::arg("node"),
             py::arg("discriminator"),
             py::arg("timeout") = none)
        .def("disconnect", &Disconnect)
        .def("query", &Query)
        .def("destroy", &Destroy);
}

} // namespace via
} // namespace ns3
