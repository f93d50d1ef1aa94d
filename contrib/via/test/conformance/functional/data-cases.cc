/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Functional: descriptors at their limits, and the memory that they name.

#include "conformance/via-conformance-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

using Maker = std::function<VIP_DESCRIPTOR*(Party& self)>;

/// The error of one send of an unreliable VI, whose next one arrives.
void
ExpectSend(VIP_UINT32 error, const Maker& make)
{
    const auto client = [&](Party& self, Party&) {
        self.Send(make(self));
        BOOST_TEST((self.Sent() & VIP_STATUS_ERROR_MASK) == error);
        BOOST_TEST(SendOn(self, self.vi, self.Make({})) == SENT);
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({self.At(0, 100)}));
        BOOST_TEST(self.Received() == RECEIVED);
        BOOST_TEST(self.last->CS.Length == 0u);
        BOOST_TEST(self.Untouched());
    };
    RunPair(client, server, At(VIP_SERVICE_UNRELIABLE));
}

/// The error of one receive of an unreliable VI, into which nothing is placed.
void
ExpectReceive(VIP_UINT32 error, const Maker& make)
{
    const auto client = [](Party& self, Party&) {
        self.Fill(0, 100, 1);
        Pause(PS_PER_MS); // a slow host may take that long to post its receive
        BOOST_TEST(SendOn(self, self.vi, self.Make({self.At(0, 100)})) == SENT);
    };
    const auto server = [&](Party& self, Party&) {
        self.Receive(make(self));
        BOOST_TEST((self.Received() & VIP_STATUS_ERROR_MASK) == error);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_CONNECTED);
        BOOST_TEST(self.Untouched());
    };
    RunPair(client, server, At(VIP_SERVICE_UNRELIABLE));
}

/// @p count extents of one byte each.
std::vector<Extent>
Bytes(Party& self, VIP_ULONG count)
{
    std::vector<Extent> pieces;
    for (VIP_ULONG i = 0; i < count; ++i)
    {
        pieces.push_back(self.At(static_cast<std::int64_t>(i), 1));
    }
    return pieces;
}

Extent
Tagged(Party& self)
{
    VIP_MEM_ATTRIBUTES other{nullptr, VIP_TRUE, VIP_FALSE};
    VipCreatePtag(self.nic, &other.Ptag);
    Extent extent = self.At(0, 100);
    VipRegisterMem(self.nic, self.At(0), 100, &other, &extent.handle);
    return extent;
}

Extent
Gone(Party& self)
{
    Extent extent = self.At(0, 100);
    self.Register(self.At(0), 100, &extent.handle);
    VipDeregisterMem(self.nic, self.At(0), extent.handle);
    return extent;
}

} // namespace

BOOST_AUTO_TEST_SUITE(functional)

CONFORMANCE_CASE(AMessageIsOfAsManySegmentsAsTheNicAllows, "data.max-segments")
{
    const auto client = [](Party& self, Party&) {
        const VIP_ULONG most = NicOf(self).MaxSegmentsPerDesc;
        self.Fill(0, static_cast<std::uint32_t>(most), 1);
        BOOST_TEST(SendOn(self, self.vi, self.Make(Bytes(self, most))) == SENT);
        BOOST_TEST(self.last->CS.Length == most);
    };
    const auto server = [](Party& self, Party&) {
        const VIP_ULONG most = NicOf(self).MaxSegmentsPerDesc;
        self.Receive(self.Make(Bytes(self, most)));
        BOOST_TEST(self.Received() == RECEIVED);
        BOOST_TEST(self.last->CS.Length == most);
        BOOST_TEST(self.Holds(0, static_cast<std::uint32_t>(most), 1));
    };
    RunPair(client, server);
}

CONFORMANCE_CASE(OneSegmentMoreIsAFormatError, "data.max-segments status.format")
{
    const auto tooMany = [](Party& self) {
        return self.Make(Bytes(self, NicOf(self).MaxSegmentsPerDesc + 1));
    };
    ExpectSend(VIP_STATUS_FORMAT_ERROR, tooMany);
    ExpectReceive(VIP_STATUS_FORMAT_ERROR, tooMany);
}

CONFORMANCE_CASE(OneByteMoreThanTheViTransfersIsALengthError, "data.max-transfer status.length")
{
    const auto size = static_cast<VIP_UINT32>(UsualTransfer() + 1);
    ExpectSend(VIP_STATUS_LENGTH_ERROR,
               [size](Party& self) { return self.Make({self.At(0, size)}); });
}

CONFORMANCE_CASE(TheVisOwnTransferSizeCounts, "data.max-transfer status.length")
{
    Setup setup = At(VIP_SERVICE_UNRELIABLE);
    setup.maxTransfer = 100;
    const auto client = [](Party& self, Party& peer) {
        self.Send(self.Make({self.At(0, 101)}));
        BOOST_TEST((self.Sent() & VIP_STATUS_ERROR_MASK) == VIP_STATUS_LENGTH_ERROR);
        self.Send(self.Write(peer.At(0, 0), {self.At(0, 101)}));
        BOOST_TEST((self.Sent() & VIP_STATUS_ERROR_MASK) == VIP_STATUS_LENGTH_ERROR);
        BOOST_TEST(SendOn(self, self.vi, self.Make({self.At(0, 100)})) == SENT);
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({self.At(0, 1000)})); // may be larger
        BOOST_TEST(self.Received() == RECEIVED);
        BOOST_TEST(self.last->CS.Length == 100u);
    };
    RunPair(client, server, setup);
}

CONFORMANCE_CASE(ALengthIsTheSumOfItsSegments, "data.length status.length")
{
    for (const int wrong : {-1, 1, -100})
    {
        ExpectSend(VIP_STATUS_LENGTH_ERROR, [wrong](Party& self) {
            VIP_DESCRIPTOR* descriptor = self.Make({self.At(0, 50), self.At(50, 50)});
            descriptor->CS.Length = static_cast<VIP_UINT32>(100 + wrong);
            return descriptor;
        });
    }
}

CONFORMANCE_CASE(ReservedOperationsAndBitsAreFormatErrors, "data.reserved status.format")
{
    for (const VIP_UINT16 control : {0x0003, 0x0010, 0x0100, 0x8000})
    {
        ExpectSend(VIP_STATUS_FORMAT_ERROR, [control](Party& self) {
            return self.Make({self.At(0, 50), self.At(50, 50)}, control);
        });
    }
}

CONFORMANCE_CASE(SegmentsOfAMessageMayLieAnywhere, "data.segments data.alignment")
{
    const auto client = [](Party& self, Party&) {
        self.Fill(0, 50, 1);
        const Extent backwards[] = {self.At(33, 17), self.At(1, 32), self.At(0, 1)};
        SendOn(self, self.vi, self.Make({backwards[0], backwards[1], backwards[2]}));
        SendOn(self, self.vi, self.Make({self.At(0, 50), self.At(0, 50)})); // the same twice
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({self.At(33, 17), self.At(1, 32), self.At(0, 1)}));
        self.Receive(self.Make({self.At(100, 50), self.At(200, 50)}));
        BOOST_TEST(self.Received() == RECEIVED);
        BOOST_TEST(self.Holds(0, 50, 1));
        BOOST_TEST(self.Received() == RECEIVED);
        BOOST_TEST(self.last->CS.Length == 100u);
        BOOST_TEST(self.Holds(100, 50, 1));
        BOOST_TEST(self.Holds(200, 50, 1));
    };
    RunPair(client, server);
}

CONFORMANCE_CASE(ASendReadsOnlyItsOwnMemory, "protection.send status.protection")
{
    const VIP_UINT32 error = VIP_STATUS_PROTECTION_ERROR;
    ExpectSend(error, [](Party& self) { return self.Make({self.At(Party::REGION - 99, 100)}); });
    ExpectSend(error, [](Party& self) { return self.Make({{self.At(0), 100, 0}}); });
    ExpectSend(error, [](Party& self) { return self.Make({{self.At(0), 100, self.pool}}); });
    ExpectSend(error, [](Party& self) { return self.Make({self.At(0, 50), self.At(-1, 50)}); });
    ExpectSend(error, [](Party& self) { return self.Make({Tagged(self)}); });
    ExpectSend(error, [](Party& self) { return self.Make({Gone(self)}); });
}

CONFORMANCE_CASE(AReceiveWritesOnlyItsOwnMemory, "protection.receive status.protection")
{
    const VIP_UINT32 error = VIP_STATUS_PROTECTION_ERROR;
    ExpectReceive(error, [](Party& self) { return self.Make({self.At(-1, 100)}); });
    ExpectReceive(error, [](Party& self) { return self.Make({{self.At(0), 100, 0}}); });
    ExpectReceive(error, [](Party& self) { return self.Make({{self.At(0), 100, self.pool}}); });
    ExpectReceive(error, [](Party& self) { return self.Make({Tagged(self)}); });
    ExpectReceive(error, [](Party& self) { return self.Make({Gone(self)}); });
}

CONFORMANCE_CASE(AViFollowsItsNewTag, "protection.tag-change")
{
    const auto client = [](Party& self) {
        VIP_PROTECTION_HANDLE tag = nullptr;
        VipCreatePtag(self.nic, &tag);
        VIP_VI_ATTRIBUTES vi = self.ViAttributes();
        VIP_MEM_ATTRIBUTES memory = self.MemAttributes();
        vi.Ptag = memory.Ptag = tag;
        BOOST_TEST(VipSetViAttributes(self.vi, &vi) == VIP_SUCCESS);
        BOOST_TEST(VipSetMemAttributes(self.nic, self.Pool(), self.pool, &memory) == VIP_SUCCESS);
        BOOST_TEST(Request(self.vi) == VIP_SUCCESS);
        Pause(PS_PER_MS);
        self.Send(self.Make({self.At(0, 10)})); // the region has the old tag still
        BOOST_TEST((self.Sent() & VIP_STATUS_ERROR_MASK) == VIP_STATUS_PROTECTION_ERROR);
        VipSetMemAttributes(self.nic, self.At(0), self.region, &memory);
        BOOST_TEST(SendOn(self, self.vi, self.Make({self.At(0, 10)})) == SENT);
    };
    const auto server = [](Party& self) {
        self.Receive(self.Make({self.At(0, 10)}));
        VipConnectAccept(Await(self), self.vi);
        BOOST_TEST(self.Received() == RECEIVED);
    };
    RunApart(client, server, At(VIP_SERVICE_UNRELIABLE));
}

CONFORMANCE_CASE(ADescriptorIsHarvestedAfterItsMemoryWasDeregistered,
                 "SendDone.status DeregisterMem.effect")
{
    const auto client = [](Party& self, Party&) {
        VIP_DESCRIPTOR* const sent = self.Make({self.At(0, 10)});
        self.Send(sent);
        Pause(10 * PS_PER_MS);
        BOOST_TEST(sent->CS.Status == SENT);
        BOOST_TEST(VipDeregisterMem(self.nic, self.Pool(), self.pool) == VIP_SUCCESS);
        BOOST_TEST(VipSendDone(self.vi, &self.last) == VIP_SUCCESS);
        BOOST_TEST(self.last == sent);
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({self.At(0, 10)}));
        Pause(10 * PS_PER_MS);
        BOOST_TEST(VipDeregisterMem(self.nic, self.Pool(), self.pool) == VIP_SUCCESS);
        BOOST_TEST(VipRecvDone(self.vi, &self.last) == VIP_SUCCESS);
    };
    RunPair(client, server);
}

CONFORMANCE_CASE(ADescriptorIsHarvestedAfterItsVisTagHasChanged,
                 "RecvDone.status SetViAttributes.change")
{
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({}));
        Pause(10 * PS_PER_MS);
        BOOST_TEST(VipDisconnect(self.vi) == VIP_SUCCESS);
        VIP_VI_ATTRIBUTES vi = self.ViAttributes();
        VipCreatePtag(self.nic, &vi.Ptag);
        BOOST_TEST(VipSetViAttributes(self.vi, &vi) == VIP_SUCCESS);
        BOOST_TEST(VipRecvDone(self.vi, &self.last) == VIP_SUCCESS);
    };
    const auto client = [](Party& self, Party&) {
        BOOST_TEST(SendOn(self, self.vi, self.Make({})) == SENT);
        Pause(10 * PS_PER_MS);
    };
    RunPair(client, server);
}

CONFORMANCE_CASE(AnEmptySegmentMayNameAnything, "data.empty-segment")
{
    const auto client = [](Party& self, Party&) {
        self.Send(self.Make({{Nowhere(), 0, 0}, self.At(0, 10)}));
        BOOST_TEST(self.Sent() == SENT);
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({self.At(0, 10), {Nowhere(), 0, 12345}}));
        BOOST_TEST(self.Received() == RECEIVED);
    };
    RunPair(client, server);
}

CONFORMANCE_CASE(QueuesHoldAsManyDescriptorsAsTheNicSays, "data.queue-depth")
{
    const auto client = [](Party& self, Party&) {
        BOOST_TEST(NicOf(self).MaxDescriptorsPerQueue == 5u);
        for (int i = 0; i < 5; ++i)
        {
            self.Send(self.Make({self.At(0, 10000)}));
        }
        for (int i = 0; i < 5; ++i)
        {
            BOOST_TEST(self.Sent() == SENT);
        }
        BOOST_TEST(self.Errors() == "");
    };
    const auto server = [](Party& self, Party&) {
        for (int i = 0; i < 5; ++i)
        {
            self.Receive(self.Make({self.At(0, 10000)}));
        }
        for (int i = 0; i < 5; ++i)
        {
            BOOST_TEST(self.Received() == RECEIVED);
        }
    };
    ClusterConfig config = TestConfig();
    config.overrides["nic.max_queue_depth"] = "5";
    RunPair(client, server, {}, config);
}

BOOST_AUTO_TEST_SUITE_END()
