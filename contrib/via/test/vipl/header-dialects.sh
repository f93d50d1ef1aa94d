#!/bin/sh
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Compiles vipl.h and vipl-functions.def, without a warning, in every dialect of C and C++ that a
# simulated program may be written in, with gcc and (when installed) clang: what programs do with
# the header, its places beside <sys/reg.h>, and the clients of test/programs.
#
# usage: header-dialects.sh [DIRECTORY_OF_VIPL_H]

set -u

here=$(cd "$(dirname "$0")" && pwd)
programs=$here/../programs
include=${1:-$here/../../model/vipl/include}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# What programs do with the header: come from <sys/reg.h> or not, ask for Giganet's old spelling,
# include it twice, use both spellings of a descriptor, copy one, pass handlers.
cat > "$scratch/program.c" << 'PROGRAM'
#define VIPL095
#define CS 13
#define DS 14
#include <vipl.h>
#include <vipl.h>

#if !defined(_VIPL_) || !defined(_VIPL_H)
#error "a guard that programs look for is missing"
#endif

#define CHECK(name, condition) typedef char check_##name[(condition) ? 1 : -1]

CHECK(uint16, sizeof(VIP_UINT16) == 2);
CHECK(uint32, sizeof(VIP_UINT32) == 4);
CHECK(uint64, sizeof(VIP_UINT64) == 8);
CHECK(pvoid64, sizeof(VIP_PVOID64) == 8);
CHECK(descriptor, sizeof(VIP_DESCRIPTOR) == 64);
CHECK(ulong, sizeof(VIP_ULONG) == sizeof(VIP_PVOID));

/* Not every header had these codes: programs ask before they define their own. */
#ifndef VIP_NOT_REACHABLE
#error "VIP_NOT_REACHABLE is not seen by the preprocessor"
#endif
#ifndef VIP_ERROR_NOT_SUPPORTED
#error "VIP_ERROR_NOT_SUPPORTED is not seen by the preprocessor"
#endif
CHECK(not_reachable, VIP_NOT_REACHABLE == 15);
CHECK(not_supported, VIP_ERROR_NOT_SUPPORTED == 16);

/* A name that programs of other systems define on their own. */
#define INFINITE ((unsigned)~0)
CHECK(infinite, VIP_INFINITE == INFINITE);

/* Structs by their tags, functions by pointers, Giganet's volatile segments. */
typedef VIP_RETURN(VI_CALL* post_function)(VIP_VI_HANDLE, struct _VIP_DESCRIPTOR*, VIP_MEM_HANDLE);
extern const post_function posts[2];
const post_function posts[2] = {VipPostSend, VipPostRecv};
extern DLLEXPORT VIP_UINT32 VI_CALL by_tags(VIP_DESCRIPTOR* descriptor);

DLLEXPORT VIP_UINT32 VI_CALL
by_tags(VIP_DESCRIPTOR* descriptor)
{
    volatile VIP_CONTROL_SEGMENT* control = &descriptor->Control;
    volatile struct _VIP_DATA_SEGMENT* data = &descriptor->Data[0];
    struct _VIP_NET_ADDRESS* address = (struct _VIP_NET_ADDRESS*)(VIP_PVOID)descriptor;
    struct _VIP_NIC_ATTRIBUTES* nic = (struct _VIP_NIC_ATTRIBUTES*)(VIP_PVOID)descriptor;
    struct _VIP_VI_ATTRIBUTES* vi = (struct _VIP_VI_ATTRIBUTES*)(VIP_PVOID)descriptor;
    struct _VIP_MEM_ATTRIBUTES* memory = (struct _VIP_MEM_ATTRIBUTES*)(VIP_PVOID)descriptor;
    struct _VIP_ERROR_DESCRIPTOR* error = (struct _VIP_ERROR_DESCRIPTOR*)(VIP_PVOID)descriptor;

    control->Length = data->Length;
    return control->Status + address->HostAddressLen + nic->NicAddressLen +
           (vi->Ptag == memory->Ptag) + (VIP_UINT32)error->OpCode;
}

static const VIP_VI_ATTRIBUTES attributes = {VIP_SERVICE_RELIABLE_DELIVERY,
                                             32768,
                                             0,
                                             0,
                                             VIP_TRUE,
                                             VIP_FALSE};

extern void on_error(VIP_PVOID context, VIP_ERROR_DESCRIPTOR* error);
extern void on_receive(VIP_PVOID context,
                       VIP_NIC_HANDLE nic,
                       VIP_VI_HANDLE vi,
                       VIP_DESCRIPTOR* descriptor);
extern void on_entry(VIP_PVOID context, VIP_NIC_HANDLE nic, VIP_VI_HANDLE vi, VIP_BOOLEAN receive);
extern VIP_RETURN receive(VIP_NIC_HANDLE nic, VIP_VI_HANDLE vi, VIP_CQ_HANDLE cq);

VIP_RETURN
receive(VIP_NIC_HANDLE nic, VIP_VI_HANDLE vi, VIP_CQ_HANDLE cq)
{
    VIP_DESCRIPTOR descriptor;
    VIP_DESCRIPTOR copy;
    struct _VIP_DESCRIPTOR* done = &descriptor;

    descriptor.CS.Next.AddressBits = 0;
    descriptor.CS.NextHandle = 0;
    descriptor.CS.SegCount = 1;
    descriptor.Control.Control = VIP_CONTROL_OP_SENDRECV | VIP_CONTROL_IMMEDIATE;
    descriptor.CS.Reserved = 0;
    descriptor.Control.ImmediateData = 0;
    descriptor.CS.Length = 4;
    descriptor.Control.Status = 0;
    descriptor.DS[0].Local.Data.Address = done;
    descriptor.Data[0].Data.Address = done;
    descriptor.Data[0].Handle = 1;
    descriptor.Data[0].Length = 4;
    descriptor.DS[0].Local.Length = 4;
    descriptor.DS[1].Remote.Data.Descriptor = done;
    descriptor.DS[1].Remote.Handle = 1;
    descriptor.DS[1].Remote.Reserved = 0;
    copy = descriptor;
    if (VipErrorCallback(nic, 0, on_error) != VIP_SUCCESS ||
        VipRecvNotify(vi, &copy, on_receive) != VIP_SUCCESS ||
        VipCQNotify(cq, 0, on_entry) != VIP_SUCCESS || attributes.MaxTransferSize == 0)
    {
        return VIP_ERROR;
    }
    while ((done->CS.Status & VIP_STATUS_DONE) == 0)
    {
    }
    return VipRecvWait(vi, VIP_INFINITE, &done);
}

/* The list of functions declares each of them as the header does, else this conflicts. */
#ifdef __cplusplus
extern "C"
{
#endif
#define VIPL_FUNCTION(ret, name, params, names) extern ret name params;
#include <vipl-functions.def>
#ifdef __cplusplus
}
#endif
PROGRAM
cp "$scratch/program.c" "$scratch/program.cc"

# Registers that come later: include vipl.h once more, or use the spellings that are no macros.
cat > "$scratch/registers.c" << 'PROGRAM'
#include <vipl.h>
#include <sys/reg.h>
extern VIP_UINT32 other_spellings(const VIP_DESCRIPTOR* descriptor);
extern VIP_UINT32 usual_spelling(const VIP_DESCRIPTOR* descriptor);

VIP_UINT32
other_spellings(const VIP_DESCRIPTOR* descriptor)
{
    return descriptor->_CS.Length + descriptor->_DS[0].Local.Length +
           descriptor->Control.Length + descriptor->Data[1].Length + RIP;
}

#include <vipl.h>

VIP_UINT32
usual_spelling(const VIP_DESCRIPTOR* descriptor)
{
    return descriptor->CS.Length + descriptor->DS[0].Local.Length;
}
PROGRAM

# Types of vipl.h as members and bases of classes in a header, and memset over them.
cat > "$scratch/classes.h" << 'PROGRAM'
#include <cstring>
#include <vipl.h>

struct Slot : VIP_DESCRIPTOR
{
    VIP_DESCRIPTOR_SEGMENT more[2];
    VIP_CONTROL_SEGMENT control;
    VIP_ADDRESS_SEGMENT remote;
    VIP_DATA_SEGMENT local;
    VIP_PVOID64 address;
};

class Endpoint
{
  public:
    Endpoint()
    {
        std::memset(&m_descriptor, 0, sizeof(m_descriptor));
        std::memset(&m_attributes, 0, sizeof(m_attributes));
        std::memcpy(&m_copy, &m_descriptor, sizeof(m_copy));
        m_copy = m_descriptor;
    }

    Slot m_slot;

  private:
    VIP_DESCRIPTOR m_descriptor;
    VIP_DESCRIPTOR m_copy;
    VIP_VI_ATTRIBUTES m_attributes;
};
PROGRAM
cat > "$scratch/classes.cc" << 'PROGRAM'
#include "classes.h"

#include <vector>

std::size_t Size(const std::vector<Slot>& slots, const Endpoint& endpoint);

std::size_t
Size(const std::vector<Slot>& slots, const Endpoint& endpoint)
{
    return slots.size() + sizeof(endpoint.m_slot);
}
PROGRAM
cp "$programs"/client-* "$scratch"

failures=0
compiled=0

# try COMPILER STANDARD FILE [FLAG...]
try()
{
    compiler=$1
    standard=$2
    file=$3
    shift 3
    compiled=$((compiled + 1))
    if ! "$compiler" "-std=$standard" -O2 -Wall -Wextra -Werror "$@" "-I$include" \
        -c "$scratch/$file" -o "$scratch/object.o"
    then
        echo "header-dialects: $compiler -std=$standard $* refuses vipl.h" >&2
        failures=$((failures + 1))
    fi
}

for pair in gcc:g++ clang:clang++
do
    c=${pair%:*}
    cxx=${pair#*:}
    if ! command -v "$c" > /dev/null || ! command -v "$cxx" > /dev/null
    then
        if [ "$c" = gcc ]
        then
            echo "header-dialects: gcc and g++ are needed" >&2
            exit 1
        fi
        echo "header-dialects: $c is not installed, skipped"
        continue
    fi
    for standard in c89 c99 c11 c17 c2x
    do
        try "$c" "$standard" program.c -pedantic-errors -Wstrict-prototypes -Wc++-compat
    done
    try "$c" c89 client-shared-cq.c -pedantic-errors
    for standard in gnu89 gnu99 gnu11 gnu17
    do
        try "$c" "$standard" program.c -Wstrict-prototypes
        for client in "$scratch"/client-*.c
        do
            try "$c" "$standard" "${client##*/}"
        done
    done
    try "$c" gnu17 client-one-sided.c -DPEER_CONNECTION
    try "$c" c99 registers.c
    for standard in c++98 c++11 c++14 c++17 c++20 c++2b
    do
        try "$cxx" "$standard" program.cc -pedantic-errors
        try "$cxx" "$standard" classes.cc -pedantic-errors
    done
    for standard in gnu++98 gnu++17
    do
        try "$cxx" "$standard" program.cc
        try "$cxx" "$standard" client-benchmark.cc
    done
done

listed=$(sed -n 's/^VIPL_FUNCTION([A-Za-z_]*, \(Vip[A-Za-z]*\),$/\1/p' \
    "$include/vipl-functions.def" | sort)
declared=$(sed -n 's/^[A-Za-z_]* \(Vip[A-Za-z]*\)(.*/\1/p' "$include/vipl.h" | sort)
if [ -z "$listed" ] || [ "$listed" != "$declared" ]
then
    echo "header-dialects: vipl.h and vipl-functions.def name different functions" >&2
    failures=$((failures + 1))
fi

echo "header-dialects: $compiled compilations, $failures failures"
[ "$failures" -eq 0 ]
