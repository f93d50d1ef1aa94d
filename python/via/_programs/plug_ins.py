# SPDX-License-Identifier: GPL-2.0-only
"""Whether the user of this OS process lets the shared objects run that profiles name.

A command line says it once, by --allow-plug-in; it holds for the clusters of all points and for the
OS processes that are forked for them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from via.errors import ConfigError, refuse

OPTION = "--allow-plug-in"

allowed = False


def add_option(group: argparse._ActionsContainer) -> None:
    """Add the option to a command's parser."""
    group.add_argument(
        OPTION, action="store_true",
        help="let the shared object run that a profile names in nic.plug_in",
    )  # fmt: skip


@contextmanager
def permitted(wanted: bool) -> Iterator[None]:
    """Let plug-ins run in this block, too, if that is wanted."""
    global allowed
    before = allowed
    allowed = allowed or wanted
    try:
        yield
    finally:
        allowed = before


def check(product: str, wanted: bool) -> None:
    """Refuse a product with a plug-in that nobody allowed; what else is wrong is said by others.

    Raises:
        ConfigError: naming the file.
    """
    from via import profiles

    try:
        file = profiles.load(product).plug_in_file
    except ConfigError:
        return
    if file and not (allowed or wanted):
        raise refuse("profile", product, f"it would run {file}: allow it by {OPTION} (in Python"
                     " allow_plug_in=True)")  # fmt: skip


def words() -> list[str]:
    """Return what a command line that is to be run again says of them."""
    return [OPTION] if allowed else []
