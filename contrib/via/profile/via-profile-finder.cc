/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Locates profile files.

#include "via-profile-reader.h"

#include "ns3/via-error.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <set>
#include <sstream>

#if !defined(VIA_PROFILE_DIR) || !defined(VIA_INSTALLED_PROFILE_DIR)
#error "VIA_PROFILE_DIR and VIA_INSTALLED_PROFILE_DIR must name the folder of the profiles"
#endif

namespace ns3
{
namespace via
{

namespace
{

namespace fs = std::filesystem;

/// What cannot be looked at, such as a file in an unreadable folder, is not there.
bool
IsFile(const fs::path& path)
{
    std::error_code unreadable;
    return fs::is_regular_file(path, unreadable);
}

bool
IsPath(const std::string& name)
{
    return name.find('/') != std::string::npos || fs::path(name).extension() == ".toml";
}

std::vector<fs::path>
Folders()
{
    std::vector<fs::path> folders;
    const char* listed = std::getenv("VIA_PROFILE_PATH");
    std::istringstream list(listed ? listed : "");
    for (std::string folder; std::getline(list, folder, ':');)
    {
        if (!folder.empty())
        {
            folders.emplace_back(folder);
        }
    }
    folders.emplace_back(ProfileFolder());
    return folders;
}

std::set<std::string>
NamesIn(const std::vector<fs::path>& folders)
{
    std::set<std::string> names;
    for (const fs::path& folder : folders)
    {
        std::error_code unreadable; // a missing folder contains no names
        for (const fs::directory_entry& file : fs::directory_iterator(folder, unreadable))
        {
            if (file.path().extension() == ".toml")
            {
                names.insert(file.path().stem().string());
            }
        }
    }
    return names;
}

/// The folders, preceded by the one that contains @p productPath.
std::vector<fs::path>
FoldersOf(const std::string& productPath)
{
    std::vector<fs::path> folders = Folders();
    const fs::path beside = fs::path(productPath).parent_path();
    folders.erase(std::remove(folders.begin(), folders.end(), beside), folders.end());
    folders.insert(folders.begin(), beside);
    return folders;
}

std::vector<fs::path>
SubfoldersOf(const std::string& productPath, const char* name)
{
    std::vector<fs::path> folders = FoldersOf(productPath);
    for (fs::path& folder : folders)
    {
        folder /= name;
    }
    return folders;
}

std::string
Listed(const std::vector<fs::path>& folders)
{
    std::string places;
    for (const fs::path& folder : folders)
    {
        places += (places.empty() ? "" : ", ") + (folder.empty() ? "." : folder.string());
    }
    return places;
}

[[noreturn]] void
RefuseUnknown(const std::string& option,
              const std::string& name,
              const std::vector<fs::path>& folders)
{
    std::string known;
    for (const std::string& each : NamesIn(folders))
    {
        known += (known.empty() ? "" : ", ") + each;
    }
    throw ConfigError(option,
                      name,
                      "must be a path or one of: " + known + " (in " + Listed(folders) + ")");
}

std::string
Find(const std::string& option, const std::string& name, const std::vector<fs::path>& folders)
{
    if (IsPath(name))
    {
        if (!IsFile(name))
        {
            throw ConfigError(option, name, "must be a file that exists and can be read");
        }
        return name;
    }
    for (const fs::path& folder : folders)
    {
        const fs::path file = folder / (name + ".toml");
        if (!name.empty() && IsFile(file))
        {
            return file.string();
        }
    }
    RefuseUnknown(option, name, folders);
}

} // namespace

std::string
ProfileFolder()
{
    const fs::path library = fs::path(LibraryPath()).parent_path();
    const fs::path installed = (library / VIA_INSTALLED_PROFILE_DIR).lexically_normal();
    std::error_code unreadable; // then it does not exist
    return fs::is_directory(installed, unreadable) ? installed.string() : VIA_PROFILE_DIR;
}

std::string
LibraryPath()
{
    static const char here{}; // any object of the library works
    Dl_info found;
    if (dladdr(&here, &found) == 0 || found.dli_fname == nullptr)
    {
        throw ConfigError("profile folder",
                          VIA_INSTALLED_PROFILE_DIR,
                          "cannot be found, because the library has no path");
    }
    // The path may contain a symbolic link, such as /lib to /usr/lib, after
    // which `..` leads elsewhere.
    return fs::weakly_canonical(fs::absolute(found.dli_fname)).string();
}

std::string
FindProduct(const std::string& nameOrPath)
{
    return Find("profile", nameOrPath, Folders());
}

std::string
FindHost(const std::string& nameOrPath, const std::string& productPath)
{
    return Find("host", nameOrPath, SubfoldersOf(productPath, "hosts"));
}

std::string
FindKernel(const std::string& nameOrPath, const std::string& productPath)
{
    return Find("kernel", nameOrPath, SubfoldersOf(productPath, "kernels"));
}

std::string
FindPlugIn(const std::string& name, const std::string& productPath, const std::string& where)
{
    const std::vector<fs::path> folders = FoldersOf(productPath);
    for (const fs::path& folder : folders)
    {
        const fs::path file = folder / name;
        if (IsFile(file))
        {
            return fs::absolute(file).string(); // otherwise the loader would search its own path
        }
    }
    throw ConfigError(where + "nic.plug_in",
                      name,
                      "must be a shared object in one of: " + Listed(folders));
}

std::vector<std::string>
ProductNames()
{
    const std::set<std::string> names = NamesIn(Folders());
    return {names.begin(), names.end()};
}

} // namespace via
} // namespace ns3
