/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A TOML or JSON text as one tree, with the line of each value.

#ifndef VIA_DOCUMENT_H
#define VIA_DOCUMENT_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

/// A value of a document.
struct DocumentValue
{
    enum class Type
    {
        TEXT,
        INTEGER,
        BOOLEAN,
        LIST,
        TABLE,
        OTHER, ///< a float, a date, a null: nothing that we read
    };

    Type type{Type::OTHER};
    std::uint32_t line{0}; ///< counted from 1; 0: it has none
    std::string text;
    std::int64_t integer{0};
    bool boolean{false};
    std::vector<DocumentValue> list;
    std::vector<std::pair<std::string, DocumentValue>> table; ///< TOML: in the order of the keys

    /// The value of @p key in a table, or null.
    const DocumentValue* Find(const std::string& key) const;

    /// As it would stand in a TOML document, in one line; for messages. Long lists and tables are
    /// cut.
    std::string Print() const;

    /// A text without its quotes, anything else as Print; for messages.
    std::string Word() const
    {
        return type == Type::TEXT ? text : Print();
    }
};

/**
 * @param name of the file, for the error
 * @throws ConfigError naming @p name and line
 */
DocumentValue ReadToml(const std::string& text, const std::string& name);

/**
 * @param name of the file, or of whatever the text came from
 * @param firstLine 1; or 0 for a text of one line that nobody has seen
 * @throws ConfigError naming @p name and line
 */
DocumentValue ReadJson(const std::string& text, const std::string& name, std::uint32_t firstLine);

/**
 * @brief The content of a file.
 * @param option that named the file
 * @throws ConfigError naming @p option and @p path if it cannot be read
 */
std::string ReadText(const std::string& path, const std::string& option);

} // namespace via
} // namespace ns3

#endif // VIA_DOCUMENT_H
