/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: what both ends see of an error, at each reliability level.

#include "support/via-test-vipl-bench.h"

#include <array>
#include <functional>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

constexpr std::uint32_t SIZE = 100; // all of it has left before an answer arrives

/// The error bits of a descriptor's status: "ok" if it has none, "-" if nothing was completed.
std::string
Told(const VIP_DESCRIPTOR* descriptor)
{
    if (descriptor == nullptr)
    {
        return "-";
    }
    static const std::array<const char*, 8> names{"FORMAT",
                                                  "PROTECTION",
                                                  "LENGTH",
                                                  "PARTIAL",
                                                  "FLUSHED",
                                                  "TRANSPORT",
                                                  "RDMA_PROT",
                                                  "REMOTE_DESC"};
    std::string text;
    for (std::size_t bit = 0; bit < names.size(); ++bit)
    {
        if ((descriptor->CS.Status >> (bit + 1) & 1) != 0)
        {
            text += (text.empty() ? "" : "+") + std::string(names[bit]);
        }
    }
    return text.empty() ? "ok" : text;
}

/// What a party sees when all is over: its descriptor, its VI, its asynchronous errors.
std::string
Sees(Party& self, bool receive)
{
    Pause(50 * PS_PER_MS); // what is to come has come
    VIP_DESCRIPTOR* done = nullptr;
    (receive ? VipRecvDone : VipSendDone)(self.vi, &done);
    std::string text = Told(done);
    text += self.State() == VIP_STATE_CONNECTED ? ", connected" : ", error";
    return text + (self.Errors().empty() ? "" : ", " + self.Errors());
}

/// The error bits of the next descriptors when all is over.
std::string
Statuses(Party& self, bool receive, int count)
{
    Pause(50 * PS_PER_MS);
    std::string text;
    for (int i = 0; i < count; ++i)
    {
        VIP_DESCRIPTOR* done = nullptr;
        (receive ? VipRecvDone : VipSendDone)(self.vi, &done);
        text += Told(done) + "; ";
    }
    return text;
}

/// Something that goes wrong.
struct Event
{
    std::function<VIP_DESCRIPTOR*(Party& self, Party& target)> post;
    std::function<void(Party& target)> prepare;
    Setup setup;
};

ClusterConfig
AllLevels()
{
    ClusterConfig config = TestConfig();
    config.overrides["nic.reliability"] = "unreliable, reliable-delivery, reliable-reception";
    config.overrides["nic.rdma_read"] = "1";
    return config;
}

/// Lets it happen at a level. @return what the sender sees, and what the target sees
std::array<std::string, 2>
At(VIP_USHORT level, const Event& event)
{
    std::array<std::string, 2> seen;
    Setup setup = event.setup;
    setup.level = level;
    RunPair(
        [&](Party& self, Party& target) {
            self.Send(event.post(self, target));
            seen[0] = Sees(self, false);
        },
        [&](Party& self, Party&) {
            event.prepare(self);
            seen[1] = Sees(self, true);
        },
        setup,
        AllLevels());
    return seen;
}

using Seen = std::array<std::string, 2>; ///< by the sender, by the target

/// Compares an event at unreliable, reliable delivery, reliable reception.
void
Expect(const Event& event, const std::array<Seen, 3>& expected)
{
    const std::array<VIP_USHORT, 3> levels{VIP_SERVICE_UNRELIABLE,
                                           VIP_SERVICE_RELIABLE_DELIVERY,
                                           VIP_SERVICE_RELIABLE_RECEPTION};
    for (std::size_t i = 0; i < levels.size(); ++i)
    {
        const Seen seen = At(levels[i], event);
        BOOST_TEST(seen[0] == expected[i][0], "level " << levels[i] << ", sender: " << seen[0]);
        BOOST_TEST(seen[1] == expected[i][1], "level " << levels[i] << ", target: " << seen[1]);
    }
}

void
NoReceive(Party&)
{
}

void
OneReceive(Party& self)
{
    self.Receive(self.Make({self.At(0, SIZE)}));
}

Setup
WithoutRights()
{
    Setup setup;
    setup.regionRdma = false;
    return setup;
}

VIP_DESCRIPTOR*
Message(Party& self, Party&)
{
    return self.Make({self.At(0, SIZE)});
}

VIP_DESCRIPTOR*
RdmaWrite(Party& self, Party& target)
{
    return self.Write(target.At(0, 0), {self.At(0, SIZE)});
}

VIP_DESCRIPTOR*
RdmaWriteWithImmediate(Party& self, Party& target)
{
    return self.Immediate(RdmaWrite(self, target), 99);
}

} // namespace

BOOST_AUTO_TEST_SUITE(vipl_error_levels)

BOOST_AUTO_TEST_CASE(AMessageWithoutAReceive)
{
    Expect({Message, NoReceive, {}},
           {Seen{"ok, connected", "-, connected, RECVQ_EMPTY"},
            Seen{"ok, error, CONN_LOST", "-, error, RECVQ_EMPTY CONN_LOST"},
            Seen{"REMOTE_DESC, error, CONN_LOST", "-, error, RECVQ_EMPTY CONN_LOST"}});
}

BOOST_AUTO_TEST_CASE(AMessageLongerThanItsReceive)
{
    const auto shorter = [](Party& self) { self.Receive(self.Make({self.At(0, SIZE - 1)})); };
    Expect({Message, shorter, {}},
           {Seen{"ok, connected", "LENGTH, connected"},
            Seen{"ok, error, CONN_LOST", "LENGTH, error, CONN_LOST"},
            Seen{"REMOTE_DESC, error, CONN_LOST", "LENGTH, error, CONN_LOST"}});
}

BOOST_AUTO_TEST_CASE(AReceiveIntoMemoryThatIsNotItsOwn)
{
    const auto outside = [](Party& self) { self.Receive(self.Make({self.At(-1, SIZE)})); };
    Expect({Message, outside, {}},
           {Seen{"ok, connected", "PROTECTION, connected"},
            Seen{"ok, error, CONN_LOST", "PROTECTION, error, CONN_LOST"},
            Seen{"REMOTE_DESC, error, CONN_LOST", "PROTECTION, error, CONN_LOST"}});
}

BOOST_AUTO_TEST_CASE(AnRdmaWriteThatTheTargetRefuses)
{
    Expect({RdmaWrite, NoReceive, WithoutRights()},
           {Seen{"ok, connected", "-, connected, RDMAW_PROT"},
            Seen{"ok, error, CONN_LOST", "-, error, RDMAW_PROT CONN_LOST"},
            Seen{"RDMA_PROT, error, CONN_LOST", "-, error, RDMAW_PROT CONN_LOST"}});
}

BOOST_AUTO_TEST_CASE(AnRdmaWriteWithImmediateDataThatTheTargetRefuses)
{
    Expect({RdmaWriteWithImmediate, OneReceive, WithoutRights()},
           {Seen{"ok, connected", "RDMA_PROT, connected"},
            Seen{"ok, error, CONN_LOST", "RDMA_PROT, error, CONN_LOST"},
            Seen{"RDMA_PROT, error, CONN_LOST", "RDMA_PROT, error, CONN_LOST"}});
}

BOOST_AUTO_TEST_CASE(AnRdmaWriteWithImmediateDataWithoutAReceive)
{
    Expect({RdmaWriteWithImmediate, NoReceive, {}},
           {Seen{"ok, connected", "-, connected, RECVQ_EMPTY"},
            Seen{"ok, error, CONN_LOST", "-, error, RECVQ_EMPTY CONN_LOST"},
            Seen{"REMOTE_DESC, error, CONN_LOST", "-, error, RECVQ_EMPTY CONN_LOST"}});
}

BOOST_AUTO_TEST_CASE(AnRdmaReadThatTheTargetRefuses)
{
    Setup setup;
    setup.rdmaRead = true;
    const auto outside = [](Party& self, Party& target) {
        return self.Read(target.At(-1, 0), {self.At(0, SIZE)});
    };
    Expect({outside, NoReceive, setup},
           {Seen{"FORMAT, connected", "-, connected"}, // unreliable VIs have no reads
            Seen{"RDMA_PROT, error, CONN_LOST", "-, error, RDMAR_PROT CONN_LOST"},
            Seen{"RDMA_PROT, error, CONN_LOST", "-, error, RDMAR_PROT CONN_LOST"}});
}

BOOST_AUTO_TEST_CASE(AnRdmaWriteOfMemoryThatIsNotItsOwn)
{
    const auto outside = [](Party& self, Party& target) {
        return self.Write(target.At(0, 0), {self.At(-1, SIZE)});
    };
    Expect({outside, NoReceive, {}},
           {Seen{"PROTECTION, connected", "-, connected"},
            Seen{"PROTECTION, error, CONN_LOST", "-, error, CONN_LOST"},
            Seen{"PROTECTION, error, CONN_LOST", "-, error, CONN_LOST"}});
}

BOOST_AUTO_TEST_CASE(AnRdmaWriteThatIsLongerThanATransfer)
{
    Setup setup;
    setup.maxTransfer = SIZE - 1;
    Expect({RdmaWrite, NoReceive, setup},
           {Seen{"LENGTH, connected", "-, connected"},
            Seen{"LENGTH, error, CONN_LOST", "-, error, CONN_LOST"},
            Seen{"LENGTH, error, CONN_LOST", "-, error, CONN_LOST"}});
}

BOOST_AUTO_TEST_CASE(SendsBeforeOneThatFailsCompleteAsTheyWouldHave)
{
    for (const VIP_USHORT level : {VIP_SERVICE_RELIABLE_DELIVERY, VIP_SERVICE_RELIABLE_RECEPTION})
    {
        std::string sent;
        std::string received;
        Setup setup;
        setup.level = level;
        RunPair(
            [&](Party& self, Party&) {
                self.Send(Message(self, self));
                self.Send(Message(self, self));
                self.Send(self.Make({self.At(-1, SIZE)}));
                self.Send(Message(self, self));
                sent = Statuses(self, false, 4);
            },
            [&](Party& self, Party&) {
                OneReceive(self);
                OneReceive(self);
                received = Statuses(self, true, 2);
            },
            setup,
            AllLevels());
        BOOST_TEST(sent == "ok; ok; PROTECTION; FLUSHED; ");
        BOOST_TEST(received == "ok; ok; ");
    }
}

BOOST_AUTO_TEST_CASE(AnRdmaWriteWithoutAnAddress)
{
    const auto none = [](Party& self, Party&) {
        VIP_DESCRIPTOR* descriptor = self.Make({});
        descriptor->CS.Control = VIP_CONTROL_OP_RDMAWRITE;
        return descriptor;
    };
    Expect({none, NoReceive, {}},
           {Seen{"FORMAT, connected", "-, connected"},
            Seen{"FORMAT, error, CONN_LOST", "-, error, CONN_LOST"},
            Seen{"FORMAT, error, CONN_LOST", "-, error, CONN_LOST"}});
}

BOOST_AUTO_TEST_SUITE_END()
