# SPDX-License-Identifier: GPL-2.0-only
"""A dragonfly.

Five groups of four routers, drawn as groups in a circle.
"""

import via

via.plot_topology(via.topology.dragonfly(4, 1, 1), "figure.svg")
