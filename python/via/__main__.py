# SPDX-License-Identifier: GPL-2.0-only
"""`python3 -m via`, and so `./via` for all it does not do itself."""

import sys

from via.cli import main, streams


def run() -> int:
    """Run the command line of this OS process: what the installed command `via` calls."""
    streams.prepare()
    return streams.finished(main(sys.argv[1:]))


if __name__ == "__main__":
    sys.exit(run())
