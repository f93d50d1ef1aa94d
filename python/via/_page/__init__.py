# SPDX-License-Identifier: GPL-2.0-only
"""The report of a run as one HTML page."""
