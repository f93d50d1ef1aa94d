#!/bin/sh
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Compiles vipl.h and vipl-functions.def, without a warning, in every dialect of C and C++ that a
# simulated program may be written in, with gcc and (when installed) clang.
#
# usage: header-dialects.sh [DIRECTORY_OF_VIPL_H]

set -u

here=$(cd "$(dirname "$0")" && pwd)
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
    descriptor.Data[0].Local.Handle = 1;
    descriptor.DS[0].Local.Length = 4;
    descriptor.Data[1].Remote.Data.Descriptor = done;
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
        -c "$scratch/$file" -o "$scratch/program.o"
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
    for standard in gnu89 gnu99 gnu11 gnu17
    do
        try "$c" "$standard" program.c -Wstrict-prototypes
    done
    for standard in c++98 c++11 c++14 c++17 c++20 c++2b
    do
        try "$cxx" "$standard" program.cc -pedantic-errors
    done
    for standard in gnu++98 gnu++17
    do
        try "$cxx" "$standard" program.cc
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
