/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a Python protocol awaits: a message or an instant.

#ifndef VIA_PROTOCOL_AWAIT_H
#define VIA_PROTOCOL_AWAIT_H

#include "via-call-site.h"
#include "via-python-protocol.h"

namespace ns3
{
namespace via
{

/**
 * @brief A Python object made for each await. A native interpreter type, because there is one per
 * message.
 */
struct ProtocolAwait
{
    PyObject_HEAD

        PyObject* self;  ///< the instance whose process awaits; keeps owner alive
    ProtocolSelf* owner; ///< its C++ part
    Awaiting what;
    bool isUsed; ///< it was awaited, or withdrawn
    bool underWay;
    CallSite site; ///< the call that made it

    /// Makes the type. Call it once.
    static void Register(pybind11::module_& module);

    /// Makes an object. @return a new reference
    static PyObject* Make(PyObject* self, ProtocolSelf& owner, const Awaiting& what);

    /// @return @p object if it is of this type, else null
    static ProtocolAwait* From(PyObject* object);
};

} // namespace via
} // namespace ns3

#endif // VIA_PROTOCOL_AWAIT_H
