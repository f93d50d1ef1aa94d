/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The path of a barrier in the cards: a word to the card, a flag from it.

#ifndef VIA_NIC_BARRIER_PATH_H
#define VIA_NIC_BARRIER_PATH_H

#include "ns3/via-message-path.h"
#include "ns3/via-nic-barrier.h"

namespace ns3
{
namespace via
{

/**
 * @brief A process sends a message to itself, which arrives when all processes have sent theirs.
 *
 * Sending costs a post of the provider and a store to the card. The process polls a word of its
 * memory, one basic block per poll. The content of the message is lost: a flag cannot carry it.
 */
class NicBarrierPath final : public MessagePath
{
  public:
    /// @param peers the cards that this card notifies, step by step
    /// @throws ConfigError if the product's cards have no barrier
    NicBarrierPath(WorkloadProcess& process,
                   const PathShape& shape,
                   const std::vector<NodeId>& peers);

    bool HasRoom(Rank to) override;
    void AwaitRoom(Rank to) override;
    void Send(Rank to, const void* data, std::uint32_t length, std::uint32_t size) override;
    bool Take(Rank from, ArrivedMessage& message) override;
    void Release() override;
    void Await(Rank from) override;

  private:
    WorkloadProcess& m_process;
    std::uint32_t m_finished{0}; ///< written by the card
    NicBarrier m_barrier;
    std::uint32_t m_taken{0};
    std::vector<std::uint8_t> m_message;
};

/// See ConnectPaths; process i notifies i + 1, i + 2, i + 4, ...
MessagePaths ConnectNicBarrierPaths(const PathRequest& request);

} // namespace via
} // namespace ns3

#endif // VIA_NIC_BARRIER_PATH_H
