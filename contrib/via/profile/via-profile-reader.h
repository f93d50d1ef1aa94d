/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Finds profile files and reads them: TOML in, checked entries out.

#ifndef VIA_PROFILE_READER_H
#define VIA_PROFILE_READER_H

#include "ns3/via-profile-schema.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief One number or word of a profile, with its unit, source and trust.
 */
struct ProfileEntry
{
    std::string key;    ///< dotted name
    std::string value;  ///< canonical text
    std::string unit;   ///< unit of `value`
    std::string source; ///< source, or the reason for an assumption
    std::string trust;  ///< VERIFIED, MEMORY-high, -medium, -low, derived, fitted or assumed
    std::string file;   ///< file it was read from, or "With" for a what-if copy
    std::uint32_t line; ///< line in that file, 0 for a what-if copy
};

/// An entry and its typed value.
struct ProfileItem
{
    ProfileEntry entry;
    ProfileValue value;
};

/**
 * @brief The content of one file.
 */
struct ProfileFile
{
    std::string path;
    std::string title;                        ///< full name, for users
    std::string defaultHost;                  ///< of a product: its test bed; otherwise empty
    std::string defaultKernel;                ///< of a host: its usual kernel, or empty
    std::string sketch;                       ///< of a product: why it is only a sketch, or empty
    std::map<std::string, ProfileItem> items; ///< every key of the scope, by name
};

/**
 * @param path the file
 * @param scope the kind of file expected
 * @return its content: exactly the keys of the scope
 * @throws ConfigError naming file, line, key, value and what is allowed
 */
ProfileFile ReadProfileFile(const std::string& path, ProfileScope scope);

/**
 * @return the profiles folder of the source tree or of the installation
 */
std::string ProfileFolder();

/**
 * @return the file this code was loaded from: the module's shared library
 */
std::string LibraryPath();

/**
 * @param nameOrPath a name, or a path: a text that contains '/' or ends in ".toml"
 * @return the file: a path is used as it is; a name is looked up in the folders of
 * $VIA_PROFILE_PATH (separated by ':') and then in ProfileFolder()
 * @throws ConfigError listing the folders and the available names
 */
std::string FindProduct(const std::string& nameOrPath);

/**
 * @param nameOrPath as for FindProduct; names are looked up in the subfolder hosts
 * @param productPath the product's file, whose folder is searched first
 * @return the file
 * @throws ConfigError listing the folders and the available names
 */
std::string FindHost(const std::string& nameOrPath, const std::string& productPath);

/**
 * @param nameOrPath as for FindProduct; names are looked up in the subfolder kernels
 * @param productPath the product's file, whose folder is searched first
 * @return the file
 * @throws ConfigError listing the folders and the available names
 */
std::string FindKernel(const std::string& nameOrPath, const std::string& productPath);

/**
 * @param name of the shared object
 * @param productPath the product's file, whose folder is searched first, then those of FindProduct
 * @param where "FILE:LINE: " of the name, for the message
 * @return the file
 * @throws ConfigError listing the folders
 */
std::string FindPlugIn(const std::string& name,
                       const std::string& productPath,
                       const std::string& where);

/**
 * @return the sorted names that FindProduct finds
 */
std::vector<std::string> ProductNames();

} // namespace via
} // namespace ns3

#endif // VIA_PROFILE_READER_H
