# SPDX-License-Identifier: GPL-2.0-only
"""The run that tests of its page look at, with Bokeh and without."""

import via


def run_with_faults() -> via.Run:
    plan = via.Faults().link_down("n1", at="200 us", until="250 us").loss("all", corrupt_ppb=1000)
    return via.Cluster(nodes=4, faults=plan).run("all-to-all", rounds=3)
