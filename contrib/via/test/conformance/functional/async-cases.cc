/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Functional: how a process is told of asynchronous errors.

#include "conformance/via-conformance-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// A handler that writes down what it is told.
struct Log
{
    static void OnError(VIP_PVOID self, VIP_ERROR_DESCRIPTOR* error)
    {
        static_cast<Log*>(self)->errors.push_back(*error);
    }

    std::vector<VIP_ERROR_DESCRIPTOR> errors;
};

/// Makes the server's party find a message without a receive.
void
SendOne(Party& self, Party&)
{
    self.Send(self.Make({}));
}

} // namespace

BOOST_AUTO_TEST_SUITE(functional)

CONFORMANCE_CASE(AHandlerGetsItsContext, "ErrorCallback.context")
{
    Log log;
    const auto server = [&log](Party& self, Party&) {
        BOOST_TEST(VipErrorCallback(self.nic, &log, &Log::OnError) == VIP_SUCCESS);
        Pause(20 * PS_PER_MS);
        BOOST_TEST(self.Errors() == ""); // its first handler was replaced
        BOOST_TEST(log.errors.size() == 1u);
        log.errors.resize(1);
        BOOST_TEST(log.errors[0].ErrorCode == VIP_ERROR_RECVQ_EMPTY);
        BOOST_TEST(log.errors[0].NicHandle == self.nic);
        BOOST_TEST(log.errors[0].ViHandle == self.vi);
    };
    RunPair(SendOne, server, At(VIP_SERVICE_UNRELIABLE));
}

CONFORMANCE_CASE(WithoutAHandlerAProcessGoesOn, "ErrorCallback.default")
{
    const auto server = [](Party& self, Party&) {
        BOOST_TEST(VipErrorCallback(self.nic, nullptr, nullptr) == VIP_SUCCESS);
        Pause(20 * PS_PER_MS);
        BOOST_TEST(self.Errors() == "");
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_CONNECTED);
    };
    RunPair(SendOne, server, At(VIP_SERVICE_UNRELIABLE));
}

CONFORMANCE_CASE(ErrorCallbackChecksItsParameters, "ErrorCallback.parameters")
{
    RunAlone([](Party& self) {
        BOOST_TEST(VipErrorCallback(nullptr, nullptr, nullptr) == REFUSED);
        BOOST_TEST(VipErrorCallback(self.vi, &self, &Log::OnError) == REFUSED);
    });
}

CONFORMANCE_CASE(EachNicHandleHasAHandlerUnlessTheyShareOne, "ErrorCallback.per-handle")
{
    Party other;
    const auto server = [&other](Party& self, Party&) {
        other.Open({});
        Pause(20 * PS_PER_MS);
        const bool shared = Habit("vipl.shared_handles"); // then the last one counts
        BOOST_TEST(self.Errors() == (shared ? "" : "RECVQ_EMPTY"));
        BOOST_TEST(other.Errors() == (shared ? "RECVQ_EMPTY" : ""));
    };
    RunPair(SendOne, server, At(VIP_SERVICE_UNRELIABLE));
}

CONFORMANCE_CASE(ErrorsAreToldInTheirOrder, "ErrorCallback.order async.recvq-empty")
{
    const auto client = [](Party& self, Party& peer) {
        self.Send(self.Make({}));
        self.Send(self.Write(peer.At(-1, 0), {self.At(0, 8)}));
        self.Send(self.Make({}));
        BOOST_TEST(self.Sent() == SENT);
        BOOST_TEST(self.Sent() == WROTE);
        BOOST_TEST(self.Sent() == SENT);
        VipDisconnect(self.vi);
    };
    const auto server = [](Party& self, Party&) {
        Pause(20 * PS_PER_MS);
        BOOST_TEST(self.Errors() == "RECVQ_EMPTY RDMAW_PROT RECVQ_EMPTY CONN_LOST");
    };
    RunPair(client, server, At(VIP_SERVICE_UNRELIABLE));
}

CONFORMANCE_CASE(AHandlerMayCallTheLibrary, "ErrorCallback.calls")
{
    const auto onError = [](VIP_PVOID context, VIP_ERROR_DESCRIPTOR* error) {
        *static_cast<VIP_VI_STATE*>(context) = StateOf(error->ViHandle);
    };
    const auto server = [&onError](Party& self, Party&) {
        VIP_VI_STATE seen = VIP_STATE_CONNECTED;
        BOOST_TEST(VipErrorCallback(self.nic, &seen, onError) == VIP_SUCCESS);
        Pause(20 * PS_PER_MS);
        StateOf(self.vi);
        BOOST_TEST(seen == VIP_STATE_ERROR);
    };
    RunPair([](Party& self, Party&) { VipDisconnect(self.vi); }, server);
}

CONFORMANCE_CASE(AnUnreliableViSurvivesDroppedMessages, "matrix.no-receive level.unreliable")
{
    const auto client = [](Party& self, Party&) {
        for (VIP_UINT32 i = 0; i < 5; ++i)
        {
            BOOST_TEST(SendOn(self, self.vi, self.Immediate(self.Make({}), i)) == SENT);
            Pause(10 * PS_PER_MS);
        }
    };
    const auto server = [](Party& self, Party&) {
        Pause(35 * PS_PER_MS); // misses some
        self.Receive(self.Make({}));
        BOOST_TEST(self.Received() == (RECEIVED | VIP_STATUS_IMMEDIATE));
        BOOST_TEST(self.last->CS.ImmediateData >= 3u);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_CONNECTED);
    };
    RunPair(client, server, At(VIP_SERVICE_UNRELIABLE));
}

CONFORMANCE_CASE(ADescriptorOfAnotherTagIsRefused, "async.post-desc protection.descriptor")
{
    const auto client = [](Party& self, Party&) {
        VIP_MEM_ATTRIBUTES other{nullptr, VIP_FALSE, VIP_FALSE};
        VIP_MEM_HANDLE handle = 0;
        VipCreatePtag(self.nic, &other.Ptag);
        VIP_DESCRIPTOR* descriptor = self.Make({});
        VipRegisterMem(self.nic, descriptor, 64, &other, &handle);
        BOOST_TEST(VipPostSend(self.vi, descriptor, handle) == VIP_SUCCESS);
        Pause(PS_PER_MS);
        BOOST_TEST(self.Errors() == "POST_DESC CONN_LOST");
        BOOST_TEST(descriptor->CS.Status == 0u); // nobody writes there
    };
    RunPair(client, Nothing);
}

CONFORMANCE_CASE(ADescriptorWhoseSegmentsAreNotRegisteredIsRefused,
                 "async.post-desc protection.descriptor")
{
    const auto client = [](Party& self, Party&) {
        VIP_MEM_HANDLE handle = 0;
        VIP_DESCRIPTOR* descriptor = self.Make({self.At(0, 1), self.At(1, 1), self.At(2, 1)});
        self.Register(descriptor, 64, &handle); // the third segment is behind
        BOOST_TEST(VipPostSend(self.vi, descriptor, handle) == VIP_SUCCESS);
        Pause(PS_PER_MS);
        BOOST_TEST(self.Errors() == "POST_DESC CONN_LOST");
    };
    RunPair(client, Nothing);
}

CONFORMANCE_CASE(ABadDescriptorIsNoMatterOfTheCall, "PostSend.never-refuses PostRecv.never-refuses")
{
    const auto client = [](Party& self, Party&) {
        BOOST_TEST(VipPostSend(self.vi, self.Make({}), 0) == VIP_SUCCESS);
        BOOST_TEST(VipPostRecv(self.vi, self.Make({}), 0) == VIP_SUCCESS);
        Pause(PS_PER_MS);
        BOOST_TEST(self.Errors().substr(0, 9) == "POST_DESC");
    };
    RunPair(client, Nothing);
}

BOOST_AUTO_TEST_SUITE_END()
