/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Finds profile files and reads one: TOML in, checked entries out.

#ifndef VIA_PROFILE_READER_H
#define VIA_PROFILE_READER_H

#include "ns3/via-profile-schema.h"

#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief One number or word of a profile with everything that is known about it.
 */
struct ProfileEntry
{
    std::string key;    ///< dotted name
    std::string value;  ///< canonical text
    std::string unit;   ///< unit of the value
    std::string source; ///< where it comes from, or why it was assumed
    std::string trust;  ///< VERIFIED, MEMORY-high, -medium, -low, derived, fitted or assumed
    std::string file;   ///< file it was read from, or "With" for a what-if copy
    int line;           ///< line in that file, 0 for a what-if copy
};

/// An entry beside its typed value.
struct ProfileItem
{
    ProfileEntry entry;
    ProfileValue value;
};

/**
 * @brief What stands in one file.
 */
struct ProfileFile
{
    std::string path;
    std::string title;                        ///< full name for people
    std::string defaultHost;                  ///< of a product: its test bed; else empty
    std::string defaultKernel;                ///< of a host: what it usually runs, or empty
    std::string sketch;                       ///< of a product: why it is but a sketch, or empty
    std::map<std::string, ProfileItem> items; ///< every key of the scope, by name
};

/**
 * @param path the file
 * @param scope the kind of file expected
 * @return its content: all keys of the scope, and no other
 * @throws ConfigError naming file, line, key, value and what is allowed
 */
ProfileFile ReadProfileFile(const std::string& path, ProfileScope scope);

/**
 * @return the profiles folder of the source tree or installation
 */
std::string ProfileFolder();

/**
 * @return the file this code was loaded from: the module's shared library
 */
std::string LibraryPath();

/**
 * @param nameOrPath a name, or a path: something with '/' in it or ".toml" at its end
 * @return the file: a path as it is, a name from the folders of $VIA_PROFILE_PATH (':' between
 *         them) and then from ProfileFolder()
 * @throws ConfigError naming the folders and the names that exist
 */
std::string FindProduct(const std::string& nameOrPath);

/**
 * @param nameOrPath as for FindProduct; names stand in the folders' subfolder hosts
 * @param productPath the product's file, whose folder is looked at first
 * @return the file
 * @throws ConfigError naming the folders and the names that exist
 */
std::string FindHost(const std::string& nameOrPath, const std::string& productPath);

/**
 * @param nameOrPath as for FindProduct; names stand in the folders' subfolder kernels
 * @param productPath the product's file, whose folder is looked at first
 * @return the file
 * @throws ConfigError naming the folders and the names that exist
 */
std::string FindKernel(const std::string& nameOrPath, const std::string& productPath);

/**
 * @param name of the shared object
 * @param productPath the product's file, whose folder is looked at first, then those of FindProduct
 * @param where "FILE:LINE: " of the name, for the message
 * @return the file
 * @throws ConfigError naming the folders
 */
std::string FindPlugIn(const std::string& name,
                       const std::string& productPath,
                       const std::string& where);

/**
 * @return the sorted names FindProduct knows
 */
std::vector<std::string> ProductNames();

} // namespace via
} // namespace ns3

#endif // VIA_PROFILE_READER_H
