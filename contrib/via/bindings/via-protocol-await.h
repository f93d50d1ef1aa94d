/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a Python protocol awaits: a message or an instant.

#ifndef VIA_PROTOCOL_AWAIT_H
#define VIA_PROTOCOL_AWAIT_H

#include "via-call-site.h"
#include "via-python-protocol.h"

#include <cstdint>

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
    /// `await` takes the upper way, a generator that yields the object itself the lower one.
    ///
    ///     NEW --SendStep--> ASKED --Claim--> UNDER_WAY --Release--> READY --SendStep--> OVER
    ///      `---------------------- Claim--> YIELDED ----Release---------------------->'
    enum class Stage : std::uint8_t
    {
        NEW,
        ASKED,
        UNDER_WAY,
        YIELDED,
        READY, ///< the process goes on with it
        OVER,
    };

    PyObject_HEAD

        PyObject* self;  ///< the instance whose process awaits; keeps owner alive
    ProtocolSelf* owner; ///< its C++ part
    Awaiting what;
    bool isUsed; ///< it was awaited, or withdrawn
    Stage stage;
    CallSite site; ///< the call that made it

    /// The process waits for it. @return false if it has done so before: it can be awaited once
    bool Claim();

    /// The process no longer waits for it.
    void Release();

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
