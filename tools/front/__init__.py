# SPDX-License-Identifier: GPL-2.0-only
"""The commands of ./via that install, build and check; others are those of `python3 -m via`.

main.py selects the command, shell.py has shared functions. The code imports only modules of
Debian's python3-minimal, because packages.py installs the rest.
"""
