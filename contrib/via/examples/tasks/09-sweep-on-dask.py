# SPDX-License-Identifier: GPL-2.0-only
"""A sweep on a cluster of machines; here its workers are two processes on this one."""

import via
from distributed import Client, LocalCluster

if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1) as machines, Client(machines) as client:
        table = via.sweep("barrier", {"nodes": [2, 4, 8, 16], "rounds": 20}, client=client)
    print(table[["nodes", "latency_us"]].to_string(index=False))
