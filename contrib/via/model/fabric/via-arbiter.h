/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Matches inputs of a crossbar to outputs: oldest first, round robin, iSLIP.

#ifndef VIA_ARBITER_H
#define VIA_ARBITER_H

#include "ns3/via-index-set.h"
#include "ns3/via-time.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace via
{

/// Arbitration policy of a crossbar.
enum class Arbitration : std::uint8_t
{
    OLDEST_FIRST, ///< earliest arrival first; ties by input
    ROUND_ROBIN,  ///< each output continues after the input that it served last
    ISLIP,        ///< rounds of requests, grants and accepts (McKeown, IEEE/ACM ToN, 1999)
};

/**
 * @brief Matches inputs and outputs of a crossbar, each with at most one partner.
 *
 * No policy leaves a free output unmatched while a free input requests it; iSLIP only guarantees
 * this with enough rounds. Only the pointers persist between decisions.
 */
class Arbiter
{
  public:
    /// An input that could send to an output now.
    struct Request
    {
        std::uint32_t input;
        std::uint32_t output;
        Ps since; ///< arrival time of the requesting cell
    };

    /**
     * @param inputs number of inputs
     * @param outputs number of outputs
     * @param iterations of iSLIP
     */
    Arbiter(std::uint32_t inputs,
            std::uint32_t outputs,
            Arbitration kind,
            std::uint32_t iterations);

    /// Reduces @p requests to those granted. All must be for free inputs and outputs.
    void Match(std::vector<Request>& requests);

  private:
    void MatchOldest(std::vector<Request>& requests);
    void MatchRoundRobin(std::vector<Request>& granted);
    void MatchIslip(std::vector<Request>& granted);
    bool Round(bool isFirst, std::vector<Request>& granted);
    std::uint32_t NextInput(std::uint32_t output) const;
    void Take(std::uint32_t input, std::uint32_t output);

    std::uint32_t m_inputs;
    std::uint32_t m_outputs;
    Arbitration m_kind;
    std::uint32_t m_iterations;
    std::vector<std::uint32_t> m_grant;   ///< by output: the input with priority
    std::vector<std::uint32_t> m_accept;  ///< by input: the output with priority
    std::uint32_t m_turn{0};              ///< the output that chooses first
    std::vector<IndexSet> m_asks;         ///< by output: the requesting inputs
    IndexSet m_asked;                     ///< outputs that are requested
    IndexSet m_free;                      ///< requesting inputs without an output
    std::vector<std::uint8_t> m_taken;    ///< by output
    std::vector<std::uint32_t> m_offered; ///< by input: the best offer of a round
};

} // namespace via
} // namespace ns3

#endif // VIA_ARBITER_H
