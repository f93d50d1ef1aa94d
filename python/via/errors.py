# SPDX-License-Identifier: GPL-2.0-only
"""What can go wrong, as a tree.

    ViaError
    |-- ConfigError          a mistake in what was asked for: option, value and limit (ValueError)
    `-- RunError             the simulation ran, and it did not end well; .run has its results
        |-- ProcessFailed    a simulated process exited with another code than 0, or was killed
        `-- Deadlock         nothing is left to happen, and processes still wait

Mistakes of the simulator itself raise nothing: they end the OS process at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from via.results import Run


class ViaError(Exception):
    """Root of all errors of this package."""


class ConfigError(ViaError, ValueError):
    """A mistake in what was asked for. The text names the option, its value and the limit."""


def refuse(option: str, value: object, limit: str) -> ConfigError:
    """Make the ConfigError that says which option has which value, and what is allowed."""
    return ConfigError(f"{option} = {value}: {limit}")


class RunError(ViaError):
    """The simulation ran, and it did not end well."""

    def __init__(self, text: str, run: Run) -> None:
        super().__init__(text)
        self.run = run


class ProcessFailed(RunError):
    """A simulated process exited with another code than 0, or was killed."""


class Deadlock(RunError):
    """Nothing is left to happen, and processes still wait."""
