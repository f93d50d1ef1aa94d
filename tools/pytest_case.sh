#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Exits as a pytest case did; tools/pytest_cases.py wrote FILE, whose first line is the outcome.
#
#     tools/pytest_case.sh FILE
#
# A shell starts in a tenth of the time that an interpreter takes, and there are thousands of cases.

if ! read -r outcome <"$1"; then
    echo "the case did not run: see the entry that runs its file"
    exit 1
fi
while read -r line; do
    printf '%s\n' "$line"
done <"$1"
case $outcome in
passed) exit 0 ;;
skipped) exit 77 ;;
esac
exit 1
