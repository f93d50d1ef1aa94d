# SPDX-License-Identifier: GPL-2.0-only
"""A torus.

Cables that pass over other nodes are bent.
"""

import via

via.plot_topology(via.topology.torus(4, 4), "figure.svg")
