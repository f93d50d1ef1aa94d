/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a protocol written in Python awaits: a message, or an instant.

#ifndef VIA_PROTOCOL_AWAIT_H
#define VIA_PROTOCOL_AWAIT_H

#include "via-python-protocol.h"

namespace ns3
{
namespace via
{

/**
 * @brief An object of Python, made for each await. A type of the interpreter's own kind: there is
 * one per message.
 */
struct ProtocolAwait
{
    PyObject_HEAD

        PyObject* self;  ///< the instance whose process it is; keeps owner
    ProtocolSelf* owner; ///< its part in C++
    Awaiting what;
    bool underWay;

    /// Makes the type. To be called once.
    static void Register(pybind11::module_& module);

    /// A new one. @return a new reference
    static PyObject* Make(PyObject* self, ProtocolSelf& owner, const Awaiting& what);

    /// @p object, if it is one; else null.
    static const ProtocolAwait* From(PyObject* object);
};

} // namespace via
} // namespace ns3

#endif // VIA_PROTOCOL_AWAIT_H
