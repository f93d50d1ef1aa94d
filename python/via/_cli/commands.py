# SPDX-License-Identifier: GPL-2.0-only
"""The list of commands."""

from __future__ import annotations

# A command is a module with main(argv) -> exit code; it is imported when it is run.
COMMANDS = {
    "run": ("via._cli.run", "run VIPL programs on a simulated cluster"),
    "cc": ("via._programs.compiler", "compile a VIPL program for run"),
    "demo": ("via._cli.demo", "latency, bandwidth, where the time goes, a barrier"),
    "study": ("via._cli.study", "reproduce a study: tables and figures"),
    "sweep": ("via._cli.sweep", "run one experiment at many points: a reproducible table"),
    "uncertainty": ("via._cli.uncertainty", "a value with its error bar, and where it comes from"),
    "reproduce": ("via._cli.reproduce", "make a table or figure again and compare"),
    "breakdown": ("via._cli.breakdown", "where the time of a message goes, stage by stage"),
    "trace": ("via._cli.trace", "a run's time line for Perfetto, a message's log"),
    "report": ("via._cli.report", "a run as one HTML page: time line, messages, load, counters"),
    "compare": ("via._cli.compare", "show how two runs, benchmarks or studies differ"),
    "topology": ("via._cli.topology", "describe a topology: counts, routes, deadlock; draw it"),
    "workloads": ("via._cli.workloads", "list workloads and protocols, or the options of one"),
    "profiles": ("via._cli.profiles", "list products and hosts, or show one's numbers"),
    "completion": ("via._cli.completion", "Tab completion for the shell"),
}
