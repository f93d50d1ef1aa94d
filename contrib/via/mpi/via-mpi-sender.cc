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

namespace ns3
{
namespace via
{

namespace
{

/// In front of each piece of a record.
struct PieceHead
{
    Ps at;
    std::uint32_t index;
    std::uint32_t towardsReceiver;
    std::uint32_t total; ///< bytes of the record
    std::uint32_t from;  ///< the first of them that is in this piece
};

} // namespace

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
        const PieceHead head{at, index, towardsReceiver ? 1U : 0U, total, from};
        CrossingRecord piece(sizeof(head) + size);
        std::memcpy(piece.data(), &head, sizeof(head));
        std::memcpy(piece.data() + sizeof(head), record.data() + from, size);
        MpiInterface::SendPacket(
            Create<ns3::Packet>(piece.data(), static_cast<std::uint32_t>(piece.size())),
            TimeStep(static_cast<std::uint64_t>(at - 1)),
            rank, // the number of its node
            m_devices.at(rank));
    }
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
    CrossingRecord piece(packet->GetSize());
    packet->CopyData(piece.data(), packet->GetSize());
    PieceHead head;
    NS_ABORT_MSG_IF(piece.size() < sizeof(head), "a torn message between ranks");
    std::memcpy(&head, piece.data(), sizeof(head));
    Torn& torn = m_torn[{head.index, head.towardsReceiver != 0}];
    torn.record.resize(head.total);
    const std::size_t size = piece.size() - sizeof(head);
    NS_ABORT_MSG_IF(head.from + size > head.total, "a piece is longer than its record");
    std::memcpy(torn.record.data() + head.from, piece.data() + sizeof(head), size);
    torn.come += size;
    if (torn.come == head.total)
    {
        const CrossingRecord whole = std::move(torn.record);
        m_torn.erase({head.index, head.towardsReceiver != 0});
        m_crossings->Arrive(head.index, head.towardsReceiver != 0, head.at, whole);
    }
}

} // namespace via
} // namespace ns3
