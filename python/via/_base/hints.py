# SPDX-License-Identifier: GPL-2.0-only
"""Suggestions for misspelled names: the nearest known name."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

SHORTEST_START = 3  # letters
ALIKE = 0.66  # difflib's ratio from which a known word is suggested
LONGEST = 4_000  # letters of an error: a longer one quotes a file that is broken, not misspelled


def hint(word: str, known: Iterable[str]) -> str:
    """Return "; did you mean X?" for the most similar known word, or "" if none is similar."""
    by_case = {each.lower(): each for each in known}
    if len(word) >= SHORTEST_START:  # all of it, before something that is spelled alike
        for name in by_case:
            if name.startswith((f"{word.lower()}_", f"{word.lower()}-")):
                return f"; did you mean {by_case[name]}?"
    close = difflib.get_close_matches(word.lower(), by_case, n=1, cutoff=ALIKE)
    if not close and len(word) >= SHORTEST_START:  # clan of giganet-clan1000
        close = [name for name in by_case if word.lower() in name]
    return f"; did you mean {by_case[close[0]]}?" if close else ""


def hint_within(text: str) -> str:
    """Return a hint for an error such as "--profile = clan: must be one of a, b, c"."""
    if len(text) > LONGEST or "did you mean" in text:
        return ""
    if of_profile := re.search(r"([\w.-]+): (?:no such key|no profile has such a key)$", text):
        from via import _core  # a circular import at module level

        return hint(of_profile[1], _core.profile_keys())
    parts = re.match(r"^([^=]+) = ['\"]?(.*?): (.*)$", re.sub(r"\(.*?\)", "", text), re.DOTALL)
    if parts is None:
        return ""
    option, value, limit = parts.groups()
    given = re.findall(r"[:,]([\w-]+)=([\w-]*)", value)  # torus:4x4,hosts=2,routing=ecmp
    options = re.findall(r"([\w-]+)=", limit)
    meant = [hint(name, options) for name, _ in given if options and name not in options]
    if listed := re.search(r"(one of|there are|it may have):? (.*)$", limit, re.DOTALL):
        names = re.findall(r"[A-Za-z][\w.-]*\w", listed[2])
        first = re.match(r"[\w.-]*", value)
        words = [first[0] if first else "", *(word for _, word in given)]
        if listed[1] == "it may have":
            words = [option.rpartition(".")[2]]
        meant += [hint(word, names) for word in words if word not in names]
    return next(filter(None, meant), "")


def with_hint(text: str) -> str:
    """Return an error text, with a suggestion if there is one."""
    return text + hint_within(text)
