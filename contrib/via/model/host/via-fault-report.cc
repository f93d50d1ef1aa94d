/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A fault in words: what happened, in which function, at which line.

#include "via-fault-report.h"

#include <array>
#include <csignal>
#include <cstdio>
#include <dlfcn.h>
#include <sstream>

namespace ns3
{
namespace via
{

namespace
{

std::string
NameOf(int signal)
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

/// @return the text as one word of the shell
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

/// @return the first two lines that a command prints
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

/// @return "Measure (prog.c:12)", or what is known of it
std::string
Named(std::uint64_t offset, const ProgramImage& image)
{
    std::ostringstream place;
    place << "0x" << std::hex << offset;
    const auto [function, line] =
        LinesOf("addr2line -f -C -e " + Quoted(image.Path()) + " " + place.str() + " 2>/dev/null");
    if (function.empty() || function[0] == '?')
    {
        return image.Name() + "+" + place.str();
    }
    const std::string file = line.substr(line.rfind('/') + 1);
    const std::string known = file[0] == '?' ? image.Name() + "+" + place.str() : file;
    return function + " (" + known.substr(0, known.find(" (disc")) + ")";
}

/// @return the function of the C library at @p code, as far as its name is known
std::string
LibraryFunction(const void* code)
{
    Dl_info info;
    if (dladdr(code, &info) == 0)
    {
        return "no code at all";
    }
    return info.dli_sname != nullptr ? info.dli_sname : "the C library";
}

} // namespace

std::string
PlaceOf(const Fault& fault, const ProgramImage& image, const LoadedImage& loaded)
{
    std::string inside;
    for (std::size_t i = 0; i < fault.count; ++i)
    {
        if (loaded.Holds(fault.frames[i]))
        {
            // what is returned to stands behind the call
            const std::uint64_t offset = loaded.OffsetOf(fault.frames[i]) - (i == 0 ? 0 : 1);
            return ", in " + (inside.empty() ? "" : inside + ", called from ") +
                   Named(offset, image);
        }
        inside = LibraryFunction(fault.frames[i]);
    }
    return ", in " + inside;
}

std::string
Explain(const Fault& fault, const ProgramImage& image, const LoadedImage& loaded)
{
    std::ostringstream text;
    text << (fault.stackIsUsedUp ? "stack overflow (SIGSEGV)" : NameOf(fault.signal));
    if (fault.hasAddress && !fault.stackIsUsedUp)
    {
        text << " at address 0x" << std::hex << reinterpret_cast<std::uintptr_t>(fault.address);
    }
    text << PlaceOf(fault, image, loaded);
    return text.str();
}

} // namespace via
} // namespace ns3
