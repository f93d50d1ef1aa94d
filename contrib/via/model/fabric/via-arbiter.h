/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Which input of a crossbar gets which output: oldest first, round robin, iSLIP.

#ifndef VIA_ARBITER_H
#define VIA_ARBITER_H

#include "ns3/via-time.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace via
{

/// How a crossbar decides.
enum class Arbitration : std::uint8_t
{
    OLDEST_FIRST, ///< who came first; ties by input
    ROUND_ROBIN,  ///< each output goes on behind the input that it served last
    ISLIP,        ///< requests, grants, accepts in rounds (McKeown, IEEE/ACM ToN, 1999)
};

/**
 * @brief Matches inputs and outputs of a crossbar, each with at most one of the others.
 *
 * All three leave no free output unmatched that a free input asks for, iSLIP if it has rounds
 * enough. Pointers stand between decisions, nothing else does.
 */
class Arbiter
{
  public:
    /// An input that could send to an output now.
    struct Request
    {
        std::uint32_t input;
        std::uint32_t output;
        Ps since; ///< when the cell that asks arrived
    };

    /**
     * @param inputs how many
     * @param outputs how many
     * @param iterations of iSLIP
     */
    Arbiter(std::uint32_t inputs,
            std::uint32_t outputs,
            Arbitration kind,
            std::uint32_t iterations);

    /// Leaves those of @p requests that are granted. All must be of free inputs and outputs.
    void Match(std::vector<Request>& requests);

  private:
    using Bits = std::vector<std::uint64_t>;

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
    std::uint32_t m_words;                ///< of a row of bits, one bit for each input
    std::vector<std::uint32_t> m_grant;   ///< by output: the input that comes first
    std::vector<std::uint32_t> m_accept;  ///< by input: the output that comes first
    std::uint32_t m_turn{0};              ///< the output that chooses first
    Bits m_asks;                          ///< by output: a row of the inputs that ask
    Bits m_free;                          ///< inputs without an output
    std::vector<std::uint8_t> m_taken;    ///< by output
    std::vector<std::uint32_t> m_offered; ///< by input: the best offer of a round
};

} // namespace via
} // namespace ns3

#endif // VIA_ARBITER_H
