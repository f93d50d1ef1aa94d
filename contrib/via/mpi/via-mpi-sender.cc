/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Records of crossings over ns-3's MpiInterface.

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

MpiSender::MpiSender(std::uint32_t ranks)
{
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
    {
        const Ptr<Node> node = CreateObject<Node>(rank);
        NS_ABORT_MSG_IF(node->GetId() != rank, "a node was made before those of the ranks");
        m_nodes.Add(node);
    }
}

void
MpiSender::Connect(RankCrossings& crossings, Ps lookahead)
{
    m_crossings = &crossings;
    const std::uint32_t ranks = crossings.Plan().ranks;
    for (std::uint32_t a = 0; a < ranks; ++a)
    {
        for (std::uint32_t b = a + 1; b < ranks; ++b)
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
    for (const std::uint32_t rank : {a, b})
    {
        const Ptr<SimpleNetDevice> device = CreateObject<SimpleNetDevice>();
        device->SetAttribute("PointToPointMode", BooleanValue(true));
        device->SetChannel(channel);
        m_nodes.Get(rank)->AddDevice(device);
        const Ptr<MpiReceiver> receiver = CreateObject<MpiReceiver>();
        receiver->SetReceiveCallback(MakeCallback(&MpiSender::Receive, this));
        device->AggregateObject(receiver);
        const std::uint32_t other = rank == a ? b : a;
        if (other == m_crossings->Plan().self)
        {
            m_devices[rank] = device->GetIfIndex();
        }
    }
}

void
MpiSender::Send(std::uint32_t rank,
                std::uint32_t index,
                bool towardsReceiver,
                Ps at,
                const CrossingRecord& record)
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
        CrossingRecord piece(sizeof(head) + size);
        std::memcpy(piece.data(), &head, sizeof(head));
        std::memcpy(piece.data() + sizeof(head), record.data() + from, size);
        MpiInterface::SendPacket(
            Create<ns3::Packet>(piece.data(), static_cast<std::uint32_t>(piece.size())),
            TimeStep(static_cast<std::uint64_t>(at - 1)),
            rank, // the number of its node
            m_devices.at(rank));
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
    CrossingRecord bytes(packet->GetSize());
    packet->CopyData(bytes.data(), packet->GetSize());
    PieceHead head;
    NS_ABORT_MSG_IF(bytes.size() < sizeof(head), "a torn message between ranks");
    std::memcpy(&head, bytes.data(), sizeof(head));
    bytes.erase(bytes.begin(), bytes.begin() + sizeof(head));
    if (m_come.empty())
    {
        Simulator::ScheduleNow(&MpiSender::Deliver, this); // when all of this instant are here
    }
    m_come.push_back({head, std::move(bytes)});
}

void
MpiSender::Deliver()
{
    std::sort(m_come.begin(), m_come.end());
    CrossingRecord whole;
    for (const Piece& piece : m_come)
    {
        const PieceHead& head = piece.head;
        NS_ABORT_MSG_IF(head.from != whole.size(), "a piece of a record is missing");
        whole.insert(whole.end(), piece.bytes.begin(), piece.bytes.end());
        NS_ABORT_MSG_IF(whole.size() > head.total, "a piece is longer than its record");
        if (whole.size() == head.total)
        {
            m_crossings->Arrive(head.index, head.towardsReceiver != 0, head.at, whole);
            whole.clear();
        }
    }
    NS_ABORT_MSG_UNLESS(whole.empty(), "a piece of a record is missing");
    m_come.clear();
}

} // namespace via
} // namespace ns3
