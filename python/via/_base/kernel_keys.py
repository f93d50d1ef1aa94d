# SPDX-License-Identifier: GPL-2.0-only
"""Which keys of profiles belong to kernels."""

from __future__ import annotations

from collections.abc import Iterable

from via import _core


def any_of_kernels(keys: Iterable[str]) -> bool:
    """Return whether a key belongs to a kernel, so that a profile must have one to change it."""
    known = set(_core.profile_keys())
    return any(key in known and _core.profile_key(key).scope == "kernel" for key in keys)
