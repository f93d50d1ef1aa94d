/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Connects the NICs of a cluster to their wires, with taps in between if packets are captured.

#include "via-cluster-capture.h"

#include "ns3/via-capture-share.h"
#include "ns3/via-error.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{

/// The one spelling of @p path, which need not exist: without links, "." and "..".
std::string
Unique(const std::string& path)
{
    namespace fs = std::filesystem;
    std::error_code failed;
    const fs::path whole = fs::weakly_canonical(fs::absolute(path, failed), failed);
    return path.empty() || failed ? path : whole.string();
}

} // namespace

/// The packets at the ports of one host, in a file.
class ClusterCapture::HostFile final : public PacketListener
{
  public:
    explicit HostFile(const std::string& path)
        : m_file(path, CaptureFile::SNAP_LENGTH)
    {
    }

    void AddPort(const Port& port)
    {
        m_file.AddPort(port.name, port.nic.GetHost().Id());
        m_taps.push_back(port.tap);
    }

    void OnPacket(const CapturedPacket& seen) override
    {
        const auto ours = std::find(m_taps.begin(), m_taps.end(), seen.port);
        if (ours != m_taps.end())
        {
            CapturedPacket packet = seen;
            packet.port = static_cast<std::uint32_t>(ours - m_taps.begin());
            m_file.OnPacket(packet);
        }
    }

    void Close()
    {
        m_file.Close();
    }

  private:
    CaptureFile m_file;
    std::vector<std::uint32_t> m_taps; ///< by port of the file
};

ClusterCapture::ClusterCapture(const CaptureConfig& config,
                               World& world,
                               PacketCapture::NicFinder nics)
    : m_world(world),
      m_nics(std::move(nics)),
      m_canGrow(config.canGrow),
      m_paths{Unique(config.file)}
{
    if (config.file.empty() && config.listener == nullptr)
    {
        return;
    }
    m_packets = std::make_unique<PacketCapture>(world, m_nics);
    if (config.listener != nullptr)
    {
        m_packets->AddListener(config.listener);
    }
    if (!config.file.empty())
    {
        if (config.isShare)
        {
            m_file = std::make_unique<CaptureShare>(config.file, config.snapLength);
        }
        else
        {
            m_file = std::make_unique<CaptureFile>(config.file, config.snapLength);
        }
        m_packets->AddListener(m_file.get());
    }
}

ClusterCapture::~ClusterCapture() = default;

void
ClusterCapture::Plug(const std::string& name,
                     Nic& nic,
                     Link& out,
                     Link& in,
                     PairOrder* order,
                     EarlyReceiver* early,
                     RemoteLink* remote)
{
    Port port{name, nic, out, in, order, early, remote};
    Connect(port, m_packets != nullptr);
    if (m_file != nullptr)
    {
        m_file->AddPort(name, nic.GetHost().Id());
    }
    if (m_canGrow)
    {
        m_ports.push_back(port);
    }
}

void
ClusterCapture::Skip(NodeId node)
{
    if (m_packets != nullptr)
    {
        m_packets->SkipPort();
        ++m_taps;
    }
    if (m_file != nullptr)
    {
        m_file->AddPort("n" + std::to_string(node), node);
    }
}

void
ClusterCapture::Connect(Port& port, bool tapped)
{
    Host& host = port.nic.GetHost();
    AgendaTarget* target =
        port.order == nullptr ? static_cast<AgendaTarget*>(&port.nic) : port.order;
    OutPort* sends = &port.out;
    InPort* receives = port.remote == nullptr ? port.in.OfLane(0) : port.remote->OfLane(0);
    if (tapped)
    {
        WireTap& tap = m_packets->AddPort(port.out, port.in, *receives, *target);
        port.tap = m_taps++;
        target = &tap;
        sends = &tap;
        receives = &tap;
    }
    EarlyReceiver* early = target == &port.nic ? port.early : nullptr;
    if (port.remote == nullptr)
    {
        port.in.Connect(host, Nic::WIRE_PORT, target, Nic::CELL, Notice::LAST_BIT, early);
    }
    else
    {
        port.remote->TakeFromLink(Notice::LAST_BIT);
        port.remote->GiveTo(host, Nic::WIRE_PORT, target, Nic::CELL);
    }
    if (port.order != nullptr)
    {
        port.order->Plug(sends, receives);
        sends = port.order;
    }
    port.nic.Plug(sends, receives, port.in.Room());
}

void
ClusterCapture::Add(NodeId host, const std::string& path)
{
    if (m_world.agenda.Now() > 0)
    {
        throw ConfigError("EnablePcap", path, "enable it before time starts");
    }
    if (m_paths.count(Unique(path)) != 0)
    {
        throw ConfigError("EnablePcap", path, "another capture writes this file");
    }
    auto file = std::make_unique<HostFile>(path);
    m_paths.insert(Unique(path));
    if (m_packets == nullptr)
    {
        m_packets = std::make_unique<PacketCapture>(m_world, m_nics);
    }
    for (Port& port : m_ports)
    {
        if (port.nic.GetHost().Id() != host)
        {
            continue;
        }
        if (port.tap == NO_TAP)
        {
            Connect(port, true);
        }
        file->AddPort(port);
    }
    m_packets->AddListener(file.get());
    m_hosts.push_back(std::move(file));
}

void
ClusterCapture::End()
{
    if (m_packets != nullptr)
    {
        m_packets->Finish();
    }
    if (m_file != nullptr)
    {
        m_file->Close();
    }
    for (const auto& file : m_hosts)
    {
        file->Close();
    }
}

} // namespace via
} // namespace ns3
