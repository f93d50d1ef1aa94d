/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The packets that every card sends and understands by itself.

#include "via-card-traffic.h"

#include "ns3/abort.h"
#include "ns3/via-nic.h"

namespace ns3
{
namespace via
{

namespace
{

/// RDMA reads: the request that comes, and the answer that leaves. The answer arrives as a message.
class ReadTraffic final : public TrafficClass
{
  public:
    void BeginSend(Nic& nic, Packet& answer, Piece& payload, CardTask& engine) override
    {
        Prepare(nic, answer, payload, engine.At());
        engine.Work(Stage::SEGMENT, nic.Costs().segment);
    }

    void BeginReceive(Nic& nic, const Packet& request, CardTask& engine) override
    {
        const TranslationRequest memory{request.remoteHandle, request.remoteAddress, request.asked};
        nic.Parts().translation->LookUp(engine, memory);
    }

    void OnReceived(Nic& nic, Packet& request, Moment at) override
    {
        VirtualInterface* vi = nic.FindVi(request.destinationVi);
        if (vi == nullptr || !vi->IsConnectedTo(request.source, request.sourceVi))
        {
            nic.Receiver().DropMessage(vi == nullptr ? 0 : vi->rank);
            return;
        }
        Packet* answer = nic.AnswerTo(request, PacketKind::RDMA_READ_RESPONSE);
        answer->message = request.message; // the message lives on in the answer
        request.message = 0;
        answer->remoteAddress = request.remoteAddress;
        answer->remoteHandle = request.remoteHandle;
        answer->asked = request.asked;
        nic.SendControl(answer, at);
    }

  private:
    /// The answer is about to leave: checks the rights, and finds the memory to read.
    static void Prepare(Nic& nic, Packet& answer, Piece& payload, Moment at)
    {
        VirtualInterface* vi = nic.FindVi(answer.sourceVi);
        if (vi == nullptr || !vi->IsConnectedTo(answer.destination, answer.destinationVi))
        {
            answer.status = Descriptor::FLUSHED; // the news of the end may come later
            return;
        }
        if (answer.asked > 0 && !nic.Checks().AllowsRead(*vi, answer))
        {
            answer.status = Descriptor::RDMA_PROTECTION_ERROR;
            nic.GetHandles().Raise(*vi, AsyncCode::RDMA_READ_PROTECTION, at.at);
            nic.GetViConnections().Break(*vi, at, true); // this reaches the peer after the answer
            return;
        }
        answer.length = answer.asked;
        answer.bytes.resize(answer.asked);
        answer.origin = &nic.GetHost().Memory();
        payload = {reinterpret_cast<std::uint8_t*>(answer.remoteAddress),
                   answer.asked,
                   answer.remoteHandle};
    }
};

/// Reliable reception: the peer's card reports the outcome of a message.
class ResponseTraffic final : public TrafficClass
{
  public:
    void BeginSend(Nic& nic, Packet&, Piece&, CardTask& engine) override
    {
        engine.Work(Stage::TRANSPORT, nic.Costs().acknowledge);
    }

    void BeginReceive(Nic& nic, const Packet&, CardTask& engine) override
    {
        engine.Work(Stage::TRANSPORT, nic.Costs().acknowledge);
    }

    void OnReceived(Nic& nic, Packet& response, Moment at) override
    {
        VirtualInterface* vi = nic.FindVi(response.destinationVi);
        if (vi == nullptr || !vi->IsConnectedTo(response.source, response.sourceVi))
        {
            return;
        }
        nic.GetCompletions().Finish(*vi, false, response.item, response.status, response.asked, at);
        if ((response.status & Descriptor::ERROR_MASK) != 0)
        {
            nic.GetViConnections().Break(*vi, at, false); // the peer has done so already
        }
    }
};

/// What the two ends of a channel tell each other. The transport sends it, ahead of messages.
class AcknowledgementTraffic final : public TrafficClass
{
  public:
    void BeginSend(Nic&, Packet&, Piece&, CardTask&) override
    {
        NS_ABORT_MSG("an acknowledgement is not sent by a doorbell");
    }

    void BeginReceive(Nic& nic, const Packet&, CardTask& engine) override
    {
        engine.Work(Stage::TRANSPORT, nic.Costs().acknowledge);
    }

    void OnReceived(Nic& nic, Packet& packet, Moment at) override
    {
        nic.GetTransport().OnPacket(packet, at);
    }
};

/// Requests to connect, their answers, and ends of connections.
class ConnectionTraffic final : public TrafficClass
{
  public:
    void BeginSend(Nic& nic, Packet&, Piece&, CardTask& engine) override
    {
        engine.Work(Stage::CONNECTION, nic.Costs().connection);
    }

    void BeginReceive(Nic& nic, const Packet&, CardTask& engine) override
    {
        engine.Work(Stage::CONNECTION, nic.Costs().connection);
    }

    void OnReceived(Nic& nic, Packet& packet, Moment at) override
    {
        nic.GetViConnections().Manager().OnControl(packet, at);
    }
};

/// Packets that this card does not understand.
class UnknownTraffic final : public TrafficClass
{
  public:
    void BeginSend(Nic&, Packet& packet, Piece&, CardTask&) override
    {
        NS_ABORT_MSG("a card sends a " << PacketKindName(packet.kind)
                                       << ", but nobody has registered that");
    }

    void BeginReceive(Nic&, const Packet&, CardTask&) override
    {
    }

    void OnReceived(Nic&, Packet&, Moment) override
    {
    }
};

} // namespace

TrafficClass&
CardTraffic(PacketKind kind)
{
    // without state: all cards share them
    static ReadTraffic reads;
    static ResponseTraffic responses;
    static AcknowledgementTraffic acknowledgements;
    static ConnectionTraffic connections;
    static UnknownTraffic unknown;
    switch (kind)
    {
    case PacketKind::RDMA_READ_REQUEST:
    case PacketKind::RDMA_READ_RESPONSE:
        return reads;
    case PacketKind::RESPONSE:
        return responses;
    case PacketKind::ACKNOWLEDGE:
    case PacketKind::NEGATIVE_ACKNOWLEDGE:
    case PacketKind::ACKNOWLEDGE_REQUEST:
        return acknowledgements;
    case PacketKind::CONNECT_REQUEST:
    case PacketKind::CONNECT_ACCEPT:
    case PacketKind::CONNECT_REJECT:
    case PacketKind::CONNECT_NO_MATCH:
    case PacketKind::PEER_REQUEST:
    case PacketKind::PEER_ACCEPT:
    case PacketKind::PEER_CANCEL:
    case PacketKind::DISCONNECT:
        return connections;
    case PacketKind::SEND:
    case PacketKind::RDMA_WRITE:
    case PacketKind::DATAGRAM:
    case PacketKind::BARRIER:
        break;
    }
    return unknown;
}

} // namespace via
} // namespace ns3
