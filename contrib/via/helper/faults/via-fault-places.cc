/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What the names in a plan of faults mean in a topology.

#include "via-fault-places.h"

#include <algorithm>

namespace ns3
{
namespace via
{

namespace
{

constexpr std::size_t MOST_PLACE_DIGITS = 9;

/// The number that @p text is, written as we write it.
std::optional<std::uint32_t>
Number(const std::string& text)
{
    if (text.empty() || text.size() > MOST_PLACE_DIGITS ||
        !std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }))
    {
        return std::nullopt;
    }
    const auto number = static_cast<std::uint32_t>(std::stoul(text));
    return std::to_string(number) == text ? std::optional(number) : std::nullopt;
}

/// One end of a wire, or of several, as a name tells it.
struct End
{
    bool isSwitch;
    std::uint32_t index;
    std::optional<std::uint32_t> port;

    bool Is(const Endpoint& end) const
    {
        return end.isSwitch == isSwitch && end.index == index &&
               port.value_or(end.port) == end.port;
    }
};

std::optional<End>
ParseEnd(const std::string& name)
{
    if (name.empty() || (name[0] != 'n' && name[0] != 's'))
    {
        return std::nullopt;
    }
    const std::size_t dot = name.find('.');
    const auto index = Number(name.substr(1, dot == std::string::npos ? dot : dot - 1));
    const auto port = dot == std::string::npos ? std::nullopt : Number(name.substr(dot + 1));
    if (!index || (dot != std::string::npos && !port))
    {
        return std::nullopt;
    }
    return End{name[0] == 's', *index, port};
}

std::string
Range(char letter, std::size_t count, const char* what)
{
    if (count == 0)
    {
        return std::string("there are no ") + what;
    }
    return std::string(what) + " are " + letter + "0 to " + letter + std::to_string(count - 1);
}

std::string
NameOf(const Endpoint& end)
{
    return (end.isSwitch ? "s" : "n") + std::to_string(end.index);
}

} // namespace

std::vector<FaultPlaces::Wire>
FaultPlaces::Wires(const std::string& where) const
{
    const std::size_t middle = where.find_first_of("->");
    const auto a = ParseEnd(where.substr(0, middle));
    const bool isPair = middle != std::string::npos;
    const auto b = isPair ? ParseEnd(where.substr(middle + 1)) : a;
    const bool bothWays = !isPair || where[middle] == '-';
    std::vector<Wire> wires;
    const auto add = [&](const Endpoint& from, const Endpoint& to) {
        const bool isIt = where == "all" || (a && b && isPair && a->Is(from) && b->Is(to)) ||
                          (a && b && isPair && bothWays && b->Is(from) && a->Is(to)) ||
                          (a && !isPair && (a->Is(from) || a->Is(to)));
        if (isIt)
        {
            wires.push_back({from, to});
        }
    };
    for (const Cable& cable : m_topology.cables)
    {
        add(cable.a, cable.b);
        add(cable.b, cable.a);
    }
    return wires;
}

std::optional<std::uint32_t>
FaultPlaces::Host(const std::string& where) const
{
    const auto end = ParseEnd(where);
    const bool isIt = end && !end->isSwitch && !end->port && end->index < m_topology.hosts;
    return isIt ? std::optional(end->index) : std::nullopt;
}

std::optional<std::uint32_t>
FaultPlaces::Switch(const std::string& where) const
{
    const auto end = ParseEnd(where);
    const bool isIt = end && end->isSwitch && !end->port && end->index < m_topology.switches.size();
    return isIt ? std::optional(end->index) : std::nullopt;
}

std::vector<std::string>
FaultPlaces::Targets(const Storm& storm) const
{
    if (storm.what.where != "all" || storm.what.kind == FaultKind::PARTITION)
    {
        return {storm.what.where};
    }
    std::vector<std::string> names;
    switch (storm.what.kind)
    {
    case FaultKind::LOSS:
    case FaultKind::LINK_DOWN:
        for (const Cable& cable : m_topology.cables)
        {
            names.push_back(NameOf(cable.a) + "." + std::to_string(cable.a.port) + "-" +
                            NameOf(cable.b) + "." + std::to_string(cable.b.port));
        }
        break;
    case FaultKind::SWITCH_DOWN:
        for (std::size_t i = 0; i < m_topology.switches.size(); ++i)
        {
            names.push_back("s" + std::to_string(i));
        }
        break;
    default:
        for (std::uint32_t i = 0; i < m_topology.hosts; ++i)
        {
            names.push_back("n" + std::to_string(i));
        }
    }
    return names;
}

std::string
FaultPlaces::Hosts() const
{
    return Range('n', m_topology.hosts, "hosts");
}

std::string
FaultPlaces::Switches() const
{
    return Range('s', m_topology.switches.size(), "switches");
}

} // namespace via
} // namespace ns3
