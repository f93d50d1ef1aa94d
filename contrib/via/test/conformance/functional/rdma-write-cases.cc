/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Functional: RDMA writes and who may do them.

#include "conformance/via-conformance-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

using Target = std::function<Extent(Party& peer)>;

/// A write of 100 bytes that the target refuses: nothing is placed, the VI stays connected.
void
ExpectRefused(const Target& target, const Setup& setup = At(VIP_SERVICE_UNRELIABLE))
{
    const auto client = [&](Party& self, Party& peer) {
        self.Fill(0, 100, 1);
        BOOST_TEST(SendOn(self, self.vi, self.Write(target(peer), {self.At(0, 100)})) == WROTE);
        // not answered: an unreliable sender learns nothing
        BOOST_TEST(SendOn(self, self.vi, self.Make({})) == SENT);
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({}));
        BOOST_TEST(self.Received() == RECEIVED);
        BOOST_TEST(self.Errors() == "RDMAW_PROT");
        BOOST_TEST(FirstError(self).ResourceCode == VIP_RESOURCE_VI);
        BOOST_TEST(FirstError(self).ViHandle == self.vi);
        BOOST_TEST(self.Untouched());
    };
    RunPair(client, server, setup);
}

} // namespace

BOOST_AUTO_TEST_SUITE(functional)

CONFORMANCE_CASE(AnRdmaWriteWithImmediateTakesAReceive, "rdma-write.immediate")
{
    const auto client = [](Party& self, Party& peer) {
        self.Fill(0, 1000, 1);
        self.Send(self.Immediate(self.Write(peer.At(2000, 0), {self.At(0, 1000)}), 77));
        BOOST_TEST((self.Sent() & ~VIP_STATUS_IMMEDIATE) == WROTE);
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({self.At(0, 1000)}));
        BOOST_TEST(self.Received() == (WAS_WRITTEN | VIP_STATUS_IMMEDIATE));
        BOOST_TEST(self.last->CS.ImmediateData == 77u);
        BOOST_TEST(self.Holds(2000, 1000, 1));
        BOOST_TEST(self.Untouched(0, 2000)); // its data segments are not used
    };
    RunPair(client, server);
}

CONFORMANCE_CASE(AnRdmaWriteIsGathered, "rdma-write.segments")
{
    const auto client = [](Party& self, Party& peer) {
        self.Fill(0, 300, 1);
        self.Send(self.Write(peer.At(0, 0), {self.At(0, 1), self.At(1, 99), self.At(100, 200)}));
        BOOST_TEST(self.Sent() == WROTE);
        BOOST_TEST(self.last->CS.Length == 300u);
        SendOn(self, self.vi, self.Make({}));
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({}));
        BOOST_TEST(self.Received() == RECEIVED);
        BOOST_TEST(self.Holds(0, 300, 1));
        BOOST_TEST(self.Untouched(300, 1000));
    };
    RunPair(client, server);
}

CONFORMANCE_CASE(AnRdmaWriteMayBeEmpty, "rdma-write.empty")
{
    const auto client = [](Party& self, Party& peer) {
        BOOST_TEST(SendOn(self, self.vi, self.Write(peer.At(0, 0), {})) == WROTE);
        self.Send(self.Immediate(self.Write(peer.At(0, 0), {self.At(0, 0)}), 5));
        BOOST_TEST((self.Sent() & ~VIP_STATUS_IMMEDIATE) == WROTE);
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({}));
        BOOST_TEST(self.Received() == (WAS_WRITTEN | VIP_STATUS_IMMEDIATE));
        BOOST_TEST(self.last->CS.ImmediateData == 5u);
        BOOST_TEST(self.Untouched());
    };
    RunPair(client, server);
}

CONFORMANCE_CASE(AnRdmaWriteMovesTheLargestTransfer, "rdma-write.max-transfer")
{
    const auto size = static_cast<VIP_UINT32>(UsualTransfer());
    const auto client = [size](Party& self, Party& peer) {
        self.Fill(0, size, 1);
        BOOST_TEST(SendOn(self, self.vi, self.Write(peer.At(0, 0), {self.At(0, size)})) == WROTE);
        SendOn(self, self.vi, self.Make({}));
    };
    const auto server = [size](Party& self, Party&) {
        self.Receive(self.Make({}));
        BOOST_TEST(self.Received() == RECEIVED);
        BOOST_TEST(self.Holds(0, size, 1));
    };
    RunPair(client, server);
}

CONFORMANCE_CASE(AnRdmaWriteHasOneAddressSegmentAtLeast, "rdma-write.address-segment status.format")
{
    const auto client = [](Party& self, Party&) {
        self.Send(self.Make({}, VIP_CONTROL_OP_RDMAWRITE));
        BOOST_TEST((self.Sent() & VIP_STATUS_ERROR_MASK) == VIP_STATUS_FORMAT_ERROR);
    };
    RunPair(client, Nothing, At(VIP_SERVICE_UNRELIABLE));
}

CONFORMANCE_CASE(RdmaWritesLandInOrder, "order.rdma")
{
    const auto client = [](Party& self, Party& peer) {
        for (int round = 1; round <= 20; ++round)
        {
            self.Fill(0, 5000, round);
            BOOST_TEST(SendOn(self, self.vi, self.Write(peer.At(0, 0), {self.At(0, 5000)})) ==
                       WROTE);
        }
        SendOn(self, self.vi, self.Make({}));
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({}));
        BOOST_TEST(self.Received() == RECEIVED); // a send implies the writes before it
        BOOST_TEST(self.Holds(0, 5000, 20));
    };
    RunPair(client, server);
}

CONFORMANCE_CASE(ARegionMustAllowRdmaWrites, "protection.rdma-enable-region")
{
    Setup setup = At(VIP_SERVICE_UNRELIABLE);
    setup.regionRdma = false;
    ExpectRefused([](Party& peer) { return peer.At(0, 0); }, setup);
}

CONFORMANCE_CASE(AViMustAllowRdmaWrites, "protection.rdma-enable-vi")
{
    Setup setup = At(VIP_SERVICE_UNRELIABLE);
    setup.viRdma = false;
    ExpectRefused([](Party& peer) { return peer.At(0, 0); }, setup);
}

CONFORMANCE_CASE(AnRdmaWriteStaysInsideItsRegion, "protection.rdma-range")
{
    ExpectRefused([](Party& peer) { return peer.At(-1, 0); });
    ExpectRefused([](Party& peer) { return peer.At(Party::REGION - 99, 0); });
    ExpectRefused([](Party& peer) { return peer.At(Party::REGION, 0); });
    ExpectRefused([](Party& peer) {
        return Extent{reinterpret_cast<void*>(~0UL - 50), 0, peer.region};
    });
}

CONFORMANCE_CASE(AnRdmaWriteMayReachTheRegionsLastByte, "protection.rdma-range")
{
    const auto client = [](Party& self, Party& peer) {
        self.Fill(0, 100, 1);
        self.Send(self.Write(peer.At(Party::REGION - 100, 0), {self.At(0, 100)}));
        BOOST_TEST(self.Sent() == WROTE);
        SendOn(self, self.vi, self.Make({}));
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({}));
        BOOST_TEST(self.Received() == RECEIVED);
        BOOST_TEST(self.Holds(Party::REGION - 100, 100, 1));
        BOOST_TEST(self.Untouched(Party::REGION, Party::GUARD));
    };
    RunPair(client, server);
}

CONFORMANCE_CASE(AnRdmaWriteNeedsALiveHandle, "protection.rdma-handle")
{
    ExpectRefused([](Party& peer) { return Extent{peer.At(0), 0, 0}; });
    ExpectRefused([](Party& peer) { return Extent{peer.At(0), 0, peer.region ^ 0x40000000}; });
    ExpectRefused([](Party& peer) { return Extent{peer.At(0), 0, peer.pool}; });
}

CONFORMANCE_CASE(ARegionThatIsGoneIsNotWritten, "protection.rdma-handle DeregisterMem.effect")
{
    const auto client = [](Party& self, Party& peer) {
        Pause(5 * PS_PER_MS);
        self.Fill(0, 100, 1);
        SendOn(self, self.vi, self.Write(peer.At(0, 0), {self.At(0, 100)}));
    };
    const auto server = [](Party& self, Party&) {
        BOOST_TEST(VipDeregisterMem(self.nic, self.At(0), self.region) == VIP_SUCCESS);
        Pause(20 * PS_PER_MS);
        BOOST_TEST(self.Errors() == "RDMAW_PROT");
        BOOST_TEST(self.Untouched());
    };
    RunPair(client, server, At(VIP_SERVICE_UNRELIABLE));
}

CONFORMANCE_CASE(AnRdmaWriteNeedsTheTargetVisTag, "protection.rdma-tag")
{
    const auto client = [](Party& self, Party& peer) {
        Pause(5 * PS_PER_MS);
        self.Fill(0, 100, 1);
        SendOn(self, self.vi, self.Write(peer.At(0, 0), {self.At(0, 100)}));
    };
    const auto server = [](Party& self, Party&) {
        VIP_MEM_ATTRIBUTES other{nullptr, VIP_TRUE, VIP_FALSE};
        VipCreatePtag(self.nic, &other.Ptag);
        BOOST_TEST(VipSetMemAttributes(self.nic, self.At(0), self.region, &other) == VIP_SUCCESS);
        Pause(20 * PS_PER_MS);
        BOOST_TEST(self.Errors() == "RDMAW_PROT");
        BOOST_TEST(self.Untouched());
    };
    RunPair(client, server, At(VIP_SERVICE_UNRELIABLE));
}

CONFORMANCE_CASE(TheInitiatorsRightsDoNotMatter, "protection.rdma-target-only")
{
    const auto client = [](Party& self, Party& peer) {
        VIP_MEM_ATTRIBUTES closed{self.tag, VIP_FALSE, VIP_FALSE};
        VipSetMemAttributes(self.nic, self.At(0), self.region, &closed);
        self.Fill(0, 100, 1);
        BOOST_TEST(SendOn(self, self.vi, self.Write(peer.At(0, 0), {self.At(0, 100)})) == WROTE);
        SendOn(self, self.vi, self.Make({}));
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({}));
        BOOST_TEST(self.Received() == RECEIVED);
        BOOST_TEST(self.Holds(0, 100, 1));
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_SUITE_END()
