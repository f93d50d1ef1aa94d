# SPDX-License-Identifier: GPL-2.0-only
"""./via bench: what it makes of the results of via-bench, and what it says if something lacks."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).resolve().parents[2] / "benchmarks" / "bench.py"
CASES = [
    "pingpong_8B", "vipl_pingpong_8B", "pingpong_4KiB", "barrier_64", "barrier_256", "barrier_1024",
    "barrier_4096", "barrier_16384", "alltoall_64_4KiB", "alltoall_64_4KiB_gnic2",
    "alltoall_64_4KiB_gm", "recorded_pingpong_8B", "ranks2_barrier_4096",
]  # fmt: skip

# Stands in for via-bench: 1,000 messages a round. Records take half as much time again, and 1 MiB.
VIA_BENCH = """
cases = {cases}
if sys.argv[1] == "--list":
    sys.exit(print("\\n".join(cases)))
case, side = sys.argv[1:3]
rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 100
recorded = case.startswith("recorded")
print(json.dumps({{
    "profile": "p", "topology": "t", "nodes": 2, "bytes": 8, "rounds": rounds,
    "messages": 1000 * rounds, "cpu_s": (3 if recorded else 2 if side == "via" else 1),
    "events": 3000 * rounds, "allocations": 0, "instructions": {instructions}, "warm_up": 1000,
    "peak_rss_kib": 3072 if recorded else 2048, "digest": "d" if side == "via" else ""}}))
"""
# Stands in for valgrind: a million instructions before the first message, 7 for each.
VALGRIND = """
done = subprocess.run(sys.argv[3:], capture_output=True, text=True, check=True).stdout
print(done, end="")
print("== Collected :", 1_000_000 + 7 * json.loads(done)["messages"], file=sys.stderr)
"""
# Stands in for mpirun, which runs nothing.
MPIRUN = """
shares = [{"peak_bytes": 2**20}, {"peak_bytes": 2**21}]
json.dump({"digest": "d", "partitions": shares}, open(sys.argv[-1], "w"))
"""


def program(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!{sys.executable}\nimport json, subprocess, sys\n{text}", "ascii")
    path.chmod(0o755)
    return path


@pytest.fixture(name="bench")
def _bench(tmp_path):
    """Run bench.py with a via-bench that counts so many instructions: code, output, JSON."""

    def call(*words: str, instructions: str = "None", quick: bool = True):
        text = VIA_BENCH.format(cases=CASES, instructions=instructions)
        told = tmp_path / "told.json"
        done = subprocess.run(
            [sys.executable, BENCH, "--program", program(tmp_path / "via-bench", text),
             "--json", told, *(["--quick"] if quick else []), *words],
            env={**os.environ, "PATH": str(tmp_path / "bin")},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        results = json.loads(told.read_text()) if told.is_file() else []
        return done.returncode, done.stdout + done.stderr, {each["name"]: each for each in results}

    return call


def test_a_case_has_rates_events_and_instructions_per_message(bench):
    code, _, told = bench("--case", "pingpong_8B", instructions="70 * 1000 * rounds")
    assert code == 0
    case = told["pingpong_8B"]
    assert (case["messages_per_cpu_s"], case["ratio_to_ns3"]) == (50_000, 0.5)
    assert (case["events_per_message"], case["instructions_per_message"]) == (3, 70)


def test_a_recorded_run_is_compared_with_the_same_without_records(bench):
    _, said, told = bench("--case", "recorded_pingpong_8B")
    case = told["recorded_pingpong_8B"]
    assert case["cpu_ratio_to_unrecorded"] == 1.5
    assert case["recorded_bytes_per_message"] == pytest.approx(2**20 / 100_000)
    assert "1.50 times the CPU time of the same run without records, 10 bytes per message" in said


def test_without_a_counter_of_the_processor_two_lengths_are_counted_by_callgrind(bench, tmp_path):
    program(tmp_path / "bin" / "valgrind", VALGRIND)
    _, said, told = bench("--case", "barrier_64")
    assert told["barrier_64"]["instructions_per_message"] == 7
    assert "not counted" not in said


def test_instructions_that_nothing_counts_are_null_and_the_reason_is_said(bench):
    code, said, told = bench("--case", "barrier_64")
    assert code == 0
    assert told["barrier_64"]["instructions_per_message"] is None
    assert "instructions: not counted; that needs a counter of the processor" in said


def test_ranks_that_are_not_built_are_skipped_with_the_reason(bench):
    code, said, told = bench("--case", "ranks2_barrier_4096")
    assert code == 0
    assert "skipped, via-partitions is not built: ./via setup --mpi" in said
    assert "not built" in told["ranks2_barrier_4096"]["skipped"]


def test_ranks_without_mpirun_are_skipped_with_the_reason(bench, tmp_path):
    program(tmp_path / "via-partitions", "")
    assert "skipped, there is no mpirun" in bench("--case", "ranks2_barrier_4096")[1]


def test_two_ranks_are_compared_with_one_process(bench, tmp_path):
    program(tmp_path / "via-partitions", "")
    program(tmp_path / "bin" / "mpirun", MPIRUN)
    code, _, told = bench("--case", "ranks2_barrier_4096")
    assert code == 0
    case = told["ranks2_barrier_4096"]
    assert (case["ranks"], case["one_process_peak_mib"], case["rank_peak_mib"]) == (2, 2, 2)
    assert {"one_process_wall_s", "ranks_wall_s", "ratio_to_one_process"} < case.keys()


def test_ranks_with_another_digest_are_an_error(bench, tmp_path):
    program(tmp_path / "via-partitions", "")
    program(tmp_path / "bin" / "mpirun", MPIRUN.replace('"d"', '"e"'))
    code, said, told = bench("--case", "ranks2_barrier_4096")
    assert code == 1
    assert "the digest on MPI ranks is not that of one process" in said
    assert not told


def test_ranks_that_fail_say_why(bench, tmp_path):
    program(tmp_path / "via-partitions", "")
    program(tmp_path / "bin" / "mpirun", MPIRUN.replace('"d"', '"d", "error": "no such file"'))
    code, said, _ = bench("--case", "ranks2_barrier_4096")
    assert code == 1
    assert "ranks2_barrier_4096 on MPI ranks failed: no such file" in said


def test_a_hyphen_as_the_file_is_standard_output(bench):
    code, said, told = bench("--case", "pingpong_8B", "--json", "-")
    assert (code, told) == (0, {})
    assert json.loads(said[said.rindex("\n[") :])[0]["name"] == "pingpong_8B"


def test_an_unknown_case_is_refused_with_the_names_of_all(bench):
    code, said, _ = bench("--case", "barrier_65")
    assert code == 2
    assert "--case barrier_65: one of pingpong_8B" in said


def test_the_cases_of_via_bench_are_those_that_others_rely_on():
    program = Path(os.environ.get("VIA_BUILD_DIR", "")) / "bin" / "via-bench"
    if not program.is_file():
        pytest.skip("via-bench is not built")
    if "libasan" in os.environ.get("LD_PRELOAD", ""):
        pytest.skip("via-bench counts allocations in the place of AddressSanitizer's functions")
    listed = subprocess.run([program, "--list"], capture_output=True, text=True, check=True).stdout
    assert set(CASES) <= set(listed.split())
