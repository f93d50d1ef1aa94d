# SPDX-License-Identifier: GPL-2.0-only
"""An oracle of another make: small, slow, written from the profiles' tables alone."""

from .cluster import Star
from .program import Compute, Post, Script

__all__ = ["Compute", "Post", "Script", "Star"]
