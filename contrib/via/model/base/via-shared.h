/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Constants shared by many objects: one copy in memory and in the cache.

#ifndef VIA_SHARED_H
#define VIA_SHARED_H

#include <memory>

namespace ns3
{
namespace via
{

/**
 * @brief An immutable value with shared ownership.
 *
 * Constructed from a plain value, which is copied; copies of a Shared refer to that copy. A cluster
 * makes one of each cost table and gives it to all its hosts.
 */
template <class T>
class Shared
{
  public:
    Shared(const T& value)
        : m_value(std::make_shared<const T>(value))
    {
    }

    const T& operator*() const
    {
        return *m_value;
    }

    const T* operator->() const
    {
        return m_value.get();
    }

  private:
    std::shared_ptr<const T> m_value;
};

} // namespace via
} // namespace ns3

#endif // VIA_SHARED_H
