/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Functional: each error at each reliability level.

#include "conformance/via-conformance-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

using FaultMaker = std::function<VIP_DESCRIPTOR*(Party& self, Party& peer)>;

/// What a VI is in after an error that breaks the connection of reliable levels only.
VIP_VI_STATE
StateAfter(VIP_USHORT level)
{
    return IsReliable(level) ? VIP_STATE_ERROR : VIP_STATE_CONNECTED;
}

std::string
LostAfter(VIP_USHORT level, const std::string& first = "")
{
    const char* const space = first.empty() ? "" : " ";
    return IsReliable(level) ? first + space + "CONN_LOST" : first;
}

/// A sender learns of what happens at the other end at reliable reception only.
VIP_UINT32
Told(VIP_USHORT level, VIP_UINT32 error)
{
    return level == VIP_SERVICE_RELIABLE_RECEPTION ? error : 0;
}

/// A send that its own NIC refuses: an unreliable VI goes on with the next one.
void
ExpectLocalError(VIP_USHORT level, VIP_UINT32 error, const FaultMaker& make)
{
    const auto client = [&](Party& self, Party& peer) {
        self.Send(make(self, peer));
        self.Send(self.Make({}));
        BOOST_TEST((self.Sent() & ~VIP_STATUS_OP_MASK) == (VIP_STATUS_DONE | error));
        BOOST_TEST(self.Sent() == (IsReliable(level) ? FLUSHED : SENT));
        BOOST_TEST(StateOf(self.vi) == StateAfter(level));
        BOOST_TEST(self.Errors() == LostAfter(level));
    };
    const auto server = [&](Party& self, Party&) {
        self.Receive(self.Make({self.At(0, 100)}));
        BOOST_TEST(self.Received() == (IsReliable(level) ? FLUSHED_RECEIVE : RECEIVED));
        BOOST_TEST(StateOf(self.vi) == StateAfter(level));
        BOOST_TEST(self.Errors() == LostAfter(level));
        BOOST_TEST(self.Untouched());
    };
    RunPair(client, server, At(level));
}

/// A message that its receive cannot take.
void
ExpectReceiveError(VIP_USHORT level, VIP_UINT32 error, const FaultMaker& make)
{
    const auto client = [&](Party& self, Party&) {
        self.Fill(0, 100, 1);
        self.Send(self.Make({self.At(0, 100)}));
        BOOST_TEST(self.Sent() == (SENT | Told(level, VIP_STATUS_REMOTE_DESC_ERROR)));
        Pause(10 * PS_PER_MS);
        BOOST_TEST(StateOf(self.vi) == StateAfter(level));
        BOOST_TEST(self.Errors() == LostAfter(level));
    };
    const auto server = [&](Party& self, Party& peer) {
        self.Receive(make(self, peer));
        BOOST_TEST(self.Received() == (RECEIVED | error));
        Pause(10 * PS_PER_MS);
        BOOST_TEST(StateOf(self.vi) == StateAfter(level));
        BOOST_TEST(self.Errors() == LostAfter(level));
        BOOST_TEST(self.Untouched());
    };
    RunPair(client, server, At(level));
}

/// A post that breaks its VI at every level.
void
ExpectBrokenByPost(VIP_USHORT level, const std::string& error, const PartyBody& post)
{
    const auto client = [&](Party& self, Party&) {
        post(self);
        Pause(10 * PS_PER_MS);
        BOOST_TEST(self.Errors() == error + " CONN_LOST");
        const bool descriptor = error == "POST_DESC";
        BOOST_TEST(FirstError(self).ResourceCode ==
                   (descriptor ? VIP_RESOURCE_DESCRIPTOR : VIP_RESOURCE_VI));
        BOOST_TEST((FirstError(self).DescriptorPtr != nullptr));
        BOOST_TEST(FirstError(self).ViHandle == self.vi);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_ERROR);
    };
    const auto server = [&](Party& self, Party&) {
        Pause(20 * PS_PER_MS);
        BOOST_TEST(self.Errors() == "CONN_LOST");
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_ERROR);
        BOOST_TEST(self.Untouched());
    };
    RunPair(client, server, At(level));
}

/// More descriptors than a queue holds.
void
ExpectOverrun(VIP_USHORT level, bool receive)
{
    const auto post = [receive](Party& self) {
        VIP_DESCRIPTOR* descriptor = self.Make({self.At(0, 32768)});
        const VIP_ULONG most = NicOf(self).MaxDescriptorsPerQueue;
        for (VIP_ULONG i = 0; i <= most; ++i)
        {
            receive ? self.Receive(self.Make({})) : self.Send(descriptor);
        }
    };
    ClusterConfig config = TestConfig();
    config.overrides["nic.max_queue_depth"] = "4";
    const auto client = [&](Party& self, Party&) {
        post(self);
        Pause(10 * PS_PER_MS);
        BOOST_TEST(self.Errors() == "VI_OVERRUN CONN_LOST");
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_ERROR);
        for (int i = 0; i < 4; ++i) // the fifth is lost
        {
            VIP_DESCRIPTOR* taken = nullptr;
            (receive ? VipRecvDone : VipSendDone)(self.vi, &taken);
            BOOST_TEST(taken != nullptr);
        }
        VIP_DESCRIPTOR* taken = nullptr;
        BOOST_TEST((receive ? VipRecvDone : VipSendDone)(self.vi, &taken) == VIP_DESCRIPTOR_ERROR);
        BOOST_TEST(taken == nullptr);
    };
    const auto server = [](Party& self, Party&) {
        for (int i = 0; i < 4; ++i)
        {
            self.Receive(self.Make({self.At(0, 32768)}));
        }
        Pause(40 * PS_PER_MS);
        BOOST_TEST(self.Errors() == "CONN_LOST");
    };
    RunPair(client, server, At(level), config);
}

} // namespace

BOOST_AUTO_TEST_SUITE(functional)

CONFORMANCE_MATRIX(NoReceive, "matrix.no-receive async.recvq-empty")
{
    const auto client = [level](Party& self, Party&) {
        self.Send(self.Make({self.At(0, 100)}));
        BOOST_TEST(self.Sent() == (SENT | Told(level, VIP_STATUS_REMOTE_DESC_ERROR)));
        Pause(10 * PS_PER_MS);
        BOOST_TEST(StateOf(self.vi) == StateAfter(level));
        BOOST_TEST(self.Errors() == LostAfter(level));
    };
    const auto server = [level](Party& self, Party&) {
        Pause(20 * PS_PER_MS);
        BOOST_TEST(self.Errors() == LostAfter(level, "RECVQ_EMPTY"));
        BOOST_TEST(FirstError(self).ResourceCode == VIP_RESOURCE_VI);
        BOOST_TEST(FirstError(self).ViHandle == self.vi);
        BOOST_TEST(StateOf(self.vi) == StateAfter(level));
        BOOST_TEST(self.Untouched());
    };
    RunPair(client, server, At(level));
}

CONFORMANCE_MATRIX(AReceiveTooShort, "matrix.too-long status.length")
{
    ExpectReceiveError(level, VIP_STATUS_LENGTH_ERROR, [](Party& self, Party&) {
        return self.Make({self.At(0, 60), self.At(60, 39)});
    });
}

CONFORMANCE_MATRIX(AReceiveOutsideItsRegion, "matrix.receive-protection status.protection")
{
    ExpectReceiveError(level, VIP_STATUS_PROTECTION_ERROR, [](Party& self, Party&) {
        return self.Make({self.At(Party::REGION - 99, 100)});
    });
}

CONFORMANCE_MATRIX(ASendOutsideItsRegion, "matrix.local status.protection")
{
    ExpectLocalError(level, VIP_STATUS_PROTECTION_ERROR, [](Party& self, Party&) {
        return self.Make({self.At(-1, 100)});
    });
}

CONFORMANCE_MATRIX(ASendWithReservedBits, "matrix.local status.format")
{
    ExpectLocalError(level, VIP_STATUS_FORMAT_ERROR, [](Party& self, Party&) {
        return self.Make({self.At(0, 100)}, 0x10);
    });
}

CONFORMANCE_MATRIX(ASendOfAnotherLength, "matrix.local status.length")
{
    ExpectLocalError(level, VIP_STATUS_LENGTH_ERROR, [](Party& self, Party&) {
        VIP_DESCRIPTOR* descriptor = self.Make({self.At(0, 50), self.At(50, 50)});
        descriptor->CS.Length = 99;
        return descriptor;
    });
}

CONFORMANCE_MATRIX(ARefusedRdmaWrite, "matrix.rdma-write async.rdmaw-prot")
{
    const auto client = [level](Party& self, Party& peer) {
        self.Fill(0, 100, 1);
        self.Send(self.Write(peer.At(Party::REGION - 99, 0), {self.At(0, 100)}));
        BOOST_TEST(self.Sent() == (WROTE | Told(level, VIP_STATUS_RDMA_PROT_ERROR)));
        Pause(10 * PS_PER_MS);
        BOOST_TEST(StateOf(self.vi) == StateAfter(level));
    };
    const auto server = [level](Party& self, Party&) {
        self.Receive(self.Make({}));
        Pause(20 * PS_PER_MS);
        BOOST_TEST(self.Errors() == LostAfter(level, "RDMAW_PROT"));
        BOOST_TEST(StateOf(self.vi) == StateAfter(level));
        BOOST_TEST(VipRecvDone(self.vi, &self.last) ==
                   (IsReliable(level) ? VIP_DESCRIPTOR_ERROR : VIP_NOT_DONE));
        BOOST_TEST(self.Untouched());
    };
    RunPair(client, server, At(level));
}

CONFORMANCE_MATRIX(ARefusedRdmaWriteWithImmediate, "matrix.rdma-write-immediate status.rdma-prot")
{
    const auto client = [level](Party& self, Party& peer) {
        self.Fill(0, 100, 1);
        self.Send(self.Immediate(self.Write(peer.At(-1, 0), {self.At(0, 100)}), 7));
        BOOST_TEST(self.Sent() == (WROTE | Told(level, VIP_STATUS_RDMA_PROT_ERROR)));
    };
    const auto server = [level](Party& self, Party&) {
        self.Receive(self.Make({}));
        self.Received();
        BOOST_TEST((self.last->CS.Status & VIP_STATUS_ERROR_MASK) == VIP_STATUS_RDMA_PROT_ERROR);
        BOOST_TEST(self.last->CS.ImmediateData == 0u);
        Pause(10 * PS_PER_MS);
        BOOST_TEST(self.Errors() == LostAfter(level)); // the descriptor has told it
        BOOST_TEST(StateOf(self.vi) == StateAfter(level));
        BOOST_TEST(self.Untouched());
    };
    RunPair(client, server, At(level));
}

CONFORMANCE_MATRIX(ADescriptorThatIsNotAligned, "matrix.post-desc async.post-desc")
{
    ExpectBrokenByPost(level, "POST_DESC", [](Party& self) {
        auto* bytes = reinterpret_cast<char*>(self.Make({self.At(0, 0), self.At(0, 0)}));
        self.Send(reinterpret_cast<VIP_DESCRIPTOR*>(bytes + 32));
    });
}

CONFORMANCE_MATRIX(ADescriptorThatIsNotRegistered, "matrix.post-desc async.post-desc")
{
    ExpectBrokenByPost(level, "POST_DESC", [](Party& self) {
        VipPostSend(self.vi, static_cast<VIP_DESCRIPTOR*>(Nowhere()), self.pool);
    });
}

CONFORMANCE_MATRIX(AReceiveThatIsNotRegistered, "matrix.post-desc async.post-desc")
{
    const auto client = [](Party& self, Party&) {
        self.Send(self.Make({self.At(0, 100)}));
        Pause(10 * PS_PER_MS);
        BOOST_TEST(self.Errors() == "CONN_LOST");
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_ERROR);
    };
    const auto server = [](Party& self, Party&) {
        VipPostRecv(self.vi, static_cast<VIP_DESCRIPTOR*>(Nowhere()), self.pool);
        Pause(20 * PS_PER_MS); // a NIC may look only when a message needs it
        BOOST_TEST(self.Errors() == "POST_DESC CONN_LOST");
        BOOST_TEST(FirstError(self).ViHandle == self.vi);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_ERROR);
    };
    RunPair(client, server, At(level));
}

CONFORMANCE_MATRIX(ADescriptorWithAWrongHandle, "matrix.post-desc async.post-desc")
{
    ExpectBrokenByPost(level, "POST_DESC", [](Party& self) {
        VipPostSend(self.vi, self.Make({}), self.region);
    });
}

CONFORMANCE_MATRIX(ASendTooMany, "matrix.overrun async.overrun")
{
    ExpectOverrun(level, false);
}

CONFORMANCE_MATRIX(AReceiveTooMany, "matrix.overrun async.overrun")
{
    ExpectOverrun(level, true);
}

CONFORMANCE_MATRIX(AFullCompletionQueue, "matrix.cq-overflow async.comp-prot")
{
    Setup setup = At(level);
    setup.cqEntries = 2;
    const auto client = [](Party& self, Party&) {
        for (int i = 0; i < 3; ++i)
        {
            self.Send(self.Make({}));
            Pause(PS_PER_MS);
        }
        BOOST_TEST(self.Errors() == "COMP_PROT");
        BOOST_TEST(FirstError(self).ResourceCode == VIP_RESOURCE_CQ);
        BOOST_TEST(FirstError(self).CQHandle == self.cq);
        BOOST_TEST(Popped(self, self.vi) == "send");
        BOOST_TEST(Popped(self, self.vi) == "send");
        BOOST_TEST(Popped(self, self.vi, 1) == "none"); // the entry is lost
        for (int i = 0; i < 3; ++i)
        {
            BOOST_TEST(VipSendDone(self.vi, &self.last) == VIP_SUCCESS); // not the descriptor
        }
    };
    const auto server = [](Party& self, Party&) {
        for (int i = 0; i < 3; ++i)
        {
            self.Receive(self.Make({}));
            BOOST_TEST(Popped(self, self.vi) == "receive");
        }
    };
    RunPair(client, server, setup);
}

CONFORMANCE_MATRIX(APeerThatDisconnects, "Disconnect.notice async.conn-lost")
{
    const auto client = [](Party& self, Party&) {
        VipDisconnect(self.vi);
        BOOST_TEST(self.Errors() == "");
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({}));
        BOOST_TEST(self.Received() == FLUSHED_RECEIVE);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_ERROR);
        BOOST_TEST(self.Errors() == "CONN_LOST");
        BOOST_TEST(FirstError(self).ResourceCode == VIP_RESOURCE_VI);
        BOOST_TEST(FirstError(self).ViHandle == self.vi);
        BOOST_TEST(FirstError(self).NicHandle == self.nic);
    };
    RunPair(client, server, At(level));
}

BOOST_AUTO_TEST_SUITE_END()
