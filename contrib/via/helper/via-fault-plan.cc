/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Faults as data: what is to go wrong in a run.

#include "via-fault-plan.h"

#include "ns3/via-error.h"

#include <algorithm>
#include <fstream>
#include <toml.hpp>

namespace ns3
{
namespace via
{

namespace
{

using Toml = toml::basic_value<toml::discard_comments, std::map>;

const char* const SCHEMA = "via-faults/1";

/// A mistake at a place of the file.
ConfigError
At(const std::string& path, const Toml& value, const std::string& what)
{
    return ConfigError(path + ":" + std::to_string(value.location().line()) + ": " + what);
}

Toml
Parse(const std::string& path)
{
    std::ifstream stream(path, std::ios::binary);
    if (!stream)
    {
        throw ConfigError("faults", path, "cannot be read");
    }
    try
    {
        return toml::parse<toml::discard_comments, std::map>(stream, path);
    }
    catch (const toml::exception& error)
    {
        throw ConfigError(path + ":" + std::to_string(error.location().line()) +
                          ": not TOML: " + error.what());
    }
}

std::uint64_t
Share(const std::string& path, const std::string& key, const Toml& value)
{
    if (!value.is_integer() || value.as_integer() < 0 ||
        static_cast<std::uint64_t>(value.as_integer()) > LinkLoss::ALL)
    {
        throw At(path, value, "loss." + key + " is a whole number from 0 to 1000000000");
    }
    return static_cast<std::uint64_t>(value.as_integer());
}

LossRule
ReadLoss(const std::string& path, const Toml& table)
{
    LossRule rule;
    if (!table.is_table())
    {
        throw At(path, table, "loss is a list of tables: [[loss]]");
    }
    for (const auto& entry : table.as_table())
    {
        const Toml& value = entry.second;
        if (entry.first == "where" && value.is_string())
        {
            rule.where = value.as_string().str;
        }
        else if (entry.first == "corrupt_ppb")
        {
            rule.loss.corrupt = Share(path, entry.first, value);
        }
        else if (entry.first == "vanish_ppb")
        {
            rule.loss.vanish = Share(path, entry.first, value);
        }
        else
        {
            throw At(path,
                     value,
                     "loss." + entry.first +
                         ": a loss has where (a text), corrupt_ppb and vanish_ppb");
        }
    }
    return rule;
}

/// Is @p name @p prefix and a number below @p count, as Name() of a component writes it?
bool
IsOneOf(const std::string& name, char prefix, std::uint32_t count)
{
    if (name.size() < 2 || name.size() > 10 || name[0] != prefix ||
        !std::all_of(name.begin() + 1, name.end(), [](char c) { return c >= '0' && c <= '9'; }))
    {
        return false;
    }
    const unsigned long number = std::stoul(name.substr(1));
    return number < count && std::to_string(number) == name.substr(1);
}

} // namespace

FaultPlan
FaultPlan::Read(const std::string& path)
{
    const Toml root = Parse(path);
    FaultPlan plan;
    bool hasSchema = false;
    for (const auto& entry : root.as_table())
    {
        const Toml& value = entry.second;
        if (entry.first == "schema" && value.is_string() && value.as_string().str == SCHEMA)
        {
            hasSchema = true;
        }
        else if (entry.first == "loss" && value.is_array())
        {
            for (const Toml& table : value.as_array())
            {
                plan.losses.push_back(ReadLoss(path, table));
            }
        }
        else
        {
            throw At(path,
                     value,
                     entry.first + ": a file of faults has schema = \"" + SCHEMA +
                         "\" and [[loss]] tables");
        }
    }
    if (!hasSchema)
    {
        throw ConfigError(path + ": schema = \"" + SCHEMA + "\" is missing");
    }
    return plan;
}

void
FaultPlan::Check(std::uint32_t hosts, std::uint32_t switches) const
{
    for (const LossRule& rule : losses)
    {
        if (rule.where != "all" && !IsOneOf(rule.where, 'n', hosts) &&
            !IsOneOf(rule.where, 's', switches))
        {
            throw ConfigError("faults: loss.where",
                              rule.where,
                              "all, a host n0 to n" + std::to_string(hosts - 1) +
                                  (switches == 0
                                       ? std::string(" (there are no switches)")
                                       : ", or a switch s0 to s" + std::to_string(switches - 1)));
        }
        if (rule.loss.corrupt > LinkLoss::ALL || rule.loss.vanish > LinkLoss::ALL ||
            rule.loss.corrupt + rule.loss.vanish > LinkLoss::ALL)
        {
            throw ConfigError("faults: loss.corrupt_ppb + loss.vanish_ppb",
                              std::to_string(rule.loss.corrupt) + " + " +
                                  std::to_string(rule.loss.vanish),
                              "1000000000 are all cells");
        }
    }
}

LinkLoss
FaultPlan::LossBetween(const std::string& a, const std::string& b) const
{
    LinkLoss loss;
    for (const LossRule& rule : losses)
    {
        if (rule.where == "all" || rule.where == a || rule.where == b)
        {
            loss = rule.loss;
        }
    }
    return loss;
}

} // namespace via
} // namespace ns3
