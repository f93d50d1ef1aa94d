/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Reads topologies from files: GraphML, and edge lists as CSV.

#include "via-topology-file.h"

#include "ns3/via-error.h"
#include "ns3/via-nesting.h"

#include <algorithm>
#include <boost/optional.hpp>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <fstream>
#include <istream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

namespace ns3
{
namespace via
{

namespace
{

using boost::property_tree::ptree;

[[noreturn]] void
Refuse(const std::string& source, const std::string& limit)
{
    throw ConfigError("--topology", "file:" + source, limit);
}

/// A number of up to 9 digits. @p what is its name in errors
std::uint32_t
ReadNumber(const std::string& text, const std::string& what, const std::string& source)
{
    const bool digits =
        !text.empty() && text.size() < 10 &&
        std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!digits)
    {
        Refuse(source, what + " is \"" + text + "\": a whole number is needed");
    }
    return static_cast<std::uint32_t>(std::stoul(text));
}

/// Is @p name in our own format: n3 for a host, s0 for a switch?
bool
IsNumbered(const std::string& name, char letter)
{
    return name.size() > 1 && name[0] == letter &&
           std::all_of(name.begin() + 1, name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// The names of the attributes of a cable.
std::vector<std::string>
EdgeAttributes()
{
    std::vector<std::string> names;
    for (const WireSpec::Attribute& one : WireSpec::Attributes())
    {
        names.emplace_back(one.name);
    }
    return names;
}

/// "a, b, c".
std::string
Listed(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names)
    {
        text += (text.empty() ? "" : ", ") + name;
    }
    return text;
}

/// Sets the attribute of a cable with this name. @p text "": the profile's value
void
SetAttribute(const std::string& name,
             const std::string& text,
             const std::string& source,
             WireSpec& wire)
{
    for (const WireSpec::Attribute& one : WireSpec::Attributes())
    {
        if (one.name == name && !text.empty())
        {
            wire.*one.field = ReadNumber(text, name, source);
        }
    }
}

/// A <key>: an attribute that nodes or edges may have.
struct Key
{
    std::string name;
    std::string domain; ///< the elements that have it: "node", "edge", "all", ...
    boost::optional<std::string> standard;
};

/// By identifier.
using Keys = std::map<std::string, Key>;

Keys
KeysOf(const ptree& root)
{
    Keys keys;
    for (const auto& [tag, element] : root)
    {
        if (tag == "key")
        {
            const ptree::path_type name("<xmlattr>/attr.name", '/'); // the name contains a dot
            keys[element.get("<xmlattr>.id", "")] = {element.get(name, ""),
                                                     element.get("<xmlattr>.for", "all"),
                                                     element.get_optional<std::string>("default")};
        }
    }
    return keys;
}

/// The <data> of @p element by attribute, or their defaults. A key for all elements has a meaning
/// for those that know it. Keys without a name belong to drawing programs.
std::map<std::string, std::string>
DataOf(const std::string& domain,
       const ptree& element,
       const Keys& keys,
       const std::vector<std::string>& known,
       const std::string& whose,
       const std::string& source)
{
    std::map<std::string, std::string> data;
    for (const auto& [id, key] : keys)
    {
        const bool isKnown = std::find(known.begin(), known.end(), key.name) != known.end();
        if (key.standard && (key.domain == domain || (key.domain == "all" && isKnown)))
        {
            data[key.name] = *key.standard;
        }
    }
    for (const auto& [tag, child] : element)
    {
        const auto key = tag == "data" ? keys.find(child.get("<xmlattr>.key", "")) : keys.end();
        if (key != keys.end())
        {
            data[key->second.name] = child.data();
        }
    }
    data.erase("");
    for (const auto& [name, value] : data)
    {
        if (std::find(known.begin(), known.end(), name) == known.end())
        {
            Refuse(source,
                   whose + " has the attribute " + name + ", which is not supported: " +
                       Listed(known) + (known.size() == 1 ? " is known" : " are known"));
        }
    }
    return data;
}

/// Graphs in nodes or edges, and edges with more than two ends, have no meaning here.
void
RefuseInside(const ptree& element, const std::string& whose, const std::string& source)
{
    for (const char* tag : {"graph", "hyperedge"})
    {
        if (element.count(tag) > 0)
        {
            Refuse(source,
                   whose + " has a <" + tag + ">: one <graph> of <node> and <edge> is read");
        }
    }
}

void
AddNode(const std::string& name,
        const std::string& kind,
        const std::string& source,
        GraphDescription& graph)
{
    if (kind == "host" || (kind.empty() && IsNumbered(name, 'n')))
    {
        graph.hosts.push_back(name);
    }
    else if (kind == "switch" || (kind.empty() && IsNumbered(name, 's')))
    {
        graph.switches.push_back(name);
    }
    else
    {
        Refuse(source,
               "node " + name + " needs the attribute kind, \"host\" or \"switch\", or a name " +
                   "such as n3 for a host, s0 for a switch");
    }
}

GraphEdge
EdgeOf(const ptree& element, const Keys& keys, const std::string& source)
{
    GraphEdge edge;
    edge.a = element.get("<xmlattr>.source", "");
    edge.b = element.get("<xmlattr>.target", "");
    const std::string whose = "edge " + edge.a + "-" + edge.b;
    RefuseInside(element, whose, source);
    for (const auto& [name, text] : DataOf("edge", element, keys, EdgeAttributes(), whose, source))
    {
        SetAttribute(name, text, source, edge.wire);
    }
    const std::string a = element.get("<xmlattr>.sourceport", "");
    const std::string b = element.get("<xmlattr>.targetport", "");
    edge.portA = a.empty() ? GraphEdge::ANY : ReadNumber(a, "sourceport", source);
    edge.portB = b.empty() ? GraphEdge::ANY : ReadNumber(b, "targetport", source);
    return edge;
}

/// An end of a cable in an edge list: "n3", "s0", or "s0.5" for port 5.
std::string
ReadEnd(const std::string& text, std::uint32_t& port, const std::string& source)
{
    const std::string name = text.substr(0, text.find('.'));
    const bool isSwitch = IsNumbered(name, 's');
    if (!isSwitch && !IsNumbered(name, 'n'))
    {
        Refuse(source, "an edge ends at \"" + text + "\": n3 is a host, s0 or s0.5 a switch");
    }
    if (name.size() < text.size())
    {
        if (!isSwitch)
        {
            Refuse(source, "an edge ends at \"" + text + "\": a host has no ports to choose from");
        }
        port = ReadNumber(text.substr(name.size() + 1), "the port of " + text, source);
    }
    return name;
}

std::vector<std::string>
Fields(std::string line)
{
    line.erase(std::remove_if(line.begin(),
                              line.end(),
                              [](char c) { return c == ' ' || c == '\t' || c == '\r'; }),
               line.end());
    std::vector<std::string> fields;
    std::istringstream stream(line);
    for (std::string field; std::getline(stream, field, ',');)
    {
        fields.push_back(field);
    }
    return fields;
}

/// The names with letter @p letter; their numbers must be 0, 1, 2, ... without gaps.
std::vector<std::string>
InOrder(const std::set<std::string>& names, char letter, const std::string& source)
{
    std::vector<std::string> order;
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        order.push_back(letter + std::to_string(i));
        if (names.count(order.back()) == 0)
        {
            Refuse(source, "there is no " + order.back() + ": numbers run from 0 without a gap");
        }
    }
    return order;
}

GraphDescription
GraphOf(const ptree& inside, const Keys& keys, const std::string& source)
{
    GraphDescription graph;
    RefuseInside(inside, "the <graph>", source);
    for (const auto& [tag, element] : inside)
    {
        if (tag == "node")
        {
            const std::string name = element.get("<xmlattr>.id", "");
            const std::string whose = "node " + name;
            RefuseInside(element, whose, source);
            AddNode(name,
                    DataOf("node", element, keys, {"kind"}, whose, source)["kind"],
                    source,
                    graph);
        }
        else if (tag == "edge")
        {
            graph.edges.push_back(EdgeOf(element, keys, source));
        }
    }
    return graph;
}

} // namespace

GraphDescription
ReadGraphMl(std::istream& input, const std::string& source)
{
    const std::string text{std::istreambuf_iterator<char>(input), {}};
    CheckXmlNesting(text, "--topology = file:" + source);
    std::istringstream stream(text);
    ptree tree;
    try
    {
        boost::property_tree::read_xml(stream,
                                       tree,
                                       boost::property_tree::xml_parser::trim_whitespace);
    }
    catch (const boost::property_tree::xml_parser_error& error)
    {
        Refuse(source, "not XML: " + error.message());
    }
    const auto root = tree.get_child_optional("graphml");
    const auto inside = tree.get_child_optional("graphml.graph");
    if (!root || !inside)
    {
        Refuse(source, "not GraphML: <graphml> with a <graph> is needed");
    }
    if (root->count("hyperedge") > 0)
    {
        Refuse(source, "<graphml> has a <hyperedge>: one <graph> of <node> and <edge> is read");
    }
    if (root->count("graph") > 1)
    {
        Refuse(source,
               "there are " + std::to_string(root->count("graph")) + " <graph>: one is read");
    }
    return GraphOf(*inside, KeysOf(*root), source);
}

GraphDescription
ReadEdgeList(std::istream& input, const std::string& source)
{
    GraphDescription graph;
    std::set<std::string> hosts;
    std::set<std::string> switches;
    std::string line;
    std::getline(input, line);
    const std::vector<std::string> head = Fields(line);
    const std::vector<std::string> known = EdgeAttributes();
    if (head.size() < 2 || head[0] != "a" || head[1] != "b")
    {
        Refuse(source,
               "the first line is \"" + line + "\": \"a,b\" is needed, then any of " +
                   Listed(known));
    }
    for (std::size_t i = 2; i < head.size(); ++i)
    {
        if (std::find(known.begin(), known.end(), head[i]) == known.end() ||
            std::count(head.begin(), head.end(), head[i]) > 1)
        {
            Refuse(source,
                   "the first line has the column " + head[i] + ": one of " + Listed(known) +
                       ", each once");
        }
    }
    while (std::getline(input, line))
    {
        const std::vector<std::string> fields = Fields(line);
        if (fields.empty())
        {
            continue;
        }
        if (fields.size() < 2 || fields.size() > head.size())
        {
            Refuse(source, "the line \"" + line + "\" does not have the fields of the first one");
        }
        GraphEdge edge;
        edge.a = ReadEnd(fields[0], edge.portA, source);
        edge.b = ReadEnd(fields[1], edge.portB, source);
        for (std::size_t i = 2; i < fields.size(); ++i)
        {
            SetAttribute(head[i], fields[i], source, edge.wire);
        }
        for (const std::string& name : {edge.a, edge.b})
        {
            (name[0] == 'n' ? hosts : switches).insert(name);
        }
        graph.edges.push_back(edge);
    }
    graph.hosts = InOrder(hosts, 'n', source);
    graph.switches = InOrder(switches, 's', source);
    return graph;
}

namespace
{

GraphDescription
ReadByEnding(const std::string& path)
{
    std::ifstream file(path);
    if (!file)
    {
        Refuse(path, "no such file, or it cannot be read");
    }
    const std::string ending = path.substr(std::min(path.rfind('.'), path.size()));
    if (ending == ".graphml" || ending == ".xml")
    {
        return ReadGraphMl(file, path);
    }
    if (ending == ".csv")
    {
        return ReadEdgeList(file, path);
    }
    Refuse(path, "the file name must end in .graphml, .xml or .csv");
}

} // namespace

GraphDescription
ReadGraph(const std::string& path)
{
    GraphDescription graph = ReadByEnding(path);
    if (graph.hosts.empty())
    {
        Refuse(path, "there is no host");
    }
    return graph;
}

} // namespace via
} // namespace ns3
