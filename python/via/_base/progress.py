# SPDX-License-Identifier: GPL-2.0-only
"""Progress bars of long work: in a terminal or in a notebook."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from via._base.units import PS_PER_US
from via.errors import refuse

Progress: TypeAlias = bool | Callable[[int], object]


def bar(*given: Any, **options: Any) -> Any:
    """Return a bar of tqdm.auto: in a notebook one of widgets, or of text where there are none."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "IProgress not found")
        from tqdm.auto import tqdm  # tells of missing widgets when it is imported

    return tqdm(*given, **options)


@contextmanager
def told(
    progress: Progress, total_ps: int | None = None
) -> Iterator[Callable[[int], object] | None]:
    """Yield the function to call with simulated times in picoseconds; None: nobody is told.

    Args:
        progress: True: a bar; a function to call; False: nothing.
        total_ps: where simulated time ends; None: unknown.

    Raises:
        ConfigError: progress is something else.
    """
    if callable(progress):
        yield progress
    elif progress is True:
        total = None if total_ps is None else total_ps / PS_PER_US
        with bar(total=total, unit=" simulated us", unit_scale=True, leave=False) as drawn:
            yield lambda now_ps: drawn.update(now_ps / PS_PER_US - drawn.n)
    elif progress is False:
        yield None
    else:
        raise refuse("progress", repr(progress), "True, False, or a function is needed")
