/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// C++ rows as Python columns: a table of a million rows is a dozen arrays, not a million objects.

#ifndef VIA_COLUMNS_H
#define VIA_COLUMNS_H

#include <cstdint>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

/// A numpy array of what @p get returns for each row.
template <class T, class Row, class Get>
pybind11::array_t<T>
NumberColumn(const std::vector<Row>& rows, Get get)
{
    pybind11::array_t<T> column(static_cast<pybind11::ssize_t>(rows.size()));
    T* out = column.mutable_data();
    for (const Row& row : rows)
    {
        *out++ = static_cast<T>(get(row));
    }
    return column;
}

/// Texts as a pair: a number per row, and the distinct texts in order of first use.
template <class Row, class Get>
pybind11::tuple
TextColumn(const std::vector<Row>& rows, Get get)
{
    using Text = std::decay_t<decltype(get(rows.front()))>; // a string, or a view of one that stays
    std::unordered_map<Text, std::int32_t> numbers;         // for look-ups only, never iterated
    std::vector<std::string> texts;
    const auto numberOf = [&](const Row& row) {
        const auto [place, isNew] =
            numbers.try_emplace(get(row), static_cast<std::int32_t>(texts.size()));
        if (isNew)
        {
            texts.emplace_back(place->first);
        }
        return place->second;
    };
    pybind11::array_t<std::int32_t> codes = NumberColumn<std::int32_t>(rows, numberOf);
    return pybind11::make_tuple(codes, pybind11::cast(texts));
}

/// The content of bytes objects.
inline std::vector<std::vector<std::uint8_t>>
BytesOf(const std::vector<pybind11::bytes>& objects)
{
    std::vector<std::vector<std::uint8_t>> all;
    for (const pybind11::bytes& object : objects)
    {
        const auto bytes = static_cast<std::string_view>(object);
        all.emplace_back(bytes.begin(), bytes.end());
    }
    return all;
}

} // namespace via
} // namespace ns3

#endif // VIA_COLUMNS_H
