/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A file that is there whole or not at all.

#include "via-whole-file.h"

#include <cstdio>
#include <filesystem>
#include <unistd.h>

namespace ns3
{
namespace via
{

namespace
{

/// The temporary file that becomes @p path.
std::string
PlaceBeside(const std::string& path)
{
    namespace fs = std::filesystem;
    std::error_code ignored;
    if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored) &&
        !fs::is_directory(path, ignored))
    {
        return path;
    }
    const fs::path whole(path);
    const std::string name =
        "." + whole.stem().string() + "." + std::to_string(getpid()) + whole.extension().string();
    return (whole.parent_path() / name).string();
}

} // namespace

WholeFile::WholeFile(const std::string& path)
    : m_path(path),
      m_place(PlaceBeside(path)),
      m_stream(m_place, std::ios::binary | std::ios::trunc)
{
}

WholeFile::~WholeFile()
{
    if (!m_isThere && m_place != m_path)
    {
        std::remove(m_place.c_str());
    }
}

bool
WholeFile::Close()
{
    m_stream.close();
    return static_cast<bool>(m_stream);
}

bool
WholeFile::TakePlace()
{
    m_isThere = m_place == m_path || std::rename(m_place.c_str(), m_path.c_str()) == 0;
    return m_isThere;
}

} // namespace via
} // namespace ns3
