# SPDX-License-Identifier: GPL-2.0-only
"""Starting programs, processes and MPI ranks."""
