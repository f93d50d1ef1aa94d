/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Cards that differ from the shipped one in their mechanisms.

#ifndef VIA_TEST_VARIANT_H
#define VIA_TEST_VARIANT_H

#include "via-test-cluster-bench.h"
#include "via-test-profile-bench.h"

#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{
namespace test
{

/// Values of keys, as written in a file.
using Changes = std::map<std::string, std::string>;

/// Changes on top of others.
Changes operator+(Changes first, const Changes& second);

// the mechanisms of some products, in round numbers
Changes Firmware();
Changes PolledWords();
Changes PioDescriptors();
Changes CachedTable();
Changes StoreAndForward();
Changes KernelPath();
Changes PlugIn();

/// A name and the mechanisms of a card.
struct NamedChanges
{
    std::string name;
    Changes changes;
};

/// At least one card for every choice of every mechanism.
std::vector<NamedChanges> AllVariants();

/**
 * @brief The shipped card with other mechanisms, in its own file while this object lives.
 *
 * The changes must include the keys that the new mechanisms need; unused keys are removed. A
 * plug-in of the build is placed beside the file.
 */
class Variant
{
  public:
    explicit Variant(const Changes& changes);

    ProviderProfile Load() const
    {
        return m_bench.Load();
    }

    /// A cluster with this card, recorded.
    ClusterConfig Recorded(const std::string& topology, std::uint32_t nodes) const;

    /// The path of the file.
    std::string Path() const
    {
        return m_bench.Card();
    }

  private:
    Bench m_bench;
};

/// The sum of cycles over all rows of @p stage, and the number of rows.
struct StageSum
{
    std::uint64_t cycles{0};
    std::uint32_t rows{0};
    Ps start{0}; ///< of the first row
    Ps end{0};   ///< of the last row
};

StageSum SumOf(const std::vector<BreakdownRow>& rows, const std::string& stage);

/// The rows of message @p sequence from rank 0 of a ping-pong on @p card.
std::vector<BreakdownRow> PingPongRows(const Variant& card,
                                       std::uint32_t size,
                                       std::uint32_t sequence = 1);

} // namespace test
} // namespace via
} // namespace ns3

#endif // VIA_TEST_VARIANT_H
