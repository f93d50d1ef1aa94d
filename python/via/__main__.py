# SPDX-License-Identifier: GPL-2.0-only
"""`python3 -m via`, and so `./via` for all it does not do itself."""

import sys

from via.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
