# SPDX-License-Identifier: GPL-2.0-only
"""Charts: functions that draw on a panel. `figure` yields panels and writes the file::

    with via.charts.figure("latency.svg", provenance=run.provenance) as panel:
        via.charts.latency(panel, table, by="profile", published="cLAN")

Scales, units and ticks depend on the data: values that span decades get a logarithmic axis, times
the unit that suits the largest.
"""

from via.charts.curves import bandwidth, cdf, latency, scaling
from via.charts.fabric import link_load
from via.charts.paper import figure
from via.charts.time import gantt, stacked

__all__ = ["bandwidth", "cdf", "figure", "gantt", "latency", "link_load", "scaling", "stacked"]
