#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks contrib/via/wscript-compat/wscript against the lists of contrib/via/CMakeLists.txt.

ns-3 up to 3.35 builds with waf, which needs its own lists. --fix writes them.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

MODULE = Path(__file__).resolve().parent.parent / "contrib" / "via"
COMPAT = MODULE / "wscript-compat"
# The last releases with waf do not accept a lambda as an event: such examples are left out.
EVENT_LAMBDA = re.compile(r"Simulator::Schedule\w*\([^;]*?\[[^]\n]*\] ?[({]")

TEMPLATE = '''\
# SPDX-License-Identifier: GPL-2.0-only
# Made by tools/wscript.py from the lists of CMakeLists.txt; README.md says how it is used.

SOURCES = [
{sources}]

HEADERS = [
{headers}]


def required_boost_libs(conf):
    conf.env["REQUIRED_BOOST_LIBS"] += ["context"]


def missing(conf):
    """What is not there, or nothing."""
    if conf.missing_boost_libs("via", "via", ["context"], required=False):
        return "Boost.Context (Debian: libboost-context-dev)"
    for header, package in (
        ("toml.hpp", "toml11 (Debian: libtoml11-dev)"),
        ("nlohmann/json.hpp", "nlohmann-json (Debian: nlohmann-json3-dev)"),
    ):
        if not conf.check_cxx(header_name=header, mandatory=False):
            return package
    return ""


def configure(conf):
    wanted = missing(conf)
    if wanted:
        conf.report_optional_feature("via", "via", False, "needs " + wanted)
        conf.env["MODULES_NOT_BUILT"].append("via")
        return
    conf.check_cxx(lib="dl", uselib_store="VIA_DL", mandatory=False)
    conf.check_cxx(lib="pthread", uselib_store="VIA_PTHREAD", mandatory=False)
    conf.report_optional_feature("via", "via", True, "")


def prepare(part, folder):
    """What every target of the module is compiled with: C++17, and the folder of vipl.h."""
    part.use += ["BOOST", "BOOST_CONTEXT", "VIA_DL", "VIA_PTHREAD"]
    part.includes = part.to_list(getattr(part, "includes", [])) + [folder + "/model/vipl/include"]
    part.env.append_value("CXXFLAGS", ["-std=c++17"])
    part.env.append_value("DEFINES", ['VIA_PROFILE_DIR="%s/profiles"' % folder])
    part.env.append_value("DEFINES", ['VIA_INSTALLED_PROFILE_DIR="../share/via/profiles"'])


def build(bld):
    if "via" in bld.env["MODULES_NOT_BUILT"]:
        return
    folder = bld.path.abspath()
    module = bld.create_ns3_module("via", ["core", "network", "internet"])
    module.source = SOURCES
    prepare(module, folder)

    tests = bld.create_ns3_module_test_library("via")
    tests.source = ["test/via-test-suite.cc"]
    prepare(tests, folder)

    headers = bld(features="ns3header")
    headers.module = "via"
    headers.source = HEADERS

    if bld.env["ENABLE_EXAMPLES"]:
        for name in [{examples}]:
            example = bld.create_ns3_program(name, ["via", "core", "network", "internet"])
            example.target = "examples/" + example.target  # where test.py looks for it
            example.source = "examples/" + name + ".cc"
            prepare(example, folder)
'''


def listed(text: str, variable: str) -> list[str]:
    found = re.search(rf"^set\({variable}\n(.*?)^\)", text, re.MULTILINE | re.DOTALL)
    if not found:
        raise SystemExit(f"contrib/via/CMakeLists.txt: no list {variable}")
    return found.group(1).split()


def wanted() -> str:
    text = (MODULE / "CMakeLists.txt").read_text(encoding="utf-8")

    def lines(variable: str) -> str:
        return "".join(f'    "{name}",\n' for name in listed(text, variable))

    examples = sorted(
        path.stem
        for path in (MODULE / "examples").glob("via-*.cc")
        if not EVENT_LAMBDA.search(path.read_text(encoding="utf-8"))
    )
    return (
        TEMPLATE.replace("{sources}", lines("via_sources"))
        .replace("{headers}", lines("via_headers"))
        .replace("{examples}", ", ".join(f'"{name}"' for name in examples))
    )


def main() -> int:
    script = COMPAT / "wscript"
    text = wanted()
    if "--fix" in sys.argv[1:]:
        script.write_text(text, encoding="utf-8")
    elif not script.is_file() or script.read_text(encoding="utf-8") != text:
        print("contrib/via/wscript-compat/wscript is not what CMakeLists.txt says:")
        print("tools/wscript.py --fix (or ./via format) writes it")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
