/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Functional: attributes of VIs, what ends them, limits.

#include "conformance/via-conformance-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// What VipSetViAttributes says to the party's attributes after @p change.
VIP_RETURN
SetWith(Party& self, const std::function<void(VIP_VI_ATTRIBUTES&)>& change)
{
    VIP_VI_ATTRIBUTES attributes = self.ViAttributes();
    change(attributes);
    return VipSetViAttributes(self.vi, &attributes);
}

/// Both calls that take attributes give the same answer.
void
ExpectBoth(Party& self, VIP_RETURN expected, const std::function<void(VIP_VI_ATTRIBUTES&)>& change)
{
    BOOST_TEST(CreateWith(self, change) == expected);
    BOOST_TEST(SetWith(self, change) == expected);
}

} // namespace

BOOST_AUTO_TEST_SUITE(functional)

CONFORMANCE_CASE(ExactlyOneKnownLevelIsAskedFor, "CreateVi.level SetViAttributes.codes")
{
    RunAlone([](Party& self) {
        for (const VIP_USHORT bad : {0, 3, 5, 6, 7, 8, 0x4000, 0x8001})
        {
            ExpectBoth(self, VIP_INVALID_RELIABILITY_LEVEL, [bad](VIP_VI_ATTRIBUTES& a) {
                a.ReliabilityLevel = bad;
            });
        }
    });
}

CONFORMANCE_CASE(AViIsOfAnyLevelThatTheNicHas, "CreateVi.level-support")
{
    RunAlone([](Party& self) {
        const VIP_USHORT offered = NicOf(self).ReliabilityLevelSupport;
        for (const VIP_USHORT level : {VIP_SERVICE_UNRELIABLE,
                                       VIP_SERVICE_RELIABLE_DELIVERY,
                                       VIP_SERVICE_RELIABLE_RECEPTION})
        {
            ExpectBoth(self,
                       offered & level ? VIP_SUCCESS : VIP_INVALID_RELIABILITY_LEVEL,
                       [level](VIP_VI_ATTRIBUTES& a) { a.ReliabilityLevel = level; });
        }
    });
}

CONFORMANCE_CASE(AViTransfersWhatTheNicTransfers, "CreateVi.mtu SetViAttributes.codes")
{
    RunAlone([](Party& self) {
        const VIP_ULONG most = NicOf(self).MaxTransferSize;
        ExpectBoth(self, VIP_SUCCESS, [most](VIP_VI_ATTRIBUTES& a) { a.MaxTransferSize = most; });
        ExpectBoth(self, VIP_INVALID_MTU, [most](VIP_VI_ATTRIBUTES& a) {
            a.MaxTransferSize = most + 1;
        });
        ExpectBoth(self, VIP_INVALID_MTU, [](VIP_VI_ATTRIBUTES& a) { a.MaxTransferSize = 0; });
    });
}

CONFORMANCE_CASE(AnUnknownQualityOfServiceIsRefused, "CreateVi.qos SetViAttributes.codes")
{
    RunAlone([](Party& self) {
        ExpectBoth(self, VIP_INVALID_QOS, [&self](VIP_VI_ATTRIBUTES& a) { a.QoS = self.At(0); });
    });
}

CONFORMANCE_CASE(AViWantsATagOfItsNic, "CreateVi.ptag SetViAttributes.codes")
{
    RunAlone([](Party& self) {
        VIP_PROTECTION_HANDLE gone = nullptr;
        VipCreatePtag(self.nic, &gone);
        VipDestroyPtag(self.nic, gone);
        for (const VIP_PROTECTION_HANDLE bad : {gone, self.nic})
        {
            ExpectBoth(self, VIP_INVALID_PTAG, [bad](VIP_VI_ATTRIBUTES& a) { a.Ptag = bad; });
        }
    });
}

CONFORMANCE_CASE(ANullTagIsRefusedOrTheDefault, "CreateVi.null-ptag")
{
    RunAlone([](Party& self) {
        const VIP_RETURN expected = Habit("vipl.null_tag") ? VIP_SUCCESS : VIP_INVALID_PTAG;
        BOOST_TEST(CreateWith(self, [](VIP_VI_ATTRIBUTES& a) { a.Ptag = nullptr; }) == expected);
        VIP_MEM_ATTRIBUTES attributes{nullptr, VIP_FALSE, VIP_FALSE};
        VIP_MEM_HANDLE handle = 0;
        BOOST_TEST(VipRegisterMem(self.nic, self.At(0), 8, &attributes, &handle) == expected);
    });
}

CONFORMANCE_CASE(TheDefaultTagKeepsApartAsAnyTagDoes, "CreateVi.null-ptag protection.send")
{
    const auto client = [](Party& self) {
        VIP_VI_ATTRIBUTES attributes = self.ViAttributes();
        attributes.Ptag = nullptr;
        if (VipSetViAttributes(self.vi, &attributes) != VIP_SUCCESS)
        {
            attributes.Ptag = self.tag; // then there is nothing to keep apart
        }
        BOOST_TEST(Request(self.vi) == VIP_SUCCESS);
        VIP_MEM_ATTRIBUTES same{attributes.Ptag, VIP_FALSE, VIP_FALSE};
        VIP_MEM_HANDLE pool = 0;
        VipRegisterMem(self.nic, self.Pool(), Party::POOL, &same, &pool);
        VipPostSend(self.vi, self.Make({self.At(0, 8)}), pool);
        const bool apart = attributes.Ptag != self.tag;
        BOOST_TEST((self.Sent() & VIP_STATUS_ERROR_MASK) ==
                   (apart ? VIP_STATUS_PROTECTION_ERROR : 0));
    };
    const auto server = [](Party& self) {
        self.Receive(self.Make({self.At(0, 8)}));
        VipConnectAccept(Await(self), self.vi);
    };
    RunApart(client, server, At(VIP_SERVICE_UNRELIABLE));
}

CONFORMANCE_CASE(RdmaReadOfAViIsAsTheNicSays, "CreateVi.rdma-read SetViAttributes.codes")
{
    RunAlone([](Party& self) {
        const bool reads = (NicOf(self).RDMAReadSupport & self.ViAttributes().ReliabilityLevel);
        ExpectBoth(self, reads ? VIP_SUCCESS : VIP_INVALID_RDMAREAD, [](VIP_VI_ATTRIBUTES& a) {
            a.EnableRdmaRead = VIP_TRUE;
        });
    });
}

CONFORMANCE_CASE(VisRunOut, "CreateVi.limit")
{
    ClusterConfig config = TestConfig();
    config.overrides["nic.max_vi"] = "2";
    const auto body = [](Party& self) {
        VIP_VI_HANDLE second = self.CreateVi();
        BOOST_TEST(CreateWith(self, [](VIP_VI_ATTRIBUTES&) {}) == VIP_ERROR_RESOURCE);
        BOOST_TEST(VipDestroyVi(second) == VIP_SUCCESS);
        BOOST_TEST(CreateWith(self, [](VIP_VI_ATTRIBUTES&) {}) == VIP_SUCCESS);
    };
    RunAlone(body, {}, config);
}

CONFORMANCE_CASE(SetViAttributesChangesAnIdleVi, "SetViAttributes.change")
{
    RunAlone([](Party& self) {
        BOOST_TEST(SetWith(self, [](VIP_VI_ATTRIBUTES& a) {
                       a.ReliabilityLevel = VIP_SERVICE_UNRELIABLE;
                       a.MaxTransferSize = 4096;
                       a.EnableRdmaWrite = VIP_FALSE;
                   }) == VIP_SUCCESS);
        VIP_VI_STATE state;
        VIP_VI_ATTRIBUTES out;
        VIP_BOOLEAN empty;
        VipQueryVi(self.vi, &state, &out, &empty, &empty);
        BOOST_TEST(out.ReliabilityLevel == VIP_SERVICE_UNRELIABLE);
        BOOST_TEST(out.MaxTransferSize == 4096u);
        BOOST_TEST(out.EnableRdmaWrite == VIP_FALSE);
    });
}

CONFORMANCE_CASE(SetViAttributesChecksItsParameters, "SetViAttributes.parameters")
{
    RunAlone([](Party& self) {
        VIP_VI_ATTRIBUTES attributes = self.ViAttributes();
        BOOST_TEST(VipSetViAttributes(nullptr, &attributes) == REFUSED);
        BOOST_TEST(VipSetViAttributes(self.nic, &attributes) == REFUSED);
        BOOST_TEST(VipSetViAttributes(self.vi, nullptr) == REFUSED);
    });
}

CONFORMANCE_CASE(AttributesOfAConnectedViStay, "SetViAttributes.state")
{
    const auto client = [](Party& self, Party&) {
        BOOST_TEST(SetWith(self, [](VIP_VI_ATTRIBUTES&) {}) == VIP_INVALID_STATE);
        VipDisconnect(self.vi);
        BOOST_TEST(SetWith(self, [](VIP_VI_ATTRIBUTES&) {}) == VIP_SUCCESS);
    };
    const auto server = [](Party& self, Party&) {
        Pause(20 * PS_PER_MS);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_ERROR);
        BOOST_TEST(SetWith(self, [](VIP_VI_ATTRIBUTES&) {}) == VIP_INVALID_STATE);
    };
    RunPair(client, server);
}

CONFORMANCE_CASE(OnlyAnIdleViIsDestroyed, "DestroyVi.state")
{
    const auto client = [](Party& self, Party&) {
        BOOST_TEST(VipDestroyVi(self.vi) == VIP_INVALID_STATE);
        VipDisconnect(self.vi);
        BOOST_TEST(VipDestroyVi(self.vi) == VIP_SUCCESS);
    };
    const auto server = [](Party& self, Party&) {
        Pause(20 * PS_PER_MS);
        BOOST_TEST(StateOf(self.vi) == VIP_STATE_ERROR);
        BOOST_TEST(VipDestroyVi(self.vi) == VIP_INVALID_STATE);
        VipDisconnect(self.vi);
        BOOST_TEST(VipDestroyVi(self.vi) == VIP_SUCCESS);
    };
    RunPair(client, server);
}

CONFORMANCE_CASE(AViWithDescriptorsIsNotDestroyed, "DestroyVi.descriptors")
{
    RunAlone([](Party& self) {
        self.Receive(self.Make({}));
        BOOST_TEST(VipDestroyVi(self.vi) == VIP_ERROR_RESOURCE);
        VipDisconnect(self.vi); // flushes it, and there it stays
        BOOST_TEST(VipDestroyVi(self.vi) == VIP_ERROR_RESOURCE);
        BOOST_TEST(VipRecvDone(self.vi, &self.last) == VIP_DESCRIPTOR_ERROR);
        BOOST_TEST(VipDestroyVi(self.vi) == VIP_SUCCESS);
    });
}

CONFORMANCE_CASE(QueryViTellsWhetherQueuesAreEmpty, "QueryVi.queues")
{
    RunAlone([](Party& self) {
        VIP_VI_STATE state;
        VIP_VI_ATTRIBUTES out;
        VIP_BOOLEAN sends = VIP_FALSE;
        VIP_BOOLEAN receives = VIP_TRUE;
        self.Receive(self.Make({}));
        VipQueryVi(self.vi, &state, &out, &sends, &receives);
        BOOST_TEST(sends == VIP_TRUE);
        BOOST_TEST(receives == VIP_FALSE);
        self.Send(self.Make({}));
        VipQueryVi(self.vi, &state, &out, &sends, &receives);
        BOOST_TEST(sends == VIP_FALSE);
        self.Sent();
        VipQueryVi(self.vi, &state, &out, &sends, &receives);
        BOOST_TEST(sends == VIP_TRUE);
    });
}

BOOST_AUTO_TEST_SUITE_END()
