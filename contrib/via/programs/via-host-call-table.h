/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The host-call table: the simulator functions that a program's shim calls.

#ifndef VIA_HOST_CALL_TABLE_H
#define VIA_HOST_CALL_TABLE_H

#include "ns3/via-host-calls.h"

namespace ns3
{
namespace via
{

class Program;

/// The calls of one program, as plain functions. Accesses private members of Program.
struct HostCallTable
{
    /**
     * @param program the program whose calls these are
     * @param vipl its VIPL functions
     * @return the table; it holds pointers to both
     */
    static ViaHostCalls Make(Program& program, const void* const* vipl);

  private:
    static Program& Of(ViaProcess* process);

    static void* Allocate(ViaProcess* process, size_t bytes, size_t alignment);
    static void* Resize(ViaProcess* process, void* block, size_t bytes);
    static void Release(ViaProcess* process, void* block);
    static size_t SizeOf(ViaProcess* process, const void* block);
    static int Owns(ViaProcess* process, const void* address);

    static int64_t Clock(ViaProcess* process, ViaClock which);
    static int64_t ThreadTime(ViaProcess* process, uint32_t thread, int isSystem);
    static void SleepUntil(ViaProcess* process, int64_t when);
    static void Yield(ViaProcess* process);
    static void PassTime(ViaProcess* process, uint32_t blocks);

    static void Spend(ViaProcess* process, ViaCost cost);
    static void Copy(ViaProcess* process, size_t bytes);
    static uint32_t StartThread(ViaProcess* process, ViaThread* own, size_t stackBytes);
    static int Block(ViaProcess* process, const char* what, int64_t deadline);
    static int Wake(ViaProcess* process, uint32_t thread);
    static int Interrupt(ViaProcess* process, uint32_t thread, int64_t until);

    static const char* HostName(ViaProcess* process);
    static int ProcessId(ViaProcess* process);
    static int Cpus(ViaProcess* process);
    static int Cpu(ViaProcess* process);
    static int SetFileMask(ViaProcess* process, int mask);
    static int ChangeDirectory(ViaProcess* process, const char* path, int fd);
    static void UseLocales(ViaProcess* process);
    static int Unmap(ViaProcess* process, void* address, size_t bytes);
    static void StreamOpened(ViaProcess* process, FILE* stream, int isOwn);
    static void StreamClosed(ViaProcess* process, FILE* stream);
    static int AddFile(ViaProcess* process, int real, FILE* stream);
    static int RealFile(ViaProcess* process, int fd);
    static int NumberOf(ViaProcess* process, FILE* stream);
    static FILE* OpenStream(ViaProcess* process, int fd, const char* mode);
    static FILE* StreamAt(ViaProcess* process, size_t place);
    static int64_t System(ViaProcess* process, ViaSystemCall call, const int64_t* arguments);

    static int IsEnding(ViaProcess* process);
    static void Leave(ViaProcess* process, int code, int flush);
    static void Die(ViaProcess* process, int signal, const char* report);
};

} // namespace via
} // namespace ns3

#endif // VIA_HOST_CALL_TABLE_H
