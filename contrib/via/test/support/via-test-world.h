/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A world without a cluster: an Agenda that ns-3 runs, and a recorder of its calls.

#ifndef VIA_TEST_WORLD_H
#define VIA_TEST_WORLD_H

#include "ns3/simulator.h"
#include "ns3/via-component.h"

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace via
{
namespace test
{

/// Events of others at one instant.
struct OthersAt final : OtherEvents
{
    explicit OthersAt(Ps when)
        : at(when)
    {
    }

    Ps NextAt() const override
    {
        return at;
    }

    Ps at;
};

/// Destroys ns-3's simulator at the end of the test case.
class TestWorld
{
  public:
    /// @param components number of components of the Agenda
    explicit TestWorld(ComponentId components = 4)
    {
        world.agenda.SetComponents(components);
    }

    ~TestWorld()
    {
        Simulator::Destroy();
    }

    TestWorld(const TestWorld&) = delete;
    TestWorld& operator=(const TestWorld&) = delete;

    /// Runs until no work is left.
    void Run()
    {
        world.agenda.Arm();
        Simulator::Run();
    }

    World world;
};

/// Records the calls of the Agenda, and when they came.
class Diary final : public AgendaTarget
{
  public:
    struct Entry
    {
        Ps at;
        std::uint32_t kind;
        std::uint64_t data;
    };

    explicit Diary(Agenda& agenda)
        : m_agenda(agenda)
    {
    }

    void OnAgenda(std::uint32_t kind, std::uint64_t data) override
    {
        entries.push_back({m_agenda.Now(), kind, data});
    }

    /// The data of all entries, in order.
    std::vector<std::uint64_t> Data() const
    {
        std::vector<std::uint64_t> data;
        for (const Entry& entry : entries)
        {
            data.push_back(entry.data);
        }
        return data;
    }

    std::vector<Entry> entries;

  private:
    Agenda& m_agenda;
};

} // namespace test
} // namespace via
} // namespace ns3

#endif // VIA_TEST_WORLD_H
