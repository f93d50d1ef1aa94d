/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Mechanisms that a plug-in brings: it says what a step costs, these let it pass.

#ifndef VIA_PLUG_IN_PARTS_H
#define VIA_PLUG_IN_PARTS_H

#include "ns3/via-descriptor-path.h"
#include "ns3/via-doorbell.h"
#include "ns3/via-plug-in-library.h"
#include "ns3/via-translation.h"

#include <vector>

namespace ns3
{
namespace via
{

class Nic;

/// The two sides of a plug-in's costs.
class PlugInPayer
{
  public:
    PlugInPayer(Nic& nic, const PlugInState& state)
        : m_nic(nic),
          m_state(state)
    {
    }

    /**
     * @brief The program pays: cycles of the call it is in, then stores of @p stage.
     * @return when the card has the last of them, for which the program does not wait
     */
    Moment Pay(Process& process,
               const via_post& post,
               Stage stage,
               const via_host_cost& cost) const;

    /// The card pays: @p work for its cycles, @p transfer for its DMA.
    void Pay(CardTask& engine, Stage work, Stage transfer, const via_card_cost& cost) const;

    /// What is told of a descriptor that has just been posted to @p vi, or is about to be.
    via_post About(const VirtualInterface& vi, bool receive, std::uint32_t bytes) const;

    Nic& GetNic() const
    {
        return m_nic;
    }

    const via_plug_in_table& Table() const
    {
        return m_state.Table();
    }

    void* State() const
    {
        return m_state.Get();
    }

  private:
    void Check(std::uint64_t cycles, std::uint64_t bytes) const;

    Nic& m_nic;
    const PlugInState& m_state;
};

/// `nic.doorbell = plug-in`: stages post-send or post-recv, doorbell, doorbell-scan.
class PlugInDoorbells final : public DoorbellPath
{
  public:
    PlugInDoorbells(const PlugInPayer& payer, Cycles decode)
        : m_payer(payer),
          m_decode(decode)
    {
    }

    Moment RingSend(Process& process, VirtualInterface& vi, const WorkItem& item) override;
    Moment RingReceive(Process& process, VirtualInterface& vi, const WorkItem& item) override;
    Moment RingDeferred(Process& process, VirtualInterface& vi) override;
    void Take(CardTask& engine, const Doorbell& doorbell, Ps idle) override;

  private:
    Moment Ring(Process& process, const via_post& post) const;

    PlugInPayer m_payer;
    Cycles m_decode;
};

/// `nic.descriptor = plug-in`: stages post-send or post-recv, descriptor-write, -read, -fetch.
class PlugInDescriptors final : public DescriptorPath
{
  public:
    explicit PlugInDescriptors(const PlugInPayer& payer)
        : m_payer(payer)
    {
    }

    void Post(Process& process,
              const VirtualInterface& vi,
              bool receive,
              std::uint32_t bytes) override;
    void Take(CardTask& engine, const WorkItem& item, std::uint32_t bytes) override;

  private:
    PlugInPayer m_payer;
};

/// `nic.translation = plug-in`: stages translate, translation-fetch.
class PlugInTranslation final : public Translation
{
  public:
    explicit PlugInTranslation(const PlugInPayer& payer)
        : m_payer(payer)
    {
    }

    void LookUp(CardTask& engine, const TranslationRequest& request) override;
    void OnRegionGone(std::uint64_t region) override;

  private:
    PlugInPayer m_payer;
    std::vector<via_page> m_pages; ///< of the message that is looked up
};

} // namespace via
} // namespace ns3

#endif // VIA_PLUG_IN_PARTS_H
