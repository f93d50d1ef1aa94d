# SPDX-License-Identifier: GPL-2.0-only
"""Kinds of charts, each a function that draws on a panel; `figure` makes the file around them.

    with via.charts.figure("latency.svg", provenance=run.provenance) as panel:
        via.charts.latency(panel, table, by="profile", published="cLAN")

Scales, units and ticks follow from the data: what spans decades is logarithmic, times are in the
unit that suits the largest.
"""

from via.charts.curves import bandwidth, cdf, latency, scaling
from via.charts.fabric import link_load
from via.charts.paper import figure
from via.charts.time import gantt, stacked

__all__ = ["bandwidth", "cdf", "figure", "gantt", "latency", "link_load", "scaling", "stacked"]
