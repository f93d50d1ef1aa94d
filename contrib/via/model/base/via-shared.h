/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Constants shared by many objects: one copy in memory and in the cache.

#ifndef VIA_SHARED_H
#define VIA_SHARED_H

#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"

namespace ns3
{
namespace via
{

/**
 * @brief An immutable value with shared ownership, in the size of a pointer.
 *
 * Constructed from a plain value, which is copied; copies of a Shared refer to that copy. A cluster
 * makes one of each cost table and gives it to all its hosts.
 */
template <class T>
class Shared
{
  public:
    Shared(const T& value)
        : m_counted(Create<Counted>(value))
    {
    }

    const T& operator*() const
    {
        return PeekPointer(m_counted)->value;
    }

    const T* operator->() const
    {
        return &**this;
    }

  private:
    struct Counted : public SimpleRefCount<Counted>
    {
        explicit Counted(const T& from)
            : value(from)
        {
        }

        const T value;
    };

    Ptr<const Counted> m_counted;
};

} // namespace via
} // namespace ns3

#endif // VIA_SHARED_H
