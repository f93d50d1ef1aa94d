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
#include <utility>

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
    const auto total = static_cast<std::uint32_t>(record.size());
    for (std::uint32_t from = 0; from < total; from += PIECE_BYTES)
    {
        const std::uint32_t size = std::min(PIECE_BYTES, total - from);
        const PieceHead head{at, m_sent, index, towardsReceiver ? 1U : 0U, total, from};
        RemoteLinkRecord piece(sizeof(head) + size);
        std::memcpy(piece.data(), &head, sizeof(head));
        std::memcpy(piece.data() + sizeof(head), record.data() + from, size);
        MpiInterface::SendPacket(
            Create<ns3::Packet>(piece.data(), static_cast<std::uint32_t>(piece.size())),
            TimeStep(static_cast<std::uint64_t>(at - 1)),
            partition, // its node's number
            m_devices.at(partition));
    }
    ++m_sent;
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

void
MpiSender::Receive(Ptr<ns3::Packet> packet)
{
    RemoteLinkRecord bytes(packet->GetSize());
    packet->CopyData(bytes.data(), packet->GetSize());
    PieceHead head;
    NS_ABORT_MSG_IF(bytes.size() < sizeof(head), "truncated message between partitions");
    std::memcpy(&head, bytes.data(), sizeof(head));
    bytes.erase(bytes.begin(), bytes.begin() + sizeof(head));
    if (m_come.empty())
    {
        Simulator::ScheduleNow(&MpiSender::Deliver, this); // after all pieces of this instant
    }
    m_come.push_back({head, std::move(bytes)});
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
        whole.insert(whole.end(), piece.bytes.begin(), piece.bytes.end());
        NS_ABORT_MSG_IF(whole.size() > head.total, "a piece is longer than its record");
        if (whole.size() == head.total)
        {
            m_remoteLinks->Arrive(head.index, head.towardsReceiver != 0, head.at, whole);
            whole.clear();
        }
    }
    NS_ABORT_MSG_UNLESS(whole.empty(), "a piece of a record is missing");
    m_come.clear();
}

} // namespace via
} // namespace ns3
