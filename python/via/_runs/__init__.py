# SPDX-License-Identifier: GPL-2.0-only
"""Results of a run: report, tables, folders, time lines, provenance of files."""
