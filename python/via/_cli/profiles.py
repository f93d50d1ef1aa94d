# SPDX-License-Identifier: GPL-2.0-only
"""`via profiles`: products and hosts, and the numbers of one with their sources."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from via._base.hints import hint
from via._cli.guard import answered
from via._cli.options import Parser

if TYPE_CHECKING:
    import pandas as pd

    from via.profiles import Profile

EPILOG = """\
examples:
  via profiles                                     products and hosts
  via profiles giganet-clan1000                    every number with unit, trust and source
  via profiles giganet-clan1000 --csv > clan.csv
  via profiles xeon550-w2k                         the numbers of a host
  via profiles giganet-clan1000 --explain nic.tpt_lookup
  via profiles --dma --host opteron1600            rates of its bus by the size of a burst
"""


def main(argv: Sequence[str]) -> int:
    """Run `via profiles`; return the exit code."""
    made = parser()
    given = made.parse_args(argv)
    if given.profile is None and given.host is None:
        if given.explain is not None:
            made.error("--explain needs a profile")
        if given.dma:
            made.error("--dma needs a host, or a profile, whose usual host it takes")
        if given.csv:
            made.error("--csv needs a profile, or a host")
    if given.dma and given.explain is not None:
        made.error("--dma and --explain exclude each other")
    return answered(lambda: answer(given), parser())


def parser() -> argparse.ArgumentParser:
    """Return the parser of all options."""
    made = Parser(
        prog="via profiles",
        description="Lists the products and hosts that have profiles, or the entries of one.",
        epilog=EPILOG,
    )
    made.add_argument(
        "profile", nargs="?", help="the name of a product or a host, or a product's TOML file"
    )
    made.add_argument(
        "--host", metavar="H",
        help="host computer (default: the product's test bed); without a product: the host's own"
        " numbers",
    )  # fmt: skip
    made.add_argument("--csv", action="store_true", help="print the entries, or the rates, as CSV")
    made.add_argument(
        "--explain", metavar="KEY", help="value, unit, allowed range, trust and source of one entry"
    )
    made.add_argument(
        "--dma", action="store_true",
        help="the host by itself: MB/s of DMA bursts, reads, writes and both, by their size",
    )  # fmt: skip
    return made


def answer(given: argparse.Namespace) -> int:
    """Print the requested list.

    Raises:
        ConfigError: there is no such product, host or key.
    """
    from via import profiles
    from via.errors import refuse

    if given.profile in set(profiles.hosts()) - set(profiles.names()):
        if given.host is not None:
            raise refuse("profile", given.profile, "this is a host: --host needs a product")
        given.profile, given.host = None, given.profile
    if given.dma:
        return dma(given)
    if given.profile is None and given.host is None:
        return overview()
    return show(given) if given.explain is None else explain(given)


def overview() -> int:
    """Print the products and the hosts."""
    from via import profiles
    from via._base.text import table

    cards = [profiles.load(name) for name in profiles.names()]
    rows = [
        [card.name, card.title, card.host, "sketch" if card.sketch else "", card.fingerprint]
        for card in cards
    ]
    print(table(["product", "title", "usual host", "status", "fingerprint"], rows))
    chosen = [[card.name, *profiles.mechanisms(card).values()] for card in cards]
    header = [key.split(".")[1] for key in profiles.mechanisms(cards[0])]
    print(f"\n{table(['product', *header], chosen)}")
    print(f"\nhosts: {', '.join(profiles.hosts())}")
    print("sketch: do not rely on its numbers; `via profiles NAME` says why")
    return 0


def show(given: argparse.Namespace) -> int:
    """Print the entries of one profile, or those of a host."""
    from via import profiles
    from via._base.text import table

    profile, entries = _asked(given)
    if given.csv:
        entries.to_csv(sys.stdout, index=False, lineterminator="\n")
        return 0
    if given.profile is None:
        print(f"host {profile.host}")
    else:
        print(f"{profile.title} on {profile.host}, fingerprint {profile.fingerprint}")
        if profile.sketch:
            print(f"sketch: {profile.sketch}")
        for key, word in profiles.mechanisms(profile).items():
            print(f"  {profiles.key(key).meaning}: {word}")
    counts = entries["trust"].value_counts()
    found = [f"{counts[trust]} {trust}" for trust in profiles.TRUSTS if trust in counts]
    print(f"evidence: {', '.join(found)}\n")
    columns = ["key", "value", "unit", "trust", "source"]
    print(table(columns, entries[columns].to_numpy().tolist()))
    return 0


def _asked(given: argparse.Namespace) -> tuple[Profile, pd.DataFrame]:
    """Return a profile and its entries; without a product, those of the host."""
    from via import profiles

    profile = profiles.load(given.profile or "ideal", given.host)
    entries = profiles.entries(profile)
    if given.profile is None:
        is_of_host = [profiles.key(key).scope == "host" for key in entries["key"]]
        entries = entries[is_of_host].reset_index(drop=True)
    return profile, entries


def dma(given: argparse.Namespace) -> int:
    """Print how fast a host's bus moves bursts of a card, by their size."""
    from via import profiles
    from via._base.text import table

    card = profiles.load(given.profile or "ideal", given.host)
    rates = profiles.dma_rates(card)
    if given.csv:
        rates.to_csv(sys.stdout, index=False, lineterminator="\n", float_format="%.3f")
        return 0
    print(f"DMA bursts of a card without costs on {card.host}, MB/s:\n")
    lines = [
        [row.burst_bytes, f"{row.read_mb_s:.1f}", f"{row.write_mb_s:.1f}", f"{row.both_mb_s:.1f}"]
        for row in rates.itertuples()
    ]
    print(table(["bytes", "read", "write", "both"], lines))
    return 0


def explain(given: argparse.Namespace) -> int:
    """Print everything known about one entry."""
    from via import profiles
    from via.errors import refuse

    profile, entries = _asked(given)
    entry = next((each for each in entries.itertuples() if each.key == given.explain), None)
    if entry is None:
        keys = entries["key"].tolist()
        like = [key for key in keys if given.explain.split(".")[-1] in key]
        known = f"; did you mean {', '.join(like)}?" if like else hint(given.explain, keys)
        all_of_them = "; the command lists all without --explain"
        raise refuse("--explain", given.explain, f"there is no such key{known or all_of_them}")
    about = profiles.key(entry.key)
    shown = entry.value if entry.unit in ("Hz", "word") else f"{entry.value} {entry.unit}"
    print(f"{entry.key} = {shown}")
    for name, text in {
        "meaning": about.meaning,
        "allowed": about.allowed,
        "only with": about.only_if,
        "trust": entry.trust,
        "source": entry.source,
        "taken over": _taken_over(entry, profile),
        "defined in": f"{entry.file}:{entry.line}",
    }.items():
        if text:
            print(f"  {name:11}{text}")
    return 0


def _taken_over(entry: Any, profile: Profile) -> str:
    """Say that a host has a number of cycles from another host, whose clock is not its own."""
    from via import profiles

    of_host = Path(entry.file).parent.name == "hosts"
    if not of_host or entry.unit != "host cycles" or Path(entry.file).stem == profile.host:
        return ""
    own = _clock(profile)
    other = _clock(profiles.load("ideal", entry.file))
    if own == other:
        return ""
    return f"of a host of {other}, as times in the source are; here they pass at {own}"


def _clock(profile: Profile) -> str:
    clock = next(entry.value for entry in profile.entries if entry.key == "cpu.clock")
    number, _, below = clock.removesuffix(" Hz").partition("/")
    return f"{int(number) / int(below or 1) / 1e6:g} MHz"
