# SPDX-License-Identifier: GPL-2.0-only
"""Wires that differ.

Fast trunks, one slow host: a colour for each kind of wire.
"""

import via

slow = {("n5", "s5"): {"rate_mbit_s": 100}}
fast = {"rate_mbit_s": 4000}
ring = via.topology.with_wires(via.topology.ring(8), slow, trunks=fast, name="ring, n5 is slow")
via.plot_topology(ring, "figure.svg")
