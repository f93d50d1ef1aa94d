# SPDX-License-Identifier: GPL-2.0-only
"""What a cluster reads: the profiles and files that arguments of via.Cluster name."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from via import profiles
from via._cluster.configured import MAX_NODES, others_of
from via._cluster.files import card_files, faults_file, named, topology_file
from via.errors import ConfigError

USUAL_PROFILE = "giganet-clan1000"  # of a cluster that names none
NAMING = frozenset({"topology", "faults", "profile", "host", "kernel", "node_profiles"})


def cards(given: Mapping[str, Any]) -> list[profiles.Profile]:
    """Return the profiles of a cluster's nodes, once each, with the kernels that they have.

    Raises:
        ConfigError: one of them is wrong.
        TypeError: an argument has the wrong type.
    """
    product = given.get("profile", USUAL_PROFILE)
    pairs = [(product, given.get("host"))]
    for other in others_of(given.get("node_profiles"), MAX_NODES).values():
        pairs.append((other.profile or product, other.host or None))
    kernel = given.get("kernel") or ""
    return [_with_kernel(profiles.load(*pair), kernel) for pair in dict.fromkeys(pairs)]


def _with_kernel(card: profiles.Profile, kernel: str) -> profiles.Profile:
    try:
        return card.with_kernel(kernel)
    except ConfigError:
        if kernel:
            raise
        return card  # its host has none, which only sockets need


def fingerprint(given: Mapping[str, Any]) -> str:
    """Return the fingerprints of a cluster's profiles, without overrides; "" if one is wrong."""
    try:
        return " ".join(card.fingerprint for card in cards(given))
    except (ConfigError, TypeError):
        return ""


def files(given: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the files that a cluster reads, each with the argument that names it.

    Files that a wrong profile would need are not among them: the error is reported when it is used.
    """
    found = [("topology", topology_file(given)), ("faults", faults_file(given))]
    found += [(name, named(given.get(name))) for name in ("profile", "host", "kernel")]
    try:
        for other in others_of(given.get("node_profiles"), MAX_NODES).values():
            found += [("node_profiles", other.profile), ("node_profiles", other.host)]
        found += [("profile", file) for card in cards(given) for file in card_files(card)]
    except (ConfigError, TypeError):
        pass
    return [each for each in dict.fromkeys(found) if os.path.isfile(each[1])]
