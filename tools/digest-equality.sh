#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# The digest of a run must not depend on compiler, optimization or address layout, and must depend
# on the seed.   tools/digest-equality.sh PRESET...

set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

# digest PRESET PREFIX SEED PROGRAM: the 32 hex digits of one run
digest() {
    # shellcheck disable=SC2086 # the prefix is a command with its option, or nothing
    VIA_PRESET=$1 $2 ./via run --profile giganet-clan1000 --nodes "$nodes" --seed "$3" --digest "$4" \
        2>"$work/errors.$1" | tail -n 1
}

examples=contrib/via/examples
declare -A parts=([messages]=msg [shared-memory]=dsm [block-storage]=block-)

failed=0
for name in ping-pong request-reply rdma-ring barrier credit-flow messages shared-memory block-storage; do
    sources=("$examples/$name".c)
    [[ -z ${parts[$name]:-} ]] || sources+=("$examples/${parts[$name]}"*.c)
    mapfile -t sources < <(printf '%s\n' "${sources[@]}" | sort -u)
    nodes=4
    [[ $name != ping-pong ]] || nodes=2
    ./via cc -O2 "${sources[@]}" "$examples"/vipl-*.c -o "$work/$name.so"
    expected=$(digest "$1" "" 1 "$work/$name.so")
    if ! [[ $expected =~ ^[0-9a-f]{32}$ ]]; then
        cat "$work/errors.$1" >&2
        echo "$name: no digest" >&2
        exit 1
    fi
    for preset in "$@"; do
        for prefix in "" "setarch -R"; do
            printf '%-14s %-8s %-10s %s\n' "$name" "$preset" "${prefix:-with ASLR}" \
                "$(digest "$preset" "$prefix" 1 "$work/$name.so")"
        done >"$work/$preset" & # each writes to a file of its own
    done
    wait
    for preset in "$@"; do
        cat "$work/$preset"
        if [[ $(grep -c " $expected\$" "$work/$preset") != 2 ]]; then
            cat "$work/errors.$preset" >&2
            failed=1
        fi
    done
    other=$(digest "$1" "" 2 "$work/$name.so")
    printf '%-14s %-8s %-10s %s\n' "$name" "$1" "seed 2" "$other"
    [[ $other != "$expected" ]] || failed=1
done
((failed == 0)) || echo "the digests are not what they have to be" >&2
exit "$failed"
