#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# fetch-ns3.sh - Debian's source package of ns-3, trimmed to what the module needs.

set -euo pipefail

version=3.37-2 # Debian 12's
release=${version%-*}
# What via needs, what these need, and what mpi's and the tests' targets link.
modules=(core network stats internet bridge traffic-control point-to-point csma mpi test)

help() {
    cat <<HELP
usage: tools/fetch-ns3.sh FOLDER

Fetches Debian's source package ns3 $version with apt and unpacks it into FOLDER/ns-$release, with
the modules that via needs and no others. Leaves apt's settings and lists alone. Does nothing when
that folder is there already. Prints its name.
HELP
}

fail() { # CODE WORD...
    local code=$1
    shift
    printf 'fetch-ns3: %s\n' "$*" >&2
    exit "$code"
}

# The mirror that this machine is set up for.
mirror() {
    local uri
    uri=$(sed -n 's/^URIs: *\([^ ]*\).*/\1/p' /etc/apt/sources.list.d/*.sources 2>/dev/null |
        grep -v security | head -n 1 || true)
    [[ -n $uri ]] || uri=$(sed -n 's/^deb \(\[[^]]*\] \)\{0,1\}\([^ ]*\) .*/\2/p' \
        /etc/apt/sources.list 2>/dev/null | grep -v security | head -n 1 || true)
    printf '%s' "${uri:-http://deb.debian.org/debian}"
}

download() { # FOLDER
    local keys=/usr/share/keyrings/debian-archive-keyring.gpg
    [[ -f $keys ]] || fail 1 "$keys is missing: the sources come from Debian's archive"
    printf 'Types: deb-src\nURIs: %s\nSuites: bookworm\nComponents: main\nSigned-By: %s\n' \
        "$(mirror)" "$keys" >"$1/src.sources"
    mkdir -p "$1/lists/partial" "$1/cache/archives/partial"
    local apt=(apt-get -q -o "Dir::Etc::sourcelist=$1/src.sources" -o Dir::Etc::sourceparts=/dev/null
        -o "Dir::State::Lists=$1/lists" -o "Dir::Cache=$1/cache" -o APT::Sandbox::User=
        -o Acquire::Retries=3)
    (cd "$1" && "${apt[@]}" update && "${apt[@]}" source --download-only "ns3=$version") \
        >"$1/apt.log" 2>&1 || {
        tail -n 5 "$1/apt.log" >&2
        fail 1 "Debian's source package ns3 $version cannot be fetched from $(mirror): without a" \
            "network, unpack ns-3 $release into the folder by hand"
    }
}

unpack() { # ARCHIVE FOLDER
    local pattern=() module
    for module in "${modules[@]}"; do
        pattern+=("*/ns-$release/src/$module/*")
    done
    # All but the modules, and of the modules those that are wanted: two passes of one archive.
    bzip2 -dc "$1" >"$1.tar"
    tar -xf "$1.tar" -C "$2" --wildcards --exclude="*/ns-$release/src/*/*" \
        --exclude="*/ns-$release/doc/*" --exclude="*/ns-$release/examples/*/*" "*/ns-$release/*"
    tar -xf "$1.tar" -C "$2" --wildcards "${pattern[@]}"
    # Folders without content would be taken for modules.
    find "$2"/*/"ns-$release/src" "$2"/*/"ns-$release/examples" -mindepth 1 -maxdepth 1 -type d \
        -empty -delete
}

case ${1:-} in
-h | --help)
    help
    exit
    ;;
'' | -*)
    fail 2 "which folder? (see tools/fetch-ns3.sh --help)"
    ;;
esac
(($# == 1)) || fail 2 "one folder at a time"
folder=$1
if [[ ! -f $folder/ns-$release/VERSION ]]; then
    mkdir -p "$folder"
    part=$(mktemp -d "$folder/.part.XXXXXX") # beside its place: it appears there as a whole
    trap 'rm -rf "$part"' EXIT
    command -v bzip2 >/dev/null || fail 1 "bzip2 is needed: apt-get install bzip2"
    download "$part"
    unpack "$part/ns3_$release.orig.tar.bz2" "$part"
    rm -rf "${folder:?}/ns-$release"
    mv "$part"/*/"ns-$release" "$folder/ns-$release"
fi
printf '%s\n' "$folder/ns-$release"
