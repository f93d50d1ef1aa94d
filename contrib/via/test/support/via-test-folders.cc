/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The folders of the sources and of the build.

#include "via-test-folders.h"

namespace ns3
{
namespace via
{
namespace test
{

// The only source that is compiled with paths: all others are the same for every folder, and a
// compiler cache finds them.

std::filesystem::path
SourceFolder()
{
    return VIA_SOURCE_DIR;
}

std::filesystem::path
BuildFolder()
{
    return VIA_BINARY_DIR;
}

} // namespace test
} // namespace via
} // namespace ns3
