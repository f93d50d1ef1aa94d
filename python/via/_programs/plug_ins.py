# SPDX-License-Identifier: GPL-2.0-only
"""Whether this OS process may run shared objects that profiles name.

A command line allows it with --allow-plug-in. This holds for the clusters of all points, and for
the OS processes that are forked for them.
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
        help="run the shared object that a profile names in nic.plug_in",
    )  # fmt: skip


@contextmanager
def permitted(wanted: bool) -> Iterator[None]:
    """Also allow plug-ins in this block, if wanted."""
    global allowed
    before = allowed
    allowed = allowed or wanted
    try:
        yield
    finally:
        allowed = before


def check(product: str, wanted: bool) -> None:
    """Refuse a product whose plug-in is not allowed; other errors are reported elsewhere.

    Raises:
        ConfigError: the text names the plug-in's file.
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
    """Return the words about plug-ins for a command line that is to run again."""
    return [OPTION] if allowed else []
