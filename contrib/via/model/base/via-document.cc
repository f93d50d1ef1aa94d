/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A TOML or JSON text as one tree, with the line of each value.

#include "via-document.h"

#include "ns3/via-error.h"
#include "ns3/via-nesting.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <toml.hpp>

namespace ns3
{
namespace via
{

namespace
{

using Toml = toml::basic_value<toml::discard_comments, std::map>;
using Json = nlohmann::json;
using Type = DocumentValue::Type;

/// Where the lines of a text end: the library counts them from the beginning for every value.
class LineEnds
{
  public:
    explicit LineEnds(const std::string& text)
    {
        for (std::size_t at = text.find('\n'); at != std::string::npos;
             at = text.find('\n', at + 1))
        {
            m_ends.push_back(at);
        }
    }

    /// The line on which @p toml stands; 0: the library does not tell.
    std::uint32_t Of(const Toml& toml) const
    {
        const auto* region =
            dynamic_cast<const toml::detail::region*>(toml::detail::get_region(toml));
        if (region == nullptr)
        {
            return 0;
        }
        const auto offset = static_cast<std::size_t>(region->first() - region->begin());
        return static_cast<std::uint32_t>(std::lower_bound(m_ends.begin(), m_ends.end(), offset) -
                                          m_ends.begin() + 1);
    }

  private:
    std::vector<std::size_t> m_ends;
};

DocumentValue
FromToml(const Toml& toml, const LineEnds& lines)
{
    DocumentValue value;
    value.line = lines.Of(toml);
    if (toml.is_string())
    {
        value.type = Type::TEXT;
        value.text = toml.as_string().str;
    }
    else if (toml.is_integer())
    {
        value.type = Type::INTEGER;
        value.integer = toml.as_integer();
    }
    else if (toml.is_boolean())
    {
        value.type = Type::BOOLEAN;
        value.boolean = toml.as_boolean();
    }
    else if (toml.is_array())
    {
        value.type = Type::LIST;
        std::transform(toml.as_array().begin(),
                       toml.as_array().end(),
                       std::back_inserter(value.list),
                       [&lines](const Toml& one) { return FromToml(one, lines); });
    }
    else if (toml.is_table())
    {
        value.type = Type::TABLE;
        for (const auto& [key, entry] : toml.as_table())
        {
            value.table.emplace_back(key, FromToml(entry, lines));
        }
    }
    else
    {
        value.text = toml::format(toml);
    }
    return value;
}

/// Walks over a text and counts its lines: the library tells no places of values.
class LineIterator
{
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    LineIterator(const char* at, std::uint32_t* line)
        : m_at(at),
          m_line(line)
    {
    }

    const char& operator*() const
    {
        return *m_at;
    }

    LineIterator& operator++()
    {
        *m_line += *m_at == '\n' ? 1 : 0;
        ++m_at;
        return *this;
    }

    bool operator==(const LineIterator& other) const
    {
        return m_at == other.m_at;
    }

    bool operator!=(const LineIterator& other) const
    {
        return m_at != other.m_at;
    }

  private:
    const char* m_at;
    std::uint32_t* m_line;
};

/// Builds a tree of what the library reads.
class JsonTree : public nlohmann::json_sax<Json>
{
  public:
    JsonTree(const std::string& name, const std::uint32_t& line)
        : m_name(name),
          m_line(line)
    {
    }

    DocumentValue root;

    bool null() override
    {
        Add(Type::OTHER);
        return true;
    }

    bool boolean(bool value) override
    {
        Add(Type::BOOLEAN).boolean = value;
        return true;
    }

    bool number_integer(number_integer_t value) override
    {
        Add(Type::INTEGER).integer = value;
        return true;
    }

    bool number_unsigned(number_unsigned_t value) override
    {
        const bool fits =
            value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
        Add(fits ? Type::INTEGER : Type::OTHER).integer = static_cast<std::int64_t>(value);
        return true;
    }

    bool number_float(number_float_t, const string_t& text) override
    {
        Add(Type::OTHER).text = text;
        return true;
    }

    bool string(string_t& value) override
    {
        Add(Type::TEXT).text = value;
        return true;
    }

    bool binary(binary_t&) override
    {
        return null();
    }

    bool start_object(std::size_t) override
    {
        m_open.push_back(&Add(Type::TABLE));
        return true;
    }

    bool key(string_t& name) override
    {
        m_key = name;
        return true;
    }

    bool end_object() override
    {
        m_open.pop_back();
        return true;
    }

    bool start_array(std::size_t) override
    {
        m_open.push_back(&Add(Type::LIST));
        return true;
    }

    bool end_array() override
    {
        return end_object();
    }

    bool parse_error(std::size_t,
                     const std::string&,
                     const nlohmann::detail::exception& error) override
    {
        throw ConfigError(m_name + ":" + std::to_string(m_line) + ": not JSON: " + error.what());
    }

  private:
    DocumentValue& Add(Type type)
    {
        DocumentValue* value = &root;
        if (!m_open.empty() && m_open.back()->type == Type::LIST)
        {
            value = &m_open.back()->list.emplace_back();
        }
        else if (!m_open.empty())
        {
            if (m_open.back()->Find(m_key) != nullptr)
            {
                throw ConfigError(m_name + ":" + std::to_string(m_line) + ": " + m_key +
                                  " appears twice");
            }
            value = &m_open.back()->table.emplace_back(m_key, DocumentValue{}).second;
        }
        value->type = type;
        value->line = m_line;
        return *value;
    }

    const std::string& m_name;
    const std::uint32_t& m_line;
    std::string m_key;
    std::vector<DocumentValue*> m_open; ///< what encloses the next value; only its end grows
};

/// The @p parts, each as @p print has it, with commas between them; of many, the first ones.
template <class PARTS, class PRINT>
std::string
Enclosed(const char* open, const char* close, const PARTS& parts, PRINT print)
{
    constexpr std::size_t enough = 60; // characters
    std::string all;
    for (const auto& part : parts)
    {
        const bool isFull = all.size() > enough;
        all += (all.empty() ? "" : ", ") + (isFull ? "..." : print(part));
        if (isFull)
        {
            break;
        }
    }
    return open + all + close;
}

} // namespace

const DocumentValue*
DocumentValue::Find(const std::string& key) const
{
    const auto found = std::find_if(table.begin(), table.end(), [&key](const auto& entry) {
        return entry.first == key;
    });
    return found == table.end() ? nullptr : &found->second;
}

std::string
DocumentValue::Print() const
{
    switch (type)
    {
    case Type::TEXT:
        return '"' + text + '"';
    case Type::INTEGER:
        return std::to_string(integer);
    case Type::BOOLEAN:
        return boolean ? "true" : "false";
    case Type::LIST:
        return Enclosed("[", "]", list, [](const DocumentValue& one) { return one.Print(); });
    case Type::TABLE:
        return Enclosed("{", "}", table, [](const auto& entry) {
            return entry.first + " = " + entry.second.Print();
        });
    case Type::OTHER:
        break;
    }
    return text.empty() ? "null" : text;
}

std::string
ReadText(const std::string& path, const std::string& option)
{
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream text;
    if (stream.peek() != std::ifstream::traits_type::eof())
    {
        text << stream.rdbuf();
    }
    if (!stream.is_open() || stream.bad()) // a folder opens; reading it fails
    {
        throw ConfigError(option, path, "cannot be read");
    }
    return text.str();
}

DocumentValue
ReadToml(const std::string& text, const std::string& name)
{
    CheckNesting(text, name);
    std::istringstream stream(text);
    try
    {
        const Toml whole = toml::parse<toml::discard_comments, std::map>(stream, name);
        return FromToml(whole, LineEnds(text));
    }
    catch (const toml::exception& error)
    {
        const auto line = static_cast<std::uint32_t>(error.location().line());
        throw ConfigError(name + ":" + std::to_string(line) +
                          ": not TOML: " + MistakeIn(text, line, error.what()));
    }
    catch (const std::exception& error) // from numbers and dates
    {
        throw ConfigError(name + ": not TOML: " + MistakeIn(text, 0, error.what()));
    }
}

DocumentValue
ReadJson(const std::string& text, const std::string& name, std::uint32_t firstLine)
{
    CheckNesting(text, name);
    std::uint32_t line = firstLine;
    JsonTree tree(name, line);
    Json::sax_parse(LineIterator(text.data(), &line),
                    LineIterator(text.data() + text.size(), &line),
                    &tree);
    return tree.root;
}

} // namespace via
} // namespace ns3
