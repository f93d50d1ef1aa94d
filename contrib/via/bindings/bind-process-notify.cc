/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Handlers of completions written in Python: VipSendNotify, VipRecvNotify, VipCQNotify.

#include "via-bindings.h"
#include "via-python-nic.h"

#include <utility>

namespace py = pybind11;

namespace ns3
{
namespace via
{

namespace
{

using Vi = std::shared_ptr<PythonVi>;

/// VIPL calls this for a handler of a VI.
void
OnVi(VIP_PVOID context, VIP_NIC_HANDLE, VIP_VI_HANDLE, VIP_DESCRIPTOR* descriptor)
{
    auto& notice = *static_cast<PythonNotice*>(context);
    const PythonVi::Harvested done = notice.vi->Collect(*descriptor);
    notice.process->Serve(notice, [&notice, done] {
        return py::make_tuple(notice.vi->Completed(notice.receive, done));
    });
}

/// VIPL calls this for a handler of a completion queue.
void
OnCq(VIP_PVOID context, VIP_NIC_HANDLE, VIP_VI_HANDLE vi, VIP_BOOLEAN receive)
{
    auto& notice = *static_cast<PythonNotice*>(context);
    notice.process->Serve(notice, [&notice, vi, receive] {
        return py::make_tuple(notice.process->FindVi(vi), receive != VIP_FALSE);
    });
}

/// Makes a call of VIPL that takes a handler. @tparam Call VIP_RETURN(PythonNotice*)
template <class Call>
std::unique_ptr<Operation>
Notify(const char* name, PythonNotice notice, Call call)
{
    if (PyCallable_Check(notice.function.ptr()) == 0)
    {
        throw py::type_error("a handler is a function or a coroutine function");
    }
    const std::shared_ptr<PythonProcess> process = notice.process->shared_from_this();
    return MakeOperation(
        process,
        std::move(notice),
        [name, call](PythonNotice& given) -> CallResult {
            PythonProcess& owner = *given.process;
            PythonNotice* kept = owner.Keep(std::move(given));
            const VIP_RETURN code = call(kept);
            if (code != VIP_SUCCESS)
            {
                given = std::move(*kept); // no Python object is released here
                owner.Forget(kept);
            }
            return {name, code};
        },
        [](PythonNotice&) -> py::object { return py::none(); });
}

std::unique_ptr<Operation>
NotifySent(const Vi& vi, const py::object& function)
{
    return Notify("VipSendNotify",
                  {vi->Owner().get(), function, vi, false},
                  [handle = vi->Handle()](PythonNotice* notice) {
                      return VipSendNotify(handle, notice, &OnVi);
                  });
}

std::unique_ptr<Operation>
NotifyReceived(const Vi& vi, const py::object& function)
{
    return Notify("VipRecvNotify",
                  {vi->Owner().get(), function, vi, true},
                  [handle = vi->Handle()](PythonNotice* notice) {
                      return VipRecvNotify(handle, notice, &OnVi);
                  });
}

std::unique_ptr<Operation>
NotifyCq(const PythonCq& cq, const py::object& function)
{
    return Notify(
        "VipCQNotify",
        {cq.process.get(), function, nullptr, false},
        [handle = cq.handle](PythonNotice* notice) { return VipCQNotify(handle, notice, &OnCq); });
}

} // namespace

void
BindProcessNotify(py::module_& module)
{
    const auto method = [&module](const char* type, const char* name, auto* function) {
        const py::object owner = module.attr(type);
        owner.attr(name) =
            py::cpp_function(function, py::name(name), py::is_method(owner), py::arg("function"));
    };
    method("Vi", "notify_sent", &NotifySent);
    method("Vi", "notify_recv", &NotifyReceived);
    method("CompletionQueue", "notify", &NotifyCq);
}

} // namespace via
} // namespace ns3
