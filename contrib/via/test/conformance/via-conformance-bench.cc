/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What every conformance case uses: its rules, its processes, and what the profile offers.

#include "via-conformance-bench.h"

#include <algorithm>

namespace ns3
{
namespace via
{
namespace test
{

namespace
{

constexpr Ps END = 5 * PS_PER_SECOND; // nobody exits before

struct Optional
{
    const char* name;
    const char* key; ///< of the profile
};

Optional
Describe(Feature feature)
{
    switch (feature)
    {
    case Feature::RELIABLE_DELIVERY:
        return {"reliable delivery", "nic.reliability"};
    case Feature::RELIABLE_RECEPTION:
        return {"reliable reception", "nic.reliability"};
    case Feature::RDMA_READ:
        return {"RDMA read", "nic.rdma_read"};
    default:
        return {"Giganet's extensions", "vipl.extensions"};
    }
}

bool
ProfileOffers(Feature feature)
{
    if (feature == Feature::RDMA_READ || feature == Feature::EXTENSIONS)
    {
        return Key(Describe(feature).key) != 0;
    }
    const ProviderProfile profile = ProviderProfile::Load(TestConfig().profile);
    const std::vector<std::string> levels = profile.Words("nic.reliability");
    const char* const word =
        feature == Feature::RELIABLE_DELIVERY ? "reliable-delivery" : "reliable-reception";
    return std::find(levels.begin(), levels.end(), word) != levels.end();
}

std::string
SourceOf(const char* key)
{
    const ProviderProfile profile = ProviderProfile::Load(TestConfig().profile);
    for (const ProfileEntry& entry : profile.Entries())
    {
        if (entry.key == key)
        {
            return entry.source;
        }
    }
    return "";
}

/// Asks for what is not offered, in every way there is.
void
CheckRefusal(Party& self, Feature feature)
{
    const VIP_NIC_ATTRIBUTES nic = NicOf(self);
    if (feature == Feature::EXTENSIONS)
    {
        VIP_CQ_HANDLE cq = nullptr;
        VIP_EVENT_HANDLE event = nullptr;
        VIP_BOOLEAN deferred = VIP_FALSE;
        BOOST_TEST(VipCreateCQ(self.nic, 4, &cq) == VIP_SUCCESS);
        BOOST_TEST(VipAddTagCQ(cq, &event, 1, 1) == VIP_ERROR_NOT_SUPPORTED);
        BOOST_TEST(VipRemoveTagCQ(cq, event, 1) == VIP_ERROR_NOT_SUPPORTED);
        BOOST_TEST(VipPostDeferredSends(self.vi, VIP_TRUE, &deferred) == VIP_ERROR_NOT_SUPPORTED);
        return;
    }
    if (feature == Feature::RDMA_READ)
    {
        BOOST_TEST(nic.RDMAReadSupport == 0);
        BOOST_TEST(CreateWith(self, [](VIP_VI_ATTRIBUTES& a) { a.EnableRdmaRead = VIP_TRUE; }) ==
                   VIP_INVALID_RDMAREAD);
        VIP_MEM_ATTRIBUTES memory{self.tag, VIP_FALSE, VIP_TRUE};
        VIP_MEM_HANDLE handle = 0;
        BOOST_TEST(VipRegisterMem(self.nic, self.At(0), 8, &memory, &handle) ==
                   VIP_INVALID_RDMAREAD);
        return;
    }
    const VIP_USHORT level = feature == Feature::RELIABLE_DELIVERY ? VIP_SERVICE_RELIABLE_DELIVERY
                                                                   : VIP_SERVICE_RELIABLE_RECEPTION;
    BOOST_TEST((nic.ReliabilityLevelSupport & level) == 0);
    BOOST_TEST(CreateWith(self, [level](VIP_VI_ATTRIBUTES& a) { a.ReliabilityLevel = level; }) ==
               VIP_INVALID_RELIABILITY_LEVEL);
}

} // namespace

std::string&
NotOffered()
{
    static std::string why;
    return why;
}

bool
Offered(Feature feature)
{
    if (ProfileOffers(feature))
    {
        return true;
    }
    const auto level = boost::unit_test::framework::current_test_case().p_parent_id;
    BOOST_TEST(boost::unit_test::framework::get<boost::unit_test::test_suite>(level).p_name.get() !=
               "early"); // every provider has what the Early Adopter needs
    const Optional optional = Describe(feature);
    const std::string source = SourceOf(optional.key);
    BOOST_TEST(!source.empty());
    RunAlone([feature](Party& self) { CheckRefusal(self, feature); });
    NotOffered() = std::string(optional.name) + ": " + optional.key + ": " + source;
    return false;
}

bool
Habit(const std::string& key)
{
    return Key(key) != 0;
}

VIP_RETURN
TagInUse()
{
    const ProviderProfile profile = ProviderProfile::Load(TestConfig().profile);
    return profile.Word("vipl.tag_in_use") == "error-resource" ? VIP_ERROR_RESOURCE
                                                               : VIP_INVALID_PARAMETER;
}

std::vector<VIP_USHORT>
OfferedLevels()
{
    std::vector<VIP_USHORT> levels{VIP_SERVICE_UNRELIABLE};
    if (ProfileOffers(Feature::RELIABLE_DELIVERY))
    {
        levels.push_back(VIP_SERVICE_RELIABLE_DELIVERY);
    }
    if (ProfileOffers(Feature::RELIABLE_RECEPTION))
    {
        levels.push_back(VIP_SERVICE_RELIABLE_RECEPTION);
    }
    return levels;
}

Setup
At(VIP_USHORT level)
{
    Setup setup;
    setup.level = level;
    return setup;
}

Setup
WithCq(VIP_ULONG entries)
{
    Setup setup;
    setup.cqEntries = entries;
    return setup;
}

Setup
WithRead()
{
    Setup setup;
    setup.rdmaRead = true;
    return setup;
}

void
RunCast(const std::vector<Actor>& actors, const Setup& setup, const ClusterConfig& config)
{
    ClusterConfig wide = config;
    for (const Actor& actor : actors)
    {
        wide.nodes = std::max(wide.nodes, actor.node + 1);
    }
    Cast all(actors.size());
    Cluster cluster(wide);
    for (std::size_t i = 0; i < actors.size(); ++i)
    {
        cluster.AddProcess(actors[i].node, [&, i] {
            all[i].Open(setup);
            Pause(i == 0 ? PS_PER_MS : 0);
            actors[i].body(all[i], all);
            FiberProcess::Current()->SleepUntil(END);
            return 0;
        });
    }
    for (const ProcessReport& process : cluster.Run().processes)
    {
        BOOST_TEST(process.exit == 0, process.report);
    }
}

void
RunApart(const PartyBody& client,
         const PartyBody& server,
         const Setup& setup,
         const ClusterConfig& config)
{
    RunCast({{0, [&client](Party& self, Cast&) { client(self); }},
             {1, [&server](Party& self, Cast&) { server(self); }}},
            setup,
            config);
}

VIP_NIC_ATTRIBUTES
NicOf(const Party& self)
{
    VIP_NIC_ATTRIBUTES attributes;
    BOOST_TEST(VipQueryNic(self.nic, &attributes) == VIP_SUCCESS);
    return attributes;
}

VIP_VI_STATE
StateOf(VIP_VI_HANDLE vi)
{
    VIP_VI_STATE state = VIP_STATE_ERROR;
    VIP_VI_ATTRIBUTES attributes;
    VIP_BOOLEAN empty;
    BOOST_TEST(VipQueryVi(vi, &state, &attributes, &empty, &empty) == VIP_SUCCESS);
    return state;
}

VIP_RETURN
Request(VIP_VI_HANDLE on,
        std::uint32_t node,
        const std::string& discriminator,
        VIP_ULONG timeout,
        VIP_VI_ATTRIBUTES* remote)
{
    const std::uint32_t here = FiberProcess::Current()->GetHost().Id();
    Address from(here, "client");
    Address to(node, discriminator);
    VIP_VI_ATTRIBUTES attributes;
    return VipConnectRequest(on, from, to, timeout, remote == nullptr ? &attributes : remote);
}

VIP_CONN_HANDLE
Await(const Party& self, const std::string& discriminator, VIP_ULONG timeout)
{
    const std::uint32_t here = FiberProcess::Current()->GetHost().Id();
    Address local(here, discriminator);
    Address from(9, "----------------");
    VIP_VI_ATTRIBUTES attributes;
    VIP_CONN_HANDLE connection = nullptr;
    VipConnectWait(self.nic, local, timeout, from, &attributes, &connection);
    return connection;
}

VIP_ERROR_DESCRIPTOR
FirstError(const Party& self)
{
    BOOST_TEST(!self.errors.empty());
    return self.errors.empty() ? VIP_ERROR_DESCRIPTOR{} : self.errors.front();
}

VIP_RETURN
CreateWith(Party& self, const std::function<void(VIP_VI_ATTRIBUTES&)>& change)
{
    VIP_VI_ATTRIBUTES attributes = self.ViAttributes();
    change(attributes);
    VIP_VI_HANDLE vi = nullptr;
    return VipCreateVi(self.nic, &attributes, nullptr, nullptr, &vi);
}

VIP_UINT32
SendOn(Party& self, VIP_VI_HANDLE vi, VIP_DESCRIPTOR* descriptor)
{
    BOOST_TEST(VipPostSend(vi, descriptor, self.pool) == VIP_SUCCESS);
    VipSendWait(vi, 500, &self.last);
    return self.last == nullptr ? 0 : self.last->CS.Status;
}

VIP_UINT32
ReceivedOn(Party& self, VIP_VI_HANDLE vi)
{
    VipRecvWait(vi, 500, &self.last);
    return self.last == nullptr ? 0 : self.last->CS.Status;
}

std::string
Popped(Party& self, VIP_VI_HANDLE vi, VIP_ULONG timeout)
{
    VIP_VI_HANDLE named = nullptr;
    VIP_BOOLEAN receive = VIP_FALSE;
    if (VipCQWait(self.cq, timeout, &named, &receive) != VIP_SUCCESS)
    {
        return "none";
    }
    return named != vi ? "another VI" : receive == VIP_FALSE ? "send" : "receive";
}

VIP_PVOID
Nowhere()
{
    return reinterpret_cast<VIP_PVOID>(0x10000000000);
}

} // namespace test
} // namespace via
} // namespace ns3
