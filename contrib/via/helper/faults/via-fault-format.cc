/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The format of plans of faults: which tables there are, and what their keys mean.

#include "via-fault-plan.h"

#include "ns3/via-error.h"
#include "ns3/via-fault-reader.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace ns3
{
namespace via
{

namespace
{

const char* const SCHEMA = "via-faults/1";

/// Keys of each kind; storms have those of their kind and some of their own.
std::vector<std::string>
KeysOf(FaultKind kind)
{
    switch (kind)
    {
    case FaultKind::LOSS:
        return {"where", "corrupt_ppb", "vanish_ppb", "bit_errors", "at", "until"};
    case FaultKind::NODE_CRASH:
        return {"where", "restart", "at", "until"};
    case FaultKind::SLOW_NODE:
        return {"where", "factor", "at", "until"};
    case FaultKind::PARTITION:
        return {"sets", "at", "until"};
    default:
        return {"where", "at", "until"};
    }
}

const FaultKind*
FindKind(const std::string& name)
{
    static const FaultKind kinds[] = {FaultKind::LOSS,
                                      FaultKind::LINK_DOWN,
                                      FaultKind::SWITCH_DOWN,
                                      FaultKind::NIC_RESET,
                                      FaultKind::NODE_CRASH,
                                      FaultKind::SLOW_NODE,
                                      FaultKind::PARTITION};
    const auto* const found =
        std::find_if(std::begin(kinds), std::end(kinds), [&name](FaultKind kind) {
            return name == FaultKindName(kind);
        });
    return found == std::end(kinds) ? nullptr : found;
}

std::string
KindNames()
{
    std::string names;
    for (std::uint32_t i = 0; i < FAULT_KINDS; ++i)
    {
        names += (i == 0 ? "" : ", ") + std::string(FaultKindName(static_cast<FaultKind>(i)));
    }
    return names;
}

PlannedFault
ReadFault(FaultKind kind, const TableReader& table)
{
    PlannedFault fault;
    fault.kind = kind;
    fault.place = table.Place();
    fault.where = table.Text("where", "all");
    fault.when.from = table.Time("at", 0);
    fault.when.until = table.Time("until", PS_NEVER);
    const auto share = [&table](const char* key, std::uint64_t most) {
        return table.Whole(key, 0, most, 0);
    };
    fault.loss = {share("corrupt_ppb", LinkLoss::ALL),
                  share("vanish_ppb", LinkLoss::ALL),
                  share("bit_errors", LinkLoss::ALL_BITS)};
    fault.restart = table.Flag("restart");
    fault.sets = table.Sets("sets");
    std::tie(fault.num, fault.den) = table.Ratio("factor");
    if (fault.when.until <= fault.when.from)
    {
        throw table.Refuse("until", "must be later than `at`");
    }
    return fault;
}

PlannedFault
ReadSingle(FaultKind kind, const TableReader& table)
{
    if (kind == FaultKind::SLOW_NODE)
    {
        table.Needs("factor");
    }
    if (kind == FaultKind::PARTITION)
    {
        table.Needs("sets");
    }
    else if (kind != FaultKind::LOSS)
    {
        table.Needs("where");
    }
    if (kind == FaultKind::NIC_RESET)
    {
        table.Needs("until");
    }
    return ReadFault(kind, table);
}

Storm
ReadStorm(const std::string& name, const std::string& path, const DocumentValue& value)
{
    const DocumentValue* word = value.Find("kind");
    const FaultKind* kind = word == nullptr ? nullptr : FindKind(word->text);
    std::vector<std::string> keys = KeysOf(kind == nullptr ? FaultKind::LOSS : *kind);
    keys.insert(keys.end(), {"kind", "per_second", "least", "most"});
    if (kind == nullptr)
    {
        keys.insert(keys.end(), {"restart", "factor", "sets"});
    }
    const TableReader table(name, path, value, keys);
    for (const char* key : {"kind", "per_second", "least", "most", "until"})
    {
        table.Needs(key);
    }
    if (kind == nullptr)
    {
        throw table.Refuse("kind", "one of " + KindNames());
    }
    if (*kind == FaultKind::SLOW_NODE)
    {
        table.Needs("factor");
    }
    Storm storm;
    storm.what = ReadFault(*kind, table);
    storm.perSecond = table.Whole("per_second", 1, PS_PER_SECOND, 1);
    storm.least = table.Time("least", 0);
    storm.most = table.Time("most", 0);
    return storm;
}

FaultPlan
ReadPlan(const DocumentValue& root, const std::string& name)
{
    std::vector<std::string> kinds = {"schema", "storm"};
    for (std::uint32_t i = 0; i < FAULT_KINDS; ++i)
    {
        kinds.emplace_back(FaultKindName(static_cast<FaultKind>(i)));
    }
    const TableReader document(name, "faults", root, kinds);
    document.Needs("schema");
    if (document.Text("schema", "") != SCHEMA)
    {
        throw document.Refuse("schema", SCHEMA);
    }
    FaultPlan plan;
    for (const auto& [key, list] : root.table)
    {
        if (key == "schema")
        {
            continue;
        }
        if (list.type != DocumentValue::Type::LIST)
        {
            throw document.Refuse(key, "a list of tables, in TOML [[" + key + "]]");
        }
        for (std::size_t i = 0; i < list.list.size(); ++i)
        {
            const std::string path = key + "[" + std::to_string(i) + "]";
            if (key == "storm")
            {
                plan.storms.push_back(ReadStorm(name, path, list.list[i]));
                continue;
            }
            const FaultKind kind = *FindKind(key);
            plan.faults.push_back(
                ReadSingle(kind, TableReader(name, path, list.list[i], KeysOf(kind))));
        }
    }
    return plan;
}

} // namespace

FaultPlan
FaultPlan::Read(const std::string& path)
{
    const std::string json = ".json";
    const bool isJson = path.size() > json.size() &&
                        path.compare(path.size() - json.size(), json.size(), json) == 0;
    const std::string text = ReadText(path, "faults");
    return ReadPlan(isJson ? via::ReadJson(text, path, 1) : ReadToml(text, path), path);
}

FaultPlan
FaultPlan::ReadJson(const std::string& text, const std::string& name)
{
    return ReadPlan(via::ReadJson(text, name, 0), name);
}

} // namespace via
} // namespace ns3
