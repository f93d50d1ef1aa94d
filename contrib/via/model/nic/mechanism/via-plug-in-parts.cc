/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Mechanisms that a plug-in brings: it says what a step costs, these let it pass.

#include "via-plug-in-parts.h"

#include "ns3/abort.h"
#include "ns3/via-nic.h"

namespace ns3
{
namespace via
{

void
PlugInPayer::Check(std::uint64_t cycles, std::uint64_t bytes) const
{
    NS_ABORT_MSG_IF(cycles > VIA_PLUG_IN_MAX_CYCLES || bytes > VIA_PLUG_IN_MAX_BYTES,
                    "plug-in " << Table().name << " " << Table().version << " requests " << cycles
                               << " cycles and " << bytes << " bytes in one step: at most "
                               << VIA_PLUG_IN_MAX_CYCLES << " and " << VIA_PLUG_IN_MAX_BYTES);
}

Moment
PlugInPayer::Pay(Process& process,
                 const via_post& post,
                 Stage stage,
                 const via_host_cost& cost) const
{
    Check(cost.cycles, cost.stored_bytes);
    if (cost.cycles > 0)
    {
        process.Spend(post.is_receive != 0 ? Stage::CALL_POST_RECV : Stage::CALL_POST_SEND,
                      Cycles(cost.cycles));
    }
    return cost.stored_bytes == 0 ? process.Clock()
                                  : process.StoreAndGoOn(stage, cost.stored_bytes, m_nic.Card());
}

void
PlugInPayer::Pay(CardTask& engine, Stage work, Stage transfer, const via_card_cost& cost) const
{
    Check(cost.cycles, std::uint64_t{cost.read_bytes} + cost.write_bytes);
    engine.Work(work, Cycles(cost.cycles));
    if (cost.read_bytes > 0)
    {
        engine.Read(transfer, cost.read_bytes);
    }
    if (cost.write_bytes > 0)
    {
        engine.Write(transfer, cost.write_bytes);
    }
}

via_post
PlugInPayer::About(const VirtualInterface& vi, bool receive, std::uint32_t bytes) const
{
    const std::uint32_t queued = vi.QueueOf(receive).items.Size();
    return {vi.id, m_nic.Vis().Count(), queued, bytes, receive ? 1U : 0U};
}

// ---- doorbells

Moment
PlugInDoorbells::Ring(Process& process, const via_post& post) const
{
    via_host_cost cost{};
    m_payer.Table().doorbell->ring(m_payer.State(), &post, &cost);
    return m_payer.Pay(process, post, Stage::DOORBELL, cost);
}

Moment
PlugInDoorbells::RingSend(Process& process, VirtualInterface& vi, const WorkItem& item)
{
    via_post post = m_payer.About(vi, false, m_payer.GetNic().Checks().FetchBytes(item));
    ++post.posted; // it is pushed when the card knows of it
    return Ring(process, post);
}

Moment
PlugInDoorbells::RingReceive(Process& process, VirtualInterface& vi, const WorkItem& item)
{
    via_post post = m_payer.About(vi, true, m_payer.GetNic().Checks().FetchBytes(item));
    ++post.posted;
    return Ring(process, post);
}

Moment
PlugInDoorbells::RingDeferred(Process& process, VirtualInterface& vi)
{
    const WorkItem& last = vi.SendQueue().items.At(vi.SendQueue().items.Size() - 1);
    return Ring(process, m_payer.About(vi, false, m_payer.GetNic().Checks().FetchBytes(last)));
}

void
PlugInDoorbells::Take(CardTask& engine, const Doorbell& doorbell, Ps)
{
    const via_notice notice{doorbell.vi, m_payer.GetNic().Vis().Count()};
    via_card_cost cost{};
    m_payer.Table().doorbell->notice(m_payer.State(), &notice, &cost);
    m_payer.Pay(engine, Stage::DOORBELL_SCAN, Stage::DOORBELL, cost);
    engine.Work(Stage::DOORBELL_DECODE, m_decode);
}

// ---- descriptors

void
PlugInDescriptors::Post(Process& process,
                        const VirtualInterface& vi,
                        bool receive,
                        std::uint32_t bytes)
{
    via_post post = m_payer.About(vi, receive, bytes);
    ++post.posted;
    via_host_cost cost{};
    m_payer.Table().descriptor->post(m_payer.State(), &post, &cost);
    const Moment written = m_payer.Pay(process, post, Stage::DESCRIPTOR_WRITE, cost);
    process.Drive(written, Stage::DESCRIPTOR_WRITE);
    process.Reach(); // the doorbell meets the bus as it is then
}

void
PlugInDescriptors::Take(CardTask& engine, const WorkItem&, std::uint32_t bytes)
{
    const via_take take{bytes, engine.Owner() == Engine::NIC_RECEIVE ? 1U : 0U};
    via_card_cost cost{};
    m_payer.Table().descriptor->take(m_payer.State(), &take, &cost);
    m_payer.Pay(engine, Stage::DESCRIPTOR_READ, Stage::DESCRIPTOR_FETCH, cost);
}

// ---- translation

void
PlugInTranslation::LookUp(CardTask& engine, const TranslationRequest& request)
{
    Nic& nic = m_payer.GetNic();
    VisitPages(nic.GetTpt(), request, nic.GetHost().Costs().pageBytes, [this](PageName name) {
        m_pages.push_back({name.region, name.page});
    });
    const via_lookup lookup{m_pages.data(),
                            m_pages.size(),
                            request.Bytes(),
                            request.Segments(),
                            engine.Owner() == Engine::NIC_RECEIVE ? 1U : 0U};
    via_card_cost cost{};
    m_payer.Table().translation->look_up(m_payer.State(), &lookup, &cost);
    m_pages.clear();
    m_payer.Pay(engine, Stage::TRANSLATE, Stage::TRANSLATION_FETCH, cost);
}

void
PlugInTranslation::OnRegionGone(std::uint64_t region)
{
    if (m_payer.Table().translation->forget != nullptr)
    {
        m_payer.Table().translation->forget(m_payer.State(), region);
    }
}

} // namespace via
} // namespace ns3
