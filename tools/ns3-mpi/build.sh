#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Builds ns-3's module `mpi`, which Debian's package leaves out, and installs it to a folder.
#
#     tools/ns3-mpi/build.sh PREFIX [SRC]
#
# SRC is src/mpi of an ns-3.37 source tree; without it Debian's source package is fetched, which
# needs a mirror that holds it, and leaves /etc/apt alone. Everything else is libns3-dev's own.
# PREFIX/built-from says what was built: the same is not built again, unless SRC is given.
set -euo pipefail

prefix=${1:?usage: tools/ns3-mpi/build.sh PREFIX [SRC]}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
here=$(cd "$(dirname "$0")" && pwd)

# Unpacks src/mpi of Debian's source package of the version that is installed.
fetch_source() {
    local version uri
    version=$(dpkg-query -W -f '${source:Version}' libns3-dev)
    uri=$(sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/debian.sources | head -1)
    printf 'Types: deb-src\nURIs: %s\nSuites: bookworm\nComponents: main\nSigned-By: %s\n' \
        "$uri" /usr/share/keyrings/debian-archive-keyring.gpg >"$work/src.sources"
    mkdir -p "$work/lists/partial"
    local options=(-qq -o "Dir::Etc::sourcelist=$work/src.sources" -o Dir::Etc::sourceparts=/dev/null
        -o "Dir::State::Lists=$work/lists" -o APT::Sandbox::User=root)
    (cd "$work" && apt-get "${options[@]}" update &&
        apt-get "${options[@]}" source --download-only "ns3=$version")
    tar xjf "$work"/ns3_*.orig.tar.bz2 -C "$work" --wildcards '*/src/mpi'
    find "$work" -path '*/src/mpi' -type d
}

wanted="$(dpkg-query -W -f '${source:Version}' libns3-dev 2>/dev/null) $(cat "$here"/* | sha256sum)"
if [ $# -eq 1 ] && [ "$(cat "$prefix/built-from" 2>/dev/null)" = "$wanted" ]; then
    exit 0
fi
source=${2:-$(fetch_source)}
cmake -S "$here" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DNS3_MPI_SOURCES="$source" -DCMAKE_INSTALL_PREFIX="$prefix"
cmake --build "$work/build"
cmake --install "$work/build"
printf '%s\n' "$wanted" >"$prefix/built-from"
