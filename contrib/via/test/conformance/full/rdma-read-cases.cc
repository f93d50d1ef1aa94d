/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Full: RDMA reads, where a profile offers them.

#include "conformance/via-conformance-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// Client and server as given, if the profile has RDMA reads.
void
RunReaders(const PairBody& client, const PairBody& server, const Setup& setup = WithRead())
{
    if (Offered(Feature::RDMA_READ))
    {
        RunPair(client, server, setup);
    }
}

/// A read that the target refuses: the initiator is told, and the connection breaks.
void
ExpectRefused(const std::function<Extent(Party& peer)>& target, const Setup& setup = WithRead())
{
    const auto client = [&](Party& self, Party& peer) {
        self.Send(self.Read(target(peer), {self.At(0, 100)}));
        BOOST_TEST(self.Sent() == (READ | VIP_STATUS_RDMA_PROT_ERROR));
        BOOST_TEST(self.Untouched());
        Pause(10 * PS_PER_MS);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_ERROR);
    };
    const auto server = [](Party& self, Party&) {
        Pause(50 * PS_PER_MS);
        BOOST_TEST(self.Errors() == "RDMAR_PROT CONN_LOST");
        BOOST_TEST(FirstError(self).ViHandle == self.vi);
    };
    RunReaders(client, server, setup);
}

} // namespace

BOOST_AUTO_TEST_SUITE(full)

CONFORMANCE_CASE(AnRdmaReadFetches, "rdma-read.fetch")
{
    const auto client = [](Party& self, Party& peer) {
        peer.Fill(0, 30000, 1);
        BOOST_TEST(SendOn(self, self.vi, self.Read(peer.At(0, 0), {self.At(0, 30000)})) == READ);
        BOOST_TEST(self.last->CS.Length == 30000u);
        BOOST_TEST(self.Holds(0, 30000, 1));
        BOOST_TEST(self.Untouched(30000, 1000));
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({}));
        Pause(50 * PS_PER_MS);
        BOOST_TEST(VipRecvDone(self.vi, &self.last) == VIP_NOT_DONE); // it takes no receive
        BOOST_TEST(self.Errors() == "");
    };
    RunReaders(client, server);
}

CONFORMANCE_CASE(AnRdmaReadIsScattered, "rdma-read.segments")
{
    const auto client = [](Party& self, Party& peer) {
        peer.Fill(0, 300, 1);
        self.Send(self.Read(peer.At(0, 0), {self.At(0, 1), self.At(1, 99), self.At(100, 200)}));
        BOOST_TEST(self.Sent() == READ);
        BOOST_TEST(self.Holds(0, 300, 1));
    };
    RunReaders(client, Nothing);
}

CONFORMANCE_CASE(AnRdmaReadMayBeEmpty, "rdma-read.empty")
{
    const auto client = [](Party& self, Party& peer) {
        BOOST_TEST(SendOn(self, self.vi, self.Read(peer.At(0, 0), {})) == READ);
        BOOST_TEST(self.last->CS.Length == 0u);
        BOOST_TEST(self.Untouched());
    };
    RunReaders(client, Nothing);
}

CONFORMANCE_CASE(AnRdmaReadMovesTheLargestTransfer, "rdma-read.max-transfer")
{
    const auto size = static_cast<VIP_UINT32>(UsualTransfer());
    const auto client = [size](Party& self, Party& peer) {
        peer.Fill(0, size, 1);
        BOOST_TEST(SendOn(self, self.vi, self.Read(peer.At(0, 0), {self.At(0, size)})) == READ);
        BOOST_TEST(self.Holds(0, size, 1));
    };
    RunReaders(client, Nothing);
}

CONFORMANCE_CASE(CompletionsKeepTheirOrderBehindARead, "rdma-read.order")
{
    const auto client = [](Party& self, Party& peer) {
        VIP_DESCRIPTOR* posted[] = {self.Read(peer.At(0, 0), {self.At(0, 30000)}),
                                    self.Make({}),
                                    self.Read(peer.At(0, 0), {self.At(0, 4)})};
        for (VIP_DESCRIPTOR* descriptor : posted)
        {
            self.Send(descriptor);
        }
        for (const VIP_DESCRIPTOR* descriptor : posted)
        {
            self.Sent();
            BOOST_TEST(self.last == descriptor);
        }
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({}));
        BOOST_TEST(self.Received() == RECEIVED);
    };
    RunReaders(client, server);
}

CONFORMANCE_CASE(AFenceHoldsBackWhatFollowsARead, "data.fence rdma-read.fence")
{
    const auto client = [](Party& self, Party& peer) {
        peer.Fill(0, 100, 1);
        self.Send(self.Read(peer.At(0, 0), {self.At(0, 100)}));
        self.Send(self.Make({self.At(0, 100)}, VIP_CONTROL_QFENCE)); // what was just read
        BOOST_TEST(self.Sent() == READ);
        BOOST_TEST(self.Sent() == SENT);
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({self.At(1000, 100)}));
        BOOST_TEST(self.Received() == RECEIVED);
        BOOST_TEST(self.Holds(1000, 100, 1));
    };
    RunReaders(client, server);
}

CONFORMANCE_CASE(ARegionMustAllowRdmaReads, "protection.rdma-read-enable matrix.rdma-read")
{
    const auto client = [](Party& self, Party& peer) {
        Pause(5 * PS_PER_MS);
        self.Send(self.Read(peer.At(0, 0), {self.At(0, 100)}));
        BOOST_TEST(self.Sent() == (READ | VIP_STATUS_RDMA_PROT_ERROR));
        BOOST_TEST(self.Untouched());
    };
    const auto server = [](Party& self, Party&) {
        VIP_MEM_ATTRIBUTES closed{self.tag, VIP_TRUE, VIP_FALSE};
        VipSetMemAttributes(self.nic, self.At(0), self.region, &closed);
        Pause(50 * PS_PER_MS);
        BOOST_TEST(self.Errors() == "RDMAR_PROT CONN_LOST");
    };
    RunReaders(client, server);
}

CONFORMANCE_CASE(AViMustAllowRdmaReads, "protection.rdma-read-enable matrix.rdma-read")
{
    const auto target = [](Party& peer) {
        VIP_MEM_ATTRIBUTES open{peer.tag, VIP_TRUE, VIP_TRUE};
        VipSetMemAttributes(peer.nic, peer.At(0), peer.region, &open);
    };
    const auto client = [](Party& self, Party& peer) {
        Pause(5 * PS_PER_MS);
        self.Send(self.Read(peer.At(0, 0), {self.At(0, 100)}));
        BOOST_TEST(self.Sent() == (READ | VIP_STATUS_RDMA_PROT_ERROR));
        BOOST_TEST(self.Untouched());
    };
    const auto server = [&](Party& self, Party&) {
        target(self);
        Pause(50 * PS_PER_MS);
        BOOST_TEST(self.Errors() == "RDMAR_PROT CONN_LOST");
    };
    RunReaders(client, server, {}); // neither VI nor region allow it; the region does later
}

CONFORMANCE_CASE(AnRdmaReadStaysInsideItsRegion, "protection.rdma-read-range matrix.rdma-read")
{
    ExpectRefused([](Party& peer) { return peer.At(-1, 0); });
    ExpectRefused([](Party& peer) { return peer.At(Party::REGION - 99, 0); });
}

CONFORMANCE_CASE(AnRdmaReadNeedsALiveHandle, "protection.rdma-read-range matrix.rdma-read")
{
    ExpectRefused([](Party& peer) { return Extent{peer.At(0), 0, 0}; });
    ExpectRefused([](Party& peer) { return Extent{peer.At(0), 0, peer.pool}; });
}

CONFORMANCE_CASE(AnRdmaReadWritesOnlyItsOwnMemory, "protection.receive matrix.local")
{
    const auto client = [](Party& self, Party& peer) {
        self.Send(self.Read(peer.At(0, 0), {self.At(Party::REGION - 50, 100)}));
        BOOST_TEST((self.Sent() & VIP_STATUS_ERROR_MASK) == VIP_STATUS_PROTECTION_ERROR);
        BOOST_TEST(self.Untouched());
    };
    RunReaders(client, Nothing);
}

CONFORMANCE_CASE(AnUnreliableViHasNoRdmaRead, "level.rdma-read")
{
    const auto client = [](Party& self, Party& peer) {
        self.Send(self.Read(peer.At(0, 0), {self.At(0, 100)}));
        BOOST_TEST((self.Sent() & VIP_STATUS_ERROR_MASK) == VIP_STATUS_FORMAT_ERROR);
        BOOST_TEST(self.Untouched());
    };
    RunPair(client, Nothing, At(VIP_SERVICE_UNRELIABLE));
}

BOOST_AUTO_TEST_SUITE_END()
