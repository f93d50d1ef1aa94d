/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Describes a fault in words: what happened, in which function, at which line.

#ifndef VIA_FAULT_REPORT_H
#define VIA_FAULT_REPORT_H

#include "ns3/via-fault.h"
#include "ns3/via-program-image.h"

#include <string>
#include <typeinfo>

namespace ns3
{
namespace via
{

/// @return for example "segmentation fault (SIGSEGV)"
std::string SignalName(int signal);

/// @return its name as in C++; null: the exception of another language
std::string NameOfType(const std::type_info* type);

/**
 * @return for example ", in strlen, called from Measure (prog.c:12)". Function and line come from
 * the debug information of the program's file; without, its offset is given: "prog.so+0x1234".
 */
std::string PlaceOf(const Fault& fault, const ProgramImage& image, const LoadedImage& loaded);

/// @return a fault for a failure inside a simulator call; frame 0 is empty, the callers follow
Fault FaultHere(int signal, const LoadedImage& loaded);

/// @return the place in the program that called the simulator, in the format of PlaceOf()
std::string CallerOf(const ProgramImage& image, const LoadedImage& loaded);

/// @return for example "segmentation fault (SIGSEGV) at address 0x10, in Measure (prog.c:12)"
std::string Explain(const Fault& fault, const ProgramImage& image, const LoadedImage& loaded);

} // namespace via
} // namespace ns3

#endif // VIA_FAULT_REPORT_H
