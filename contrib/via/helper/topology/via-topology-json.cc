/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A topology as JSON: what several OS processes must agree on.

#include "via-topology-json.h"

#include "ns3/via-error.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

namespace ns3
{
namespace via
{

namespace
{

using Json = nlohmann::json;

/// Throws unless @p index is below @p size.
void
RequireBelow(std::uint64_t size, std::uint64_t index, const std::string& what)
{
    if (index >= size)
    {
        throw ConfigError("graph",
                          what + " " + std::to_string(index),
                          "there are " + std::to_string(size));
    }
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
    const std::vector<std::vector<std::uint16_t>> choices = json.at("choices");
    for (const auto& choice : choices)
    {
        for (const std::uint16_t port : choice)
        {
            RequireBelow(ports, port, "port of a choice");
        }
    }
    std::vector<Route> routes;
    for (const Json& run : json.at("routes"))
    {
        const Route route{run.at(1), run.at(2), run.at(3)};
        const auto hosts = run.at(0).get<std::size_t>();
        RequireBelow(topology.hosts - routes.size() + 1, hosts, "hosts with one route");
        RequireBelow(topology.lanes, route.lane, "lane");
        RequireBelow(choices.size() + 1, route.choice, "choice");
        if (route.port != Route::NONE)
        {
            RequireBelow(ports, route.port, "port of a route");
        }
        routes.insert(routes.end(), hosts, route);
    }
    RouteTable table(routes, pool);
    table.choices = choices;
    RequireBelow(3, json.at("selection"), "selection");
    table.selection = json.at("selection").get<PortSelection>();
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
    const Endpoint end{json.at(first), json.at(first + 1), json.at(first + 2)};
    if (end.isSwitch)
    {
        RequireBelow(topology.switches.size(), end.index, "switch");
        RequireBelow(topology.switches[end.index].ports, end.port, "port");
    }
    else
    {
        RequireBelow(topology.hosts, end.index, "host");
        RequireBelow(topology.rails, end.port, "card");
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
        cable.wire.*attribute.field = json.at(place++);
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
    topology.hosts = json.at("hosts");
    topology.lanes = json.at("lanes");
    topology.rails = json.at("rails");
    topology.bisection = json.at("bisection");
    RequireBelow(std::uint64_t{MOST_HOSTS} + 1, topology.hosts, "hosts");
    RequireBelow(std::uint64_t{MOST_RAILS} + 1, topology.rails, "rails");
    const auto pool = std::make_shared<RoutePool>();
    for (const Json& one : json.at("switches"))
    {
        const std::uint32_t ports = one.at("ports");
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
