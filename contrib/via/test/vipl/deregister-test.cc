/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: memory that is deregistered, and unmapped, while a card uses it.

#include "support/via-test-vipl-bench.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

constexpr std::uint32_t MAPPED = 60'000;
constexpr Ps PAUSE_STEP = 40 * PS_PER_US;

/// The clusters of a product in the usual mode and in reference mode.
std::vector<ClusterConfig>
BothModes(const std::string& profile)
{
    std::vector<ClusterConfig> configs(2);
    for (ClusterConfig& config : configs)
    {
        config.profile = profile;
    }
    configs[1].reference = true;
    return configs;
}

/// Registered memory, all bytes 7, that is unmapped when it is deregistered.
class Mapping
{
  public:
    explicit Mapping(Party& owner)
        : m_owner(owner),
          m_bytes(mmap(nullptr, MAPPED, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
    {
        std::memset(m_bytes, 7, MAPPED);
        BOOST_TEST(owner.Register(m_bytes, MAPPED, &m_handle) == VIP_SUCCESS);
    }

    Extent All() const
    {
        return {m_bytes, MAPPED, m_handle};
    }

    void End()
    {
        BOOST_TEST(VipDeregisterMem(m_owner.nic, m_bytes, m_handle) == VIP_SUCCESS);
        munmap(m_bytes, MAPPED);
    }

  private:
    Party& m_owner;
    void* m_bytes;
    VIP_MEM_HANDLE m_handle{0};
};

bool
AreAll(const std::uint8_t* bytes, std::uint8_t value)
{
    return std::all_of(bytes, bytes + MAPPED, [value](std::uint8_t byte) { return byte == value; });
}

/// Sends from memory that ends @p after the post. @return whether it was sent
bool
SendAndEnd(const ClusterConfig& config, Ps after, std::string& digest)
{
    Setup setup;
    setup.level = VIP_SERVICE_UNRELIABLE;
    bool sent = false;
    bool received = false;
    const auto client = [&](Party& self, Party&) {
        Mapping memory(self);
        self.Send(self.Make({memory.All()}));
        Pause(after);
        memory.End();
        sent = self.Sent() == SENT;
    };
    const auto server = [&](Party& self, Party&) {
        self.Receive(self.Make({self.At(0, MAPPED)}));
        received = self.Received() == RECEIVED;
        BOOST_TEST((!received || AreAll(self.At(0), 7)));
    };
    digest = RunPair(client, server, setup, config).digest;
    BOOST_TEST(sent == received);
    return sent;
}

} // namespace

BOOST_AUTO_TEST_SUITE(vipl_deregister)

BOOST_AUTO_TEST_CASE(AMessageThatIsReadFromMemoryThatEndsGoesOutAsAWhole)
{
    for (const std::string profile :
         {"giganet-clan1000", "gm-lanai9-133", "mvia-gnic2", "infinihost", "firmvia-sp"})
    {
        int sent = 0;
        for (Ps after = 0; after < 16 * PAUSE_STEP; after += PAUSE_STEP)
        {
            std::string digests[2];
            const auto modes = BothModes(profile);
            const bool usual = SendAndEnd(modes[0], after, digests[0]);
            BOOST_TEST(usual == SendAndEnd(modes[1], after, digests[1]));
            BOOST_TEST(digests[0] == digests[1], profile << " after " << after << " ps");
            sent += usual ? 1 : 0;
        }
        BOOST_TEST(sent >= 8, profile << ": " << sent);
    }
}

BOOST_AUTO_TEST_CASE(WhatIsWrittenAfterTheEndOfTheRegionIsNotSent)
{
    const auto client = [](Party& self, Party&) {
        self.Fill(0, MAPPED, 1);
        self.Send(self.Make({self.At(0, 100), self.At(100, MAPPED - 100)}));
        Pause(PAUSE_STEP);
        BOOST_TEST(VipDeregisterMem(self.nic, self.At(0), self.region) == VIP_SUCCESS);
        self.Fill(0, MAPPED, 2);
        BOOST_TEST(self.Sent() == SENT);
    };
    const auto server = [](Party& self, Party&) {
        self.Receive(self.Make({self.At(0, MAPPED)}));
        BOOST_TEST(self.Received() == RECEIVED);
        BOOST_TEST(self.Holds(0, MAPPED, 1));
    };
    RunPair(client, server);
}

BOOST_AUTO_TEST_CASE(AnRdmaReadThatHasBegunGetsTheBytesOfTheRegionThatEnds)
{
    Setup setup;
    setup.level = VIP_SERVICE_RELIABLE_DELIVERY;
    setup.rdmaRead = true;
    for (const ClusterConfig& config : BothModes("infinihost"))
    {
        for (Ps after = PAUSE_STEP / 2; after < 4 * PAUSE_STEP; after += PAUSE_STEP / 2)
        {
            const auto client = [&](Party& self, Party& peer) {
                self.Send(self.Read({peer.At(0), 0, peer.region}, {self.At(0, MAPPED)}));
                BOOST_TEST((self.Sent() != READ || self.Holds(0, MAPPED, 1)));
            };
            const auto server = [&](Party& self, Party&) {
                self.Fill(0, MAPPED, 1);
                Pause(PS_PER_MS + after);
                VipDeregisterMem(self.nic, self.At(0), self.region);
                self.Fill(0, MAPPED, 2);
            };
            RunPair(client, server, setup, config);
        }
    }
}

BOOST_AUTO_TEST_CASE(NothingArrivesInMemoryThatHasEnded)
{
    for (const bool writes : {false, true})
    {
        const auto client = [&](Party& self, Party& peer) {
            self.Fill(0, MAPPED, 1);
            const Extent bytes = self.At(0, MAPPED);
            self.Send(writes ? self.Write({peer.At(0), 0, peer.region}, {bytes})
                             : self.Make({bytes}));
            self.Sent();
        };
        const auto server = [&](Party& self, Party&) {
            self.Receive(self.Make({self.At(0, MAPPED)}));
            Pause(PS_PER_MS + 6 * PAUSE_STEP);
            BOOST_TEST(!self.Untouched(0, MAPPED));
            BOOST_TEST(VipDeregisterMem(self.nic, self.At(0), self.region) == VIP_SUCCESS);
            self.Fill(0, MAPPED, 2);
            BOOST_TEST((self.Received() & VIP_STATUS_ERROR_MASK) != 0U);
            BOOST_TEST(self.Holds(0, MAPPED, 2));
        };
        RunPair(client, server);
    }
}

// The card asks for the bus when it has looked the segment up; it once wrote as much as it had
// asked for wherever the segment was then.
BOOST_AUTO_TEST_CASE(AReceiveThatIsChangedWhileItsMessageIsWrittenStaysInItsRegion)
{
    constexpr VIP_UINT32 bytes = 4096;
    constexpr VIP_UINT32 rest = 8;
    int refused = 0;
    for (Ps after = 0; after < 150 * PS_PER_US; after += PS_PER_US)
    {
        const auto client = [](Party& self, Party&) {
            self.Send(self.Make({self.At(0, bytes)}));
            self.Sent();
        };
        const auto server = [&](Party& self, Party&) {
            VIP_DESCRIPTOR* receive = self.Make({self.At(0, bytes)});
            self.Receive(receive);
            Pause(PS_PER_MS + after);
            receive->DS[0].Local.Data.Address = self.At(Party::REGION - rest);
            receive->DS[0].Local.Length = rest;
            refused += (self.Received() & VIP_STATUS_PROTECTION_ERROR) != 0U ? 1 : 0;
            BOOST_TEST(self.Untouched(Party::REGION, Party::GUARD), "after " << after << " ps");
        };
        RunPair(client, server, {}, BothModes("berkeley-via-lanai4")[0]);
    }
    BOOST_TEST(refused > 0);
}

BOOST_AUTO_TEST_SUITE_END()
