/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Reads one profile file.

#include "via-profile-reader.h"

#include "ns3/via-document.h"
#include "ns3/via-error.h"

#include <algorithm>
#include <cctype>

namespace ns3
{
namespace via
{

namespace
{

using Type = DocumentValue::Type;

const char* const TRUSTS =
    "VERIFIED, MEMORY-high, MEMORY-medium, MEMORY-low, derived, fitted, assumed";

/// The fields of a leaf, in the order in which they are read.
const std::vector<std::string> LEAF_FIELDS = {"value", "unit", "source", "trust"};

std::string
Place(const std::string& path, std::uint32_t line)
{
    return path + ":" + std::to_string(line) + ": ";
}

ProfileForm
FormOf(const DocumentValue& value)
{
    if (value.type == Type::INTEGER)
    {
        return ProfileForm::INTEGER;
    }
    return value.type == Type::TEXT ? ProfileForm::STRING : ProfileForm::OTHER;
}

ProfileText
TextOf(const DocumentValue& value)
{
    const bool isList = value.type == Type::LIST;
    const std::vector<DocumentValue> items = isList ? value.list : std::vector{value};
    ProfileText text{value.Print(), ProfileForm::OTHER, isList, {}};
    for (const DocumentValue& item : items)
    {
        const ProfileForm form = FormOf(item);
        const bool same = text.items.empty() || form == text.form;
        text.form = same ? form : ProfileForm::OTHER;
        text.items.push_back(item.Word());
    }
    return text;
}

std::string
NameOf(ProfileScope scope)
{
    switch (scope)
    {
    case ProfileScope::HOST:
        return "host";
    case ProfileScope::PRODUCT:
        return "product";
    case ProfileScope::KERNEL:
        return "kernel";
    }
    return "";
}

std::string
SchemaOf(ProfileScope scope)
{
    return "via-" + NameOf(scope) + "/1";
}

/// Reads one file; its members serve all messages and entries.
class Reader
{
  public:
    Reader(const std::string& path, ProfileScope scope)
        : m_scope(scope)
    {
        m_file.path = path;
    }

    ProfileFile Read(const std::string& text);

    /// Does the file depend on another one?
    bool Extends() const
    {
        return m_extends;
    }

  private:
    std::string HeadText(const DocumentValue& root,
                         const std::string& name,
                         const std::string& what = "text") const;
    std::string HeadName(const DocumentValue& root, const std::string& name) const;
    void CheckText(const DocumentValue& value, const std::string& name) const;
    void CheckHead(const DocumentValue& root);
    void TakeFrom(const std::string& base, const std::string& where);
    bool IsInherited(const ProfileItem& item) const;
    void DropUnused();
    void ReadTable(const std::string& prefix, const DocumentValue& table);
    void ReadMember(const std::string& key, const DocumentValue& member);
    void ReadLeaf(const ProfileKey& key, const DocumentValue& leaf);
    void CheckFields(const ProfileKey& key, const DocumentValue& leaf) const;
    std::string LeafText(const ProfileKey& key, const DocumentValue& leaf, const char* field) const;
    std::string WordOf(const std::string& key) const;
    void CheckComplete() const;

    ProfileScope m_scope;
    ProfileFile m_file;
    bool m_extends{false};
};

/// Refuses what is no text, or an empty one.
void
Reader::CheckText(const DocumentValue& value, const std::string& name) const
{
    if (value.text.empty() || value.type != Type::TEXT)
    {
        throw ConfigError(Place(m_file.path, value.line) + name, value.Print(), "must be text");
    }
}

std::string
Reader::HeadText(const DocumentValue& root, const std::string& name, const std::string& what) const
{
    const DocumentValue* value = root.Find(name);
    if (value == nullptr)
    {
        throw ConfigError(Place(m_file.path, 1) + name + " is missing: must be " + what +
                          " at the top");
    }
    CheckText(*value, name);
    return value->text;
}

/// The name of another file, which must be a plain name in the profile folders.
std::string
Reader::HeadName(const DocumentValue& root, const std::string& name) const
{
    const std::string text = HeadText(root, name);
    const bool isPlain = std::all_of(text.begin(), text.end(), [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
    });
    const std::string::size_type suffix = text.size() - std::min<std::size_t>(text.size(), 5);
    if (!isPlain || text[0] == '.' || text.compare(suffix, std::string::npos, ".toml") == 0)
    {
        throw ConfigError(Place(m_file.path, root.Find(name)->line) + name,
                          text,
                          "must be a name, not a path: letters, digits, '-', '_' and '.'");
    }
    return text;
}

void
Reader::CheckHead(const DocumentValue& root)
{
    const std::string expected = SchemaOf(m_scope);
    const std::string schema = HeadText(root, "schema", '"' + expected + '"');
    if (schema != expected)
    {
        throw ConfigError(Place(m_file.path, root.Find("schema")->line) + "schema",
                          schema,
                          "must be " + expected);
    }
    const bool isProduct = m_scope == ProfileScope::PRODUCT;
    m_extends = root.Find("extends") != nullptr;
    if (m_extends)
    {
        TakeFrom(HeadName(root, "extends"), Place(m_file.path, root.Find("extends")->line));
    }
    m_file.title = HeadText(root, "title");
    if (isProduct && (!m_extends || root.Find("default_host") != nullptr))
    {
        m_file.defaultHost = HeadName(root, "default_host");
    }
    if (isProduct && root.Find("sketch") != nullptr)
    {
        m_file.sketch = HeadText(root, "sketch");
    }
    const bool knowsKernel =
        m_scope == ProfileScope::HOST && root.Find("default_kernel") != nullptr;
    if (knowsKernel)
    {
        m_file.defaultKernel = HeadName(root, "default_kernel");
    }
}

ProfileFile
Reader::Read(const std::string& text)
{
    const DocumentValue root = ReadToml(text, m_file.path);
    CheckHead(root);
    for (const auto& [name, member] : root.table)
    {
        const bool everywhere =
            name == "schema" || name == "title" || (name == "extends" && m_extends);
        const bool ofProduct =
            m_scope == ProfileScope::PRODUCT && (name == "default_host" || name == "sketch");
        const bool ofHost = m_scope == ProfileScope::HOST && name == "default_kernel";
        if (!everywhere && !ofProduct && !ofHost)
        {
            ReadMember(name, member);
        }
    }
    DropUnused();
    CheckComplete();
    return m_file;
}

/// Begins with the content of the file of another product, host or kernel.
void
Reader::TakeFrom(const std::string& base, const std::string& where)
{
    static thread_local std::vector<std::string> chain; // of files that are being read
    const std::string beside = m_file.path.substr(0, m_file.path.find_last_of('/')); // its folder
    const std::string path = m_scope == ProfileScope::HOST     ? FindHost(base, beside)
                             : m_scope == ProfileScope::KERNEL ? FindKernel(base, beside)
                                                               : FindProduct(base);
    if (path == m_file.path || std::find(chain.begin(), chain.end(), path) != chain.end())
    {
        throw ConfigError(where + "extends", base, "these profiles extend each other in a circle");
    }
    chain.push_back(m_file.path);
    try
    {
        const std::string own = m_file.path;
        m_file = ReadProfileFile(path, m_scope);
        m_file.path = own;
    }
    catch (...)
    {
        chain.pop_back();
        throw;
    }
    chain.pop_back();
}

bool
Reader::IsInherited(const ProfileItem& item) const
{
    return item.entry.file != m_file.path;
}

/// Drops inherited entries of mechanisms that this file has replaced.
void
Reader::DropUnused()
{
    const auto word = [this](const std::string& name) { return WordOf(name); };
    for (auto entry = m_file.items.begin(); entry != m_file.items.end();)
    {
        const bool isLeft =
            IsInherited(entry->second) && !IsUsed(*FindProfileKey(entry->first), word);
        entry = isLeft ? m_file.items.erase(entry) : std::next(entry);
    }
}

void
Reader::ReadTable(const std::string& prefix, const DocumentValue& table)
{
    for (const auto& [name, member] : table.table)
    {
        ReadMember(prefix + "." + name, member);
    }
}

void
Reader::ReadMember(const std::string& key, const DocumentValue& member)
{
    const ProfileKey* known = FindProfileKey(key);
    if (known && known->scope == m_scope)
    {
        ProfileKey named = *known;
        named.key = key; // plug-in keys have no definition of their own
        return ReadLeaf(named, member);
    }
    if (!known && IsProfileTable(key) && member.type == Type::TABLE)
    {
        return ReadTable(key, member);
    }
    throw ConfigError(Place(m_file.path, member.line) + key,
                      member.Print(),
                      known ? "belongs to a " + NameOf(known->scope) + " profile" : "no such key");
}

void
Reader::CheckFields(const ProfileKey& key, const DocumentValue& leaf) const
{
    const std::string where = Place(m_file.path, leaf.line) + key.key;
    if (leaf.type != Type::TABLE)
    {
        throw ConfigError(where,
                          leaf.Print(),
                          "must be { value, unit, source, trust }, the value " +
                              DescribeAllowed(key));
    }
    for (const std::string& field : LEAF_FIELDS)
    {
        if (leaf.Find(field) == nullptr)
        {
            throw ConfigError(where + ": " + field + " is missing: the value must be " +
                              DescribeAllowed(key));
        }
    }
    for (const auto& [field, value] : leaf.table)
    {
        if (std::find(LEAF_FIELDS.begin(), LEAF_FIELDS.end(), field) == LEAF_FIELDS.end())
        {
            throw ConfigError(where + "." + field, value.Print(), "no such field");
        }
    }
}

std::string
Reader::LeafText(const ProfileKey& key, const DocumentValue& leaf, const char* field) const
{
    const DocumentValue& value = *leaf.Find(field);
    CheckText(value, key.key + "." + field);
    return value.text;
}

void
Reader::ReadLeaf(const ProfileKey& key, const DocumentValue& leaf)
{
    CheckFields(key, leaf);
    const std::string place = Place(m_file.path, leaf.line);
    ProfileItem item;
    item.value = CheckProfileValue(key, TextOf(*leaf.Find("value")), place);
    item.entry.key = key.key;
    item.entry.value = item.value.canonical;
    item.entry.unit = LeafText(key, leaf, "unit");
    item.entry.source = LeafText(key, leaf, "source");
    item.entry.trust = LeafText(key, leaf, "trust");
    item.entry.file = m_file.path;
    item.entry.line = leaf.line;
    if (!key.unit.empty() && item.entry.unit != key.unit)
    {
        throw ConfigError(place + key.key + ".unit", item.entry.unit, "must be " + key.unit);
    }
    const std::string trusts = std::string(", ") + TRUSTS + ", ";
    if (trusts.find(", " + item.entry.trust + ", ") == std::string::npos)
    {
        throw ConfigError(place + key.key + ".trust",
                          item.entry.trust,
                          std::string("must be one of: ") + TRUSTS);
    }
    m_file.items[key.key] = item; // instead of an inherited one
}

std::string
Reader::WordOf(const std::string& key) const
{
    const auto found = m_file.items.find(key);
    return found == m_file.items.end() ? "" : found->second.entry.value;
}

void
Reader::CheckComplete() const
{
    const auto word = [this](const std::string& name) { return WordOf(name); };
    for (const ProfileKey& key : ProfileKeys())
    {
        if (key.scope == m_scope && !key.optional && IsUsed(key, word) &&
            m_file.items.count(key.key) == 0)
        {
            throw ConfigError(m_file.path + ": " + key.key + " is missing: must be " +
                              DescribeAllowed(key));
        }
    }
    for (const auto& [name, item] : m_file.items)
    {
        const ProfileKey& key = *FindProfileKey(name);
        if (!IsUsed(key, word))
        {
            throw ConfigError(Place(item.entry.file, item.entry.line) + name,
                              item.entry.value,
                              "is read only with " + key.onlyIf);
        }
    }
}

/// The last content read from each path. Studies create thousands of clusters from the same files.
struct Known
{
    std::string text;
    ProfileFile file;
};

constexpr std::size_t MOST_KNOWN = 64;

} // namespace

ProfileFile
ReadProfileFile(const std::string& path, ProfileScope scope)
{
    static thread_local std::map<std::pair<std::string, ProfileScope>, Known> known;
    const std::string text = ReadText(path, "profile");
    const auto found = known.find({path, scope});
    if (found != known.end() && found->second.text == text)
    {
        return found->second.file;
    }
    Reader reader(path, scope);
    const ProfileFile file = reader.Read(text);
    if (reader.Extends())
    {
        return file; // the other file may change
    }
    if (known.size() >= MOST_KNOWN)
    {
        known.clear();
    }
    known[{path, scope}] = {text, file};
    return file;
}

} // namespace via
} // namespace ns3
