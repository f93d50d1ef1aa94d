# SPDX-License-Identifier: GPL-2.0-only
"""Entry point that ./via starts."""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    from front.main import run

    sys.exit(run(sys.argv[1:]))
