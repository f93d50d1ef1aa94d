/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Profiles for tests: an editable copy of the shipped ones, and the message of an error.

#ifndef VIA_TEST_PROFILE_BENCH_H
#define VIA_TEST_PROFILE_BENCH_H

#include "ns3/via-error.h"
#include "ns3/via-provider-profile.h"

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace ns3
{
namespace via
{
namespace test
{

namespace fs = std::filesystem;

inline const std::string CARD = "giganet-clan1000";

inline std::string
FileText(const fs::path& path)
{
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

/// A folder with copies of the card and its host, for tests to edit.
class Bench
{
  public:
    Bench()
    {
        std::string name = (fs::temp_directory_path() / "via-profile-XXXXXX").string();
        BOOST_REQUIRE(mkdtemp(name.data()) != nullptr);
        m_folder = name;
        fs::copy(ProfileFolder(), m_folder, fs::copy_options::recursive);
    }

    ~Bench()
    {
        fs::remove_all(m_folder);
    }

    std::string Card() const
    {
        return (m_folder / (CARD + ".toml")).string();
    }

    /// Replaces text, which must exist, in the card's file or another.
    void Edit(const std::string& from,
              const std::string& to,
              const std::string& file = CARD + ".toml") const
    {
        std::string text = FileText(m_folder / file);
        const std::size_t at = text.find(from);
        BOOST_REQUIRE_MESSAGE(at != std::string::npos, from);
        std::ofstream(m_folder / file) << text.replace(at, from.size(), to);
    }

    ProviderProfile Load() const
    {
        return ProviderProfile::Load(Card());
    }

  private:
    fs::path m_folder;
};

template <class Action>
std::string
RefusalOf(Action action)
{
    try
    {
        action();
    }
    catch (const ConfigError& error)
    {
        return error.what();
    }
    BOOST_FAIL("nothing was refused");
    return "";
}

} // namespace test
} // namespace via
} // namespace ns3

#endif // VIA_TEST_PROFILE_BENCH_H
