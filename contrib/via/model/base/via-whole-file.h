/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A file that is there whole or not at all.

#ifndef VIA_WHOLE_FILE_H
#define VIA_WHOLE_FILE_H

#include <fstream>
#include <string>

namespace ns3
{
namespace via
{

/**
 * @brief Is written beside its place, and takes it when it is whole.
 *
 * A file that was there stays until then. Pipes and devices are written to directly.
 */
class WholeFile
{
  public:
    /// Opens the file; Stream() says whether that succeeded. @param path its place
    explicit WholeFile(const std::string& path);

    /// Removes it unless it has taken its place.
    ~WholeFile();

    WholeFile(const WholeFile&) = delete;
    WholeFile& operator=(const WholeFile&) = delete;

    std::ofstream& Stream()
    {
        return m_stream;
    }

    /// Nothing more is written. @return false: not all of it could be, see errno
    bool Close();

    /// Call it after Close(). @return false: it could not take its place, see errno
    bool TakePlace();

  private:
    std::string m_path;
    std::string m_place; ///< path that is written to
    std::ofstream m_stream;
    bool m_isThere{false}; ///< it has taken its place
};

} // namespace via
} // namespace ns3

#endif // VIA_WHOLE_FILE_H
