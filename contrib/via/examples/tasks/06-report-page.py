# SPDX-License-Identifier: GPL-2.0-only
"""A run with a fault, as a page for a browser."""

import via

plan = via.Faults().link_down("n1", at="200 us", until="250 us")
run = via.Cluster("torus:3x3", nodes=9, faults=plan).run("all-to-all", rounds=3)
run.report_page("faulty.html")
