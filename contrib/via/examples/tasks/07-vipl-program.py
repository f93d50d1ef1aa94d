# SPDX-License-Identifier: GPL-2.0-only
"""A VIPL program in C, on two products."""

from pathlib import Path

import via

Path("limits.c").write_text(r"""
#include <stdio.h>
#include <vipl.h>
int main(void) { VIP_NIC_HANDLE nic; VIP_NIC_ATTRIBUTES is; VipOpenNic("nic0", &nic);
    VipQueryNic(nic, &is); printf("%s: %llu VIs\n", is.Name, (unsigned long long)is.MaxVI); }
""")
program = via.programs.compile(["limits.c"], "limits.so")
for product in ("giganet-clan1000", "servernet2"):
    print(via.Cluster(nodes=1, profile=product).run_program(program, capture=True).stdout, end="")
