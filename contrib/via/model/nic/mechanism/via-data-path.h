/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// How payload and completions get into host memory: by the card's DMA or by the kernel.

#ifndef VIA_DATA_PATH_H
#define VIA_DATA_PATH_H

#include "ns3/via-card-task.h"

namespace ns3
{
namespace via
{

/// The receive side of the choices `nic.data` and `nic.completion`.
class DataPath
{
  public:
    virtual ~DataPath() = default;

    /// Writes payload to the program's memory. @param first first transfer of a piece, see
    /// DmaEngines
    virtual void Place(CardTask& task, std::uint32_t bytes, bool first) = 0;

    /// Writes a completion to host memory. @param stage STATUS_WRITE or CQ_WRITE
    virtual void Complete(CardTask& task, Stage stage, std::uint32_t bytes) = 0;

    /// Maximum bytes per call of Place.
    virtual std::uint32_t MostBytes() const = 0;
};

/// The card writes to host memory by DMA.
class CardData final : public DataPath
{
  public:
    explicit CardData(std::uint32_t burst)
        : m_burst(burst)
    {
    }

    void Place(CardTask& task, std::uint32_t bytes, bool first) override
    {
        task.Write(Stage::PAYLOAD_WRITE, bytes, first);
    }

    void Complete(CardTask& task, Stage stage, std::uint32_t bytes) override
    {
        task.Write(stage, bytes);
    }

    std::uint32_t MostBytes() const override
    {
        return m_burst;
    }

  private:
    std::uint32_t m_burst;
};

} // namespace via
} // namespace ns3

#endif // VIA_DATA_PATH_H
