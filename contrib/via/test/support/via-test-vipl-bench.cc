/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL for tests: processes as C++ bodies, and parties with guarded memory.

#include "via-test-vipl-bench.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace ns3
{
namespace via
{
namespace test
{

namespace
{

constexpr VIP_ULONG LONG_MS = 500;    // longer than any wait of a test
constexpr Ps END = 5 * PS_PER_SECOND; // no process exits earlier

std::uint8_t
ByteAt(std::uint32_t i, int seed)
{
    return static_cast<std::uint8_t>((i * 7 + static_cast<std::uint32_t>(seed)) % 151);
}

const ProviderProfile&
TestProfile()
{
    static const ProviderProfile profile = ProviderProfile::Load(TestConfig().profile);
    return profile;
}

} // namespace

ClusterConfig
TestConfig()
{
    ClusterConfig config;
    const char* profile = std::getenv("VIA_TEST_PROFILE");
    config.profile = profile == nullptr ? config.profile : profile;
    return config;
}

VIP_USHORT
UsualLevel()
{
    const std::vector<std::string> levels = TestProfile().Words("nic.reliability");
    const bool reliable =
        std::find(levels.begin(), levels.end(), "reliable-delivery") != levels.end();
    return reliable ? VIP_SERVICE_RELIABLE_DELIVERY : VIP_SERVICE_UNRELIABLE;
}

VIP_ULONG
UsualTransfer()
{
    return std::min<VIP_ULONG>(65536, TestProfile().Number("nic.max_transfer_size"));
}

Ps
Now()
{
    return FiberProcess::Current()->Clock().at;
}

void
Pause(Ps span)
{
    FiberProcess::Current()->SleepUntil(Now() + span);
}

Address::Address(std::uint32_t node, const std::string& discriminator)
{
    const std::string host = HostAddressOf(node);
    VIP_NET_ADDRESS* address = *this;
    address->HostAddressLen = static_cast<VIP_UINT16>(host.size());
    address->DiscriminatorLen = static_cast<VIP_UINT16>(discriminator.size());
    const std::string bytes = host + discriminator;
    std::copy(bytes.begin(), bytes.end(), m_bytes.begin() + offsetof(VIP_NET_ADDRESS, HostAddress));
}

std::string
Address::Bytes()
{
    VIP_NET_ADDRESS* address = *this;
    return {m_bytes.data() + offsetof(VIP_NET_ADDRESS, HostAddress),
            static_cast<std::size_t>(address->HostAddressLen + address->DiscriminatorLen)};
}

Party::Party()
    : m_memory(REGION + 2 * GUARD, CANARY),
      m_pool(new std::uint8_t[POOL + VIP_DESCRIPTOR_ALIGNMENT])
{
    const auto address = reinterpret_cast<std::uintptr_t>(m_pool.get());
    m_poolStart = m_pool.get() + (VIP_DESCRIPTOR_ALIGNMENT - address % VIP_DESCRIPTOR_ALIGNMENT);
    m_free = m_poolStart;
}

void
Party::Open(const Setup& setup)
{
    m_setup = setup;
    BOOST_TEST(VipOpenNic(setup.device.c_str(), &nic) == VIP_SUCCESS);
    BOOST_TEST(VipErrorCallback(nic, this, &Party::OnError) == VIP_SUCCESS);
    BOOST_TEST(VipCreatePtag(nic, &tag) == VIP_SUCCESS);
    BOOST_TEST(Register(At(0), REGION, &region) == VIP_SUCCESS);
    BOOST_TEST(Register(m_poolStart, POOL, &pool) == VIP_SUCCESS);
    if (setup.cqEntries > 0)
    {
        BOOST_TEST(VipCreateCQ(nic, setup.cqEntries, &cq) == VIP_SUCCESS);
    }
    vi = CreateVi(cq, cq);
}

VIP_VI_ATTRIBUTES
Party::ViAttributes() const
{
    return {m_setup.level, m_setup.maxTransfer, nullptr, tag, m_setup.viRdma, m_setup.rdmaRead};
}

VIP_MEM_ATTRIBUTES
Party::MemAttributes() const
{
    return {tag, m_setup.regionRdma, m_setup.rdmaRead};
}

VIP_VI_HANDLE
Party::CreateVi(VIP_CQ_HANDLE sendCq, VIP_CQ_HANDLE receiveCq)
{
    VIP_VI_HANDLE made = nullptr;
    VIP_VI_ATTRIBUTES attributes = ViAttributes();
    BOOST_TEST(VipCreateVi(nic, &attributes, sendCq, receiveCq, &made) == VIP_SUCCESS);
    return made;
}

VIP_RETURN
Party::Register(void* address, VIP_ULONG length, VIP_MEM_HANDLE* handle)
{
    VIP_MEM_ATTRIBUTES attributes = MemAttributes();
    return VipRegisterMem(nic, address, length, &attributes, handle);
}

VIP_RETURN
Party::Listen(VIP_VI_HANDLE on, const std::string& discriminator)
{
    Address local(FiberProcess::Current()->GetHost().Id(), discriminator);
    Address remote(0);
    VIP_VI_ATTRIBUTES attributes;
    VIP_CONN_HANDLE connection = nullptr;
    const VIP_RETURN result =
        VipConnectWait(nic, local, VIP_INFINITE, remote, &attributes, &connection);
    return result == VIP_SUCCESS ? VipConnectAccept(connection, on) : result;
}

VIP_RETURN
Party::Connect(VIP_VI_HANDLE on, std::uint32_t node, const std::string& discriminator)
{
    Address local(FiberProcess::Current()->GetHost().Id(), discriminator);
    Address remote(node, discriminator);
    VIP_VI_ATTRIBUTES attributes;
    VIP_RETURN result = VIP_NO_MATCH;
    while (result == VIP_NO_MATCH)
    {
        result = VipConnectRequest(on, local, remote, VIP_INFINITE, &attributes);
    }
    return result;
}

void
Party::Fill(std::int64_t offset, std::uint32_t length, int seed)
{
    for (std::uint32_t i = 0; i < length; ++i)
    {
        At(offset)[i] = ByteAt(i, seed);
    }
}

bool
Party::Holds(std::int64_t offset, std::uint32_t length, int seed)
{
    for (std::uint32_t i = 0; i < length; ++i)
    {
        if (At(offset)[i] != ByteAt(i, seed))
        {
            return false;
        }
    }
    return true;
}

bool
Party::Untouched(std::int64_t offset, std::uint32_t length)
{
    const std::uint8_t* from = At(offset);
    return std::all_of(from, from + length, [](std::uint8_t byte) { return byte == CANARY; });
}

VIP_DESCRIPTOR*
Party::Make(const std::vector<Extent>& pieces, VIP_UINT16 control)
{
    auto* descriptor = reinterpret_cast<VIP_DESCRIPTOR*>(m_free);
    std::memset(m_free, 0, sizeof(VIP_CONTROL_SEGMENT));
    auto* segment = reinterpret_cast<VIP_DATA_SEGMENT*>(m_free + sizeof(VIP_CONTROL_SEGMENT));
    for (const Extent& piece : pieces)
    {
        segment->Data.AddressBits = reinterpret_cast<VIP_UINT64>(piece.address);
        segment->Handle = piece.handle;
        segment->Length = piece.length;
        descriptor->CS.Length = descriptor->CS.Length + piece.length;
        ++segment;
    }
    descriptor->CS.SegCount = static_cast<VIP_UINT16>(pieces.size());
    descriptor->CS.Control = control;
    while (m_free < reinterpret_cast<std::uint8_t*>(segment))
    {
        m_free += VIP_DESCRIPTOR_ALIGNMENT;
    }
    return descriptor;
}

VIP_DESCRIPTOR*
Party::Rdma(const Extent& remote, std::vector<Extent> pieces, VIP_UINT16 control)
{
    pieces.insert(pieces.begin(), {remote.address, 0, remote.handle}); // the length is reserved
    return Make(pieces, control);
}

VIP_DESCRIPTOR*
Party::Write(const Extent& remote, const std::vector<Extent>& pieces, VIP_UINT16 control)
{
    return Rdma(remote, pieces, VIP_CONTROL_OP_RDMAWRITE | control);
}

VIP_DESCRIPTOR*
Party::Read(const Extent& remote, const std::vector<Extent>& pieces, VIP_UINT16 control)
{
    return Rdma(remote, pieces, VIP_CONTROL_OP_RDMAREAD | control);
}

VIP_DESCRIPTOR*
Party::Immediate(VIP_DESCRIPTOR* descriptor, VIP_UINT32 data)
{
    descriptor->CS.Control |= VIP_CONTROL_IMMEDIATE;
    descriptor->CS.ImmediateData = data;
    return descriptor;
}

VIP_UINT32
Party::Sent()
{
    VipSendWait(vi, LONG_MS, &last);
    return last == nullptr ? 0 : last->CS.Status;
}

VIP_UINT32
Party::Received()
{
    VipRecvWait(vi, LONG_MS, &last);
    return last == nullptr ? 0 : last->CS.Status;
}

VIP_VI_STATE
Party::State() const
{
    VIP_VI_STATE state = VIP_STATE_ERROR;
    VIP_VI_ATTRIBUTES attributes;
    VIP_BOOLEAN empty;
    BOOST_TEST(VipQueryVi(vi, &state, &attributes, &empty, &empty) == VIP_SUCCESS);
    return state;
}

std::string
Party::Errors()
{
    static const char* const names[] = {"POST_DESC",
                                        "CONN_LOST",
                                        "RECVQ_EMPTY",
                                        "VI_OVERRUN",
                                        "RDMAW_PROT",
                                        "RDMAW_DATA",
                                        "RDMAW_ABORT",
                                        "RDMAR_PROT",
                                        "COMP_PROT",
                                        "RDMA_TRANSPORT",
                                        "CATASTROPHIC"};
    Pause(PS_PER_MS / 10); // the handler is called a little later than the error happens
    std::string text;
    for (const VIP_ERROR_DESCRIPTOR& error : errors)
    {
        text += (text.empty() ? "" : " ") + std::string(names[error.ErrorCode]);
    }
    return text;
}

void
Party::OnError(VIP_PVOID self, VIP_ERROR_DESCRIPTOR* error)
{
    static_cast<Party*>(self)->errors.push_back(*error);
}

RunReport
RunEach(const std::vector<Body>& bodies, ClusterConfig config)
{
    config.nodes = std::max(config.nodes, static_cast<std::uint32_t>(bodies.size()));
    Cluster cluster(config);
    for (std::uint32_t node = 0; node < bodies.size(); ++node)
    {
        const Body& body = bodies[node];
        cluster.AddProcess(node, [&body] {
            body();
            return 0;
        });
    }
    return cluster.Run();
}

void
RunAlone(const PartyBody& body, const Setup& setup, ClusterConfig config)
{
    Party party;
    const auto alone = [&] {
        party.Open(setup);
        body(party);
    };
    const RunReport report = RunEach({alone}, std::move(config));
    BOOST_TEST((report.exit == RunExit::SUCCESS), report.processes[0].report);
}

RunReport
RunPair(const PairBody& client,
        const PairBody& server,
        const Setup& setup,
        const ClusterConfig& config)
{
    Party ends[2];
    const auto asClient = [&] {
        ends[0].Open(setup);
        BOOST_TEST(ends[0].Connect(ends[0].vi, 1) == VIP_SUCCESS);
        Pause(PS_PER_MS);
        client(ends[0], ends[1]);
        FiberProcess::Current()->SleepUntil(END);
    };
    const auto asServer = [&] {
        ends[1].Open(setup);
        BOOST_TEST(ends[1].Listen(ends[1].vi) == VIP_SUCCESS);
        server(ends[1], ends[0]);
        FiberProcess::Current()->SleepUntil(END);
    };
    RunReport report = RunEach({asClient, asServer}, config);
    for (const ProcessReport& process : report.processes)
    {
        BOOST_TEST(process.exit == 0, process.report);
    }
    return report;
}

void
Nothing(Party&, Party&)
{
}

ClusterConfig
With(const std::string& key, const std::string& value)
{
    ClusterConfig config;
    config.overrides[key] = value;
    return config;
}

ClusterConfig
Strict()
{
    ClusterConfig config;
    config.overrides = {{"vipl.null_tag", "0"}, {"vipl.shared_handles", "0"}};
    return config;
}

std::uint64_t
Key(const std::string& key)
{
    return TestProfile().Number(key);
}

Ps
CpuTime(std::uint64_t cycles)
{
    return ClockDomain(HostCosts::From(TestProfile()).cpuClock).Span(Cycles(cycles));
}

} // namespace test
} // namespace via
} // namespace ns3
