#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# check-ns3.sh - the module inside an ns-3 source tree: configured, built, its suites and examples run.

set -euo pipefail

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
module=$root/contrib/via
oldest=37 # of ns-3.x: the first release that the module is checked with
phase=    # what is under way, for messages

help() {
    cat <<'HELP'
usage: tools/check-ns3.sh [options] TREE

Links contrib/via into TREE, an ns-3 source tree (3.37 or later, with ./ns3), configures it with the
modules that via needs, examples, tests and asserts, builds it, runs the suites via* and every
example of the module, installs it into cmake-cache/via-installed, and builds on what lies there. Any
warning in a file of the module is a failure. Prints wall times.

  --mpi              with ns-3's MPI module (Open MPI needed)
  --no-boost         without the suite via-boost: the Boost.Test cases take the longest to build
  --python           the Python module, too
  --configure-only   stop when the tree is configured
  --compile-only     stop when the module's library is compiled
  -d PROFILE         ns-3's build profile: default (asserts on), debug, release or optimized
  -j JOBS            at once (as many as there are processors)
  --log FILE         what the commands said (TREE/via-check.log)

What it puts into contrib/ of the tree it takes away again. cmake-cache/, build/, testpy-output/ and
the log stay, so that the next check has little to build; `./ns3 clean` in the tree takes them, too.
A contrib/via that is there already and is another one is refused.
HELP
}

say() {
    printf 'check-ns3: %s\n' "$*" >&2
}

fail() { # CODE WORD...
    local code=$1
    shift
    say "$@"
    exit "$code"
}

# ---- the tree --------------------------------------------------------------------------------

check_tree() {
    [[ -d $tree ]] || fail 2 "$tree: no such folder"
    [[ -f $tree/VERSION && -d $tree/src/core && -d $tree/contrib ]] ||
        fail 2 "$tree: not an ns-3 source tree (VERSION, src/core and contrib/ are looked for)"
    release=$(<"$tree/VERSION")
    if [[ ! -f $tree/ns3 ]]; then
        fail 2 "ns-3 $release builds with waf: contrib/via/wscript-compat/README.md says how to do that"
    fi
    # 3-dev is newer than every release
    if [[ $release =~ ^3\.([0-9]+) ]] && ((BASH_REMATCH[1] < oldest)); then
        fail 2 "ns-3 $release is older than 3.$oldest, the oldest release that via is made for"
    fi
    [[ ! -e $tree/contrib/via || $tree/contrib/via -ef $module ]] ||
        fail 2 "$tree/contrib/via is there already, and is not $module: move it away first"
}

link_module() {
    [[ -e $tree/contrib/via ]] && return # the user's own link to this module stays
    ln -s "$module" "$tree/contrib/via"
    trap 'rm -f "$tree/contrib/via"' EXIT
}

# ---- steps -----------------------------------------------------------------------------------

# step NAME COMMAND...: the command in the tree, what it says in the log, its wall time here.
step() {
    phase=$1
    shift
    local began=$SECONDS
    printf '\n==== %s: %s\n' "$phase" "$*" >>"$log"
    if ! (cd "$tree" && "$@") >>"$log" 2>&1; then
        { grep -aE -A 12 'CMake Error|error:|^FAILED|^\[?(FAIL|CRASH)' "$log" || tail -n 30 "$log"; } |
            head -n 60 >&2
        fail 1 "ns-3 $release: $phase failed (whole log: $log)"
    fi
    printf '  %-12s %5d s\n' "$phase" $((SECONDS - began))
}

configure() {
    local modules=via options=(--enable-examples --enable-tests --enable-asserts)
    # precompiled headers defeat compiler caches, and help without one
    if command -v ccache >/dev/null && [[ -z ${CCACHE_DISABLE:-} ]]; then
        options+=(--disable-precompiled-headers)
    else
        options+=(--enable-precompiled-headers)
    fi
    local definitions=("-DVIA_BOOST_TESTS=$boost" "-DVIA_PYTHON=$python")
    if [[ $mpi == ON ]]; then
        modules="via;mpi"
        options+=(--enable-mpi)
        command -v mpirun >/dev/null ||
            fail 2 "--mpi needs Open MPI; on Debian: apt-get install libopenmpi-dev openmpi-bin"
    else
        options+=(--disable-mpi)
    fi
    # without USER: ./ns3 refuses root by name
    step configure env -u USER ./ns3 configure -G Ninja -d "$profile" "${options[@]}" \
        --filter-module-examples-and-tests via \
        --enable-modules "$modules" -- "${definitions[@]}"
    grep -a '^-- via: ' "$log" | sort -u | sed 's/^-- /  /' || true
}

# ns-3 writes its wishes into ccache's configuration: they go into a copy.
spare_ccache() {
    command -v ccache >/dev/null || return 0
    local own=${CCACHE_DIR:-${XDG_CONFIG_HOME:-$HOME/.config}/ccache}/ccache.conf
    own=${CCACHE_CONFIGPATH:-$own}
    mkdir -p "$tree/cmake-cache"
    if [[ -f $own ]]; then
        cp "$own" "$tree/cmake-cache/via-ccache.conf"
    else
        : >"$tree/cmake-cache/via-ccache.conf"
    fi
    export CCACHE_CONFIGPATH=$tree/cmake-cache/via-ccache.conf
}

library_target() { # its name has changed with 3.43
    ninja -C "$tree/cmake-cache" -t targets all | sed -n 's/^\(libvia\|via\): phony$/\1/p' | head -n 1
}

build() {
    local target=all
    if [[ $compile_only == yes ]]; then
        target=$(library_target)
    fi
    # Warnings are said when a file is compiled: all of ours are, each time.
    find "$tree/cmake-cache/contrib/via" -name '*.o' -delete
    step build ninja -C cmake-cache -j "$jobs" "$target"
    local warnings
    warnings=$(grep -aE '(^|[ /])contrib/via/[^ ]*:[0-9]+(:[0-9]+)?: warning:' "$log" | sort -u || true)
    if [[ -n $warnings ]]; then
        head -n 40 <<<"$warnings" >&2
        fail 1 "ns-3 $release: warnings in files of the module (whole log: $log)"
    fi
}

# passed NAME: test.py is content with having run nothing; we are not.
passed() {
    local line
    line=$(grep -aE '^[0-9]+ of [0-9]+ tests passed' "$log" | tail -n 1 || true)
    if [[ -z $line || $line == 0\ * ]]; then
        fail 1 "ns-3 $release: no $1 of the module ran (whole log: $log)"
    fi
    printf '               %s\n' "$line"
}

run_tests() {
    step suites ./test.py --no-build -s 'via*'
    passed suite
    step examples ./test.py --no-build -c example
    passed example
}

# What `./ns3 install` puts into place serves on its own: a program of VIPL and a module of somebody
# else are built on it, and find its profiles.
build_outside() { # INSTALLED FOLDER
    local examples=$1/share/via/examples
    cmake -S "$module/test/external/in-tree" -B "$2" -G Ninja -DCMAKE_PREFIX_PATH="$1" \
        -DCMAKE_BUILD_TYPE=Debug &&
        ninja -C "$2" &&
        "$1/bin/via-cc" -O2 "$examples/ping-pong.c" "$examples"/vipl-*.c -o "$2/ping-pong.so" &&
        LD_LIBRARY_PATH=$1/lib "$2/message-meter" "$2/ping-pong.so"
}

check_installation() {
    local place=$tree/cmake-cache/via-installed
    rm -rf "$place" "$place-use"
    step install cmake --install cmake-cache --prefix "$place"
    step "use of it" build_outside "$place" "$place-use"
    grep -qxF "profiles $place/share/via/profiles" "$log" ||
        fail 1 "ns-3 $release: the installed module has other profiles than its own (whole log: $log)"
}

# ---- command line ----------------------------------------------------------------------------

value_of() { # OPTION VALUE-OR-NOTHING
    [[ -n ${2:-} ]] || fail 2 "$1 needs a value (see tools/check-ns3.sh --help)"
    printf '%s' "$2"
}

tree='' release='' log='' mpi=OFF boost=ON python=OFF configure_only=no compile_only=no
profile=default jobs=$(nproc)
while (($#)); do
    case $1 in
    -h | --help)
        help
        exit
        ;;
    --mpi) mpi=ON ;;
    --no-boost) boost=OFF ;;
    --python) python=ON ;;
    --configure-only) configure_only=yes ;;
    --compile-only) compile_only=yes ;;
    -d)
        profile=$(value_of -d "${2:-}")
        shift
        ;;
    -j)
        jobs=$(value_of -j "${2:-}")
        shift
        ;;
    --log)
        log=$(realpath -m "$(value_of --log "${2:-}")")
        shift
        ;;
    -*) fail 2 "unknown option $1 (see tools/check-ns3.sh --help)" ;;
    *)
        [[ -z $tree ]] || fail 2 "one tree at a time: $tree or $1"
        tree=$1
        ;;
    esac
    shift
done
[[ -n $tree ]] || fail 2 "which ns-3 source tree? (see tools/check-ns3.sh --help)"
[[ $profile =~ ^(default|debug|release|optimized)$ ]] ||
    fail 2 "-d $profile: default, debug, release or optimized"
[[ $jobs =~ ^[1-9][0-9]*$ ]] || fail 2 "-j $jobs: a whole number from 1"
check_tree
for tool in cmake ninja c++ python3; do
    command -v "$tool" >/dev/null ||
        fail 2 "$tool is needed; on Debian: apt-get install cmake ninja-build g++ python3"
done
tree=$(cd "$tree" && pwd)
log=${log:-$tree/via-check.log}
mkdir -p "${log%/*}"
: >"$log"
printf 'ns-3 %s, profile %s (log: %s)\n' "$release" "$profile" "$log"
link_module
spare_ccache
configure
[[ $configure_only == no ]] || exit 0
build
[[ $compile_only == no ]] || exit 0
run_tests
check_installation
printf 'ns-3 %s: the module builds without warnings, its suites and examples pass, and it installs (%d s)\n' \
    "$release" "$SECONDS"
