# SPDX-License-Identifier: GPL-2.0-only
"""What a faster card would gain.

The clock of the NIC, changed in one line.
"""

import via

clocks = [25, 50, 75, 100, 150, 200]
with via.charts.figure("figure.svg") as panel:
    for card in ("giganet-clan1000", "berkeley-via-lanai4"):
        found = [
            via.Cluster(profile=card, overrides={"nic.clock": f"{mhz} MHz"}, record=False)
            .run("ping-pong", size=4, rounds=50)
            .latency_us()
            for mhz in clocks
        ]
        panel.plot(clocks, found, "o-", label=card)
    panel.set(title="4 bytes", ylim=(0, None))
    panel.set(xlabel="clock of the NIC (MHz)", ylabel="one-way latency (\u00b5s)")
    panel.legend()
