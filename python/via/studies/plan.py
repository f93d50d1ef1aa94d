# SPDX-License-Identifier: GPL-2.0-only
"""Options and outcome of a study."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from via import profiles
from via._base.files import written
from via.versions import VERSION


@dataclass(frozen=True)
class Plan:
    """The options of a study.

    Attributes:
        out: an existing folder for the results.
        profiles: names or paths of products.
        quick: fewer points, shorter runs.
        jobs: number of OS processes that simulate.
        sizes: message sizes in bytes; empty: the study's own.
        refit: repeat the fit and vary each parameter.
        bands: calibration: the bands of predicted rows.
        format: format of the figures: "png", "svg" or "pdf".
    """

    out: Path
    profiles: Sequence[str]
    quick: bool = False
    jobs: int = 1
    sizes: Sequence[int] = ()
    refit: bool = False
    format: str = "png"
    bands: bool = False

    def figure(self, name: str) -> Path:
        """Return the path of a figure in the study's format."""
        return self.out / f"{name}.{self.format}"


@dataclass(frozen=True)
class Outcome:
    """Results of a study: text for the terminal, files, digests of its runs in order."""

    text: str
    files: Sequence[Path]
    digests: Sequence[str]

    def digest(self) -> str:
        """Return one digest of all runs."""
        return hashlib.sha256("\n".join(self.digests).encode()).hexdigest()[:32]


def report(name: str, plan: Plan, outcome: Outcome) -> dict[str, Any]:
    """Return a study as an object of the list that `via study --json` writes."""
    cards = [profiles.load(name) for name in plan.profiles]
    return {
        "via": VERSION,
        "study": name,
        "quick": plan.quick,
        "profiles": [
            {
                "name": card.name,
                "host": card.host,
                "fingerprint": card.fingerprint,
                "sketch": card.sketch or None,
            }
            for card in cards
        ],
        "files": [str(path) for path in outcome.files],
        "runs": len(outcome.digests),
        "digest": outcome.digest(),
    }


def sketches(plan: Plan) -> str:
    """Return a line for each product of a plan whose profile is a sketch."""
    cards = [profiles.load(name) for name in plan.profiles]
    return "\n".join(
        f"profile {card.name} is a sketch: {card.sketch}" for card in cards if card.sketch
    )


def write_csv(path: Path, rows: Iterable[Sequence[object]], columns: Sequence[str]) -> Path:
    """Write a table; None becomes an empty cell."""
    with written(path) as file:
        table = pd.DataFrame(list(rows), columns=list(columns), dtype=object)
        table.to_csv(file, index=False, lineterminator="\n")
    return path
