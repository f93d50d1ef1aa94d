#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# debian-package.sh - Debian packages of what is committed: a dry run, unsigned.

set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)

help() {
    cat <<'HELP'
usage: tools/debian-package.sh FOLDER

Makes the source package libns3-via of the commit that is checked out, and builds from it
libns3-via (the library), libns3-via-data (profiles) and libns3-via-dev, into FOLDER. Needs dpkg-dev,
debhelper and what the packages are built with; installs nothing. The version is contrib/via/VERSION.
HELP
}

fail() { # CODE WORD...
    local code=$1
    shift
    printf 'debian-package: %s\n' "$*" >&2
    exit "$code"
}

case ${1:-} in
-h | --help)
    help
    exit
    ;;
'' | -*) fail 2 "which folder? (see tools/debian-package.sh --help)" ;;
esac
(($# == 1)) || fail 2 "one folder at a time"
for tool in dpkg-buildpackage dh git; do
    command -v "$tool" >/dev/null || fail 2 "$tool is needed: apt-get install dpkg-dev debhelper git"
done

version=$(git -C "$root" show HEAD:contrib/via/VERSION)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
tree=$folder/libns3-via-$version
[[ ! -e $tree ]] || fail 2 "$tree is there already"
git -C "$root" archive --prefix="libns3-via-$version/" HEAD |
    gzip -n >"$folder/libns3-via_$version.orig.tar.gz"
tar -xzf "$folder/libns3-via_$version.orig.tar.gz" -C "$folder"

# What holds a version is made from the one place that has it.
cp -r "$root/tools/debian" "$tree/debian"
soversion=${version%.*}
sed -i "s/@SOVERSION@/$soversion/" "$tree/debian/control"
mv "$tree/debian/libns3-via.install" "$tree/debian/libns3-via$soversion.install"
cat >"$tree/debian/changelog" <<CHANGELOG
libns3-via ($version-1) unstable; urgency=medium

  * See CHANGELOG.md.

 -- The via authors <via@localhost>  $(git -C "$root" log -1 --format=%cD)
CHANGELOG

(cd "$tree" && dpkg-buildpackage -us -uc)
printf '\n'
ls -1 "$folder"/*.deb "$folder"/*.dsc
