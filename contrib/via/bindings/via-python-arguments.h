/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Methods of native interpreter types: their arguments and exceptions.

#ifndef VIA_PYTHON_ARGUMENTS_H
#define VIA_PYTHON_ARGUMENTS_H

#include "ns3/via-error.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <pybind11/pybind11.h>
#include <string>

namespace ns3
{
namespace via
{

/// Sets @p error as the Python exception, with the name that was probably meant.
void SetConfigError(const ConfigError& error);

/// Runs @p body; translates its exceptions to Python.
template <class Body>
PyObject*
Guarded(Body body)
{
    try
    {
        return body();
    }
    catch (pybind11::error_already_set& error)
    {
        error.restore();
    }
    catch (const pybind11::builtin_exception& error)
    {
        error.set_error();
    }
    catch (const ConfigError& error)
    {
        SetConfigError(error);
    }
    catch (const std::exception& error)
    {
        PyErr_SetString(PyExc_RuntimeError, error.what());
    }
    return nullptr;
}

/// The arguments of a method, positional or by name. @tparam COUNT their number
template <std::size_t COUNT>
class Arguments
{
  public:
    /// @param required number of mandatory arguments
    Arguments(const char* method,
              const std::array<const char*, COUNT>& names,
              std::size_t required,
              PyObject* const* given,
              Py_ssize_t count,
              PyObject* byName)
    {
        if (count > static_cast<Py_ssize_t>(COUNT))
        {
            throw pybind11::type_error(std::string(method) + "() takes " + std::to_string(COUNT) +
                                       " arguments, not " + std::to_string(count));
        }
        std::copy(given, given + count, m_values.begin());
        const Py_ssize_t named = byName == nullptr ? 0 : PyTuple_GET_SIZE(byName);
        for (Py_ssize_t i = 0; i < named; ++i)
        {
            Place(method, names, PyTuple_GET_ITEM(byName, i)) = given[count + i];
        }
        for (std::size_t i = 0; i < required; ++i)
        {
            if (m_values[i] == nullptr)
            {
                throw pybind11::type_error(std::string(method) + "() needs " + names[i]);
            }
        }
    }

    /// A mandatory argument.
    pybind11::handle Given(std::size_t index) const
    {
        return m_values[index];
    }

    /// An argument; null: omitted, or None.
    PyObject* operator[](std::size_t index) const
    {
        return m_values[index] == Py_None ? nullptr : m_values[index];
    }

  private:
    PyObject*& Place(const char* method,
                     const std::array<const char*, COUNT>& names,
                     PyObject* wanted)
    {
        for (std::size_t i = 0; i < COUNT; ++i)
        {
            if (m_values[i] == nullptr && PyUnicode_CompareWithASCIIString(wanted, names[i]) == 0)
            {
                return m_values[i];
            }
        }
        throw pybind11::type_error(std::string(method) + "() has no argument " +
                                   pybind11::repr(wanted).cast<std::string>() +
                                   ", or it is given twice");
    }

    std::array<PyObject*, COUNT> m_values{};
};

/// The start of an error text: "bytes = -1: ".
inline std::string
Given(const char* what, PyObject* value)
{
    const std::string shown =
        value == nullptr ? "nothing" : pybind11::repr(value).cast<std::string>();
    return std::string(what) + " = " + shown + ": ";
}

/// An integer from @p least to @p most. @throws an exception for Python to catch
inline std::uint64_t
WholeNumber(PyObject* value, const char* what, std::uint64_t most, std::uint64_t least = 0)
{
    const pybind11::object number = pybind11::reinterpret_steal<pybind11::object>(
        value == nullptr ? nullptr : PyNumber_Index(value));
    if (!number)
    {
        PyErr_Clear();
        throw pybind11::type_error(Given(what, value) + "a whole number is needed");
    }
    const std::uint64_t whole = PyLong_AsUnsignedLongLong(number.ptr());
    if (PyErr_Occurred() != nullptr || whole > most || whole < least)
    {
        PyErr_Clear();
        throw pybind11::value_error(Given(what, value) + std::to_string(least) + " to " +
                                    std::to_string(most) + " are possible");
    }
    return whole;
}

} // namespace via
} // namespace ns3

#endif // VIA_PYTHON_ARGUMENTS_H
