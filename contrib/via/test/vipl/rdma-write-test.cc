/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: RDMA writes, and each way in which a target refuses them.

#include "support/via-test-vipl-bench.h"

#include <functional>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

constexpr VIP_UINT32 SIZE = 1000;

using Remote = std::function<Extent(Party& target)>;

/// Writes SIZE bytes to what @p remote names; @p prepare runs at the target first.
void
ExpectRefusal(
    const Remote& remote,
    const Setup& setup = {},
    const PartyBody& prepare = [](Party&) {})
{
    for (const VIP_USHORT level : {VIP_SERVICE_UNRELIABLE, VIP_SERVICE_RELIABLE_DELIVERY})
    {
        const bool reliable = level == VIP_SERVICE_RELIABLE_DELIVERY;
        const auto client = [&](Party& self, Party& target) {
            self.Fill(0, SIZE, 1);
            self.Send(self.Write(remote(target), {self.At(0, SIZE)}));
            BOOST_TEST(self.Sent() == WROTE);
            Pause(PS_PER_MS);
            BOOST_TEST(self.Errors() == (reliable ? "CONN_LOST" : ""));
        };
        const auto server = [&](Party& self, Party&) {
            prepare(self);
            Pause(10 * PS_PER_MS);
            BOOST_TEST(self.Untouched());
            BOOST_TEST(self.Errors() == (reliable ? "RDMAW_PROT CONN_LOST" : "RDMAW_PROT"));
            BOOST_TEST(self.State() == (reliable ? VIP_STATE_ERROR : VIP_STATE_CONNECTED));
        };
        Setup leveled = setup;
        leveled.level = level;
        RunPair(client, server, leveled);
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(vipl_rdma_write)

BOOST_AUTO_TEST_CASE(TheBytesLandWhereTheyShouldAndNobodyIsTold)
{
    const auto client = [](Party& self, Party& target) {
        self.Fill(0, SIZE, 1);
        self.Send(self.Write(target.At(77, 0), {self.At(0, 400), self.At(400, 600)}));
        BOOST_TEST(self.Sent() == WROTE);
        BOOST_TEST(self.last->CS.Length == SIZE);
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({}));
        Pause(10 * PS_PER_MS);
        VIP_DESCRIPTOR* none;
        BOOST_TEST(VipRecvDone(self.vi, &none) == VIP_NOT_DONE);
        BOOST_TEST(self.Holds(77, SIZE, 1));
        BOOST_TEST(self.Untouched(-4096, 4096 + 77));
        BOOST_TEST(self.Untouched(77 + SIZE, 5000));
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_CASE(ImmediateDataConsumesAReceiveWhoseSegmentsStayUntouched)
{
    const auto client = [](Party& self, Party& target) {
        self.Fill(0, SIZE, 1);
        self.Send(self.Immediate(self.Write(target.At(5000, 0), {self.At(0, SIZE)}), 99));
        BOOST_TEST(self.Sent() == WROTE);
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({self.At(0, 10)}));
        BOOST_TEST(self.Received() == (WAS_WRITTEN | VIP_STATUS_IMMEDIATE));
        BOOST_TEST(self.last->CS.ImmediateData == 99u);
        BOOST_TEST(self.last->CS.Length == SIZE);
        BOOST_TEST(self.Holds(5000, SIZE, 1));
        BOOST_TEST(self.Untouched(0, 5000));
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_CASE(ALaterMessageMeansThatEarlierWritesAreThere)
{
    const auto client = [](Party& self, Party& target) {
        self.Fill(0, 65536, 1);
        self.Send(self.Write(target.At(0, 0), {self.At(0, 65536)}));
        self.Send(self.Make({}));
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({}));
        BOOST_TEST(self.Received() == RECEIVED);
        BOOST_TEST(self.Holds(0, 65536, 1));
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_CASE(AProgramMayPollTheLastByteOfAWrite)
{
    const auto client = [](Party& self, Party& target) {
        self.Fill(0, 20000, 1);
        self.Send(self.Write(target.At(0, 0), {self.At(0, 20000)}));
    };
    const auto server = [](Party& self, Party&) {
        VIP_DESCRIPTOR* none;
        while (*self.At(19999) == Party::CANARY)
        {
            BOOST_TEST(VipRecvDone(self.vi, &none) == VIP_DESCRIPTOR_ERROR);
        }
        BOOST_TEST(self.Holds(0, 20000, 1));
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_CASE(AnEmptyWriteTouchesNothing)
{
    const auto client = [](Party& self, Party& target) {
        self.Send(self.Write({target.At(0), 0, 0}, {}));
        self.Send(self.Immediate(self.Write({target.At(0), 0, 0}, {self.At(0, 0)}), 1));
        BOOST_TEST(self.Sent() == WROTE);
        BOOST_TEST(self.Sent() == WROTE);
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({}));
        BOOST_TEST(self.Received() == (WAS_WRITTEN | VIP_STATUS_IMMEDIATE));
        BOOST_TEST(self.Untouched());
        BOOST_TEST(self.Errors() == "");
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_CASE(AWriteThatBeginsBeforeTheRegionIsRefused)
{
    ExpectRefusal([](Party& target) { return target.At(-1, 0); });
}

BOOST_AUTO_TEST_CASE(AWriteThatEndsBehindTheRegionIsRefused)
{
    ExpectRefusal([](Party& target) { return target.At(Party::REGION - SIZE + 1, 0); });
}

BOOST_AUTO_TEST_CASE(AWriteWhoseEndWrapsAroundIsRefused)
{
    ExpectRefusal([](Party& target) {
        return Extent{reinterpret_cast<void*>(~0UL - 10), 0, target.region};
    });
}

BOOST_AUTO_TEST_CASE(AWriteThroughAWrongHandleIsRefused)
{
    ExpectRefusal([](Party& target) { return Extent{target.At(0), 0, 0}; });
    ExpectRefusal([](Party& target) { return Extent{target.At(0), 0, 0xFFFFFFFF}; });
    ExpectRefusal([](Party& target) { return Extent{target.At(0), 0, target.region ^ 0x100000}; });
    ExpectRefusal([](Party& target) { return Extent{target.At(0), 0, target.pool}; });
}

BOOST_AUTO_TEST_CASE(AWriteThroughAStaleHandleIsRefused)
{
    VIP_MEM_HANDLE stale = 0;
    ExpectRefusal(
        [&](Party& target) {
            return Extent{target.At(0), 0, stale};
        },
        {},
        [&](Party& target) {
            stale = target.region;
            VipDeregisterMem(target.nic, target.At(0), target.region);
            target.Register(target.At(0), Party::REGION, &target.region);
            BOOST_TEST(target.region != stale);
        });
}

BOOST_AUTO_TEST_CASE(AWriteThroughAViThatForbidsItIsRefused)
{
    Setup setup;
    setup.viRdma = false;
    ExpectRefusal([](Party& target) { return target.At(0, 0); }, setup);
}

BOOST_AUTO_TEST_CASE(AWriteIntoARegionThatForbidsItIsRefused)
{
    Setup setup;
    setup.regionRdma = false;
    ExpectRefusal([](Party& target) { return target.At(0, 0); }, setup);
}

BOOST_AUTO_TEST_CASE(AWriteIntoARegionOfAnotherTagIsRefused)
{
    ExpectRefusal([](Party& target) { return target.At(0, 0); },
                  {},
                  [](Party& target) {
                      VIP_MEM_ATTRIBUTES other{nullptr, VIP_TRUE, VIP_FALSE};
                      VipCreatePtag(target.nic, &other.Ptag);
                      VipSetMemAttributes(target.nic, target.At(0), target.region, &other);
                  });
}

BOOST_AUTO_TEST_CASE(ARefusalOfAWriteWithImmediateDataIsToldByTheReceiveAlone)
{
    Setup setup;
    setup.regionRdma = false;
    setup.level = VIP_SERVICE_UNRELIABLE;
    const auto client = [](Party& self, Party& target) {
        self.Send(self.Immediate(self.Write(target.At(0, 0), {self.At(0, SIZE)}), 99));
        BOOST_TEST(self.Sent() == WROTE);
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({self.At(0, 8)}));
        BOOST_TEST(self.Received() == (WAS_WRITTEN | VIP_STATUS_RDMA_PROT_ERROR));
        BOOST_TEST(self.last->CS.Length == 0u);
        BOOST_TEST(self.last->CS.ImmediateData == 0u);
        BOOST_TEST(self.Untouched());
        BOOST_TEST(self.Errors() == "");
        BOOST_TEST(self.State() == VIP_STATE_CONNECTED);
    };
    RunPair(client, server, setup);
}

BOOST_AUTO_TEST_CASE(AWriteWithImmediateDataNeedsAReceive)
{
    const auto client = [](Party& self, Party& target) {
        self.Send(self.Immediate(self.Write(target.At(0, 0), {self.At(0, SIZE)}), 99));
        Pause(PS_PER_MS);
        BOOST_TEST(self.Errors() == "CONN_LOST");
    };
    const auto server = [](Party& self, Party&) {
        Pause(10 * PS_PER_MS);
        BOOST_TEST(self.Errors() == "RECVQ_EMPTY CONN_LOST");
        BOOST_TEST(self.Untouched());
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_CASE(AWriteWithImmediateDataWritesIntoNoBadReceiveDescriptor)
{
    const auto client = [](Party& self, Party& target) {
        self.Send(self.Immediate(self.Write(target.At(0, 0), {self.At(0, SIZE)}), 99));
    };
    const auto server = [](Party& self, Party&) {
        VIP_DESCRIPTOR* descriptor = self.Make({});
        VipPostRecv(self.vi, descriptor, self.region); // the handle is not its own
        Pause(10 * PS_PER_MS);
        BOOST_TEST(self.Errors() == "POST_DESC CONN_LOST");
        BOOST_TEST(descriptor->CS.ImmediateData == 0u);
        BOOST_TEST(descriptor->CS.Status == 0u);
        BOOST_TEST(self.Untouched());
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_CASE(ALocalRefusalKeepsAWriteAtHome)
{
    const auto client = [](Party& self, Party& target) {
        self.Send(self.Write(target.At(0, 0), {{self.At(-1), 8, self.region}}));
        BOOST_TEST(self.Sent() == (WROTE | VIP_STATUS_PROTECTION_ERROR));
    };
    const auto server = [](Party& self, Party&) {
        Pause(10 * PS_PER_MS);
        BOOST_TEST(self.Untouched());
        BOOST_TEST(self.Errors() == "CONN_LOST");
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_SUITE_END()
