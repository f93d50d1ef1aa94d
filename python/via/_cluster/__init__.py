# SPDX-License-Identifier: GPL-2.0-only
"""What a cluster is and how it runs: the inside of via.Cluster."""
