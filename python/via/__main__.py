# SPDX-License-Identifier: GPL-2.0-only
"""`python3 -m via`; `./via` calls it for the commands that it does not have itself."""

import signal
import sys

from via._cli import main, streams


def run() -> int:
    """Run the command line of this OS process; entry point of the installed command `via`."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    streams.prepare()
    return streams.finished(main(sys.argv[1:]))


if __name__ == "__main__":
    sys.exit(run())
