/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Functional: NIC handles, protection tags, registered memory, and the limits of all of them.

#include "conformance/via-conformance-bench.h"

#include <map>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// The profile with smaller limits.
ClusterConfig
Limited(const std::map<std::string, std::string>& limits)
{
    ClusterConfig config = TestConfig();
    config.overrides = limits;
    return config;
}

} // namespace

BOOST_AUTO_TEST_SUITE(functional)

CONFORMANCE_CASE(ANicWithObjectsIsNotClosed, "CloseNic.objects")
{
    RunAlone([](Party& self) {
        BOOST_TEST(VipCloseNic(self.nic) == VIP_ERROR_RESOURCE);
        BOOST_TEST(VipDestroyVi(self.vi) == VIP_SUCCESS);
        BOOST_TEST(VipCloseNic(self.nic) == VIP_ERROR_RESOURCE);
        VipDeregisterMem(self.nic, self.At(0), self.region);
        VipDeregisterMem(self.nic, self.Pool(), self.pool);
        BOOST_TEST(VipCloseNic(self.nic) == VIP_ERROR_RESOURCE);
        VipDestroyPtag(self.nic, self.tag);
        VIP_CQ_HANDLE cq = nullptr;
        VipCreateCQ(self.nic, 4, &cq);
        BOOST_TEST(VipCloseNic(self.nic) == VIP_ERROR_RESOURCE);
        VipDestroyCQ(cq);
        BOOST_TEST(VipCloseNic(self.nic) == VIP_SUCCESS);
    });
}

CONFORMANCE_CASE(HandlesOfANicShareObjectsWhereTheProductsDo, "OpenNic.shared")
{
    RunAlone([](Party& self) {
        const bool shared = Habit("vipl.shared_handles");
        VIP_NIC_HANDLE second = nullptr;
        VipOpenNic("nic0", &second);
        VIP_MEM_ATTRIBUTES attributes = self.MemAttributes();
        VIP_MEM_HANDLE handle = 0;
        BOOST_TEST(VipRegisterMem(second, self.At(0), 8, &attributes, &handle) ==
                   (shared ? VIP_SUCCESS : VIP_INVALID_PTAG));
        BOOST_TEST(VipQueryMem(second, self.At(0), self.region, &attributes) ==
                   (shared ? VIP_SUCCESS : VIP_INVALID_PARAMETER));
        BOOST_TEST(VipCloseNic(second) == VIP_SUCCESS); // what it shares stays with the other
    });
}

CONFORMANCE_CASE(TwoHandlesOfANicWorkSideBySide, "OpenNic.again OpenNic.side-by-side")
{
    const auto open = [](Party& self, Party& other) {
        other.Open({});
        BOOST_TEST(other.nic != self.nic);
    };
    Party second[2];
    const auto client = [&](Party& self) {
        open(self, second[0]);
        BOOST_TEST(self.Connect(self.vi, 1, "a") == VIP_SUCCESS);
        BOOST_TEST(second[0].Connect(second[0].vi, 1, "b") == VIP_SUCCESS);
        Pause(PS_PER_MS);
        self.Send(self.Immediate(self.Make({}), 1));
        second[0].Send(second[0].Immediate(second[0].Make({}), 2));
        BOOST_TEST(self.Sent() == SENT);
        BOOST_TEST(second[0].Sent() == SENT);
    };
    const auto server = [&](Party& self) {
        open(self, second[1]);
        self.Receive(self.Make({}));
        second[1].Receive(second[1].Make({}));
        BOOST_TEST(self.Listen(self.vi, "a") == VIP_SUCCESS);
        BOOST_TEST(second[1].Listen(second[1].vi, "b") == VIP_SUCCESS);
        self.Received();
        BOOST_TEST(self.last->CS.ImmediateData == 1u);
        second[1].Received();
        BOOST_TEST(second[1].last->CS.ImmediateData == 2u);
    };
    RunApart(client, server);
}

CONFORMANCE_CASE(HandlesOfAnotherProcessAreForeign, "handles.process protection.process")
{
    const auto owner = [](Party&, Cast&) {};
    const auto thief = [](Party& self, Cast& all) {
        Pause(10 * PS_PER_MS);
        Party& other = all[0];
        VIP_VI_STATE state;
        VIP_VI_ATTRIBUTES vi = self.ViAttributes();
        VIP_BOOLEAN empty;
        VIP_MEM_ATTRIBUTES memory;
        BOOST_TEST(VipDeregisterMem(self.nic, other.At(0), other.region) == REFUSED);
        BOOST_TEST(VipQueryMem(self.nic, other.At(0), other.region, &memory) == REFUSED);
        if (other.vi != self.vi) // handles are each process' own
        {
            BOOST_TEST(VipQueryVi(other.vi, &state, &vi, &empty, &empty) == REFUSED);
        }
    };
    RunCast({{0, owner}, {0, thief}});
}

CONFORMANCE_CASE(ATagThatAViCarriesStays, "DestroyPtag.in-use")
{
    RunAlone([](Party& self) {
        VIP_PROTECTION_HANDLE tag = nullptr;
        VIP_VI_ATTRIBUTES attributes = self.ViAttributes();
        VIP_VI_HANDLE vi = nullptr;
        VipCreatePtag(self.nic, &tag);
        attributes.Ptag = tag;
        VipCreateVi(self.nic, &attributes, nullptr, nullptr, &vi);
        BOOST_TEST(VipDestroyPtag(self.nic, tag) == TagInUse());
        VipDestroyVi(vi);
        BOOST_TEST(VipDestroyPtag(self.nic, tag) == VIP_SUCCESS);
    });
}

CONFORMANCE_CASE(ATagThatARegionCarriesStays, "DestroyPtag.in-use")
{
    RunAlone([](Party& self) {
        VIP_PROTECTION_HANDLE tag = nullptr;
        VIP_MEM_HANDLE handle = 0;
        VipCreatePtag(self.nic, &tag);
        VIP_MEM_ATTRIBUTES attributes{tag, VIP_FALSE, VIP_FALSE};
        VipRegisterMem(self.nic, self.At(0), 8, &attributes, &handle);
        BOOST_TEST(VipDestroyPtag(self.nic, tag) == TagInUse());
        VipDeregisterMem(self.nic, self.At(0), handle);
        BOOST_TEST(VipDestroyPtag(self.nic, tag) == VIP_SUCCESS);
    });
}

CONFORMANCE_CASE(TagsRunOut, "CreatePtag.limit")
{
    const auto body = [](Party& self) {
        BOOST_TEST(NicOf(self).MaxPtags == 2u);
        VIP_PROTECTION_HANDLE tag = nullptr; // the party has one
        BOOST_TEST(VipCreatePtag(self.nic, &tag) == VIP_SUCCESS);
        VIP_PROTECTION_HANDLE third = nullptr;
        BOOST_TEST(VipCreatePtag(self.nic, &third) == VIP_ERROR_RESOURCE);
        BOOST_TEST(third == nullptr);
        VipDestroyPtag(self.nic, tag);
        BOOST_TEST(VipCreatePtag(self.nic, &third) == VIP_SUCCESS);
    };
    RunAlone(body, {}, Limited({{"nic.max_ptags", "2"}}));
}

CONFORMANCE_CASE(RegionsRunOut, "RegisterMem.limits")
{
    const auto body = [](Party& self) {
        VIP_MEM_HANDLE handles[2] = {};
        BOOST_TEST(self.Register(self.At(0), 8, &handles[0]) == VIP_SUCCESS);
        BOOST_TEST(self.Register(self.At(0), 8, &handles[1]) == VIP_ERROR_RESOURCE);
        BOOST_TEST(handles[1] == 0u);
        VipDeregisterMem(self.nic, self.At(0), handles[0]);
        BOOST_TEST(self.Register(self.At(0), 8, &handles[1]) == VIP_SUCCESS);
    };
    RunAlone(body, {}, Limited({{"nic.max_regions", "3"}})); // the party has two
}

CONFORMANCE_CASE(RegisteredBytesRunOut, "RegisterMem.limits")
{
    const auto body = [](Party& self) {
        const VIP_ULONG left = NicOf(self).MaxRegisterBytes - Party::REGION - Party::POOL;
        VIP_MEM_HANDLE handle = 0;
        BOOST_TEST(self.Register(self.At(0), left + 1, &handle) == VIP_ERROR_RESOURCE);
        BOOST_TEST(self.Register(self.At(0), left, &handle) == VIP_SUCCESS);
    };
    const std::string bytes = std::to_string(Party::REGION + Party::POOL + 10000);
    RunAlone(body,
             {},
             Limited({{"nic.max_registered_bytes", bytes}, {"nic.max_region_bytes", bytes}}));
}

CONFORMANCE_CASE(ABlockHasALargestSize, "RegisterMem.limits")
{
    const auto body = [](Party& self) {
        const VIP_ULONG most = NicOf(self).MaxRegisterBlockBytes;
        VIP_MEM_HANDLE handle = 0;
        BOOST_TEST(VipDeregisterMem(self.nic, self.Pool(), self.pool) == VIP_SUCCESS);
        BOOST_TEST(self.Register(self.Pool(), most + 1, &handle) == VIP_ERROR_RESOURCE);
        BOOST_TEST(self.Register(self.Pool(), most, &handle) == VIP_SUCCESS);
    };
    RunAlone(body, {}, Limited({{"nic.max_region_bytes", std::to_string(Party::POOL)}}));
}

CONFORMANCE_CASE(MemoryThatIsNotThereIsNotRegistered, "RegisterMem.unmapped")
{
    RunAlone([](Party& self) {
        VIP_MEM_HANDLE handle = 0;
        BOOST_TEST(self.Register(Nowhere(), 4096, &handle) == REFUSED);
        BOOST_TEST(handle == 0u);
    });
}

CONFORMANCE_CASE(NullAttributesAreRefusedOrTheDefault, "RegisterMem.null-attributes")
{
    RunAlone([](Party& self) {
        const bool fine = Habit("vipl.null_tag");
        VIP_MEM_HANDLE handle = 0;
        BOOST_TEST(VipRegisterMem(self.nic, self.At(0), 8, nullptr, &handle) ==
                   (fine ? VIP_SUCCESS : VIP_INVALID_PARAMETER));
        BOOST_TEST((handle != 0) == fine);
        VIP_MEM_ATTRIBUTES out{self.tag, VIP_TRUE, VIP_TRUE};
        if (fine)
        {
            BOOST_TEST(VipQueryMem(self.nic, self.At(0), handle, &out) == VIP_SUCCESS);
            BOOST_TEST(out.Ptag != self.tag);
            BOOST_TEST(out.EnableRdmaWrite == VIP_FALSE);
            BOOST_TEST(out.EnableRdmaRead == VIP_FALSE);
        }
    });
}

CONFORMANCE_CASE(RdmaReadOfMemoryIsAsTheNicSays, "RegisterMem.rdma-read SetMemAttributes.codes")
{
    RunAlone([](Party& self) {
        const bool reads = NicOf(self).RDMAReadSupport != 0;
        const VIP_RETURN expected = reads ? VIP_SUCCESS : VIP_INVALID_RDMAREAD;
        VIP_MEM_ATTRIBUTES attributes{self.tag, VIP_FALSE, VIP_TRUE};
        VIP_MEM_HANDLE handle = 0;
        BOOST_TEST(VipRegisterMem(self.nic, self.At(0), 8, &attributes, &handle) == expected);
        BOOST_TEST(VipSetMemAttributes(self.nic, self.At(0), self.region, &attributes) == expected);
    });
}

CONFORMANCE_CASE(SetMemAttributesChangesARegion, "SetMemAttributes.change")
{
    RunAlone([](Party& self) {
        VIP_PROTECTION_HANDLE tag = nullptr;
        VipCreatePtag(self.nic, &tag);
        VIP_MEM_ATTRIBUTES in{tag, VIP_FALSE, VIP_FALSE};
        VIP_MEM_ATTRIBUTES out{};
        BOOST_TEST(VipSetMemAttributes(self.nic, self.At(0), self.region, &in) == VIP_SUCCESS);
        BOOST_TEST(VipQueryMem(self.nic, self.At(0), self.region, &out) == VIP_SUCCESS);
        BOOST_TEST(out.Ptag == tag);
        BOOST_TEST(out.EnableRdmaWrite == VIP_FALSE);
    });
}

CONFORMANCE_CASE(SetMemAttributesChecksItsParameters,
                 "SetMemAttributes.parameters SetMemAttributes.codes")
{
    RunAlone([](Party& self) {
        VIP_MEM_ATTRIBUTES in = self.MemAttributes();
        BOOST_TEST(VipSetMemAttributes(nullptr, self.At(0), self.region, &in) == REFUSED);
        BOOST_TEST(VipSetMemAttributes(self.nic, self.At(1), self.region, &in) == REFUSED);
        BOOST_TEST(VipSetMemAttributes(self.nic, self.At(0), 0, &in) == REFUSED);
        in.Ptag = self.vi;
        BOOST_TEST(VipSetMemAttributes(self.nic, self.At(0), self.region, &in) == VIP_INVALID_PTAG);
        VIP_MEM_ATTRIBUTES out{};
        VipQueryMem(self.nic, self.At(0), self.region, &out);
        BOOST_TEST(out.Ptag == self.tag); // a refusal changes nothing
    });
}

CONFORMANCE_CASE(NullAttributesAreRefusedOrTheDefaultForARegion, "RegisterMem.null-attributes")
{
    RunAlone([](Party& self) {
        BOOST_TEST(VipSetMemAttributes(self.nic, self.At(0), self.region, nullptr) ==
                   (Habit("vipl.null_tag") ? VIP_SUCCESS : VIP_INVALID_PARAMETER));
    });
}

CONFORMANCE_CASE(ARegionThatLosesItsRightIsClosed, "SetMemAttributes.effect")
{
    const auto client = [](Party& self, Party& peer) {
        Pause(2 * PS_PER_MS);
        self.Fill(0, 100, 1);
        SendOn(self, self.vi, self.Write(peer.At(0, 0), {self.At(0, 100)}));
    };
    const auto server = [](Party& self, Party&) {
        VIP_MEM_ATTRIBUTES closed{self.tag, VIP_FALSE, VIP_FALSE};
        BOOST_TEST(VipSetMemAttributes(self.nic, self.At(0), self.region, &closed) == VIP_SUCCESS);
        Pause(20 * PS_PER_MS);
        BOOST_TEST(self.Errors() == "RDMAW_PROT");
        BOOST_TEST(self.Untouched());
    };
    RunPair(client, server, At(VIP_SERVICE_UNRELIABLE));
}

BOOST_AUTO_TEST_SUITE_END()
