/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: descriptors that are refused, at both ends and at each reliability level.

#include "support/via-test-vipl-bench.h"

#include <functional>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

constexpr VIP_UINT32 FLUSHED = VIP_STATUS_DONE | VIP_STATUS_DESC_FLUSHED_ERROR;

using Maker = std::function<VIP_DESCRIPTOR*(Party& self)>;

Setup
At(VIP_USHORT level)
{
    Setup setup;
    setup.level = level;
    return setup;
}

/**
 * A send that fails where it was posted: no byte leaves. An unreliable VI goes on with the next
 * one, a reliable one breaks and flushes it.
 */
void
ExpectSendError(VIP_UINT32 error, const Maker& make, const ClusterConfig& config = {})
{
    for (const VIP_USHORT level : {VIP_SERVICE_UNRELIABLE, VIP_SERVICE_RELIABLE_DELIVERY})
    {
        const bool reliable = level == VIP_SERVICE_RELIABLE_DELIVERY;
        const auto client = [&](Party& self, Party&) {
            self.Send(make(self));
            self.Send(self.Make({}));
            BOOST_TEST((self.Sent() & ~VIP_STATUS_OP_MASK) == (VIP_STATUS_DONE | error));
            BOOST_TEST(self.Sent() == (reliable ? FLUSHED : SENT));
            BOOST_TEST(self.Errors() == (reliable ? "CONN_LOST" : ""));
            BOOST_TEST(self.State() == (reliable ? VIP_STATE_ERROR : VIP_STATE_CONNECTED));
        };
        const auto server = [&](Party& self, Party&) {
            self.Receive(self.Make({self.At(0, 100)}));
            BOOST_TEST(self.Received() == (reliable ? FLUSHED | VIP_STATUS_OP_RECEIVE : RECEIVED));
            BOOST_TEST(self.last->CS.Length == 0u); // that was the second one
            BOOST_TEST(self.Untouched());
            BOOST_TEST(self.Errors() == (reliable ? "CONN_LOST" : ""));
        };
        RunPair(client, server, At(level), config);
    }
}

/// A receive that fails although the message was fine: no byte is placed.
void
ExpectReceiveError(VIP_UINT32 error, const Maker& make, const ClusterConfig& config = {})
{
    for (const VIP_USHORT level : {VIP_SERVICE_UNRELIABLE, VIP_SERVICE_RELIABLE_DELIVERY})
    {
        const bool reliable = level == VIP_SERVICE_RELIABLE_DELIVERY;
        const auto client = [&](Party& self, Party&) {
            self.Fill(0, 100, 1);
            self.Send(self.Immediate(self.Make({self.At(0, 100)}), 7));
            BOOST_TEST(self.Sent() == SENT); // it was handed to the fabric
            Pause(PS_PER_MS);
            BOOST_TEST(self.Errors() == (reliable ? "CONN_LOST" : ""));
        };
        const auto server = [&](Party& self, Party&) {
            self.Receive(make(self));
            BOOST_TEST(self.Received() == (RECEIVED | error));
            BOOST_TEST(self.last->CS.ImmediateData == 0u);
            BOOST_TEST(self.last->CS.Length == 0u);
            BOOST_TEST(self.Untouched());
            BOOST_TEST(self.State() == (reliable ? VIP_STATE_ERROR : VIP_STATE_CONNECTED));
        };
        RunPair(client, server, At(level), config);
    }
}

/// A post the NIC cannot look at: asynchronous error, the VI breaks at any level.
void
ExpectBadPost(const std::function<void(Party&, bool receive)>& post)
{
    for (const bool receive : {false, true})
    {
        for (const VIP_USHORT level : {VIP_SERVICE_UNRELIABLE, VIP_SERVICE_RELIABLE_DELIVERY})
        {
            const auto client = [&](Party& self, Party&) {
                receive ? void(self.Send(self.Make({self.At(0, 100)}))) : post(self, false);
                Pause(PS_PER_MS);
                BOOST_TEST(self.Errors() == (receive ? "CONN_LOST" : "POST_DESC CONN_LOST"));
                VIP_DESCRIPTOR* taken = nullptr;
                BOOST_TEST(VipSendDone(self.vi, &taken) ==
                           (receive ? VIP_SUCCESS : VIP_DESCRIPTOR_ERROR));
                BOOST_TEST(taken != nullptr);
            };
            const auto server = [&](Party& self, Party&) {
                receive ? post(self, true) : void(self.Receive(self.Make({self.At(0, 100)})));
                Pause(10 * PS_PER_MS);
                BOOST_TEST(self.Errors() == (receive ? "POST_DESC CONN_LOST" : "CONN_LOST"));
                BOOST_TEST(self.Untouched());
                VIP_DESCRIPTOR* taken = nullptr;
                BOOST_TEST(VipRecvDone(self.vi, &taken) == VIP_DESCRIPTOR_ERROR);
                BOOST_TEST(taken != nullptr);
            };
            RunPair(client, server, At(level));
        }
    }
}

/// A region with a tag that no VI has.
Extent
Tagged(Party& self)
{
    VIP_MEM_ATTRIBUTES other{nullptr, VIP_TRUE, VIP_FALSE};
    VipCreatePtag(self.nic, &other.Ptag);
    Extent extent = self.At(0, 100);
    VipRegisterMem(self.nic, self.At(0), 100, &other, &extent.handle);
    return extent;
}

/// A region that is no longer registered.
Extent
Stale(Party& self)
{
    Extent extent = self.At(0, 100);
    self.Register(self.At(0), 100, &extent.handle);
    VipDeregisterMem(self.nic, self.At(0), extent.handle);
    return extent;
}

Extent
Wrapping(Party& self)
{
    return {reinterpret_cast<void*>(~0UL - 50), 100, self.region};
}

void
ExpectProtectionErrors(const std::function<void(VIP_UINT32, const Maker&)>& expect)
{
    const VIP_UINT32 error = VIP_STATUS_PROTECTION_ERROR;
    expect(error, [](Party& self) { return self.Make({self.At(-1, 100)}); });
    expect(error, [](Party& self) { return self.Make({self.At(Party::REGION - 99, 100)}); });
    expect(error, [](Party& self) { return self.Make({Wrapping(self)}); });
    expect(error, [](Party& self) { return self.Make({{self.At(0), 100, 0}}); });
    expect(error, [](Party& self) { return self.Make({{self.At(0), 100, 0xFFFFFFFF}}); });
    expect(error, [](Party& self) { return self.Make({{self.At(0), 100, self.pool}}); });
    expect(error, [](Party& self) { return self.Make({Tagged(self)}); });
    expect(error, [](Party& self) { return self.Make({Stale(self)}); });
    expect(error, [](Party& self) { return self.Make({self.At(0, 50), self.At(-1, 50)}); });
}

} // namespace

BOOST_AUTO_TEST_SUITE(vipl_protection)

BOOST_AUTO_TEST_CASE(ASendFromMemoryTheViMayNotUseIsRefused)
{
    ExpectProtectionErrors(
        [](VIP_UINT32 error, const Maker& make) { ExpectSendError(error, make); });
}

BOOST_AUTO_TEST_CASE(AReceiveIntoMemoryTheViMayNotUseIsRefused)
{
    ExpectProtectionErrors(
        [](VIP_UINT32 error, const Maker& make) { ExpectReceiveError(error, make); });
}

BOOST_AUTO_TEST_CASE(MemoryOfAnotherProcessOfTheNodeIsForeign)
{
    Party ends[3];
    Cluster cluster{ClusterConfig{}};
    cluster.AddProcess(0, [&] {
        ends[0].Open({});
        ends[0].Connect(ends[0].vi, 1);
        Pause(PS_PER_MS);
        ends[0].Send(ends[0].Make({{ends[2].At(0), 100, ends[2].region}}));
        BOOST_TEST(ends[0].Sent() == (SENT | VIP_STATUS_PROTECTION_ERROR));
        return 0;
    });
    cluster.AddProcess(1, [&] {
        ends[1].Open({});
        ends[1].Receive(ends[1].Make({ends[1].At(0, 100)}));
        ends[1].Listen(ends[1].vi);
        BOOST_TEST(ends[1].Received() == (FLUSHED | VIP_STATUS_OP_RECEIVE));
        BOOST_TEST(ends[1].Untouched());
        return 0;
    });
    cluster.AddProcess(0, [&] {
        ends[2].Open({});
        Pause(PS_PER_SECOND);
        return 0;
    });
    BOOST_TEST((cluster.Run().exit == RunExit::SUCCESS));
}

BOOST_AUTO_TEST_CASE(AMisshapenSendIsAFormatError)
{
    const VIP_UINT32 error = VIP_STATUS_FORMAT_ERROR;
    for (const VIP_UINT16 control :
         {VIP_CONTROL_OP_RESERVED, VIP_CONTROL_OP_RDMAREAD, 0x10, 0x8000})
    {
        ExpectSendError(error, [control](Party& self) {
            return self.Make({self.At(0, 100), self.At(0, 0)}, control);
        });
    }
    ExpectSendError(error, [](Party& self) { return self.Make({}, VIP_CONTROL_OP_RDMAWRITE); });
}

BOOST_AUTO_TEST_CASE(OneSegmentTooManyIsAFormatError)
{
    ClusterConfig config;
    config.overrides["nic.max_segments"] = "2";
    const auto three = [](Party& self) {
        return self.Make({self.At(0, 10), self.At(10, 10), self.At(20, 80)});
    };
    ExpectSendError(VIP_STATUS_FORMAT_ERROR, three, config);
    ExpectReceiveError(VIP_STATUS_FORMAT_ERROR, three, config);
}

BOOST_AUTO_TEST_CASE(ALengthThatIsNotTheSegmentsSumIsALengthError)
{
    for (const int wrong : {-1, 1})
    {
        ExpectSendError(VIP_STATUS_LENGTH_ERROR, [wrong](Party& self) {
            VIP_DESCRIPTOR* descriptor = self.Make({self.At(0, 50), self.At(50, 50)});
            descriptor->CS.Length = static_cast<VIP_UINT32>(100 + wrong);
            return descriptor;
        });
    }
}

BOOST_AUTO_TEST_CASE(OneByteMoreThanTheViTransfersIsALengthError)
{
    ExpectSendError(VIP_STATUS_LENGTH_ERROR,
                    [](Party& self) { return self.Make({self.At(0, 65537)}); });
}

BOOST_AUTO_TEST_CASE(ASumOfSegmentsThatOverflowsDeceivesNobody)
{
    ExpectSendError(VIP_STATUS_PROTECTION_ERROR, [](Party& self) {
        VIP_DESCRIPTOR* descriptor = self.Make({self.At(0, 0xFFFFFFFF), self.At(0, 101)});
        BOOST_TEST(descriptor->CS.Length == 100u);
        return descriptor;
    });
}

BOOST_AUTO_TEST_CASE(AMessageLongerThanItsReceiveIsALengthError)
{
    ExpectReceiveError(VIP_STATUS_LENGTH_ERROR, [](Party& self) {
        return self.Make({self.At(0, 60), self.At(60, 39)});
    });
    ExpectReceiveError(VIP_STATUS_LENGTH_ERROR, [](Party& self) { return self.Make({}); });
}

BOOST_AUTO_TEST_CASE(ADescriptorOffItsAlignmentIsRefused)
{
    ExpectBadPost([](Party& self, bool receive) {
        auto* bytes = reinterpret_cast<char*>(self.Make({self.At(0, 100), self.At(0, 0)}));
        auto* off = reinterpret_cast<VIP_DESCRIPTOR*>(bytes + 4);
        receive ? self.Receive(off) : self.Send(off);
    });
}

BOOST_AUTO_TEST_CASE(ADescriptorInMemoryThatIsNotRegisteredIsRefused)
{
    ExpectBadPost([](Party& self, bool receive) {
        auto* outside = reinterpret_cast<VIP_DESCRIPTOR*>(self.Pool() + Party::POOL -
                                                          Party::POOL % 64 + 0x100000000000);
        receive ? self.Receive(outside) : self.Send(outside);
    });
}

BOOST_AUTO_TEST_CASE(ADescriptorWithAWrongOrStaleHandleIsRefused)
{
    for (const bool stale : {false, true})
    {
        ExpectBadPost([stale](Party& self, bool receive) {
            VIP_DESCRIPTOR* descriptor = self.Make({self.At(0, 100)});
            VIP_MEM_HANDLE handle = self.region;
            if (stale)
            {
                self.Register(descriptor, 64, &handle);
                VipDeregisterMem(self.nic, descriptor, handle);
            }
            receive ? VipPostRecv(self.vi, descriptor, handle)
                    : VipPostSend(self.vi, descriptor, handle);
        });
    }
}

BOOST_AUTO_TEST_CASE(ADescriptorInARegionOfAnotherTagIsRefused)
{
    ExpectBadPost([](Party& self, bool receive) {
        VIP_DESCRIPTOR* descriptor = self.Make({self.At(0, 100)});
        VIP_MEM_ATTRIBUTES other{nullptr, VIP_TRUE, VIP_FALSE};
        VIP_MEM_HANDLE handle = 0;
        VipCreatePtag(self.nic, &other.Ptag);
        VipRegisterMem(self.nic, descriptor, 64, &other, &handle);
        receive ? VipPostRecv(self.vi, descriptor, handle)
                : VipPostSend(self.vi, descriptor, handle);
    });
}

BOOST_AUTO_TEST_CASE(ADescriptorWhoseLastSegmentsAreNotRegisteredIsRefused)
{
    ExpectBadPost([](Party& self, bool receive) {
        VIP_DESCRIPTOR* descriptor = self.Make({self.At(0, 50), self.At(50, 25), self.At(75, 25)});
        VIP_MEM_HANDLE handle = 0;
        self.Register(descriptor, 64, &handle);
        receive ? VipPostRecv(self.vi, descriptor, handle)
                : VipPostSend(self.vi, descriptor, handle);
    });
}

BOOST_AUTO_TEST_CASE(PostsWithoutAViOrADescriptorAreRefusedByTheCall)
{
    RunAlone([](Party& self) {
        BOOST_TEST(VipPostSend(nullptr, self.Make({}), self.pool) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipPostSend(self.vi, nullptr, self.pool) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipPostRecv(nullptr, self.Make({}), self.pool) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipPostRecv(self.vi, nullptr, self.pool) == VIP_INVALID_PARAMETER);
    });
}

BOOST_AUTO_TEST_CASE(AMessageWithoutAReceiveIsDroppedOnAnUnreliableVi)
{
    const auto client = [](Party& self, Party&) {
        self.Send(self.Make({self.At(0, 100)}));
        BOOST_TEST(self.Sent() == SENT);
        Pause(2 * PS_PER_MS);
        self.Send(self.Make({}));
        BOOST_TEST(self.Errors() == "");
    };
    const auto server = [](Party& self, Party&) {
        Pause(2 * PS_PER_MS);
        BOOST_TEST(self.Errors() == "RECVQ_EMPTY");
        BOOST_TEST(self.errors[0].ResourceCode == VIP_RESOURCE_VI);
        BOOST_TEST(self.errors[0].ViHandle == self.vi);
        BOOST_TEST(self.errors[0].NicHandle == self.nic);
        self.Receive(self.Make({self.At(0, 100)}));
        BOOST_TEST(self.Received() == RECEIVED);
        BOOST_TEST(self.Untouched());
    };
    RunPair(client, server, At(VIP_SERVICE_UNRELIABLE));
}

BOOST_AUTO_TEST_CASE(AMessageWithoutAReceiveBreaksAReliableVi)
{
    const auto client = [](Party& self, Party&) {
        self.Send(self.Make({self.At(0, 100)}));
        Pause(PS_PER_MS);
        BOOST_TEST(self.Errors() == "CONN_LOST");
        BOOST_TEST(self.State() == VIP_STATE_ERROR);
    };
    const auto server = [](Party& self, Party&) {
        Pause(10 * PS_PER_MS);
        BOOST_TEST(self.Errors() == "RECVQ_EMPTY CONN_LOST");
        BOOST_TEST(self.State() == VIP_STATE_ERROR);
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_CASE(AReceiveChangedWhileItsMessageArrivesCannotMisleadTheNic)
{
    const auto client = [](Party& self, Party&) { self.Send(self.Make({self.At(0, 65536)})); };
    const auto server = [](Party& self, Party&) {
        VIP_DESCRIPTOR* descriptor = self.Make({self.At(0, 65536)});
        *self.At(0) = 1;
        self.Receive(descriptor);
        VIP_DESCRIPTOR* none;
        while (*self.At(0) == 1)
        {
            VipRecvDone(self.vi, &none);
        }
        descriptor->DS[0].Local.Data.Address = self.At(-Party::GUARD);
        descriptor->DS[0].Local.Length = 0;
        self.Received();
        BOOST_TEST(self.Untouched(-static_cast<std::int64_t>(Party::GUARD), Party::GUARD));
    };
    RunPair(client, server, At(VIP_SERVICE_UNRELIABLE));
}

BOOST_AUTO_TEST_SUITE_END()
