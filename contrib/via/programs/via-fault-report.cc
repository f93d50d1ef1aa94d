/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Describes a fault in words: what happened, in which function, at which line.

#include "via-fault-report.h"

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <memory>
#include <sstream>

namespace ns3
{
namespace via
{

namespace
{

const std::string SHIM = "via-shim"; ///< prefix of the shim's file names
const std::string NOWHERE = "no code at all";

/// @return the text quoted as one word of the shell
std::string
Quoted(const std::string& text)
{
    std::string quoted = "'";
    for (const char letter : text)
    {
        quoted += letter == '\'' ? "'\\''" : std::string(1, letter);
    }
    return quoted + "'";
}

/// @return the first two lines of a command's output
std::array<std::string, 2>
LinesOf(const std::string& command)
{
    std::array<std::string, 2> lines;
    FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr)
    {
        return lines;
    }
    std::array<char, 4096> text;
    for (std::string& line : lines)
    {
        if (std::fgets(text.data(), static_cast<int>(text.size()), pipe) != nullptr)
        {
            line = text.data();
            line.erase(line.find_last_not_of('\n') + 1);
        }
    }
    pclose(pipe);
    return lines;
}

/// A place in the program's source, as far as known.
struct Place
{
    std::string function; ///< empty: unknown
    std::string line;     ///< "prog.c:12" or "prog.so+0x1234"
};

Place
Find(std::uint64_t offset, const ProgramImage& image)
{
    std::ostringstream hex;
    hex << "0x" << std::hex << offset;
    const auto [function, line] =
        LinesOf("addr2line -f -C -e " + Quoted(image.Path()) + " " + hex.str() + " 2>/dev/null");
    Place place{{}, image.Name() + "+" + hex.str()};
    if (!function.empty() && function[0] != '?')
    {
        place.function = function;
    }
    if (!line.empty() && line[0] != '?')
    {
        const std::string file = line.substr(line.rfind('/') + 1);
        place.line = file.substr(0, file.find(" (disc"));
    }
    return place;
}

/// A shim function has the name of the C library's function with a prefix.
std::string
WithoutPrefix(const std::string& function)
{
    const std::string prefix = "__wrap_";
    return function.compare(0, prefix.size(), prefix) == 0 ? function.substr(prefix.size())
                                                           : function;
}

/// @return the C library function at @p code, if its name is known
std::string
LibraryFunction(const void* code)
{
    Dl_info info;
    if (dladdr(code, &info) == 0)
    {
        return NOWHERE;
    }
    return info.dli_sname != nullptr ? info.dli_sname : "the C library";
}

} // namespace

std::string
NameOfType(const std::type_info* type)
{
    if (type == nullptr)
    {
        return "unknown";
    }
    const std::unique_ptr<char, void (*)(void*)> name(
        abi::__cxa_demangle(type->name(), nullptr, nullptr, nullptr),
        std::free);
    return name ? name.get() : type->name();
}

std::string
SignalName(int signal)
{
    switch (signal)
    {
    case SIGSEGV:
        return "segmentation fault (SIGSEGV)";
    case SIGBUS:
        return "bus error (SIGBUS)";
    case SIGFPE:
        return "arithmetic error (SIGFPE)";
    case SIGILL:
        return "illegal instruction (SIGILL)";
    case SIGTRAP:
        return "breakpoint (SIGTRAP)";
    default:
        return "aborted by the C library (SIGABRT)";
    }
}

std::string
PlaceOf(const Fault& fault, const ProgramImage& image, const LoadedImage& loaded)
{
    std::string inside;
    for (std::size_t i = 0; i < fault.count; ++i)
    {
        if (i == 0 && fault.call != nullptr)
        {
            inside = fault.call;
            continue;
        }
        if (!loaded.Holds(fault.frames[i]))
        {
            inside = inside == NOWHERE ? NOWHERE : LibraryFunction(fault.frames[i]);
            continue;
        }
        // a return address points past its call
        const std::uint64_t offset = loaded.OffsetOf(fault.frames[i]) - (i == 0 ? 0 : 1);
        const Place place = Find(offset, image);
        if (place.line.compare(0, SHIM.size(), SHIM) == 0)
        {
            inside = WithoutPrefix(place.function);
            continue;
        }
        const std::string where =
            place.function.empty() ? place.line : place.function + " (" + place.line + ")";
        return ", in " + (inside.empty() ? where : inside + ", called from " + where);
    }
    return ", in " + inside;
}

Fault
FaultHere(int signal, const LoadedImage& loaded)
{
    Fault here;
    here.signal = signal;
    std::array<void*, Fault::MOST_FRAMES> all;
    const int count = backtrace(all.data(), static_cast<int>(all.size()));
    here.frames[here.count++] = nullptr; // the rest are callers
    for (int i = 0; i < count; ++i)
    {
        if (loaded.Holds(all[i]))
        {
            here.frames[here.count++] = all[i];
        }
    }
    return here;
}

std::string
CallerOf(const ProgramImage& image, const LoadedImage& loaded)
{
    const std::string place = PlaceOf(FaultHere(0, loaded), image, loaded);
    const auto from = place.find("called from ");
    return from == std::string::npos ? place : ", in " + place.substr(from + 12);
}

std::string
Explain(const Fault& fault, const ProgramImage& image, const LoadedImage& loaded)
{
    std::ostringstream text;
    text << (fault.stackIsUsedUp ? "stack overflow (SIGSEGV)" : SignalName(fault.signal));
    if (fault.hasAddress && !fault.stackIsUsedUp)
    {
        text << " at address 0x" << std::hex << reinterpret_cast<std::uintptr_t>(fault.address);
    }
    text << PlaceOf(fault, image, loaded);
    return text.str();
}

} // namespace via
} // namespace ns3
