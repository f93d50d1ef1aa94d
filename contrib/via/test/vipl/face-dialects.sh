#!/bin/sh
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Compiles vipl.hpp and each of its parts alone, without a warning, from C++17 on, with g++ and (when
# installed) clang++; and looks whether every function of VIPL is called there.
#
# usage: face-dialects.sh [DIRECTORY_OF_VIPL_H]

set -u

here=$(cd "$(dirname "$0")" && pwd)
include=${1:-$here/../../model/vipl/include}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# What differs between standards: spans and volatile; two files that are linked show odd rules.
cat > "$scratch/spans.cc" << 'PROGRAM'
#include <array>
#include <vector>
#include <vipl.hpp>

std::size_t Spans(vipl::Nic& nic, vipl::ProtectionTag& tag);

std::size_t
Spans(vipl::Nic& nic, vipl::ProtectionTag& tag)
{
    std::vector<std::byte> bytes(64);
    std::array<int, 4> numbers{};
    const std::array<char, 2> letters{};
    double plain[3] = {};
    const vipl::Region region(nic, bytes, {tag.Get(), true, false});
    const vipl::Span<const int> view = vipl::Span<int>(numbers);
    return view.size() + vipl::Span<const char>(letters).size() + vipl::Span<double>(plain).size() +
           region.Local(view.subspan(1)).length + nic.Address().With("x").With(7).Host().size();
}
PROGRAM
cat > "$scratch/main.cc" << 'PROGRAM'
#include <vipl.hpp>

int
main()
{
    std::error_code error = VIP_TIMEOUT;
    const vipl::Completion completion;
    return error == std::errc::timed_out && !completion.Ok() ? 0 : 1;
}
PROGRAM

failures=0
compiled=0

# try COMPILER STANDARD FILE FLAG...
try()
{
    compiled=$((compiled + 1))
    compiler=$1
    standard=$2
    file=$3
    shift 3
    if ! "$compiler" "-std=$standard" -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Werror \
        -pedantic-errors "-I$include" "$file" "$@"
    then
        echo "face-dialects: $compiler -std=$standard refuses $file" >&2
        failures=$((failures + 1))
    fi
}

for compiler in g++ clang++
do
    if ! command -v "$compiler" > /dev/null
    then
        echo "face-dialects: $compiler is not installed, skipped"
        continue
    fi
    for part in "$include"/vipl/*.hpp
    do
        echo "#include <vipl/${part##*/}>" > "$scratch/part.cc"
        try "$compiler" c++17 "$scratch/part.cc" -fsyntax-only
    done
    for standard in c++17 c++20 c++2b
    do
        try "$compiler" "$standard" "$scratch/spans.cc" -c -o "$scratch/spans.o"
    done
    try "$compiler" c++17 "$scratch/main.cc" -c -o "$scratch/main.o"
    if ! "$compiler" -c -x c++ -std=c++17 "-I$include" -o "$scratch/other.o" - << 'PROGRAM'
#include <vipl.hpp>
const std::error_category* g_category = &vipl::Category();
PROGRAM
    then
        failures=$((failures + 1))
    elif ! "$compiler" "$scratch/main.o" "$scratch/other.o" -o "$scratch/main" ||
        ! "$scratch/main"
    then
        echo "face-dialects: two files of $compiler do not make a program" >&2
        failures=$((failures + 1))
    fi
done

for call in $(sed -n 's/^VIPL_FUNCTION([A-Za-z_]*, \(Vip[A-Za-z]*\),$/\1/p' \
    "$include/vipl-functions.def")
do
    if ! grep -q "[^\"A-Za-z]$call(" "$include"/vipl/*.hpp
    then
        echo "face-dialects: vipl.hpp never calls $call" >&2
        failures=$((failures + 1))
    fi
done

echo "face-dialects: $compiled compilations, $failures failures"
[ "$failures" -eq 0 ]
