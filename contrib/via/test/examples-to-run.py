# SPDX-License-Identifier: GPL-2.0-only
"""The examples that ns-3's test.py runs: name with arguments, whether to run, whether in valgrind.

Fibers switch stacks behind valgrind's back, so it is spared them.
"""

cpp_examples = [
    ("via-ping-pong", "True", "False"),
    ("via-ping-pong --bytes=4096 --rounds=10 --trace", "True", "False"),
    ("via-ping-pong --rounds=5 --ViaTopology=back-to-back --RngRun=2", "True", "False"),
    ("via-tcp-beside-via --milliseconds=10", "True", "False"),
]

python_examples = []
