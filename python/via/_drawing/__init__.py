# SPDX-License-Identifier: GPL-2.0-only
"""The look of figures: colours, panels, drawings of topologies."""
