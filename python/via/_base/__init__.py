# SPDX-License-Identifier: GPL-2.0-only
"""Code that every other part uses: error texts, arguments, files, units."""
