/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A topology as JSON: what several OS processes must agree on.

#include "via-topology-json.h"

#include "ns3/via-error.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

namespace
{

using Json = nlohmann::json;

constexpr auto LAST_SELECTION = static_cast<std::uint8_t>(PortSelection::ADAPTIVE);

/// Virtual lanes that a wire may have (link.lanes).
constexpr std::uint32_t MOST_LANES = 16;

/// A number from @p least to @p most; checked before it is made smaller.
template <class T>
T
NumberFrom(const Json& json, const std::string& what, std::uint64_t least, std::uint64_t most)
{
    const bool isWhole = json.is_number_integer() && (json.is_number_unsigned() || json >= 0);
    if (!isWhole || json.get<std::uint64_t>() < least || json.get<std::uint64_t>() > most)
    {
        throw ConfigError("graph",
                          what + " " + json.dump(),
                          "a whole number from " + std::to_string(least) + " to " +
                              std::to_string(most));
    }
    return json.get<T>();
}

/// The number of one of @p count things.
template <class T>
T
IndexFrom(const Json& json, const std::string& what, std::uint64_t count)
{
    if (count == 0)
    {
        throw ConfigError("graph", what + " " + json.dump(), "there is none");
    }
    return NumberFrom<T>(json, what, 0, count - 1);
}

// ---- routes

Json
JsonOf(const RouteTable& table)
{
    Json runs = Json::array();
    const std::vector<Route> routes = table.All();
    for (std::size_t from = 0; from < routes.size();)
    {
        std::size_t end = from + 1;
        while (end < routes.size() && routes[end] == routes[from])
        {
            ++end;
        }
        const Route& route = routes[from];
        runs.push_back({end - from, route.port, route.lane, route.choice});
        from = end;
    }
    return runs;
}

RouteTable
TableFrom(const Json& json,
          std::uint32_t ports,
          const Topology& topology,
          const std::shared_ptr<RoutePool>& pool)
{
    std::vector<std::vector<std::uint16_t>> choices;
    for (const Json& choice : json.at("choices"))
    {
        choices.emplace_back();
        for (const Json& port : choice)
        {
            choices.back().push_back(IndexFrom<std::uint16_t>(port, "port of a choice", ports));
        }
    }
    std::vector<Route> routes;
    for (const Json& run : json.at("routes"))
    {
        const std::size_t left = topology.hosts - routes.size();
        const auto hosts = NumberFrom<std::size_t>(run.at(0), "hosts with one route", 1, left);
        Route route;
        route.port = run.at(1) == Route::NONE
                         ? Route::NONE
                         : IndexFrom<std::uint16_t>(run.at(1), "port of a route", ports);
        route.lane = IndexFrom<std::uint8_t>(run.at(2), "lane", topology.lanes);
        route.choice = NumberFrom<std::uint8_t>(run.at(3), "choice", 0, choices.size());
        routes.insert(routes.end(), hosts, route);
    }
    if (routes.size() != topology.hosts)
    {
        throw ConfigError("graph",
                          std::to_string(routes.size()) + " routes of a switch",
                          "one for each of " + std::to_string(topology.hosts) + " hosts");
    }
    RouteTable table(routes, pool);
    table.choices = std::move(choices);
    table.selection = static_cast<PortSelection>(
        NumberFrom<std::uint8_t>(json.at("selection"), "selection", 0, LAST_SELECTION));
    return table;
}

// ---- switches

Json
JsonOf(const SwitchShape& shape)
{
    return {{"ports", shape.ports},
            {"place", shape.place},
            {"selection", shape.table.selection},
            {"choices", shape.table.choices},
            {"routes", JsonOf(shape.table)}};
}

// ---- cables

Json
JsonOf(const Cable& cable)
{
    Json json = Json::array();
    for (const Endpoint& end : {cable.a, cable.b})
    {
        json.push_back(end.isSwitch);
        json.push_back(end.index);
        json.push_back(end.port);
    }
    for (const WireSpec::Attribute& attribute : WireSpec::Attributes())
    {
        json.push_back(cable.wire.*attribute.field);
    }
    return json;
}

Endpoint
EndFrom(const Json& json, std::size_t first, const Topology& topology)
{
    const Json& index = json.at(first + 1);
    const Json& port = json.at(first + 2);
    Endpoint end;
    end.isSwitch = json.at(first);
    if (end.isSwitch)
    {
        end.index = IndexFrom<std::uint32_t>(index, "switch", topology.switches.size());
        end.port = IndexFrom<std::uint32_t>(port, "port", topology.switches[end.index].ports);
    }
    else
    {
        end.index = IndexFrom<std::uint32_t>(index, "host", topology.hosts);
        end.port = IndexFrom<std::uint32_t>(port, "card", topology.rails);
    }
    return end;
}

Cable
CableFrom(const Json& json, const Topology& topology)
{
    Cable cable{EndFrom(json, 0, topology), EndFrom(json, 3, topology)};
    std::size_t place = 6;
    for (const WireSpec::Attribute& attribute : WireSpec::Attributes())
    {
        cable.wire.*attribute.field =
            NumberFrom<std::uint32_t>(json.at(place++), attribute.name, 0, attribute.most);
    }
    CheckWire(cable.wire, "a cable", topology.name);
    return cable;
}

Topology
TopologyFrom(const Json& json)
{
    Topology topology;
    topology.name = json.at("name");
    topology.family = json.at("family");
    topology.routing = json.at("routing");
    topology.hosts = NumberFrom<std::uint32_t>(json.at("hosts"), "hosts", 1, MOST_HOSTS);
    topology.lanes = NumberFrom<std::uint32_t>(json.at("lanes"), "lanes", 1, MOST_LANES);
    topology.rails = NumberFrom<std::uint32_t>(json.at("rails"), "rails", 1, MOST_RAILS);
    topology.bisection = json.at("bisection");
    const auto pool = std::make_shared<RoutePool>();
    for (const Json& one : json.at("switches"))
    {
        const auto ports = NumberFrom<std::uint32_t>(one.at("ports"), "ports", 0, Route::NONE);
        topology.switches.push_back(
            {ports, TableFrom(one, ports, topology, pool), one.at("place")});
    }
    for (const Json& one : json.at("cables"))
    {
        topology.cables.push_back(CableFrom(one, topology));
    }
    return topology;
}

} // namespace

std::string
TopologyToJson(const Topology& topology)
{
    Json json{{"name", topology.name},
              {"family", topology.family},
              {"routing", topology.routing},
              {"hosts", topology.hosts},
              {"lanes", topology.lanes},
              {"rails", topology.rails},
              {"bisection", topology.bisection},
              {"switches", Json::array()},
              {"cables", Json::array()}};
    for (const SwitchShape& shape : topology.switches)
    {
        json["switches"].push_back(JsonOf(shape));
    }
    for (const Cable& cable : topology.cables)
    {
        json["cables"].push_back(JsonOf(cable));
    }
    return json.dump();
}

Topology
TopologyFromJson(const std::string& text)
{
    try
    {
        return TopologyFrom(Json::parse(text));
    }
    catch (const Json::exception& error)
    {
        throw ConfigError("graph", "given", error.what());
    }
}

} // namespace via
} // namespace ns3
