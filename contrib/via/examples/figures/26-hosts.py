# SPDX-License-Identifier: GPL-2.0-only
"""One card, several hosts.

The same card in faster computers.
"""

import via

hosts = [host for host in via.profiles.hosts() if host.startswith(("pii", "ppro", "xeon"))]
found = [
    via.Cluster(host=host, record=False).run("ping-pong", size=4, rounds=50).latency_us()
    for host in hosts
]
with via.charts.figure("figure.svg") as panel:
    panel.barh(hosts, found)
    panel.set(title="giganet-clan1000: 4 bytes by host", xlabel="one-way latency (\u00b5s)")
