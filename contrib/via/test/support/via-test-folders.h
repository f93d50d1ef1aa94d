/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The folders of the sources and of the build.

#ifndef VIA_TEST_FOLDERS_H
#define VIA_TEST_FOLDERS_H

#include <filesystem>

namespace ns3
{
namespace via
{
namespace test
{

/// The folder of the module: contrib/via.
std::filesystem::path SourceFolder();

/// The folder of the build.
std::filesystem::path BuildFolder();

} // namespace test
} // namespace via
} // namespace ns3

#endif // VIA_TEST_FOLDERS_H
