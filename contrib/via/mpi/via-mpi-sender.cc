/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Records of remote links over ns-3's MpiInterface.

#include "via-mpi-sender.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/mpi-interface.h"
#include "ns3/mpi-receiver.h"
#include "ns3/nstime.h"
#include "ns3/simple-channel.h"
#include "ns3/simple-net-device.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstring>
#include <mpi.h>
#include <tuple>

namespace ns3
{
namespace via
{

bool
MpiSender::Piece::operator<(const Piece& other) const
{
    return std::tie(head.index, head.towardsReceiver, head.record, head.from) <
           std::tie(other.head.index,
                    other.head.towardsReceiver,
                    other.head.record,
                    other.head.from);
}

MpiSender::MpiSender(std::uint32_t partitions)
    : m_waiting(partitions)
{
    for (std::uint32_t partition = 0; partition < partitions; ++partition)
    {
        const Ptr<Node> node = CreateObject<Node>(partition);
        NS_ABORT_MSG_IF(node->GetId() != partition,
                        "a node was created before those of the partitions");
        m_nodes.Add(node);
    }
}

void
MpiSender::Connect(RemoteLinks& remoteLinks, Ps lookahead)
{
    m_remoteLinks = &remoteLinks;
    m_lookahead = lookahead;
    const std::uint32_t partitions = remoteLinks.Plan().partitions;
    for (std::uint32_t a = 0; a < partitions; ++a)
    {
        for (std::uint32_t b = a + 1; b < partitions; ++b)
        {
            Join(a, b, lookahead);
        }
    }
}

void
MpiSender::Join(std::uint32_t a, std::uint32_t b, Ps lookahead)
{
    const Ptr<SimpleChannel> channel = CreateObject<SimpleChannel>();
    channel->SetAttribute("Delay", TimeValue(TimeStep(static_cast<std::uint64_t>(lookahead))));
    for (const std::uint32_t partition : {a, b})
    {
        const Ptr<SimpleNetDevice> device = CreateObject<SimpleNetDevice>();
        device->SetAttribute("PointToPointMode", BooleanValue(true));
        device->SetChannel(channel);
        m_nodes.Get(partition)->AddDevice(device);
        const Ptr<MpiReceiver> receiver = CreateObject<MpiReceiver>();
        receiver->SetReceiveCallback(MakeCallback(&MpiSender::Receive, this));
        device->AggregateObject(receiver);
        const std::uint32_t other = partition == a ? b : a;
        if (other == m_remoteLinks->Plan().self)
        {
            m_devices[partition] = device->GetIfIndex();
        }
    }
}

void
MpiSender::Send(std::uint32_t partition,
                std::uint32_t index,
                bool towardsReceiver,
                Ps at,
                const RemoteLinkRecord& record)
{
    if (m_holds && m_present.IsExpired())
    {
        m_present = Simulator::ScheduleNow([] {});
    }
    // a record of several pieces begins a packet, so all of them are due at the same instant
    constexpr auto most = static_cast<std::uint32_t>(PACKET_BYTES - sizeof(PieceHead));
    const auto total = static_cast<std::uint32_t>(record.size());
    for (std::uint32_t from = 0; from < total; from += most)
    {
        const std::uint32_t size = std::min(most, total - from);
        Add(partition,
            {at, m_sent, index, towardsReceiver ? 1U : 0U, total, from, size, 0},
            record.data() + from);
    }
    ++m_sent;
    if (m_holds)
    {
        Flush(partition);
    }
}

void
MpiSender::Add(std::uint32_t partition, const PieceHead& head, const std::uint8_t* bytes)
{
    Waiting& waiting = m_waiting[partition];
    if (waiting.bytes.size() + sizeof(head) + head.size > PACKET_BYTES)
    {
        Flush(partition);
    }
    if (waiting.bytes.empty())
    {
        waiting.since = m_remoteLinks->Now();
    }
    const auto* raw = reinterpret_cast<const std::uint8_t*>(&head);
    waiting.bytes.insert(waiting.bytes.end(), raw, raw + sizeof(head));
    waiting.bytes.insert(waiting.bytes.end(), bytes, bytes + head.size);
}

bool
MpiSender::HasWaiting() const
{
    return std::any_of(m_waiting.begin(), m_waiting.end(), [](const Waiting& waiting) {
        return !waiting.bytes.empty();
    });
}

void
MpiSender::Flush()
{
    for (std::uint32_t partition = 0; partition < m_waiting.size(); ++partition)
    {
        Flush(partition);
    }
}

void
MpiSender::Flush(std::uint32_t partition)
{
    Waiting& waiting = m_waiting[partition];
    if (waiting.bytes.empty())
    {
        return;
    }
    // a window ends at most a look-ahead after any work in it, and records are due later
    const Ps due = waiting.since + m_lookahead + 1;
    MpiInterface::SendPacket(
        Create<ns3::Packet>(waiting.bytes.data(), static_cast<std::uint32_t>(waiting.bytes.size())),
        TimeStep(static_cast<std::uint64_t>(due)),
        partition, // its node's number
        m_devices.at(partition));
    waiting.bytes.clear();
}

std::vector<std::uint64_t>
MpiSender::Exchange(const std::vector<std::uint64_t>& own)
{
    std::vector<std::uint64_t> all(own.size());
    MPI_Allreduce(own.data(),
                  all.data(),
                  static_cast<int>(own.size()),
                  MPI_UINT64_T,
                  MPI_MAX,
                  MPI_COMM_WORLD);
    return all;
}

const OtherEvents*
MpiSender::Outside(const OtherEvents& events)
{
    if (m_holds)
    {
        return nullptr;
    }
    m_window.Begin(events);
    if (m_waiting.size() == 1)
    {
        m_window.SetEnd(PS_NEVER);
    }
    return &m_window;
}

void
MpiSender::Agree(const std::uint8_t* own, std::uint8_t* all, std::size_t bytes)
{
    const std::size_t partitions = m_waiting.size();
    const std::size_t size = bytes + sizeof(Ps);
    m_agreed.resize((1 + partitions) * size);
    const Ps next = m_window.NextEvent();
    std::memcpy(m_agreed.data(), own, bytes);
    std::memcpy(m_agreed.data() + bytes, &next, sizeof(next));
    std::uint8_t* const received = m_agreed.data() + size;
    const int count = static_cast<int>(size);
    PMPI_Allgather(m_agreed.data(), count, MPI_BYTE, received, count, MPI_BYTE, MPI_COMM_WORLD);
    Ps first = PS_NEVER;
    for (std::size_t partition = 0; partition < partitions; ++partition)
    {
        const std::uint8_t* const from = received + partition * size;
        std::memcpy(all + partition * bytes, from, bytes);
        Ps its = 0;
        std::memcpy(&its, from + bytes, sizeof(its));
        first = std::min(first, its);
    }
    m_window.SetEnd(first < PS_NEVER - m_lookahead ? first + m_lookahead + 1 : PS_NEVER);
}

void
MpiSender::Receive(Ptr<ns3::Packet> packet)
{
    if (m_come.empty())
    {
        Simulator::ScheduleNow(&MpiSender::Deliver, this); // after all pieces of this instant
    }
    std::size_t offset = m_bytes.size();
    m_bytes.resize(offset + packet->GetSize());
    packet->CopyData(m_bytes.data() + offset, packet->GetSize());
    while (offset < m_bytes.size())
    {
        PieceHead head;
        NS_ABORT_MSG_IF(m_bytes.size() - offset < sizeof(head),
                        "truncated message between partitions");
        std::memcpy(&head, m_bytes.data() + offset, sizeof(head));
        offset += sizeof(head);
        NS_ABORT_MSG_IF(m_bytes.size() - offset < head.size,
                        "truncated message between partitions");
        m_come.push_back({head, offset});
        offset += head.size;
    }
}

void
MpiSender::Deliver()
{
    std::sort(m_come.begin(), m_come.end());
    RemoteLinkRecord whole;
    for (const Piece& piece : m_come)
    {
        const PieceHead& head = piece.head;
        NS_ABORT_MSG_IF(head.from != whole.size(), "a piece of a record is missing");
        const auto begin = m_bytes.begin() + static_cast<std::ptrdiff_t>(piece.offset);
        whole.insert(whole.end(), begin, begin + head.size);
        NS_ABORT_MSG_IF(whole.size() > head.total, "a piece is longer than its record");
        if (whole.size() == head.total)
        {
            m_remoteLinks->Arrive(head.index, head.towardsReceiver != 0, head.at, whole);
            whole.clear();
        }
    }
    NS_ABORT_MSG_UNLESS(whole.empty(), "a piece of a record is missing");
    m_come.clear();
    m_bytes.clear();
}

} // namespace via
} // namespace ns3
