# SPDX-License-Identifier: GPL-2.0-only
"""What a new user writes first: whole scripts of at most 15 lines."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MYPY = ROOT / ".cache/tools/bin/mypy"
MOST_LINES = 15
PRINTED = {
    "latency of three products": "mvia-gnic2 4096",
    "a protocol with faults on 256 nodes": "254 of 256 answered",
    "a profile of one's own": "mine.toml: ",
}
SCRIPTS = {
    "latency of three products": """\
import via
from via.workloads import PingPong

products = ["giganet-clan1000", "mvia-gnic2", "berkeley-via-lanai4"]
grid = {"profile": products, "size": [4, 256, 4096]}
table = via.sweep(PingPong(rounds=20), grid, seeds=4, cache=None)
print(via.intervals(table, by=["profile", "size"], ci=95).to_string(index=False))
with via.charts.figure("latency.svg") as panel:
    via.charts.latency(panel, table, x="size", by="profile", ci=95)
""",
    "a protocol with faults on 256 nodes": """\
import via

class Ask(via.Protocol):
    async def run(self) -> int:
        if self.rank:
            self.send((await self.recv())[0], b"here")
            return 1
        for peer in range(1, self.size):
            self.send(peer, b"who?")
        answers = [await self.recv(timeout="5ms") for _ in range(1, self.size)]
        return 1 + sum(answer is not None for answer in answers)

cluster = via.Cluster(nodes=256, record=False)
run = cluster.run(Ask, process_faults="crash:9:1,crash:77:1")
print(run.returned[0], "of 256 answered")
""",
    "a profile of one's own": """\
import via

via.profiles.extend("mine.toml", "giganet-clan1000", {"nic.clock": "125 MHz"},
                    title="cLAN1000 at 125 MHz", source="what if")
for product in ("giganet-clan1000", "mine.toml"):
    run = via.Cluster(nodes=2, profile=product).run("ping-pong", size=4, rounds=50)
    print(f"{product}: {run.latency_us():.3f}")
""",
}


@pytest.mark.parametrize("task", SCRIPTS)
def test_a_first_task_is_a_short_script(task, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPTS[task])
    assert SCRIPTS[task].count("\n") <= MOST_LINES
    command = [sys.executable, str(script)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert PRINTED[task] in " ".join(done.stdout.split())


@pytest.mark.ci  # after ./via check, which installs mypy
@pytest.mark.skipif(not MYPY.exists(), reason="./via check installs mypy")
@pytest.mark.parametrize("task", SCRIPTS)
def test_a_first_task_has_no_wrong_type(task, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPTS[task])
    command = [str(MYPY), "--strict", "--no-incremental", "--follow-imports=silent", str(script)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
