# SPDX-License-Identifier: GPL-2.0-only
"""`via profiles`: what can be simulated, and on what evidence."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from via.cli.guard import answered

EPILOG = """\
examples:
  via profiles                                     products and hosts
  via profiles giganet-clan1000                    every number with unit, trust and source
  via profiles giganet-clan1000 --csv > clan.csv
"""


def main(argv: Sequence[str]) -> int:
    """Run `via profiles`; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="via profiles",
        description="Lists the products and hosts there are profiles of, or the entries of one.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("profile", nargs="?", help="a product's name, or a TOML file")
    parser.add_argument("--host", metavar="H", help="the host it is plugged into")
    parser.add_argument("--csv", action="store_true", help="entries as CSV")
    try:
        given = parser.parse_args(argv)
    except SystemExit as ended:
        return int(ended.code or 0)
    return answered(lambda: show(given) if given.profile else overview())


def overview() -> int:
    """Print the products and the hosts."""
    from via import profiles
    from via.text import table

    rows = [
        [profile.name, profile.title, profile.host, profile.fingerprint]
        for profile in map(profiles.load, profiles.names())
    ]
    print(table(["product", "title", "usual host", "fingerprint"], rows))
    print(f"\nhosts: {', '.join(profiles.hosts())}")
    return 0


def show(given: argparse.Namespace) -> int:
    """Print the entries of one profile."""
    from via import profiles
    from via.text import table

    profile = profiles.load(given.profile, given.host)
    entries = profiles.entries(profile)
    if given.csv:
        entries.to_csv(sys.stdout, index=False, lineterminator="\n")
        return 0
    print(f"{profile.title} on {profile.host}, fingerprint {profile.fingerprint}\n")
    columns = ["key", "value", "unit", "trust", "source"]
    print(table(columns, entries[columns].to_numpy().tolist()))
    return 0
