# SPDX-License-Identifier: GPL-2.0-only
"""A product of one's own: another, with a card of twice the clock."""

import via

changes = {"nic.clock": "125 MHz"}
via.profiles.extend("mine.toml", "giganet-clan1000", changes, title="cLAN x 2", source="what if")
for product in ("giganet-clan1000", "mine.toml"):
    run = via.Cluster(nodes=2, profile=product).run("ping-pong", size=4, rounds=50)
    print(f"{product}: {run.latency_us():.3f} us")
